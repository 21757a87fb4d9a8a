import { readFileSync } from "node:fs";
import { chromium } from "playwright-core";
const job = JSON.parse(readFileSync(0, "utf8"));
const [name, value] = readFileSync("/tmp/bp/cookie2", "utf8").split("=");
const browser = await chromium.launch({ executablePath: "/usr/bin/chromium", args: ["--no-sandbox", "--disable-gpu"] });
const context = await browser.newContext({ viewport: { width: job.w || 1280, height: job.h || 800 }, colorScheme: job.theme || "light", reducedMotion: "reduce", hasTouch: !!job.touch });
await context.addCookies([{ name, value, url: "http://127.0.0.1:8124" }]);
const page = await context.newPage();
page.setDefaultTimeout(8000);
page.on("pageerror", (e) => console.log("ERR", String(e), (e.stack||"").split("\n")[1]));
page.on("console", (l) => { if (l.type() === "error") console.log("CON", l.text(), l.location().url); });
page.on("response", (r) => { if (r.status() >= 400) console.log("HTTP", r.status(), r.url()); });
await page.goto("http://127.0.0.1:8124" + job.url);
const idle = async () => { for (let i = 0; i < 400; i++) { if (await page.evaluate("document.body.classList.contains('ready') && !document.body.hasAttribute('aria-busy')")) { await page.waitForTimeout(60); if (await page.evaluate("!document.body.hasAttribute('aria-busy')")) return; } await page.waitForTimeout(25); } console.log("NEVER IDLE"); };
await idle();
for (const s of job.steps || []) {
  try {
    if (s.hex) { const [x, y] = await page.evaluate(`(async () => { const m = await import("/static/board-sheets.js"), s = await import("/static/board-state.js"); const b = document.getElementById("sheet").getBoundingClientRect(), c = s.T.board.centres["${s.hex}"]; return [b.left + c[0] * b.width / m.M.wide, b.top + (c[1] + ${s.low ? 28 : 0}) * b.height / m.M.high]; })()`); if (s.shift) await page.keyboard.down("Shift"); await page.mouse.click(x, y); if (s.shift) await page.keyboard.up("Shift"); await idle(); }
    else if (s.click) { await page.click(s.click); await idle(); }
    else if (s.text) { await page.getByRole("button", { name: s.text }).first().click(); await idle(); }
    else if (s.press) { await page.keyboard.press(s.press); await idle(); }
    else if (s.wait) { await page.waitForTimeout(s.wait); }
    else if (s.eval) { console.log(JSON.stringify(await page.evaluate(s.eval))); }
    else if (s.shot) { await page.screenshot({ path: "/tmp/bp/" + s.shot + ".png" }); }
  } catch (e) { console.log("STEP", JSON.stringify(s), String(e).slice(0, 300)); }
}
await browser.close();
