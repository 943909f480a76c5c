// The page: headline, table, model, and what connects them.

import { Color, Sphere, Vector3 } from "three";
import { VIEWS } from "./camera";
import { Detail } from "./detail";
import { button, element } from "./dom";
import { help, Keys } from "./keys";
import { List } from "./list";
import { Finding, measured, Report } from "./report";
import { Motion } from "./motion";
import { Player, share } from "./player";
import type { SceneData } from "./scene";
import { Context, Stage } from "./stage";
import { Theme } from "./theme";
import { Tools } from "./tools";

/** Rays that are asked for a good side to look from, times the triangles that they meet. */
const MOST_LOOKING = 6_000_000;

export class App {
  readonly list: List;
  readonly stage: Stage;
  readonly tools: Tools;
  readonly theme: Theme;
  readonly player: Player;
  finding: Finding | null = null;
  private readonly detail: Detail;
  private readonly label = element("div", { class: "label", "aria-hidden": "true" });
  private readonly hint = element("div", { class: "hint", role: "status" });
  private readonly dialog = help();

  constructor(root: HTMLElement, readonly report: Report, scene: SceneData) {
    this.list = new List(report, (finding) => this.choose(finding));
    this.detail = new Detail(report, this.list, (by) => this.step(by), () => this.choose(null));
    const canvas = element("canvas", {
      tabindex: 0, role: "img",
      "aria-label": "3D model. Arrow keys rotate, Shift and arrows pan, plus and minus zoom.",
    });
    this.tools = new Tools(this);
    const axes = report.motion?.axes ?? [];
    const start = report.motion ? axes.map((axis, k) => share(axis, report.motion?.start[k] ?? axis.from)) : [];
    this.player = new Player(this, axes, start);
    const stage = element("div", { class: "stage" }, canvas, this.label, this.hint);
    root.replaceChildren(
      this.headline(),
      element("main", {},
        element("section", { class: "list", "aria-label": "Findings" }, this.list.head, this.list.body),
        element("section", { class: "model", "aria-label": "Model" }, stage, this.player.body, this.detail.body, this.tools.body),
      ),
      this.dialog,
    );
    const motion = scene.motion ? new Motion(scene.motion, scene.origin, start) : null;
    this.stage = new Stage(canvas, scene, hues(report), motion);
    this.stage.onMove = () => this.tools.setLevel(this.tools.shown.level);
    this.theme = new Theme((dark) => this.stage.setDark(dark));
    root.querySelector(".theme")?.replaceWith(this.theme.button);
    this.stage.onFrame = () => this.follow();
    this.listen(canvas);
    new Keys(this, canvas, this.dialog);
    window.addEventListener("resize", () => this.margin());
    window.addEventListener("hashchange", () => this.fromAddress());
    this.fromAddress();
    this.expose();
  }

  private headline(): HTMLElement {
    const { counts, model, unit } = this.report;
    const open = this.report.findings.filter((finding) => finding.status !== "approved" && finding.status !== "resolved").length;
    const number = (count: number, word: string, title: string) =>
      element("li", { title }, element("b", {}, count.toLocaleString("en")), ` ${word}`);
    const words = element("ul", { class: "numbers" },
      number(counts.findings, counts.findings === 1 ? "finding" : "findings", "All findings of this check"),
      ...(open < counts.findings ? [number(open, "open", "Not approved and not resolved")] : []),
      ...(counts.persistent + counts.resolved > 0 ? [
        number(counts.added, "new since the last run", "Not found in the last run"),
        number(counts.resolved, "resolved", "In the last run, but no longer found"),
      ] : []),
      ...(counts.hidden > 0 ? [
        number(counts.hidden, "hidden by rules", this.report.hidden.map(({ rule, count, reason }) => `${rule}: ${count} (${reason})`).join("\n")),
      ] : []),
      ...(this.report.motion ? [
        number(this.report.motion.pairs.moving, "pairs move", `${this.report.motion.file}: pairs that move relative to each other`),
        number(this.report.motion.pairs.free, "of them free", "Certified along the whole motion, not sampled"),
      ] : []),
      number(counts.parts, "parts", "Parts checked"),
      number(counts.triangles, "triangles", "Triangles, counting every instance"),
      element("li", { title: "Unit of all lengths" }, "in ", element("b", {}, unit)),
    );
    const notes: Node[] = [];
    if (this.report.partial) {
      notes.push(element("p", { class: "warning" }, "The check was interrupted: the list may be incomplete."));
    }
    if (this.report.left_out.length > 0) {
      const list = element("ul", {}, ...this.report.left_out.map((text) => element("li", {}, text)));
      notes.push(element("details", { class: "warning" }, element("summary", {}, `${this.report.left_out.length} parts could not be checked`), list));
    }
    return element("header", { class: "headline" },
      element("div", { class: "title" }, element("h1", { title: model }, model.split(/[\\/]/).pop() || model), words),
      element("div", { class: "corner" },
        element("span", { class: "theme" }),
        button("?", "Keys", "?", () => this.dialog.showModal())),
      ...notes,
    );
  }

