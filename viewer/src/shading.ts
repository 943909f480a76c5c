// Normals for meshes that have none: smooth across flat edges, sharp across steep ones.

import { BufferAttribute, BufferGeometry } from "three";
import type { MeshData } from "./scene";

/** Faces that meet at less than this many degrees look like one surface. */
const CREASE = Math.cos((32 * Math.PI) / 180);
/** Where more triangles than this meet at a vertex, each keeps its own normal: comparing all with all would take too long. */
const MANY = 48;

/** A geometry with normals; vertices are split where the surface has an edge. */
export function shaded(mesh: MeshData): BufferGeometry {
  const { indices } = mesh;
  const corners = indices.length;
  const [normals, areas] = faceNormals(mesh);
  const [starts, list] = cornersByPlace(mesh);
  const outPositions: number[] = [];
  const outNormals: number[] = [];
  const outIndices = new Uint32Array(corners);
  for (let place = 0; place + 1 < starts.length; place++) {
    const own = list.subarray(starts[place], starts[place + 1]);
    const known = new Map<number, number>();
    for (const corner of own) {
      const [x, y, z] = smooth(corner, own, normals, areas);
      const key = (Math.round(x * 127) + 128) * 65536 + (Math.round(y * 127) + 128) * 256 + Math.round(z * 127) + 128;
      let vertex = known.get(key);
      if (vertex === undefined) {
        vertex = outNormals.length / 3;
        known.set(key, vertex);
        pushPosition(outPositions, mesh, indices[corner]);
        outNormals.push(x, y, z);
      }
      outIndices[corner] = vertex;
    }
  }
  const geometry = new BufferGeometry();
  geometry.setAttribute("position", new BufferAttribute(new Float32Array(outPositions), 3));
  const bytes = Int8Array.from(outNormals, (x) => Math.round(x * 127));
  geometry.setAttribute("normal", new BufferAttribute(bytes, 3, true));
  geometry.setIndex(new BufferAttribute(outIndices, 1));
  return geometry;
}

function pushPosition(out: number[], mesh: MeshData, vertex: number) {
  const { steps, size } = mesh;
  out.push(
    (steps[3 * vertex] / 65535 - 0.5) * size.x,
    (steps[3 * vertex + 1] / 65535 - 0.5) * size.y,
    (steps[3 * vertex + 2] / 65535 - 0.5) * size.z,
  );
}

function faceNormals({ steps, indices, size }: MeshData): [Float32Array, Float32Array] {
  const faces = indices.length / 3;
  const [normals, areas] = [new Float32Array(3 * faces), new Float32Array(faces)];
  const [sx, sy, sz] = [size.x, size.y, size.z];
  for (let face = 0; face < faces; face++) {
    const [a, b, c] = [3 * indices[3 * face], 3 * indices[3 * face + 1], 3 * indices[3 * face + 2]];
    const [ux, uy, uz] = [(steps[b] - steps[a]) * sx, (steps[b + 1] - steps[a + 1]) * sy, (steps[b + 2] - steps[a + 2]) * sz];
    const [vx, vy, vz] = [(steps[c] - steps[a]) * sx, (steps[c + 1] - steps[a + 1]) * sy, (steps[c + 2] - steps[a + 2]) * sz];
    const [x, y, z] = [uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx];
    const area = Math.hypot(x, y, z);
    areas[face] = area;
    if (area > 0) normals.set([x / area, y / area, z / area], 3 * face);
    else normals.set([0, 0, 1], 3 * face);
  }
  return [normals, areas];
}

/** The corners of triangles at each place: equal positions are one place, also where the file has several vertices there. */
function cornersByPlace({ steps, indices }: MeshData): [Uint32Array, Uint32Array] {
  const places = new Map<number, number>();
  const placeOf = new Uint32Array(steps.length / 3);
  for (let k = 0; k < placeOf.length; k++) {
    const key = (steps[3 * k] * 65536 + steps[3 * k + 1]) * 65536 + steps[3 * k + 2];
    let place = places.get(key);
    if (place === undefined) places.set(key, (place = places.size));
    placeOf[k] = place;
  }
  const starts = new Uint32Array(places.size + 1);
  for (const index of indices) starts[placeOf[index] + 1]++;
  for (let k = 0; k < places.size; k++) starts[k + 1] += starts[k];
  const next = starts.slice();
  const list = new Uint32Array(indices.length);
  indices.forEach((index, corner) => (list[next[placeOf[index]]++] = corner));
  return [starts, list];
}

function smooth(corner: number, around: Uint32Array, normals: Float32Array, areas: Float32Array): [number, number, number] {
  const own = 3 * Math.floor(corner / 3);
  const [nx, ny, nz] = [normals[own], normals[own + 1], normals[own + 2]];
  if (around.length > MANY) return [nx, ny, nz];
  let [x, y, z] = [0, 0, 0];
  for (const other of around) {
    const face = Math.floor(other / 3);
    const [ox, oy, oz] = [normals[3 * face], normals[3 * face + 1], normals[3 * face + 2]];
    if (nx * ox + ny * oy + nz * oz >= CREASE) {
      const weight = areas[face];
      x += ox * weight;
      y += oy * weight;
      z += oz * weight;
    }
  }
  const size = Math.hypot(x, y, z);
  return size > 0 ? [x / size, y / size, z / size] : [nx, ny, nz];
}
