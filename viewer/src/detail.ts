// What is wrong, in words, beside the model.

import { button, element } from "./dom";
import { folded, List } from "./list";
import { colourOf } from "./stage";
import { CONTACT_WORDS, Finding, KIND_WORDS, length, measured, METHOD_WORDS, moment, Report, START_WORDS } from "./report";

export class Detail {
  readonly body = element("section", { class: "detail", "aria-label": "Selected finding", "aria-live": "polite" });

  constructor(
    private readonly report: Report, private readonly list: List,
    private readonly go: (by: number) => void, private readonly close: () => void,
  ) {}

  show(finding: Finding | null) {
    this.body.replaceChildren(...(finding ? this.finding(finding) : this.nothing()));
    this.body.classList.toggle("empty", finding === null);
  }

  private nothing(): Node[] {
    const { findings } = this.report;
    if (findings.length === 0) {
      return [element("h2", {}, "No findings"), element("p", {}, "All tests passed.")];
    }
    return [
      element("p", {}, "Select a finding to see it."),
      button("Start with the first", "The first finding", "j", () => this.go(1), { class: "main" }),
    ];
  }

  private finding(finding: Finding): Node[] {
    const { unit } = this.report;
    const at = this.list.shown.indexOf(finding);
    const place = at < 0 ? "filtered out" : `${at + 1} of ${this.list.shown.length}`;
    const head = element("header", {},
      element("span", { class: "kind", "data-kind": finding.kind, title: KIND_WORDS[finding.kind] }, finding.kind),
      element("span", { class: "place" }, place),
      button("‹", "Previous finding", "k", () => this.go(-1), { class: "step" }),
      button("›", "Next finding", "j", () => this.go(1), { class: "step" }),
      button("×", "Close and show everything", "Escape", () => this.close(), { class: "step" }),
    );
    const parts = finding.paths.map((path, k) =>
      element("li", {},
        element("span", { class: "swatch", style: `background:${colourOf(k)}`, "aria-hidden": "true" }),
        element("span", { class: "letter" }, finding.paths.length === 2 ? "AB"[k] : String(k + 1)),
        element("span", { class: "path" }, ...folded(path)),
      ));
    return [
      head,
      element("p", { class: "words" }, finding.explanation),
      element("ul", { class: "parts" }, ...parts),
      this.facts(finding, unit),
      this.foot(finding),
    ];
  }

  private facts(finding: Finding, unit: string): HTMLElement {
    const list = element("dl");
    const add = (name: string, value: string, title = "") => {
      if (value) list.append(element("div", { title }, element("dt", {}, name), element("dd", {}, value)));
    };
    const method = finding.method ? METHOD_WORDS[finding.method] : "";
    const sign = finding.method === "bound" ? "≤ " : finding.method === "estimate" ? "≈ " : "";
    const value = measured(finding, unit);
    add("Measured", value && sign + value, method);
    if (finding.volume !== null) add("Overlap volume", `≈ ${length(finding.volume, unit)}³`, "estimated by parallel rays");
    const { motion } = finding;
    if (motion) {
      const axes = this.report.motion?.axes ?? [];
      if (motion.first_contact) {
        const { from, to, method } = motion.first_contact;
        add("Apart up to", moment(axes, from), "for certain");
        if (motion.decided) add("First contact", moment(axes, to), CONTACT_WORDS[method]);
      }
      if (motion.least) add("Least gap", `${length(motion.least.distance, unit)}, ${moment(axes, motion.least.at)}`, `nowhere less than ${length(motion.least.lower, unit)}`);
      if (motion.deepest && motion.deepest.depth !== null) add("Deepest seen", `${length(motion.deepest.depth, unit)}, ${moment(axes, motion.deepest.at)}`, "by sampling after the first contact");
      if (motion.shares) add("Free", `${(100 * motion.shares.free).toFixed(1)} % of the range`, "for certain");
      if (motion.start !== "free") add("At the start", START_WORDS[motion.start]);
      if (!motion.decided) add("Decided", "no: the step limit was reached");
    }
    add("Test", finding.test);
    add("Status", finding.change === "added" && this.report.counts.persistent > 0 ? `${finding.status}, new since the last run` : finding.status);
    if (finding.approved_distance !== null) add("Reopened", `approved at ${length(finding.approved_distance, unit)}`);
    add("Assignee", finding.assignee ?? "");
    add("Group", finding.group ?? "");
    add("Comment", finding.comment);
    if (!finding.certain) add("Certain", "no: open mesh, tested at one vertex only");
    if (finding.curve_cut_short) add("Curve", "truncated");
    return list;
  }

  private foot(finding: Finding): HTMLElement {
    const link = element("a", { href: `#finding=${finding.id}`, class: "link", title: "Link to this finding" }, `#${finding.id.slice(0, 8)}`);
    const told = element("span", { class: "told", role: "status" });
    const copy = button("Copy link", "Copy a link to this finding", "c", () => {
      copyText(new URL(`#finding=${finding.id}`, location.href).href).then((done) => (told.textContent = done ? "copied" : "select the link instead"));
    });
    return element("footer", {}, link, copy, told);
  }
}

async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}
