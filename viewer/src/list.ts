// The findings as a table: filtered, sorted, one of them chosen.

import { button, choice, element } from "./dom";
import { digits, Finding, KIND_WORDS, Kind, KINDS, Report } from "./report";

type Key = "kind" | "parts" | "distance" | "status";

/** Rows that are made at a time; more follow when the end comes into sight. */
const CHUNK = 150;

export class List {
  readonly head = element("div", { class: "filters" });
  readonly body = element("div", { class: "rows" });
  /** What is shown, in order. */
  shown: Finding[] = [];
  private readonly kinds = new Set<Kind>();
  private text = "";
  private status = "";
  private test = "";
  private group = "";
  private key: Key | null = null;
  private down = false;
  private chosen: string | null = null;
  private readonly search: HTMLInputElement;
  private readonly chips = new Map<Kind, HTMLButtonElement>();
  private readonly count = element("p", { class: "count", "aria-live": "polite" });
  private readonly rows = element("tbody");
  private readonly headers = new Map<Key, HTMLTableCellElement>();
  private readonly end = element("div", { class: "end" });
  private made = 0;

  constructor(private readonly report: Report, private readonly pick: (finding: Finding) => void) {
    this.search = element("input", {
      type: "search", placeholder: "Search parts, ids, text", "aria-label": "Search parts, ids, text", "aria-keyshortcuts": "/",
      input: () => this.filter(() => (this.text = this.search.value.trim().toLowerCase())),
    });
    this.head.append(this.search, this.kindChips(), ...this.selects(), this.count);
    this.body.append(this.table(), this.end);
    new IntersectionObserver((seen) => {
      if (seen.some((entry) => entry.isIntersecting)) this.more();
    }, { root: null, rootMargin: "600px" }).observe(this.end);
    this.refresh();
  }

  focusSearch() {
    this.search.focus();
    this.search.select();
  }

  private kindChips(): HTMLElement {
    const row = element("div", { class: "chips", role: "group", "aria-label": "Kinds" });
    for (const kind of KINDS) {
      const count = this.report.findings.filter((finding) => finding.kind === kind).length;
      if (count === 0) continue;
      const chip = button("", `Show ${kind} only: ${KIND_WORDS[kind]}`, "", () => this.toggle(kind), {
        class: "chip", "data-kind": kind, "aria-pressed": "false",
      });
      chip.append(element("span", { class: "dot" }), `${count} ${kind}`);
      this.chips.set(kind, chip);
      row.append(chip);
    }
    return row;
  }

  private toggle(kind: Kind) {
    this.filter(() => {
      if (!this.kinds.delete(kind)) this.kinds.add(kind);
      for (const [own, chip] of this.chips) chip.setAttribute("aria-pressed", String(this.kinds.has(own)));
    });
  }

  /** Lists for what findings differ in. */
  private selects(): HTMLElement[] {
    const row = element("div", { class: "selects" });
    const add = (label: string, values: string[], set: (value: string) => void) => {
      const known = [...new Set(values)].sort();
      if (known.length < 2) return;
      const options: [string, string][] = [["", `every ${label}`], ...known.map((value): [string, string] => [value, value || "none"])];
      row.append(choice(`Only this ${label}`, options, (value) => this.filter(() => set(value))));
    };
    const { findings } = this.report;
    add("status", findings.map((finding) => finding.status), (value) => (this.status = value));
    add("test", findings.map((finding) => finding.test), (value) => (this.test = value));
    add("group", findings.flatMap((finding) => finding.group ?? []), (value) => (this.group = value));
    return row.childElementCount > 0 ? [row] : [];
  }

  private filter(change: () => void) {
    change();
    this.refresh();
  }

  private holds(finding: Finding): boolean {
    if (this.kinds.size > 0 && !this.kinds.has(finding.kind)) return false;
    if (this.status && finding.status !== this.status) return false;
    if (this.test && finding.test !== this.test) return false;
    if (this.group && finding.group !== this.group) return false;
    if (!this.text) return true;
    const words = [finding.id, finding.test, finding.kind, finding.status, finding.comment, finding.group ?? "", ...finding.paths];
    return words.join("\n").toLowerCase().includes(this.text);
  }

  private table(): HTMLTableElement {
    const head = element("tr");
    const titles: [Key, string][] = [["kind", "Kind"], ["parts", "Parts"], ["distance", `Distance, ${this.report.unit}`], ["status", "Status"]];
    for (const [key, title] of titles) {
      const sort = button(title, `Sort by ${title.toLowerCase()}`, "", () => this.sort(key));
      sort.append(element("span", { class: "arrow", "aria-hidden": "true" }));
      const cell = element("th", { scope: "col", "data-key": key }, sort);
      this.headers.set(key, cell);
      head.append(cell);
    }
    return element("table", {}, element("caption", { class: "unseen" }, "Findings"), element("thead", {}, head), this.rows);
  }

