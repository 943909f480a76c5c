// The report as `impinge check --format json` writes it: docs/clash-json.md describes the fields.

export type Kind = "hard" | "contained" | "duplicate" | "clearance" | "touching";
export type Point = [number, number, number];

export interface Finding {
  id: string;
  test: string;
  kind: Kind;
  parts: number[];
  paths: string[];
  distance: number | null;
  method: "exact" | "bound" | "estimate" | null;
  points: [Point, Point] | null;
  triangles: [number, number] | null;
  curve: [Point, Point][];
  curve_cut_short: boolean;
  volume: number | null;
  certain: boolean;
  /** What happens to the parts on their way, if they move. */
  motion: Encounter | null;
  explanation: string;
  group: string | null;
  status: string;
  assignee: string | null;
  approved_distance: number | null;
  comment: string;
  change: "added" | "persistent";
}

/** A time in seconds, or the positions of one or two joints, in the order of the axes. */
export type Moment = number[];

export interface Encounter {
  start: "free" | "leaving" | "approaching" | "overlapping";
  first_contact: { from: Moment; to: Moment; method: "exact" | "bound" | "estimate" } | null;
  least: { distance: number; lower: number; at: Moment } | null;
  deepest: { depth: number | null; at: Moment } | null;
  shares: { free: number; meeting: number; undecided: number } | null;
  decided: boolean;
  shown: Moment;
}

export interface Axis {
  name: string;
  unit: "s" | "rad" | "m";
  from: number;
  to: number;
}

export interface Report {
  schema: string;
  model: string;
  unit: string;
  partial: boolean;
  counts: Record<
    | "parts" | "triangles" | "pairs_asked" | "pairs_near" | "pairs_done" | "findings"
    | "added" | "persistent" | "resolved" | "hidden",
    number
  >;
  parts: { path: string; name: string; file: string; triangles: number; closed: boolean; low: Point; high: Point }[];
  left_out: string[];
  motion: {
    file: string;
    axes: Axis[];
    /** Where the model of the page stands. */
    start: Moment;
    pairs: Record<"moving" | "free" | "meeting" | "at_start" | "undecided", number>;
    notes: string[];
  } | null;
  tests: { name: string; tolerance: number; clearance: number | null }[];
  findings: Finding[];
  hidden: { rule: string; reason: string; count: number; too_deep: number }[];
}

export const KINDS: Kind[] = ["hard", "contained", "duplicate", "clearance", "touching"];

export const KIND_WORDS: Record<Kind, string> = {
  hard: "overlapping",
  contained: "one enclosed by the other",
  duplicate: "same part twice",
  clearance: "too close",
  touching: "touching",
};

/** A length with four digits and its unit. */
export function length(x: number, unit: string): string {
  return `${digits(x)} ${unit}`;
}

export function digits(x: number): string {
  if (x === 0) return "0";
  const places = Math.min(12, Math.max(0, 3 - Math.floor(Math.log10(Math.abs(x)))));
  const text = x.toFixed(places).replace("-", "−");
  return text.includes(".") ? text.replace(/\.?0+$/, "") : text;
}

/** What was measured, in words: a depth, a gap or nothing. */
export function measured(finding: Finding, unit: string): string {
  const { distance, kind, motion } = finding;
  if (motion?.least && kind === "clearance") return `${length(motion.least.distance, unit)} apart`;
  if (distance === null || kind === "duplicate") return "";
  return distance < 0 ? `${length(-distance, unit)} deep` : `${length(distance, unit)} apart`;
}

export const METHOD_WORDS = {
  exact: "exact up to rounding",
  bound: "an upper bound on the depth",
  estimate: "an estimate",
};

export const CONTACT_WORDS = {
  exact: "proven at both ends",
  bound: "within rounding of contact",
  estimate: "found by sampling",
};

export const START_WORDS = {
  free: "apart",
  leaving: "touching",
  approaching: "touching, then penetrating",
  overlapping: "overlapping",
};

/** A place on an axis: `1.25 s`, `30°`, `0.2 m`. */
export function placed({ unit }: Axis, value: number): string {
  return unit === "rad" ? `${digits((value * 180) / Math.PI)}°` : `${digits(value)} ${unit}`;
}

/** A moment in words: `1.25 s`, `elbow 30°, wrist 10°`. */
export function moment(axes: Axis[], at: Moment): string {
  return axes.map((axis, k) => (axis.unit === "s" ? placed(axis, at[k]) : `${axis.name} ${placed(axis, at[k])}`)).join(", ");
}
