// Opens pages in headless Chromium and says what it found. A job comes as JSON on standard input:
// {chromium, pages: [{file, theme, width, height, media, steps, axe, shot, pdf, script}]}; the answer is JSON: a list in
// the same order with violations, errors, requests, wide (does the page scroll sideways) and what the steps gave.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";
import { chromium } from "playwright-core";

const axeSource = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const job = JSON.parse(readFileSync(0, "utf8"));
const flags = ["--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
  "--disable-component-update", "--disable-sync"];
const browser = await chromium.launch({ executablePath: job.chromium, args: ["--no-sandbox", ...flags] });

async function step(page, one) {
  if (one.press) { for (const key of [].concat(one.press)) { await page.keyboard.press(key); } return null; }
  if (one.click) { await page.click(one.click); return null; }
  if (one.hover) { await page.hover(one.hover, { force: true }); return null; }
  if (one.focus) { await page.focus(one.focus); return null; }
  if (one.wait) { await page.waitForFunction(one.wait, null, { timeout: 60000 }); return null; }
  return await page.evaluate(one.value);
}

async function visit(one) {
  const context = await browser.newContext({
    colorScheme: one.theme || "light", javaScriptEnabled: one.script !== false,
    viewport: { width: one.width || 1280, height: one.height || 900 },
  });
  const page = await context.newPage();
  const errors = [], requests = [];
  page.on("pageerror", (error) => errors.push(String(error)));
  page.on("console", (line) => { if (line.type() === "error") { errors.push(line.text()); } });
  page.on("dialog", (dialog) => { errors.push(`dialog: ${dialog.message()}`); dialog.dismiss(); });
  page.on("request", (request) => requests.push(request.url()));
  const start = pathToFileURL(one.file).href;
  await page.goto(start + (one.hash || ""));
  if (one.media === "calm") { await page.emulateMedia({ reducedMotion: "reduce" }); }
  else if (one.media) { await page.emulateMedia({ media: one.media, colorScheme: one.theme || "light" }); }
  const values = [];
  for (const each of one.steps || []) { values.push(await step(page, each)); }
  let violations = [];
  if (one.axe) {
    await page.evaluate(axeSource);
    const found = await page.evaluate((options) => window.axe.run(document, options), {
      resultTypes: ["violations"], runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"],
    });
    violations = found.violations.map((v) => `${v.id}: ${v.help} (${v.nodes.map((n) => n.target.join(" ") + " " + (n.any[0]?.message || n.all[0]?.message || "")).slice(0, 4).join(" | ")})`);
  }
  const wide = one.script === false ? false : await page.evaluate("document.documentElement.scrollWidth > innerWidth");
  if (one.shot) { await page.screenshot({ path: one.shot, fullPage: Boolean(one.full) }); }
  if (one.pdf) { await page.pdf({ path: one.pdf, format: "A4", printBackground: true }); }
  await context.close();
  return { violations, errors, requests: requests.filter((url) => !url.startsWith(start.split("#")[0])), wide, values };
}

const answers = [];
for (const one of job.pages) { answers.push(await visit(one)); }
await browser.close();
process.stdout.write(JSON.stringify(answers));