  private sort(key: Key) {
    this.down = this.key === key ? !this.down : false;
    this.key = key;
    this.refresh();
  }

  private compare(a: Finding, b: Finding): number {
    switch (this.key) {
      case "kind":
        return KINDS.indexOf(a.kind) - KINDS.indexOf(b.kind);
      case "parts":
        return a.paths.join("\n").localeCompare(b.paths.join("\n"));
      case "distance":
        return (a.distance ?? Infinity) - (b.distance ?? Infinity) || 0;
      case "status":
        return a.status.localeCompare(b.status);
      case null:
        return 0;
    }
  }

  refresh() {
    this.shown = this.report.findings.filter((finding) => this.holds(finding));
    if (this.key) this.shown.sort((a, b) => (this.down ? -1 : 1) * this.compare(a, b));
    for (const [key, cell] of this.headers) {
      const way = this.key !== key ? "none" : this.down ? "descending" : "ascending";
      cell.setAttribute("aria-sort", way);
    }
    const all = this.report.findings.length;
    this.count.textContent = this.shown.length === all ? `${all} ${all === 1 ? "finding" : "findings"}` : `${this.shown.length} of ${all} findings`;
    this.rows.replaceChildren();
    this.made = 0;
    this.more();
    if (this.shown.length === 0) {
      const words = all === 0 ? "No findings." : "No finding matches the filters.";
      this.rows.append(element("tr", {}, element("td", { colspan: 4, class: "nothing" }, words)));
    }
  }

  private more() {
    const next = this.shown.slice(this.made, this.made + CHUNK);
    this.rows.append(...next.map((finding) => this.row(finding)));
    this.made += next.length;
  }

  private row(finding: Finding): HTMLTableRowElement {
    const names = finding.paths.map((path) => element("span", { class: "path" }, ...folded(path)));
    const open = element("button", {
      type: "button", class: "open", "aria-label": `${finding.kind}: ${finding.paths.join(" and ")}`,
    }, ...names.slice(0, 2), ...(names.length > 2 ? [`and ${names.length - 2} more`] : []));
    const distance = finding.distance === null || finding.kind === "duplicate" ? "–" : digits(finding.distance);
    const row = element("tr", { "data-id": finding.id, click: () => this.pick(finding) },
      element("td", {}, element("span", { class: "kind", "data-kind": finding.kind }, finding.kind)),
      element("td", {}, open),
      element("td", { class: "number" }, distance),
      element("td", {}, element("span", { class: "status", "data-status": finding.status }, finding.status)),
    );
    this.mark(row, finding.id === this.chosen);
    return row;
  }

  private mark(row: HTMLElement, chosen: boolean) {
    row.classList.toggle("chosen", chosen);
    row.querySelector(".open")?.setAttribute("aria-current", String(chosen));
  }

  /** Marks the row of the selected finding and brings it into sight. */
  show(finding: Finding | null) {
    this.chosen = finding?.id ?? null;
    if (finding) {
      const place = this.shown.indexOf(finding);
      while (place >= this.made) this.more();
    }
    for (const row of this.rows.children) {
      const chosen = finding !== null && (row as HTMLElement).dataset.id === finding.id;
      this.mark(row as HTMLElement, chosen);
      if (chosen) {
        // Not scrollIntoView, which on narrow screens would take the model out of sight.
        const [own, around] = [row.getBoundingClientRect(), this.body.getBoundingClientRect()];
        if (own.top < around.top + 40) this.body.scrollTop -= around.top + 40 - own.top;
        if (own.bottom > around.bottom) this.body.scrollTop += own.bottom - around.bottom;
      }
    }
  }

  /** The finding so many rows further on, round the end. */
  step(finding: Finding | null, by: number): Finding | null {
    const count = this.shown.length;
    if (count === 0) return null;
    const at = finding ? this.shown.indexOf(finding) : -1;
    if (at < 0) return this.shown[by > 0 ? 0 : count - 1];
    return this.shown[(at + by + count) % count];
  }
}

/** A path with its last name standing out. */
export function folded(path: string): (Node | string)[] {
  const cut = path.lastIndexOf("/");
  return cut < 0 ? [element("b", {}, path)] : [element("i", {}, path.slice(0, cut + 1)), element("b", {}, path.slice(cut + 1))];
}