  /** Shows a finding, or everything. */
  choose(finding: Finding | null, fly = true) {
    this.finding = finding;
    this.player.show(finding);
    this.stage.choose(finding);
    this.detail.show(finding);
    this.list.show(finding);
    this.tools.refresh();
    this.margin();
    const address = finding ? `#finding=${finding.id}` : "";
    if (finding && location.hash !== address) history.replaceState(null, "", address);
    if (!finding && location.hash) history.replaceState(null, "", location.pathname + location.search);
    if (fly) this.frame();
  }

  /** The words over the picture do not cover what is looked at. */
  private margin() {
    const beside = getComputedStyle(this.detail.body).position === "absolute";
    this.stage.setMargin(beside && this.finding ? this.detail.body.offsetWidth + 14 : 0);
  }

  /** The next finding in the table, or the one before. */
  step(by: number) {
    const next = this.list.step(this.finding, by);
    if (next) this.choose(next);
  }

  private fromAddress() {
    const id = new URLSearchParams(location.hash.slice(1)).get("finding");
    const found = id ? this.report.findings.find((finding) => finding.id.startsWith(id)) : undefined;
    this.choose(found ?? null);
  }

  /** Moves the camera so that the point of the finding is in the middle, seen from where least is in between. */
  frame() {
    const { stage, finding } = this;
    if (!finding) {
      stage.view.fly(stage.around(stage.data.parts.map((_, k) => k)), stage.view.direction("iso"));
      return;
    }
    const ball = this.ball(finding);
    const [side, covered] = this.bestSide(finding, ball);
    stage.buried = covered > 0;
    stage.applySeeThrough(finding);
    stage.view.fly(ball, side);
  }

  /** What of a finding should fill the picture: its marks, and enough of the smaller part to know it. */
  private ball(finding: Finding): Sphere {
    const { stage } = this;
    const pair = stage.around(stage.chosen);
    const point = this.point(finding);
    if (!point) return pair;
    const marks = [...(finding.points ?? []), ...finding.curve.flat()];
    const reach = marks.reduce((most, mark) => Math.max(most, stage.local(mark).distanceTo(point)), 0);
    const smallest = Math.min(...stage.chosen.map((part) => stage.around([part]).radius));
    return new Sphere(point, Math.min(pair.radius * 1.6, Math.max(1.4 * reach, 2 * smallest, pair.radius * 0.15)));
  }

  private point(finding: Finding): Vector3 | null {
    if (!finding.points) return null;
    const [a, b] = finding.points.map((point) => this.stage.local(point));
    return a.lerp(b, 0.5);
  }

  /** The direction to look from, and how many surfaces of the pair are in between. */
  private bestSide(finding: Finding, ball: Sphere): [Vector3, number] {
    const { stage } = this;
    const sides = stage.view.directions();
    const triangles = stage.chosen.reduce((sum, part) => sum + this.report.parts[part].triangles, 0);
    const point = this.point(finding);
    const most = Math.max(1, Math.floor(MOST_LOOKING / Math.max(1, triangles)));
    if (!point) return [sides[0], 0];
    let [best, least] = [sides[0], Infinity];
    for (const side of sides.slice(0, most)) {
      const covered = stage.covered(stage.view.eye(ball, side), point);
      if (covered < least) [best, least] = [side, covered];
      if (least === 0) break;
    }
    return [best, least];
  }

