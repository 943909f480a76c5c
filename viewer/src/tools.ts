// The tools below the model: named views, what becomes of the rest, hierarchies.

import type { App } from "./app";
import { VIEWS } from "./camera";
import { button, choice, element } from "./dom";
import type { Context } from "./stage";

const CONTEXTS: [Context, string][] = [["ghost", "Ghost the other parts"], ["hide", "Hide the other parts"], ["show", "Show all parts"]];

export class Tools {
  readonly body = element("div", { class: "tools" });
  /** What is drawn of hierarchies. */
  shown: { name: string | null; level: number; levels: number; count: number } = { name: null, level: 0, levels: 0, count: 0 };
  private readonly contexts = new Map<Context, HTMLButtonElement>();
  private readonly through: HTMLButtonElement;
  private readonly kind: HTMLSelectElement;
  private readonly slider: HTMLInputElement;
  private readonly told = element("output", { class: "level" });
  private readonly volumes: HTMLElement;
  private readonly pairOnly: HTMLElement[];

  constructor(private readonly app: App) {
    const views = group("View", ...VIEWS.map((view, k) =>
      button(title(view), `${title(view)} view`, String(k + 1), () => app.stage.view.look(view), { "data-view": view })),
      button("Fit", "Zoom to the finding or the model", "f", () => app.frame()));
    const contexts = group("Other parts", ...CONTEXTS.map(([context, words]) => {
      const made = button(title(context), words, "g", () => app.setContext(context), { "data-context": context });
      this.contexts.set(context, made);
      return made;
    }));
    this.through = button("See-through", "Make the two parts transparent", "x", () => app.setSeeThrough(!app.stage.seeThrough));
    this.kind = choice("Volume of the hierarchy", [["", "no volumes"]], (value) => this.select(value || null));
    this.slider = element("input", {
      type: "range", min: 0, max: 0, value: 0, step: 1, "aria-label": "Level of the hierarchy", "aria-keyshortcuts": "[ ]",
      input: () => this.setLevel(Number(this.slider.value)),
    });
    this.volumes = group("Hierarchy", this.kind, this.slider, this.told);
    this.volumes.classList.add("volumes");
    const pair = group("Pair", this.through);
    this.pairOnly = [contexts, pair, this.volumes];
    this.body.append(views, contexts, pair, this.volumes);
  }

  /** After another finding was chosen, or a button pressed. */
  refresh() {
    const { stage } = this.app;
    for (const part of this.pairOnly) part.hidden = stage.chosen.length === 0;
    for (const [context, made] of this.contexts) made.setAttribute("aria-pressed", String(stage.context === context));
    this.through.setAttribute("aria-pressed", String(stage.seeThrough));
    const names = stage.volumeNames();
    const options = [["", names.length > 0 ? "no volumes" : "not stored for these parts"], ...names.map((name) => [name, name])];
    this.kind.replaceChildren(...options.map(([value, text]) => element("option", { value }, text)));
    this.kind.disabled = names.length === 0;
    this.select(this.shown.name !== null && names.includes(this.shown.name) ? this.shown.name : null);
  }

  /** Chooses a volume kind. */
  select(name: string | null) {
    this.shown.name = name;
    this.kind.value = name ?? "";
    this.setLevel(this.shown.level);
  }

  /** The next kind in the list. */
  nextKind() {
    const values = [...this.kind.options].map((option) => option.value);
    const next = values[(values.indexOf(this.kind.value) + 1) % values.length];
    this.select(next || null);
  }

  setLevel(level: number) {
    const { stage } = this.app;
    const wanted = Math.max(0, level);
    let { levels, shown } = stage.showVolumes(this.shown.name, wanted);
    const own = Math.min(wanted, Math.max(0, levels - 1));
    if (own !== wanted) ({ levels, shown } = stage.showVolumes(this.shown.name, own));
    this.shown = { name: this.shown.name, level: own, levels, count: shown };
    this.slider.max = String(Math.max(0, levels - 1));
    this.slider.value = String(own);
    this.slider.disabled = levels < 2;
    this.told.textContent = levels > 0 ? `level ${own} of ${levels - 1}, ${shown} ${shown === 1 ? "volume" : "volumes"}` : "";
  }
}

function group(label: string, ...content: HTMLElement[]): HTMLElement {
  return element("div", { class: "group", role: "group", "aria-label": label }, ...content);
}

function title(word: string): string {
  return word[0].toUpperCase() + word.slice(1);
}
