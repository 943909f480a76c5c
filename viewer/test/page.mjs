// A report in a real browser: opened from disk, without a network.
//
// IMPINGE is the command to make it with (`impinge` if left out), CHROMIUM the browser (/usr/bin/chromium).

import assert from "node:assert/strict";
import { pathToFileURL } from "node:url";
import { chromium } from "playwright-core";

export const impinge = process.env.IMPINGE ?? "impinge";
const executablePath = process.env.CHROMIUM ?? "/usr/bin/chromium";
const FLAGS = [
  "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
  "--disable-component-update", "--disable-sync", "--enable-unsafe-swiftshader",
];
/** Software rendering on a busy machine is slow: nothing here waits for less. */
const PATIENCE = 180_000;

export function launch() {
  return chromium.launch({ executablePath, args: FLAGS });
}

/** A page that has opened the report, and everything that went wrong in it or asked for a network. */
export async function opened(browser, file, options = {}, hash = "") {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, reducedMotion: "reduce", offline: true, ...options });
  const page = await context.newPage();
  page.setDefaultTimeout(PATIENCE);
  const wrong = [];
  page.on("pageerror", (error) => wrong.push(error.message));
  page.on("console", (message) => message.type() === "error" && wrong.push(message.text()));
  page.on("request", (request) => !/^(file|data|blob):/.test(request.url()) && wrong.push(request.url()));
  await page.goto(pathToFileURL(file).href + hash);
  await until(page, () => window.impingeReady === true);
  return { page, wrong, close: () => context.close() };
}

export async function until(page, condition) {
  const end = Date.now() + PATIENCE;
  while (!(await page.evaluate(condition))) {
    assert.ok(Date.now() < end, `waited in vain for ${condition}`);
    await new Promise((resolve) => setTimeout(resolve, 30));
  }
}

/** What is shown, once the camera stands still. */
export async function state(page) {
  await until(page, () => !window.impinge.state().moving);
  return page.evaluate(() => window.impinge.state());
}

/** Clicks without waiting for what follows: choosing a finding changes the address, which is no navigation to wait for. */
export function click(page, selector) {
  return page.locator(selector).click({ noWaitAfter: true });
}
