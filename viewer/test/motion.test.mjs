// A report of a motion: two blocks, of which one slides into a wall and past a post.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { click, impinge, launch, opened, state, until } from "./page.mjs";

const folder = mkdtempSync(join(tmpdir(), "impinge-motion-"));
const file = join(folder, "report.html");
let browser;
let report;

const SCENE = `
[[part]]
name = "block"
box = [1, 1, 1]
[[part]]
name = "wall"
box = [1, 3, 3]
translation = [4, 0, 0]
[[part]]
name = "post"
box = [0.5, 0.5, 1]
translation = [1, 0.95, 0]
`;
const MOTION = `
[[move]]
parts = "block"
axis = [0, 0, 1]
keys = [{ time = "0s" }, { time = "4s", shift = [4, 0, 0] }]
`;

before(async () => {
  const [scene, motion] = [["scene.toml", SCENE], ["motion.toml", MOTION]].map(([name, text]) => {
    writeFileSync(join(folder, name), text);
    return join(folder, name);
  });
  const check = (...more) => spawnSync(impinge, ["check", scene, "--motion", motion, "--clearance", "0.3", "--no-status", "--quiet", ...more], { encoding: "utf8" });
  const made = check("-o", file);
  assert.equal(made.status, 1, `${impinge}: ${made.error ?? made.stderr}`);
  report = JSON.parse(check("--format", "json").stdout);
  browser = await launch();
});

after(async () => {
  await browser?.close();
  rmSync(folder, { recursive: true });
});

/** Where the middle of the block is, along its way. */
async function place(page) {
  return (await state(page)).middles[0][0];
}

describe("the report of a motion", { timeout: 20 * 60_000 }, () => {
  test("knows when", () => {
    const [hard, near] = ["hard", "clearance"].map((kind) => report.findings.find((finding) => finding.kind === kind));
    // The gap of 3 to the wall, and the post at 0.2 beside the way, which is passed from 0.25 to 1.75 seconds.
    assert.ok(hard.motion.first_contact.from[0] <= 3 && hard.motion.first_contact.to[0] >= 3 - 1e-9);
    assert.ok(Math.abs(near.motion.least.distance - 0.2) < 1e-4, JSON.stringify(near.motion));
    assert.equal(report.findings.length, 2);
  });

  test("goes to the moment of a finding", async () => {
    const { page, wrong, close } = await opened(browser, file);
    assert.ok(Math.abs(await place(page)) < 1e-6);
    for (const finding of report.findings) {
      await click(page, `tr[data-id="${finding.id}"] .open`);
      const at = finding.motion.shown[0];
      assert.ok(Math.abs((await place(page)) - at) < 1e-5, `${finding.kind}: ${await place(page)}, not ${at}`);
      assert.ok((await state(page)).points.every((point) => point.inside), finding.kind);
    }
    assert.deepEqual(wrong, []);
    await close();
  });

  test("follows the slider", async () => {
    const { page, wrong, close } = await opened(browser, file);
    await page.locator('.player input[type="range"]').fill("0.5");
    assert.ok(Math.abs((await place(page)) - 2) < 1e-6, String(await place(page)));
    assert.equal(await page.locator(".player .moment").textContent(), "2 s");
    assert.deepEqual(wrong, []);
    await close();
  });

  test("plays and pauses", async () => {
    const { page, wrong, close } = await opened(browser, file);
    await click(page, ".player .play");
    await until(page, () => window.impinge.state().shares[0] > 0.02);
    assert.ok((await state(page)).playing);
    await click(page, ".player .play");
    const paused = await state(page);
    assert.ok(!paused.playing && paused.shares[0] > 0.02);
    await new Promise((resolve) => setTimeout(resolve, 300));
    assert.deepEqual((await state(page)).shares, paused.shares);
    assert.deepEqual(wrong, []);
    await close();
  });

  test("plays to the end and begins again", async () => {
    const { page, wrong, close } = await opened(browser, file);
    await page.locator('.player input[type="range"]').fill("0.99");
    await click(page, ".player .play");
    await until(page, () => !window.impinge.state().playing);
    assert.equal((await state(page)).shares[0], 1);
    await click(page, ".player .play");
    await until(page, () => window.impinge.state().shares[0] < 0.9);
    assert.deepEqual(wrong, []);
    await close();
  });

  test("works by keyboard", async () => {
    const { page, wrong, close } = await opened(browser, file);
    const { keyboard } = page;
    await keyboard.press(".");
    assert.ok(Math.abs((await place(page)) - 0.04) < 1e-6);
    await keyboard.press(",");
    assert.ok(Math.abs(await place(page)) < 1e-6);
    await keyboard.press("j");
    const at = report.findings[0].motion.shown[0];
    await keyboard.press(".");
    assert.ok(Math.abs((await place(page)) - at - 0.04) < 1e-5);
    await keyboard.press("m");
    assert.ok(Math.abs((await place(page)) - at) < 1e-5);
    await keyboard.press("p");
    await until(page, () => window.impinge.state().playing);
    await keyboard.press("p");
    assert.ok(!(await state(page)).playing);
    assert.deepEqual(wrong, []);
    await close();
  });

  test("tells the moment in words", async () => {
    const hard = report.findings.find((finding) => finding.kind === "hard");
    const { page, wrong, close } = await opened(browser, file, {}, `#finding=${hard.id}`);
    const words = await page.locator(".detail dl").textContent();
    assert.ok(words.includes("First contact") && words.includes("3 s"), words);
    assert.ok((await page.locator(".numbers").textContent()).includes("pairs move"));
    assert.deepEqual(wrong, []);
    await close();
  });

  test("fits narrow and dark", async () => {
    const options = { viewport: { width: 400, height: 800 }, colorScheme: "dark" };
    const { page, wrong, close } = await opened(browser, file, options);
    const width = await page.evaluate(() => document.documentElement.scrollWidth);
    assert.ok(width <= 400, `nothing is cut off: ${width}`);
    assert.ok(await page.locator(".player .play").isVisible());
    assert.deepEqual(wrong, []);
    await close();
  });
});
