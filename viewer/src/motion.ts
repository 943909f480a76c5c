// Where parts are at a moment: steps of lines and turns, one hanging on the other, as the check followed them.

import { Matrix4, Vector3 } from "three";

/** As crates/impinge-clash/src/report/html/motion.rs writes it. */
export interface Tracks {
  steps: { axis: number; pieces: [number, number[]][] }[];
  /** By part: its steps, the outermost first. */
  chains: number[][];
}

export class Motion {
  /** From where each part stands in the page to where it would be without the motion. */
  private readonly undo: Matrix4[];

  constructor(private readonly tracks: Tracks, origin: Vector3, start: number[]) {
    this.origin = origin;
    this.undo = tracks.chains.map((chain) => this.displacement(chain, start).invert());
  }

  private readonly origin: Vector3;

  /** True if a part moves. */
  moves(part: number): boolean {
    return (this.tracks.chains[part]?.length ?? 0) > 0;
  }

  /** What a part does from where it stands in the page, at shares of the axes from 0 to 1; relative to the origin of the scene. */
  at(part: number, shares: number[]): Matrix4 {
    return this.displacement(this.tracks.chains[part], shares).multiply(this.undo[part]);
  }

  private displacement(chain: number[], shares: number[]): Matrix4 {
    const { origin } = this;
    const whole = new Matrix4().makeTranslation(-origin.x, -origin.y, -origin.z);
    for (const index of chain) {
      const { axis, pieces } = this.tracks.steps[index];
      whole.multiply(along(pieces, shares[axis] ?? 0));
    }
    return whole.multiply(new Matrix4().makeTranslation(origin.x, origin.y, origin.z));
  }
}

/** A step at a share of its axis. */
function along(pieces: [number, number[]][], share: number): Matrix4 {
  let index = pieces.findIndex(([end]) => share < end);
  if (index < 0) index = pieces.length - 1;
  const from = index === 0 ? 0 : pieces[index - 1][0];
  const [end, numbers] = pieces[index];
  const t = Math.min(1, Math.max(0, (share - from) / (end - from)));
  const [r0, r1, r2, r3, r4, r5, r6, r7, r8] = numbers;
  const vector = (k: number) => new Vector3().fromArray(numbers, 9 + 3 * k);
  const [center, place, linear, angular] = [0, 1, 2, 3].map(vector);
  const rate = angular.length();
  const turn = new Matrix4();
  if (rate > 0) turn.makeRotationAxis(angular.divideScalar(rate), rate * t);
  const rotation = turn.multiply(new Matrix4().set(r0, r1, r2, 0, r3, r4, r5, 0, r6, r7, r8, 0, 0, 0, 0, 1));
  const moved = place.addScaledVector(linear, t).sub(center.applyMatrix4(rotation));
  return rotation.setPosition(moved);
}