  setContext(context: Context) {
    this.stage.context = context;
    this.stage.draw();
    this.tools.refresh();
  }

  setSeeThrough(on: boolean) {
    this.stage.seeThrough = on;
    this.stage.applySeeThrough(this.finding);
    this.tools.refresh();
  }

  /** Keeps the label beside its point. */
  private follow() {
    const { finding } = this;
    const text = finding ? measured(finding, this.report.unit) : "";
    const at = finding?.points ? this.stage.project(finding.points[1]) : null;
    this.label.hidden = !text || !at?.inside;
    if (at && text) {
      this.label.textContent = text;
      this.label.style.transform = `translate(${Math.round(at.x + 14)}px, ${Math.round(at.y - 34)}px)`;
    }
  }

  /** A click on a part says what it is, and leads to its findings. */
  private listen(canvas: HTMLCanvasElement) {
    let from = [0, 0];
    canvas.addEventListener("pointerdown", (event) => (from = [event.offsetX, event.offsetY]));
    canvas.addEventListener("click", (event) => {
      if (Math.hypot(event.offsetX - from[0], event.offsetY - from[1]) > 5) return;
      const part = this.stage.pick(event.offsetX, event.offsetY);
      this.hint.textContent = part === null ? "" : this.report.parts[part].path;
      if (part === null || this.stage.chosen.includes(part)) return;
      const own = this.list.shown.filter((finding) => finding.parts.includes(part));
      if (own.length > 0 && this.stage.chosen.length === 0) this.choose(own[0]);
      else if (own.length > 0) this.hint.textContent += ` – ${own.length} ${own.length === 1 ? "finding" : "findings"}`;
    });
  }

  /** What tests ask: which parts are isolated, what the camera sees. */
  private expose() {
    const state = () => {
      const { stage, finding } = this;
      const points = (finding?.points ?? []).map((point) => stage.project(point));
      return {
        finding: finding?.id ?? null,
        isolated: stage.chosen.map((part) => this.report.parts[part].path),
        context: stage.context,
        points,
        facing: stage.view.facing().toArray(),
        moving: stage.view.moving,
        shown: this.list.shown.map((one) => one.id),
        volumes: this.tools.shown,
        shares: [...this.player.shares],
        playing: this.player.playing,
        middles: this.report.parts.map((_, part) => stage.middle(part).toArray()),
        views: Object.fromEntries(VIEWS.map((view) => [view, stage.view.direction(view).toArray()])),
        dark: this.theme.dark,
        frames: stage.frames,
      };
    };
    /** The mean time of a frame while the model turns, in milliseconds. */
    const measure = (frames: number) => {
      const gl = this.stage.renderer.getContext();
      const pixel = new Uint8Array(4);
      const start = performance.now();
      for (let k = 0; k < frames; k++) {
        this.stage.view.orbit(0.05, 0);
        this.stage.render();
        // Reading a pixel waits for the picture.
        gl.readPixels(0, 0, 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, pixel);
      }
      return (performance.now() - start) / frames;
    };
    requestAnimationFrame(() => {
      this.stage.render();
      Object.assign(window, { impinge: { state, measure, report: this.report }, impingeReady: true });
    });
  }
}

/** Calm colours for the whole model: one hue for each name at the top of the paths. */
function hues(report: Report): Color[] {
  const groups = new Map<string, number>();
  return report.parts.map(({ path }) => {
    const cut = path.indexOf("/");
    const top = cut < 0 ? "" : path.slice(0, cut);
    const group = groups.get(top) ?? groups.size;
    groups.set(top, group);
    return new Color().setHSL((0.58 + group * 0.381966) % 1, 0.2, 0.66);
  });
}

