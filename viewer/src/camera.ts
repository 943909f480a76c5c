// Where the model is looked at from: orbit, pan and zoom by mouse, touch and keys; named views; flights between them.

import { PerspectiveCamera, Sphere, Vector3 } from "three";
import { OrbitControls } from "three/addons/controls/OrbitControls.js";

export type View = "iso" | "front" | "side" | "top";
export const VIEWS: View[] = ["iso", "front", "side", "top"];

/** How long a flight takes, in milliseconds. */
const FLIGHT = 320;

export class Camera {
  readonly camera = new PerspectiveCamera(32, 1, 0.1, 1000);
  private readonly controls: OrbitControls;
  private flight: { from: Vector3[]; to: Vector3[]; start: number } | null = null;
  private scale = 1;
  /** The aspect of what is not covered. */
  private free = 1;
  /** What was framed last. */
  private framed = new Sphere(new Vector3(), 1);

  constructor(canvas: HTMLCanvasElement, private up: "y" | "z", private readonly changed: () => void) {
    this.controls = new OrbitControls(this.camera, canvas);
    this.controls.enableDamping = false;
    this.controls.zoomToCursor = true;
    this.controls.addEventListener("change", () => this.changed());
    this.controls.addEventListener("start", () => (this.flight = null));
    this.setUp(up);
  }

  get moving(): boolean {
    return this.flight !== null;
  }

  setUp(up: "y" | "z") {
    this.up = up;
    this.camera.up.set(0, up === "y" ? 1 : 0, up === "z" ? 1 : 0);
    // The controls take the axis from the camera once; this is what they keep of it.
    const controls = this.controls as unknown as { _quat: { setFromUnitVectors(a: Vector3, b: Vector3): { clone(): { invert(): unknown } } }; _quatInverse: unknown };
    controls._quatInverse = controls._quat.setFromUnitVectors(this.camera.up, new Vector3(0, 1, 0)).clone().invert();
  }

  get upAxis(): "y" | "z" {
    return this.up;
  }

  /** The picture has this size, and something covers its left margin. */
  resize(width: number, height: number, margin: number) {
    this.camera.aspect = width / height;
    this.free = (width - margin) / height;
    this.camera.setViewOffset(width, height, -margin / 2, 0, width, height);
  }

  /** A direction in which "up" is y, as the model has it. */
  private turned(x: number, y: number, z: number): Vector3 {
    return (this.up === "y" ? new Vector3(x, y, z) : new Vector3(x, -z, y)).normalize();
  }

  /** From the model towards the eye. */
  direction(view: View): Vector3 {
    switch (view) {
      case "front":
        return this.turned(0, 0, 1);
      case "side":
        return this.turned(1, 0, 0);
      case "top":
        // Not quite from above, where "up" would have no meaning.
        return this.turned(0, 1, 1e-3);
      case "iso":
        return this.turned(0.9, 0.75, 1.1);
    }
  }

  /** Directions worth looking from, the best first. */
  directions(): Vector3[] {
    const list = [this.direction("iso")];
    for (const [x, z] of [[-1, 1], [1, -1], [-1, -1]]) list.push(this.turned(0.9 * x, 0.75, 1.1 * z));
    for (const [x, z] of [[0, 1], [1, 0], [-1, 0], [0, -1]]) list.push(this.turned(x, 0.45, z));
    list.push(this.turned(0.2, 1, 0.4));
    for (const [x, z] of [[1, 1], [-1, 1], [1, -1], [-1, -1]]) list.push(this.turned(x, -0.6, z), this.turned(x, 0.1, z));
    for (const [x, z] of [[0, 1], [1, 0], [-1, 0], [0, -1]]) list.push(this.turned(x, -0.3, z));
    list.push(this.turned(0.2, -1, 0.4));
    return list;
  }

  /** The eye that looks at a ball from a direction. */
  eye(ball: Sphere, direction: Vector3): Vector3 {
    const half = (this.camera.fov * Math.PI) / 360;
    const narrow = Math.min(half, Math.atan(Math.tan(half) * this.free));
    return ball.center.clone().addScaledVector(direction, (ball.radius * 1.08) / Math.sin(narrow));
  }

