import { readFileSync } from "node:fs";
import { chromium } from "playwright-core";
const [, , game, rounds, w, h] = process.argv;
const [name, value] = readFileSync("/tmp/bp/cookie", "utf8").split("=");
const browser = await chromium.launch({ executablePath: "/usr/bin/chromium", args: ["--no-sandbox", "--disable-gpu"] });
const context = await browser.newContext({ viewport: { width: +w || 1280, height: +h || 800 }, reducedMotion: "reduce" });
await context.addCookies([{ name, value, url: "http://127.0.0.1:8123" }]);
const page = await context.newPage();
page.setDefaultTimeout(8000);
let loads = 0, clicks = 0, signs = 0;
page.on("pageerror", (e) => console.log("ERR", String(e), (e.stack||"").split("\n")[1]));
page.on("load", () => loads++);
page.on("response", (r) => { if (r.status() >= 400 && !/news|notes|odds/.test(r.url())) console.log("HTTP", r.status(), r.url()); });
await page.goto(`http://127.0.0.1:8123/g/${game}/table`);
const idle = async () => { for (let i = 0; i < 800; i++) { if (await page.evaluate("document.body.classList.contains('ready') && !document.body.hasAttribute('aria-busy')")) { await page.waitForTimeout(60); if (await page.evaluate("!document.body.hasAttribute('aria-busy')")) return; } await page.waitForTimeout(25); } console.log("NEVER IDLE"); };
await idle();
const look = () => page.evaluate(`(async () => { const s = await import("/static/board-state.js"); const T = s.T; return { turn: document.getElementById("turn").innerText, key: T.key, q: document.querySelector("#ask h2").innerText, list: (s.question()||{}).list, answers: [...document.querySelectorAll("#ask .answers button")].map((b) => b.innerText.slice(0,60)), n: T.options.length, ends: T.ends && T.ends.text, may: T.signs && T.signs.may, why: T.signs && T.signs.why, steps: T.steps.map((o) => o.how + (o.answered ? "+" : "-")), wrong: T.wrong, line: document.getElementById("line").innerText.slice(0,100) }; })()`);
for (let i = 0; i < +rounds; i++) {
  const at = await look();
  console.log(JSON.stringify(at));
  if (at.wrong) break;
  const buttons = page.locator("#ask .answers button");
  const done = await page.evaluate(`import("/static/board-state.js").then((s) => Boolean((s.question() || {}).answered) || !s.question())`);
  if (at.may && done) { await page.click("#sign"); signs++; clicks++; await idle(); await page.waitForTimeout(300); await idle(); continue; }
  if (at.answers.length) {
    let n = at.answers.findIndex((t) => /^(no|nothing|none|pass|finished|end)/i.test(t)); if (n < 0) n = at.answers.length - 1;
    if (/below|unten/.test(at.answers[n])) { await page.locator("#pages .list button").first().click(); } else await buttons.nth(n).click();
    clicks++; await idle(); continue;
  }
  if (at.n) { console.log("  (options on the map only)"); const first = await page.evaluate(`import("/static/board-state.js").then((s) => s.T.options[0])`); console.log(JSON.stringify(first)); }
  break;
}
console.log("clicks", clicks, "signs", signs, "loads", loads);
await page.screenshot({ path: "/tmp/bp/bot.png" });
await browser.close();
