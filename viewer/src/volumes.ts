// The volumes of a hierarchy, drawn over the model.
//
// Almost every volume is a rounded box: all center + Σ (±halfᵢ + radiusᵢ·nᵢ)·axesᵢ for unit vectors n. One template, whose vertices are
// pairs of a direction n and signs, is drawn for each of them. The others come as corners and faces.

import {
  BufferAttribute, BufferGeometry, Color, DoubleSide, EdgesGeometry, Group, InstancedBufferAttribute, InstancedBufferGeometry,
  LineBasicMaterial, LineSegments, Matrix4, Mesh, MeshBasicMaterial, ShaderMaterial,
} from "three";
import type { Bodies, Boxes, Hierarchy, MeshData } from "./scene";

/** Segments along a quarter of a circle. */
const QUARTER = 5;

const VERTEX = /* glsl */ `
  attribute vec3 signs;
  attribute vec3 center;
  attribute vec4 turn;
  attribute vec3 halfSides;
  attribute vec3 radii;
  varying vec3 vView;
  void main() {
    vec3 p = signs * halfSides + position * radii;
    vec3 turned = p + 2.0 * cross(turn.xyz, cross(turn.xyz, p) + turn.w * p);
    vec4 view = modelViewMatrix * vec4(center + turned, 1.0);
    vView = view.xyz;
    gl_Position = projectionMatrix * view;
  }`;

const FILL = /* glsl */ `
  uniform vec3 colour;
  uniform float opacity;
  varying vec3 vView;
  void main() {
    vec3 normal = normalize(cross(dFdx(vView), dFdy(vView)));
    float facing = abs(dot(normal, normalize(vView)));
    gl_FragColor = vec4(colour * mix(0.75, 1.0, facing), opacity * mix(1.6, 0.7, facing));
    #include <colorspace_fragment>
  }`;

const LINE = /* glsl */ `
  uniform vec3 colour;
  uniform float opacity;
  void main() {
    gl_FragColor = vec4(colour, opacity);
    #include <colorspace_fragment>
  }`;

interface Template {
  directions: number[];
  signs: number[];
  indices: number[];
}

/** The surface: six faces of a cube blown up to a sphere, cut where a coordinate is zero. */
function surface(): Template {
  const template: Template = { directions: [], signs: [], indices: [] };
  // Steps along a face: zero occurs twice, once for each sign.
  const steps: [number, number][] = [];
  for (let k = -QUARTER; k <= 0; k++) steps.push([Math.tan((k / QUARTER) * (Math.PI / 4)), -1]);
  for (let k = 0; k <= QUARTER; k++) steps.push([Math.tan((k / QUARTER) * (Math.PI / 4)), 1]);
  const count = steps.length;
  for (let axis = 0; axis < 3; axis++) {
    for (const side of [-1, 1]) {
      const first = template.directions.length / 3;
      for (const [u, su] of steps) {
        for (const [v, sv] of steps) {
          const way = [0, 0, 0];
          const sign = [0, 0, 0];
          [way[axis], way[(axis + 1) % 3], way[(axis + 2) % 3]] = [side, u, v];
          [sign[axis], sign[(axis + 1) % 3], sign[(axis + 2) % 3]] = [side, su, sv];
          const size = Math.hypot(...way);
          template.directions.push(...way.map((x) => x / size));
          template.signs.push(...sign);
        }
      }
      for (let i = 0; i + 1 < count; i++) {
        for (let j = 0; j + 1 < count; j++) {
          const at = first + i * count + j;
          template.indices.push(at, at + count, at + count + 1, at, at + count + 1, at + 1);
        }
      }
    }
  }
  return template;
}

/** Its lines: outlines of the flat faces, and arcs between them. A box has only the first, a sphere only the others. */
function outline(): Template {
  const template: Template = { directions: [], signs: [], indices: [] };
  const add = (way: number[], sign: number[]) => {
    template.directions.push(...way);
    template.signs.push(...sign);
  };
  for (let axis = 0; axis < 3; axis++) {
    const [next, last] = [(axis + 1) % 3, (axis + 2) % 3];
    for (const side of [-1, 1]) {
      for (const fixed of [-1, 1]) {
        const way = [0, 0, 0];
        way[axis] = side;
        for (const [moving, still] of [[next, last], [last, next]]) {
          for (const end of [-1, 1]) {
            const sign = [0, 0, 0];
            [sign[axis], sign[moving], sign[still]] = [side, end, fixed];
            add(way, sign);
          }
        }
        // The quarter from this axis to the next, on both sides of the plane between them.
        for (const across of [-1, 1]) {
          const sign = [0, 0, 0];
          [sign[axis], sign[next], sign[last]] = [side, fixed, across];
          for (let k = 0; k < 2 * QUARTER; k++) {
            for (const end of [k, k + 1]) {
              const angle = (end / (2 * QUARTER)) * (Math.PI / 2);
              const arc = [0, 0, 0];
              [arc[axis], arc[next]] = [side * Math.cos(angle), fixed * Math.sin(angle)];
              add(arc, sign);
            }
          }
        }
      }
    }
  }
  return template;
}

