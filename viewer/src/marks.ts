// What is drawn about a finding over everything else: the points, the way between them, the curve where surfaces cross.

import {
  BufferAttribute, BufferGeometry, CanvasTexture, Color, Group, Points, PointsMaterial, Vector2, Vector3,
} from "three";
import { LineMaterial } from "three/addons/lines/LineMaterial.js";
import { LineSegments2 } from "three/addons/lines/LineSegments2.js";
import { LineSegmentsGeometry } from "three/addons/lines/LineSegmentsGeometry.js";
import type { Finding, Point } from "./report";

/** As in the pictures of crates/impinge-clash/src/picture. */
export const COLOURS = { a: "#3d8bdc", b: "#f59e2d", more: "#8a63d2", mark: "#d8174a" };

let disc: CanvasTexture | undefined;

/** A disc with a white rim. */
function discTexture(): CanvasTexture {
  if (disc) return disc;
  const canvas = document.createElement("canvas");
  canvas.width = canvas.height = 64;
  const context = canvas.getContext("2d");
  if (context) {
    for (const [radius, colour] of [[30, "rgba(0,0,0,.35)"], [28, "#fff"], [19, COLOURS.mark]] as const) {
      context.beginPath();
      context.arc(32, 32, radius, 0, 2 * Math.PI);
      context.fillStyle = colour;
      context.fill();
    }
  }
  disc = new CanvasTexture(canvas);
  disc.colorSpace = "srgb";
  return disc;
}

/** The marks of a finding, relative to the origin of the scene: what only shows where it can be seen, and what shows in any case. */
export function marksOf(finding: Finding, origin: Vector3, resolution: Vector2): { seen: Group; over: Group } {
  const [seen, over] = [new Group(), new Group()];
  const local = ([x, y, z]: Point) => [x - origin.x, y - origin.y, z - origin.z];
  if (finding.curve.length > 0) {
    // Once over everything, thin and pale, and once where it can be seen.
    const ends = finding.curve.flatMap(([a, b]) => [...local(a), ...local(b)]);
    over.add(line(ends, 1.5, 0.55, false, resolution));
    seen.add(line(ends, 3, 1, true, resolution));
  }
  if (finding.points) {
    const [a, b] = finding.points;
    const both = [...local(a), ...local(b)];
    if (Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]) > 0) over.add(line(both, 2.5, 1, false, resolution));
    const geometry = new BufferGeometry();
    geometry.setAttribute("position", new BufferAttribute(new Float32Array(both), 3));
    const material = new PointsMaterial({
      map: discTexture(), size: 13, sizeAttenuation: false, transparent: true, depthTest: false, depthWrite: false,
    });
    const points = new Points(geometry, material);
    points.renderOrder = 4;
    points.frustumCulled = false;
    over.add(points);
  }
  return { seen, over };
}

function line(ends: number[], width: number, opacity: number, depthTest: boolean, resolution: Vector2): LineSegments2 {
  const geometry = new LineSegmentsGeometry();
  geometry.setPositions(ends);
  const material = new LineMaterial({
    color: new Color(COLOURS.mark).getHex(), linewidth: width, transparent: true, opacity, depthTest, depthWrite: false,
  });
  // Lines lie in the surfaces: a little nearer, so that these do not swallow them.
  material.polygonOffset = true;
  material.polygonOffsetFactor = -4;
  material.polygonOffsetUnits = -4;
  material.resolution.copy(resolution);
  const lines = new LineSegments2(geometry, material);
  lines.renderOrder = 3;
  lines.frustumCulled = false;
  return lines;
}

export function releaseMarks(group: Group) {
  group.traverse((object) => {
    if (object instanceof LineSegments2 || object instanceof Points) {
      object.geometry.dispose();
      object.material.dispose();
    }
  });
  group.removeFromParent();
}
