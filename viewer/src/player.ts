// Plays the motion: a slider per axis, time or joints, and jumps to where a finding happens.

import type { App } from "./app";
import { button, element } from "./dom";
import { Axis, Finding, placed } from "./report";

/** The whole way takes so many seconds, whatever it takes in the model. */
const SECONDS = 8;

export class Player {
  readonly body = element("div", { class: "player", role: "group", "aria-label": "Motion" });
  /** By axis, from 0 to 1. */
  readonly shares: number[];
  playing = false;
  private readonly sliders: HTMLInputElement[];
  private readonly told: HTMLOutputElement[];
  private readonly play: HTMLButtonElement;
  private readonly jump: HTMLButtonElement;
  private last = 0;
  private finding: Finding | null = null;

  constructor(private readonly app: App, private readonly axes: Axis[], start: number[]) {
    this.shares = [...start];
    this.play = button("▶", "Play the motion", "p", () => this.toggle(), { class: "play" });
    this.jump = button("Go to contact", "Go to the moment of the finding", "m", () => this.meet(), { class: "jump" });
    this.sliders = axes.map((axis, k) => element("input", {
      type: "range", min: 0, max: 1, step: "any", value: start[k], "aria-label": axis.name, "aria-valuetext": at(axis, start[k]),
      input: () => {
        this.stop();
        this.set(k, Number(this.sliders[k].value));
      },
    }));
    this.told = axes.map(() => element("output", { class: "moment" }));
    this.body.append(this.play,
      ...axes.map((_, k) => element("label", { class: "axis" }, this.sliders[k], this.told[k])), this.jump);
    this.body.hidden = axes.length === 0;
    this.refresh();
  }

  /** The finding whose moment can be jumped to: the model goes there. */
  show(finding: Finding | null) {
    this.finding = finding;
    this.jump.hidden = !finding?.motion;
    if (finding?.motion) this.meet();
  }

  /** To where the selected finding happens. */
  meet() {
    const shown = this.finding?.motion?.shown;
    if (!shown) return;
    this.stop();
    this.axes.forEach((axis, k) => (this.shares[k] = share(axis, shown[k])));
    this.refresh();
  }

  set(axis: number, share: number) {
    if (!(axis in this.axes)) return;
    this.shares[axis] = Math.min(1, Math.max(0, share));
    this.refresh();
  }

  /** A step back or on: a hundredth of the way. */
  step(by: number) {
    this.stop();
    this.set(0, this.shares[0] + 0.01 * by);
  }

  toggle() {
    if (this.playing) this.stop();
    else if (this.axes.length > 0) {
      if (this.shares[0] >= 1) this.shares[0] = 0;
      this.playing = true;
      this.last = performance.now();
      requestAnimationFrame((now) => this.tick(now));
    }
    this.mark();
  }

  private stop() {
    this.playing = false;
    this.mark();
  }

  private tick(now: number) {
    if (!this.playing) return;
    const share = this.shares[0] + Math.max(0, now - this.last) / (1000 * SECONDS);
    this.last = now;
    if (share >= 1) this.stop();
    this.set(0, share);
    if (this.playing) requestAnimationFrame((later) => this.tick(later));
  }

  private mark() {
    this.play.textContent = this.playing ? "❚❚" : "▶";
    const words = this.playing ? "Pause the motion" : "Play the motion";
    this.play.title = `${words} (p)`;
    this.play.setAttribute("aria-label", words);
    this.play.setAttribute("aria-pressed", String(this.playing));
  }

  /** Moves the model, and says where it is. */
  private refresh() {
    this.axes.forEach((axis, k) => {
      const words = at(axis, this.shares[k]);
      this.sliders[k].value = String(this.shares[k]);
      this.sliders[k].setAttribute("aria-valuetext", words);
      this.told[k].textContent = this.axes.length > 1 || axis.unit !== "s" ? `${axis.name} ${words}` : words;
    });
    this.app.stage?.move(this.shares);
  }
}

/** Where on an axis a value is, from 0 to 1. */
export function share({ from, to }: Axis, value: number): number {
  return to === from ? 0 : (value - from) / (to - from);
}

function at(axis: Axis, share: number): string {
  return placed(axis, axis.from + (axis.to - axis.from) * share);
}