function geometryOf(template: Template): BufferGeometry {
  const geometry = new BufferGeometry();
  geometry.setAttribute("position", new BufferAttribute(new Float32Array(template.directions), 3));
  geometry.setAttribute("signs", new BufferAttribute(new Float32Array(template.signs), 3));
  if (template.indices.length > 0) geometry.setIndex(template.indices);
  return geometry;
}

let templates: { surface: BufferGeometry; outline: BufferGeometry } | undefined;

/** A level of one volume kind, in the place of a part. */
export function drawLevel(
  hierarchy: Hierarchy, volume: Boxes | Bodies, level: number, mesh: MeshData, matrix: Matrix4, colour: Color,
): Group {
  const group = new Group();
  const first = volume.levels.slice(0, level).reduce((sum, count) => sum + count, 0);
  const count = volume.levels[level];
  const many = Math.min(1, 24 / count + 0.35);
  if (volume.form === "box") drawBoxes(group, hierarchy, volume, first, count, mesh, colour, many);
  else drawBodies(group, hierarchy, volume, first, count, mesh, colour, many);
  group.traverse((object) => (object.renderOrder = 3));
  group.applyMatrix4(matrix);
  return group;
}

function drawBoxes(
  group: Group, hierarchy: Hierarchy, volume: Boxes, first: number, count: number, mesh: MeshData, colour: Color, strength: number,
) {
  templates ??= { surface: geometryOf(surface()), outline: geometryOf(outline()) };
  const { side, low } = hierarchy;
  const part = (column: number, k: number) => volume.columns[column][first + k] / 65535;
  const attribute = (columns: number[], value: (x: number, axis: number) => number) => {
    const list = new Float32Array(count * columns.length);
    for (let k = 0; k < count; k++) {
      columns.forEach((column, axis) => (list[k * columns.length + axis] = value(part(column, k), axis)));
    }
    return new InstancedBufferAttribute(list, columns.length);
  };
  const middle = mesh.middle.toArray();
  const attributes = {
    center: attribute([0, 1, 2], (x, axis) => low[axis] - middle[axis] + x * side),
    turn: attribute([3, 4, 5, 6], (x) => 2 * x - 1),
    halfSides: attribute([7, 8, 9], (x) => x * side),
    radii: attribute([10, 11, 12], (x) => x * side),
  };
  const instanced = (template: BufferGeometry) => {
    const geometry = new InstancedBufferGeometry();
    geometry.setAttribute("position", template.getAttribute("position"));
    geometry.setAttribute("signs", template.getAttribute("signs"));
    geometry.setIndex(template.getIndex());
    for (const [name, list] of Object.entries(attributes)) geometry.setAttribute(name, list);
    geometry.instanceCount = count;
    return geometry;
  };
  const material = (fragmentShader: string, opacity: number) =>
    new ShaderMaterial({
      vertexShader: VERTEX, fragmentShader, transparent: true, depthWrite: false, side: DoubleSide,
      uniforms: { colour: { value: colour }, opacity: { value: opacity } },
    });
  const fill = new Mesh(instanced(templates.surface), material(FILL, 0.1 * strength));
  const lines = new LineSegments(instanced(templates.outline), material(LINE, 0.9 * strength));
  for (const object of [fill, lines]) object.frustumCulled = false;
  group.add(fill, lines);
}

function drawBodies(
  group: Group, hierarchy: Hierarchy, volume: Bodies, first: number, count: number, mesh: MeshData, colour: Color, strength: number,
) {
  const sum = (list: Uint16Array, from: number, to: number) => list.subarray(from, to).reduce((total, x) => total + x, 0);
  let corner = sum(volume.corner_counts, 0, first);
  let face = sum(volume.face_counts, 0, first);
  const { side, low } = hierarchy;
  const middle = mesh.middle.toArray();
  const positions: number[] = [];
  const indices: number[] = [];
  for (let k = first; k < first + count; k++) {
    const base = positions.length / 3;
    for (let end = corner + volume.corner_counts[k]; corner < end; corner++) {
      for (let axis = 0; axis < 3; axis++) {
        positions.push(low[axis] - middle[axis] + (volume.points[axis][corner] / 65535) * side);
      }
    }
    for (let end = face + volume.face_counts[k]; face < end; face++) {
      for (let axis = 0; axis < 3; axis++) indices.push(base + volume.faces[axis][face]);
    }
  }
  const geometry = new BufferGeometry();
  geometry.setAttribute("position", new BufferAttribute(new Float32Array(positions), 3));
  geometry.setIndex(indices);
  const common = { color: colour, transparent: true, depthWrite: false };
  group.add(
    new Mesh(geometry, new MeshBasicMaterial({ ...common, opacity: 0.09 * strength, side: DoubleSide })),
    new LineSegments(new EdgesGeometry(geometry, 4), new LineBasicMaterial({ ...common, opacity: 0.9 * strength })),
  );
}

/** Gives back what the graphics card holds. */
export function release(group: Group) {
  group.traverse((object) => {
    if (object instanceof Mesh || object instanceof LineSegments) {
      object.geometry.dispose();
      object.material.dispose();
    }
  });
  group.removeFromParent();
}
