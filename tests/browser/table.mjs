// Plays at tables in headless Chromium. Job: JSON on standard input {chromium, sittings: [{link, width, script, steps}]};
// on one line; every sitting has its own window in one browser. At a step {tell} a line {tell} is written and one awaited,
// so that others can act meanwhile. A step is one of {goto, click, fill: [where, what], pick: [where,
// what], press, wait, value, files: [where, paths], again: what, most, steps (until what
// is true), rounds: steps (again and again, until "over" is the answer to a {tell}), time: [label, step], axe: true, wide: true,
// shot}. The last line is JSON: {found}, a list of {values, errors, violations, requests, wide, times}.
import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { createRequire } from "node:module";
import { chromium } from "playwright-core";

const axeSource = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const input = createInterface({ input: process.stdin })[Symbol.asyncIterator]();
const heard = async () => (await input.next()).value;
const job = JSON.parse(await heard());
const flags = ["--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
  "--disable-component-update", "--disable-sync"];
let told = "";
const browser = await chromium.launch({ executablePath: job.chromium, args: ["--no-sandbox", ...flags] });

async function sit(one) {
  const context = await browser.newContext({
    viewport: { width: one.width || 1300, height: 900 }, javaScriptEnabled: one.script !== false, acceptDownloads: true,
    colorScheme: one.theme || "light",
  });
  const page = await context.newPage();
  page.setDefaultTimeout(20000);
  const errors = [], requests = [], values = [], violations = [], wide = [], times = {};
  page.on("pageerror", (error) => errors.push(String(error)));
  page.on("console", (line) => { if (line.type() === "error") { errors.push(line.text()); } });
  page.on("request", (request) => requests.push(request.url()));
  const base = new URL(one.link).origin;
  await page.goto(one.link);
  const cdp = await context.newCDPSession(page);
  // not `waitForFunction`, which wants to evaluate text inside the page: its policy forbids that
  async function until(what) {
    for (let tries = 0; tries < 1600; tries++) {
      try { if (await page.evaluate(what)) { return; } } catch (error) { /* between two pages */ }
      await page.waitForTimeout(25);
    }
    throw new Error("never: " + what + " at " + page.url() + ": " + await page.evaluate("document.body.innerText.slice(0, 1500)"));
  }
  async function step(each) {
    if (each.goto) { await page.goto(base + each.goto); }
    else if (each.click) { await page.click(each.click); }
    else if (each.fill) { await page.fill(each.fill[0], each.fill[1]); }
    else if (each.pick) { await page.selectOption(each.pick[0], each.pick[1]); }
    else if (each.files) { await page.setInputFiles(each.files[0], each.files[1]); }
    else if (each.press) { for (const key of [].concat(each.press)) { await page.keyboard.press(key); } }
    else if (each.type) { await page.keyboard.type(each.type); }
    else if (each.drag) {
      const [from, to] = await page.evaluate(each.drag);
      await page.mouse.move(...from); await page.mouse.down();
      await page.mouse.move((from[0] + to[0]) / 2, (from[1] + to[1]) / 2); await page.mouse.move(...to); await page.mouse.up();
    }
    else if (each.at) { const [x, y] = await page.evaluate(each.at); await page.mouse.click(x, y); }
    else if (each.tell) { process.stdout.write(JSON.stringify({ tell: each.tell, url: page.url() }) + "\n"); told = await heard(); }
    else if (each.wait) { await until(each.wait); }
    else if (each.shot) { await page.screenshot({ path: each.shot, fullPage: each.full !== false, clip: each.clip }); }
    else if (each.wide) { if (await page.evaluate("document.documentElement.scrollWidth > innerWidth")) { wide.push(page.url().slice(base.length)); } }
    else if (each.rounds) {
      for (told = ""; told !== "over"; ) { for (const inner of each.rounds) { if (told !== "over") { await step(inner); } } }
    }
    else if (each.again) {
      for (let count = 0; count < each.most; count++) {
        if (await page.evaluate(each.again)) { break; }
        for (const inner of each.steps) { await step(inner); }
      }
    }
    else if (each.time) {
      const began = performance.now();
      for (const inner of each.steps) { await step(inner); }
      (times[each.time] = times[each.time] || []).push(performance.now() - began);
    }
    else if (each.axe) {
      await cdp.send("Page.setBypassCSP", { enabled: true });
      await page.evaluate(axeSource);
      const found = await page.evaluate(() => window.axe.run(document, { resultTypes: ["violations"], runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"] }));
      violations.push(...found.violations.map((v) => `${page.url().slice(base.length)} ${v.id}: ${v.help} (${v.nodes.map((n) => n.target.join(" ")).slice(0, 4).join(" | ")})`));
    } else { values.push(await page.evaluate(each.value)); }
  }
  for (const each of one.steps) { await step(each); }
  await context.close();
  return { values, errors, violations, wide, times, requests: requests.filter((url) => !url.startsWith(base) && !url.startsWith("data:")) };
}

const found = [];
for (const one of job.sittings) { found.push(await sit(one)); }
await browser.close();
process.stdout.write(JSON.stringify({ found }) + "\n");
process.exit(0);
