// Light or dark: as the system says, until the user chooses.

import { button } from "./dom";

export class Theme {
  readonly button: HTMLButtonElement;
  dark: boolean;

  constructor(private readonly changed: (dark: boolean) => void) {
    const system = window.matchMedia("(prefers-color-scheme: dark)");
    this.dark = system.matches;
    this.button = button("◐", "Light or dark", "t", () => this.toggle());
    system.addEventListener("change", (event) => this.set(event.matches));
    this.set(this.dark);
  }

  toggle() {
    this.set(!this.dark);
  }

  private set(dark: boolean) {
    this.dark = dark;
    document.documentElement.dataset.theme = dark ? "dark" : "light";
    this.changed(dark);
  }
}
