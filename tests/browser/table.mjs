// Plays at tables in headless Chromium. Job: JSON on standard input {chromium, sittings: [{link, width, script, steps}]};
// on one line; every sitting has its own window in one browser. At a step {tell} a line {tell} is written and one awaited,
// so that others can act meanwhile. A step is one of {goto, click, fill: [where, what], pick: [where,
// what], press, wait, value, files: [where, paths], again: what, most, steps (until what
// is true), rounds: steps (again and again, until "over" is the answer to a {tell}), time: label, steps (as long as they take, or with
// painted until the answer to the last click is seen), axe: true, wide: true, shot}. The last line is JSON: {found}, a list of {values, errors, violations, requests, wide, times}.
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
    viewport: { width: one.width || 1300, height: one.height || 900 }, hasTouch: Boolean(one.touch), javaScriptEnabled: one.script !== false, acceptDownloads: true,
    colorScheme: one.theme || "light", reducedMotion: "reduce",
  });
  const page = await context.newPage();
  page.setDefaultTimeout(20000);
  const errors = [], requests = [], values = [], violations = [], wide = [], times = {};
  page.on("pageerror", (error) => errors.push(String(error)));
  page.on("console", (line) => { if (line.type() === "error") { errors.push(line.text() + " " + line.location().url); } });
  page.on("request", (request) => requests.push(request.url()));
  // from a click or a key to the frame in which the page of orders shows its answer
  await page.addInitScript(() => {
    let began = 0;
    const begins = () => { began = performance.now(); };
    window.answered = null;
    window.addEventListener("click", begins, true);
    window.addEventListener("DOMContentLoaded", () => {
      const desk = document.body;
      if (!document.getElementById("sheet")) { return; }
      new MutationObserver(() => {
        if (!began || desk.hasAttribute("aria-busy")) { return; }
        const from = began;
        began = 0;
        requestAnimationFrame(() => setTimeout(() => { window.answered = performance.now() - from; }));
      }).observe(desk, { attributes: true, attributeFilter: ["aria-busy"] });
    });
  });
  const base = new URL(one.link).origin;
  await page.goto(one.link);
  await page.waitForURL((address) => !address.searchParams.has("token"));
  const cdp = await context.newCDPSession(page);
  // not `waitForFunction`, which wants to evaluate text inside the page: its policy forbids that. The page looks by itself:
  // to ask it again and again takes more time than all else that a browser does here.
  async function until(what) {
    const look = `new Promise((done) => { const began = performance.now();
      (function look() { if (${what}) { done(true); } else if (performance.now() - began > 20000) { done(false); } else { setTimeout(look, 15); } })(); })`;
    for (let tries = 0; tries < 400; tries++) {
      try { if (await page.evaluate(look)) { return; } tries += 200; } catch (error) { await page.waitForTimeout(50); /* between two pages */ }
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
      if (each.painted) { await page.evaluate("new Promise((done) => setTimeout(() => requestAnimationFrame(() => setTimeout(() => { answered = null; done(); }, 30)), 60))"); }  // not the answer to an earlier click
      for (const inner of each.steps) { await step(inner); }
      let taken = performance.now() - began;
      if (each.painted) { await until("answered !== null"); taken = await page.evaluate("const one = answered; answered = null; one"); }
      (times[each.time] = times[each.time] || []).push(taken);
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
