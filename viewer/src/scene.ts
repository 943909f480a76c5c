// The model out of the page: meshes, places of parts, volumes of hierarchies.

import { Matrix4, Vector3 } from "three";
import type { Tracks } from "./motion";
import type { Point } from "./report";
import { Columns, inflated } from "./unpack";

export interface MeshData {
  /** In 16-bit steps along the sides of the box; three to a vertex. */
  steps: Uint16Array;
  indices: Uint32Array;
  /** The sides of the box. Coordinates are measured from its middle. */
  size: Vector3;
  middle: Vector3;
}

export interface PartData {
  mesh: number;
  /** From the mesh, measured from the middle of its box, into the scene, measured from its origin. */
  matrix: Matrix4;
}

/** Volumes as rounded boxes: thirteen numbers each; see volumes.ts. */
export interface Boxes {
  form: "box";
  name: string;
  levels: number[];
  columns: Uint16Array[];
}

/** Volumes by corners and faces. */
export interface Bodies {
  form: "body";
  name: string;
  levels: number[];
  corner_counts: Uint16Array;
  face_counts: Uint16Array;
  points: Uint16Array[];
  faces: Uint32Array[];
}

export interface Hierarchy {
  mesh: number;
  low: [number, number, number];
  side: number;
  volumes: (Boxes | Bodies)[];
}

export interface SceneData {
  origin: Vector3;
  up: "y" | "z";
  meshes: MeshData[];
  parts: PartData[];
  /** By mesh. */
  hierarchies: Map<number, Hierarchy>;
  /** Where surfaces cross, by finding. */
  curves: [Point, Point][][];
  /** How parts move, if they do. */
  motion: Tracks | null;
}

interface Header {
  origin: [number, number, number];
  up: "y" | "z";
  meshes: { vertices: number; triangles: number; low: number[]; size: number[]; width: number }[];
  parts: { mesh: number; place: number[] }[];
  hierarchies: {
    mesh: number;
    low: [number, number, number];
    side: number;
    volumes: { name: string; form: "box" | "body"; levels: number[]; corners: number; faces: number }[];
  }[];
  curves: { segments: number; low: number[]; size: number[] }[];
  motion: Tracks | null;
}

export async function readScene(): Promise<SceneData> {
  const columns = new Columns(await inflated("impinge-scene"));
  const header = columns.header<Header>();
  const meshes = header.meshes.map((mesh) => readMesh(mesh, columns));
  const parts = header.parts.map(({ mesh, place }) => {
    const { middle } = meshes[mesh];
    const row = (k: number) => {
      const [x, y, z, w] = place.slice(4 * k, 4 * k + 4);
      // In 64 bits, so that coordinates far from the origin keep their digits.
      return [x, y, z, w + x * middle.x + y * middle.y + z * middle.z];
    };
    const rows = [...row(0), ...row(1), ...row(2), 0, 0, 0, 1] as Parameters<Matrix4["set"]>;
    return { mesh, matrix: new Matrix4().set(...rows) };
  });
  const hierarchies = new Map<number, Hierarchy>();
  for (const { mesh, low, side, volumes } of header.hierarchies) {
    hierarchies.set(mesh, {
      mesh,
      low,
      side,
      volumes: volumes.map((volume) => readVolume(volume, columns)),
    });
  }
  const curves = header.curves.map((curve) => readCurve(curve, columns));
  return { origin: new Vector3(...header.origin), up: header.up, meshes, parts, hierarchies, curves, motion: header.motion };
}

function readCurve({ segments, low, size }: Header["curves"][number], columns: Columns): [Point, Point][] {
  const steps = [0, 1, 2].map(() => columns.differences(2 * segments));
  const point = (k: number) => steps.map((column, axis) => low[axis] + (column[k] / 65535) * size[axis]) as Point;
  return Array.from({ length: segments }, (_, k) => [point(2 * k), point(2 * k + 1)]);
}

function readMesh(entry: Header["meshes"][number], columns: Columns): MeshData {
  const { vertices, triangles, width } = entry;
  const steps = new Uint16Array(3 * vertices);
  for (let axis = 0; axis < 3; axis++) {
    const column = columns.differences(vertices);
    for (let k = 0; k < vertices; k++) steps[3 * k + axis] = column[k];
  }
  // Each index is stored as its distance to the newest vertex; 0 is a new one.
  const indices = columns.numbers(3 * triangles, width);
  let newest = 0;
  for (let k = 0; k < indices.length; k++) {
    const behind = indices[k];
    indices[k] = newest - behind;
    if (behind === 0) newest++;
  }
  const [low, size] = [new Vector3().fromArray(entry.low), new Vector3().fromArray(entry.size)];
  return { steps, indices, size, middle: low.addScaledVector(size, 0.5) };
}

function readVolume(entry: Header["hierarchies"][number]["volumes"][number], columns: Columns): Boxes | Bodies {
  const { name, form, levels } = entry;
  const count = levels.reduce((sum, level) => sum + level, 0);
  if (form === "box") {
    const list = Array.from({ length: 13 }, () => columns.differences(count));
    return { form, name, levels, columns: list };
  }
  const [corner_counts, face_counts] = [columns.differences(count), columns.differences(count)];
  const points = [0, 1, 2].map(() => columns.differences(entry.corners));
  const faces = [0, 1, 2].map(() => columns.numbers(entry.faces, 2));
  return { form, name, levels, corner_counts, face_counts, points, faces };
}
