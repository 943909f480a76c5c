// Elements from code.

type Attributes = Record<string, string | number | boolean | ((event: Event) => void)>;

/** An element with attributes, listeners (functions, by the name of the event) and content. */
export function element<K extends keyof HTMLElementTagNameMap>(
  tag: K, attributes: Attributes = {}, ...content: (Node | string)[]
): HTMLElementTagNameMap[K] {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") made.addEventListener(name, value);
    else if (value === true) made.setAttribute(name, "");
    else if (value !== false) made.setAttribute(name, String(value));
  }
  made.append(...content);
  return made;
}

/** A button that says what it does, also to who does not see it, and its key. */
export function button(label: string, title: string, key: string, action: () => void, more: Attributes = {}): HTMLButtonElement {
  const attributes: Attributes = { type: "button", title: key ? `${title} (${key})` : title, click: action, ...more };
  if (key) attributes["aria-keyshortcuts"] = key;
  if (label.length <= 2) attributes["aria-label"] = title;
  return element("button", attributes, label);
}

/** A list to choose from. */
export function choice(label: string, options: [string, string][], change: (value: string) => void): HTMLSelectElement {
  const select = element("select", { "aria-label": label, change: () => change(select.value) });
  for (const [value, text] of options) select.append(element("option", { value }, text));
  return select;
}