  /** Shows everything from the upper right. */
  whole(ball: Sphere) {
    this.scale = ball.radius;
    this.fly(ball, this.direction("iso"), false);
  }

  /** Moves so that a ball fills the picture. */
  fly(ball: Sphere, direction: Vector3, smoothly = true) {
    this.framed = ball.clone();
    const to = [this.eye(ball, direction), ball.center.clone()];
    const still = window.matchMedia("(prefers-reduced-motion: reduce)").matches;
    if (!smoothly || still) {
      this.flight = null;
      this.place(to[0], to[1]);
    } else {
      this.flight = { from: [this.camera.position.clone(), this.controls.target.clone()], to, start: performance.now() };
    }
    this.changed();
  }

  /** Looks at the same thing from a named side. */
  look(view: View) {
    this.fly(this.framed, this.direction(view));
  }

  /** The direction from which is looked now. */
  facing(): Vector3 {
    return this.camera.position.clone().sub(this.controls.target).normalize();
  }

  /** Turns about what is looked at, by angles. */
  orbit(right: number, up: number) {
    this.flight = null;
    const way = this.camera.position.clone().sub(this.controls.target);
    const axis = this.camera.up;
    way.applyAxisAngle(axis, right);
    const side = new Vector3().crossVectors(axis, way).normalize();
    const angle = way.angleTo(axis);
    way.applyAxisAngle(side, -Math.min(Math.max(up, angle - Math.PI + 0.02), angle - 0.02));
    this.camera.position.copy(this.controls.target).add(way);
    this.finish();
  }

  /** Moves along the picture, by parts of its height. */
  pan(right: number, up: number) {
    this.flight = null;
    const way = this.camera.position.distanceTo(this.controls.target) * Math.tan((this.camera.fov * Math.PI) / 360) * 2;
    const x = new Vector3().setFromMatrixColumn(this.camera.matrix, 0).multiplyScalar(right * way);
    const y = new Vector3().setFromMatrixColumn(this.camera.matrix, 1).multiplyScalar(up * way);
    for (const point of [this.camera.position, this.controls.target]) point.add(x).add(y);
    this.finish();
  }

  zoom(factor: number) {
    this.flight = null;
    this.camera.position.sub(this.controls.target).multiplyScalar(factor).add(this.controls.target);
    this.finish();
  }

  private finish() {
    this.place(this.camera.position.clone(), this.controls.target.clone());
    this.changed();
  }

  private place(eye: Vector3, target: Vector3) {
    this.camera.position.copy(eye);
    this.controls.target.copy(target);
    this.controls.update();
    // Near and far as tight as the model allows: small gaps need all of the depth's digits.
    const distance = eye.length() + 2 * this.scale;
    const near = Math.max(eye.length() - 1.3 * this.scale, eye.distanceTo(target) / 200, distance / 1e5);
    this.camera.near = near;
    this.camera.far = distance;
    this.camera.updateProjectionMatrix();
    this.camera.updateMatrixWorld();
  }

  /** The next frame of a flight; false when there is none. */
  update(): boolean {
    if (!this.flight) {
      this.place(this.camera.position.clone(), this.controls.target.clone());
      return false;
    }
    const { from, to, start } = this.flight;
    const part = Math.min(1, (performance.now() - start) / FLIGHT);
    const eased = 1 - (1 - part) ** 3;
    const between = (k: number) => from[k].clone().lerp(to[k], eased);
    // Round the target and not through it.
    const target = between(1);
    const radius = from[0].distanceTo(from[1]) * (1 - eased) + to[0].distanceTo(to[1]) * eased;
    const way = from[0].clone().sub(from[1]).normalize().lerp(to[0].clone().sub(to[1]).normalize(), eased);
    const eye = way.lengthSq() > 1e-6 ? target.clone().addScaledVector(way.normalize(), radius) : between(0);
    if (part === 1) this.flight = null;
    this.place(part === 1 ? to[0].clone() : eye, target);
    return part < 1;
  }
}
