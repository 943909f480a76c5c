// The demonstration's report in a real browser.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { inflateSync } from "node:zlib";
import { click, impinge, launch, opened as open, state } from "./page.mjs";

const folder = mkdtempSync(join(tmpdir(), "impinge-report-"));
const file = join(folder, "demo.html");
let browser;
let report;

before(async () => {
  // The exit code is 1, since the demonstration finds something.
  const made = spawnSync(impinge, ["demo", "--quiet", "--page", file], { encoding: "utf8" });
  assert.equal(made.status, 1, `${impinge}: ${made.error ?? made.stderr}`);
  report = JSON.parse(spawnSync(impinge, ["demo", "--quiet", "--format", "json"], { encoding: "utf8" }).stdout);
  browser = await launch();
});

after(async () => {
  await browser?.close();
  rmSync(folder, { recursive: true });
});

function opened(options, hash) {
  return open(browser, file, options, hash);
}

/** The right parts are isolated, and the camera sees both points, outside of what covers the picture. */
async function checkFinding(page, finding) {
  const seen = await state(page);
  assert.equal(seen.finding, finding.id);
  assert.deepEqual(seen.isolated, finding.paths);
  assert.equal(seen.points.length, 2);
  const covered = await page.evaluate(() => {
    const [words, picture] = [".detail", "canvas"].map((one) => document.querySelector(one).getBoundingClientRect());
    return { left: words.left - picture.left, right: words.right - picture.left, top: words.top - picture.top, bottom: words.bottom - picture.top };
  });
  for (const { x, y, inside } of seen.points) {
    assert.ok(inside, `${finding.id}: (${x}, ${y}) is out of the picture`);
    const hidden = x > covered.left && x < covered.right && y > covered.top && y < covered.bottom;
    assert.ok(!hidden, `${finding.id}: (${x}, ${y}) is behind the words`);
  }
  const words = await page.locator(".detail .words").textContent();
  assert.equal(words, finding.explanation);
  assert.ok(page.url().endsWith(`#finding=${finding.id}`), page.url());
}

/** The colours in the middle of the picture. */
async function colours(page) {
  const png = await page.locator("canvas").screenshot();
  return page.evaluate(async (bytes) => {
    const picture = await createImageBitmap(new Blob([new Uint8Array(bytes)], { type: "image/png" }));
    const canvas = new OffscreenCanvas(picture.width, picture.height);
    const context = canvas.getContext("2d");
    context.drawImage(picture, 0, 0);
    const { data } = context.getImageData(0, 0, picture.width, picture.height);
    const counts = { orange: 0, blue: 0, red: 0 };
    for (let k = 0; k < data.length; k += 4) {
      const [r, g, b] = data.subarray(k, k + 3);
      if (r > 1.5 * b && r > 1.15 * g && g > b) counts.orange++;
      if (b > 1.5 * r && b > 1.15 * g) counts.blue++;
      if (r > 170 && g < 80 && b > 40 && b < 140) counts.red++;
    }
    return counts;
  }, [...png]);
}

