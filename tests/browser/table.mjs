// Plays at a table in headless Chromium. Job: JSON on standard input {chromium, link, width, steps, axe}; every step is
// one of {goto, click, fill: [where, what], press, wait, value, axe: true, shot}. The answer is JSON: {values, errors,
// violations, requests}.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { chromium } from "playwright-core";

const axeSource = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const job = JSON.parse(readFileSync(0, "utf8"));
const flags = ["--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
  "--disable-component-update", "--disable-sync"];
const browser = await chromium.launch({ executablePath: job.chromium, args: ["--no-sandbox", ...flags] });
const context = await browser.newContext({ viewport: { width: job.width || 1300, height: 900 }, bypassCSP: false });
const page = await context.newPage();
page.setDefaultTimeout(60000);
const errors = [], requests = [], values = [], violations = [];
page.on("pageerror", (error) => errors.push(String(error)));
page.on("console", (line) => { if (line.type() === "error") { errors.push(line.text()); } });
page.on("request", (request) => requests.push(request.url()));
const base = new URL(job.link).origin;
await page.goto(job.link);
// not `waitForFunction`, which wants to evaluate text inside the page: its policy forbids that
async function until(what) {
  for (let tries = 0; tries < 1200; tries++) {
    try { if (await page.evaluate(what)) { return; } } catch (error) { /* between two pages */ }
    await page.waitForTimeout(50);
  }
  throw new Error("never: " + what + " at " + page.url() + ": " + await page.evaluate("document.body.innerText.slice(0, 1500)"));
}
for (const one of job.steps) {
  if (one.goto) { await page.goto(base + one.goto); }
  else if (one.click) { await page.click(one.click); }
  else if (one.fill) { await page.fill(one.fill[0], one.fill[1]); }
  else if (one.press) { await page.keyboard.press(one.press); }
  else if (one.wait) { await until(one.wait); }
  else if (one.shot) { await page.screenshot({ path: one.shot, fullPage: true }); }
  else if (one.axe) {
    const cdp = await context.newCDPSession(page);
    await cdp.send("Page.setBypassCSP", { enabled: true });
    await page.evaluate(axeSource);
    const found = await page.evaluate(() => window.axe.run(document, { runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"] }));
    violations.push(...found.violations.map((v) => `${page.url()} ${v.id}: ${v.help} (${v.nodes.map((n) => n.target.join(" ")).slice(0, 4).join(" | ")})`));
  } else { values.push(await page.evaluate(one.value)); }
}
await browser.close();
process.stdout.write(JSON.stringify({ values, errors, violations, requests: requests.filter((url) => !url.startsWith(base)) }));
