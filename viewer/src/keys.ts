// Everything by keyboard.

import type { App } from "./app";
import { VIEWS } from "./camera";
import { button, element } from "./dom";
import type { Context } from "./stage";

const NEXT: Record<Context, Context> = { ghost: "hide", hide: "show", show: "ghost" };

const TABLE: [string, string][] = [
  ["j  or  ↓", "next finding"],
  ["k  or  ↑", "previous finding"],
  ["Escape", "show everything"],
  ["/", "find"],
  ["1  2  3  4", "iso, front, side, top"],
  ["f", "zoom to the finding or the model"],
  ["g", "other parts: ghost, hide, show"],
  ["x", "make the pair transparent"],
  ["v", "next bounding volume"],
  ["[  ]", "level of the hierarchy"],
  ["p", "play or pause the motion"],
  [",  .", "motion: one step back, one step forward"],
  ["m", "motion: go to the moment of the finding"],
  ["c", "copy the link"],
  ["u", "swap the up axis (y or z)"],
  ["t", "light or dark theme"],
  ["arrows on the model", "rotate; Shift: pan; + and −: zoom"],
];

/** The list of keys. */
export function help(): HTMLDialogElement {
  const rows = TABLE.map(([key, words]) => element("div", {}, element("dt", {}, ...key.split("  ").map((one) => (one === "or" ? " or " : element("kbd", {}, one)))), element("dd", {}, words)));
  const dialog: HTMLDialogElement = element("dialog", { "aria-label": "Keys" },
    element("h2", {}, "Keys"), element("dl", {}, ...rows),
    element("p", {}, "Mouse: drag to rotate, right-drag to pan, wheel to zoom, click a part to see its name."),
    button("Close", "Close", "Escape", () => dialog.close(), { class: "main" }));
  return dialog;
}

export class Keys {
  constructor(private readonly app: App, private readonly canvas: HTMLCanvasElement, private readonly dialog: HTMLDialogElement) {
    document.addEventListener("keydown", (event) => {
      if (event.ctrlKey || event.metaKey || event.altKey || this.dialog.open) return;
      if (this.press(event)) event.preventDefault();
    });
  }

  private press(event: KeyboardEvent): boolean {
    const target = event.target;
    const writes = target instanceof HTMLInputElement && target.type === "search";
    if (writes && event.key !== "Escape") return false;
    if (target === this.canvas && this.turn(event)) return true;
    // These have uses of their own for arrows and letters.
    const busy = target instanceof HTMLSelectElement || (target instanceof HTMLInputElement && target.type === "range");
    return (!busy && this.arrows(event)) || this.letter(event, target);
  }

  private arrows({ key }: KeyboardEvent): boolean {
    if (key !== "ArrowDown" && key !== "ArrowUp") return false;
    this.app.step(key === "ArrowDown" ? 1 : -1);
    return true;
  }

  private letter({ key }: KeyboardEvent, target: EventTarget | null): boolean {
    const { app } = this;
    const { stage, tools } = app;
    const view = VIEWS[Number(key) - 1];
    if (view) {
      stage.view.look(view);
      return true;
    }
    const actions: Record<string, () => void> = {
      j: () => app.step(1),
      k: () => app.step(-1),
      Escape: () => (target instanceof HTMLInputElement && target.type === "search" ? target.blur() : app.choose(null)),
      "/": () => app.list.focusSearch(),
      f: () => app.frame(),
      g: () => app.setContext(NEXT[stage.context]),
      x: () => app.setSeeThrough(!stage.seeThrough),
      v: () => tools.nextKind(),
      "[": () => tools.setLevel(tools.shown.level - 1),
      "]": () => tools.setLevel(tools.shown.level + 1),
      p: () => app.player.toggle(),
      ",": () => app.player.step(-1),
      ".": () => app.player.step(1),
      m: () => app.player.meet(),
      c: () => document.querySelector<HTMLButtonElement>('.detail [aria-keyshortcuts="c"]')?.click(),
      u: () => {
        stage.view.setUp(stage.view.upAxis === "y" ? "z" : "y");
        app.frame();
      },
      t: () => app.theme.toggle(),
      "?": () => this.dialog.showModal(),
    };
    const action = actions[key];
    action?.();
    return action !== undefined;
  }

  /** Keys on the model itself. */
  private turn({ key, shiftKey }: KeyboardEvent): boolean {
    const { view } = this.app.stage;
    const way: Record<string, [number, number]> = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };
    const [right, up] = way[key] ?? [0, 0];
    if (way[key] && shiftKey) view.pan(0.06 * right, 0.06 * up);
    else if (way[key]) view.orbit(0.12 * right, 0.12 * up);
    else if (key === "+" || key === "=") view.zoom(0.85);
    else if (key === "-") view.zoom(1 / 0.85);
    else return false;
    return true;
  }
}