describe("the report of the demonstration", { timeout: 20 * 60_000 }, () => {
  test("clicks through all findings", async () => {
    const { page, wrong, close } = await opened();
    assert.equal((await state(page)).finding, null);
    assert.ok(report.findings.length >= 5);
    for (const finding of report.findings) {
      await click(page, `tr[data-id="${finding.id}"] .open`);
      await checkFinding(page, finding);
      assert.equal(await page.locator('.open[aria-current="true"]').count(), 1);
    }
    await click(page, '[aria-label="Next finding"]');
    await checkFinding(page, report.findings[0]);
    const seen = await colours(page);
    assert.ok(seen.orange > 200 && seen.blue > 200 && seen.red > 20, JSON.stringify(seen));
    assert.deepEqual(wrong, []);
    await close();
  });

  test("filters and sorts", async () => {
    const { page, wrong, close } = await opened();
    const shown = async () => (await page.evaluate(() => window.impinge.state())).shown;
    const rows = () => page.locator("tbody tr[data-id]").evaluateAll((list) => list.map((row) => row.dataset.id));
    const ids = (keep) => report.findings.filter(keep).map((finding) => finding.id);
    await click(page, '.chip[data-kind="hard"]');
    assert.deepEqual(await shown(), ids((finding) => finding.kind === "hard"));
    await click(page, '.chip[data-kind="clearance"]');
    assert.deepEqual(await shown(), ids((finding) => finding.kind === "hard" || finding.kind === "clearance"));
    await click(page, '.chip[data-kind="hard"]');
    await click(page, '.chip[data-kind="clearance"]');
    await page.fill('input[type="search"]', "WASHER");
    assert.deepEqual(await shown(), ids((finding) => finding.paths.some((path) => path.includes("washer"))));
    await page.fill('input[type="search"]', "no such part");
    assert.deepEqual(await rows(), []);
    await page.fill('input[type="search"]', "");
    await page.selectOption('select[aria-label="Only this test"]', "rotating against housing");
    assert.deepEqual(await shown(), ids((finding) => finding.test === "rotating against housing"));
    await page.selectOption('select[aria-label="Only this test"]', "");
    for (const [key, value] of [["distance", (finding) => finding.distance], ["parts", (finding) => finding.paths.join("\n")]]) {
      for (const way of ["ascending", "descending"]) {
        await click(page, `th[data-key="${key}"] button`);
        assert.equal(await page.getAttribute(`th[data-key="${key}"]`, "aria-sort"), way);
        const values = (await rows()).map((id) => value(report.findings.find((finding) => finding.id === id)));
        const sign = way === "ascending" ? 1 : -1;
        const sorted = [...values].sort((a, b) => sign * (typeof a === "number" ? a - b : a.localeCompare(b)));
        assert.deepEqual(values, sorted, `${key} ${way}`);
        assert.equal(values.length, report.findings.length);
      }
    }
    assert.deepEqual(wrong, []);
    await close();
  });

  test("switches views, the rest, and levels of hierarchies", async () => {
    const { page, wrong, close } = await opened({}, `#finding=${report.findings[0].id}`);
    await checkFinding(page, report.findings[0]);
    const along = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
    for (const view of ["front", "side", "top", "iso"]) {
      await click(page, `[data-view="${view}"]`);
      const seen = await state(page);
      assert.ok(along(seen.facing, seen.views[view]) > 0.999, `${view}: ${seen.facing}`);
      assert.ok(seen.points.every((point) => point.inside), view);
    }
    for (const context of ["hide", "show", "ghost"]) {
      await click(page, `[data-context="${context}"]`);
      assert.equal((await state(page)).context, context);
      assert.equal(await page.getAttribute(`[data-context="${context}"]`, "aria-pressed"), "true");
    }
    const slider = page.locator('input[type="range"]');
    const kinds = await page.locator('select[aria-label="Volume of the hierarchy"] option').evaluateAll((list) => list.map((one) => one.value).filter(Boolean));
    assert.ok(kinds.length >= 16, kinds.join(", "));
    for (const kind of kinds) {
      await page.selectOption('select[aria-label="Volume of the hierarchy"]', kind);
      let last = 0;
      const deepest = Number(await slider.getAttribute("max"));
      assert.ok(deepest >= 1, kind);
      // Drawing takes long without a graphics card: all levels of one kind, the first two of the others.
      const shown = kind === kinds[0] ? deepest : 1;
      for (let level = 0; level <= shown; level++) {
        await slider.fill(String(level));
        const { volumes } = await state(page);
        assert.equal(volumes.name, kind);
        assert.equal(volumes.level, level);
        assert.ok(volumes.count > last || level > 1, `${kind}, level ${level}: ${volumes.count}`);
        last = volumes.count;
      }
    }
    assert.deepEqual(wrong, []);
    await close();
  });

  test("works by keyboard alone", async () => {
    const { page, wrong, close } = await opened();
    const { keyboard } = page;
    for (const key of ["j", "ArrowDown"]) {
      await keyboard.press("Escape");
      for (const finding of report.findings) {
        await keyboard.press(key);
        await checkFinding(page, finding);
      }
    }
    await keyboard.press("k");
    await checkFinding(page, report.findings.at(-2));
    await keyboard.press("ArrowUp");
    await checkFinding(page, report.findings.at(-3));
    // By Tab alone: to the table, where Enter chooses.
    await keyboard.press("Escape");
    const chosen = () => page.evaluate(() => document.activeElement?.closest("tr")?.dataset.id ?? null);
    for (let k = 0; k < 60 && (await chosen()) !== report.findings[1].id; k++) await keyboard.press("Tab");
    assert.equal(await chosen(), report.findings[1].id, "Tab leads to the rows");
    const outline = await page.evaluate(() => getComputedStyle(document.activeElement).outlineStyle);
    assert.notEqual(outline, "none", "what has the focus is seen to have it");
    await keyboard.press("Enter");
    await checkFinding(page, report.findings[1]);
    await keyboard.press("2");
    let seen = await state(page);
    assert.ok(seen.facing.every((x, k) => Math.abs(x - seen.views.front[k]) < 1e-2), String(seen.facing));
    await keyboard.press("g");
    assert.equal((await state(page)).context, "hide");
    await keyboard.press("v");
    await keyboard.press("]");
    seen = await state(page);
    assert.ok(seen.volumes.name !== null && seen.volumes.level === 1, JSON.stringify(seen.volumes));
    await keyboard.press("[");
    assert.equal((await state(page)).volumes.level, 0);
    await keyboard.press("/");
    await keyboard.type("washer");
    assert.equal((await state(page)).shown.length, 1);
    await keyboard.press("Escape");
    await page.focus("canvas");
    const before = (await state(page)).facing;
    await keyboard.press("ArrowLeft");
    const turned = (await state(page)).facing;
    assert.ok(Math.hypot(...turned.map((x, k) => x - before[k])) > 0.05, "arrows turn the model");
    const { dark } = await state(page);
    await keyboard.press("t");
    assert.equal((await state(page)).dark, !dark);
    await keyboard.press("?");
    assert.ok(await page.locator("dialog").isVisible());
    await keyboard.press("Escape");
    assert.deepEqual(wrong, []);
    await close();
  });

  test("opens at a finding, narrow and dark, and fits", async () => {
    const finding = report.findings.at(-1);
    const options = { viewport: { width: 400, height: 800 }, colorScheme: "dark" };
    const { page, wrong, close } = await opened(options, `#finding=${finding.id}`);
    await checkFinding(page, finding);
    assert.equal((await state(page)).dark, true);
    const width = await page.evaluate(() => document.documentElement.scrollWidth);
    assert.ok(width <= 400, `nothing is cut off: ${width}`);
    assert.deepEqual(wrong, []);
    await close();
  });

  test("holds the data that docs/report.md says it holds", () => {
    const text = /id="impinge-report">([^<]*)/.exec(readFileSync(file, "utf8"))[1];
    const held = JSON.parse(inflateSync(Buffer.from(text, "base64")).toString("utf8"));
    for (const finding of held.findings) {
      // Segments of curves are with the model.
      finding.curve = report.findings.find((one) => one.id === finding.id).curve;
    }
    assert.deepEqual(held, report);
    assert.ok(!/(src|href)="https?:/.test(readFileSync(file, "utf8")), "nothing is named that would be loaded");
  });
});
