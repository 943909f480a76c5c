// The report in a browser. Everything that it shows is in the page: nothing is loaded.

import "./style.css";
import { App } from "./app";
import { element } from "./dom";
import type { Report } from "./report";
import { readScene } from "./scene";
import { inflated } from "./unpack";

async function start(root: HTMLElement) {
  const report = JSON.parse(new TextDecoder().decode(await inflated("impinge-report"))) as Report;
  const scene = await readScene();
  report.findings.forEach((finding, k) => (finding.curve = scene.curves[k]));
  new App(root, report, scene);
}

function failed(root: HTMLElement, error: unknown) {
  const reason = error instanceof Error ? error.message : String(error);
  root.replaceChildren(element("p", { class: "opening" }, `Cannot show the report: ${reason}. It needs a current browser with WebGL 2.`));
}

function run() {
  const root = document.getElementById("impinge");
  if (root) start(root).catch((error: unknown) => failed(root, error));
}

if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", run);
else run();
