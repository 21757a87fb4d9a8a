// Opens a site of static files in headless Chromium and plays on it. A job comes as one line of JSON on standard input:
// {chromium, address, width, height, touch, phases: [{offline, again, steps}]}; the answer is JSON: what the steps gave,
// the errors, the addresses that were asked for, and how long each phase took. A phase is one opened page in one profile.
import { readFileSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { chromium } from "playwright-core";

const job = JSON.parse(readFileSync(0, "utf8"));
const profile = mkdtempSync(join(tmpdir(), "pbem-profile-"));
const context = await chromium.launchPersistentContext(profile, {
  executablePath: job.chromium, headless: true, acceptDownloads: true, locale: job.locale || "en-GB",
  viewport: { width: job.width || 1280, height: job.height || 900 }, hasTouch: Boolean(job.touch),
  args: ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"],
});
if (job.init) { await context.addInitScript(job.init); }
const errors = [], requests = new Set(), values = [], times = [], said = [];
context.on("request", (request) => requests.add(request.url()));

function watch(page) {
  page.on("pageerror", (error) => errors.push(String(error)));
  page.on("console", (line) => { if (line.type() === "error") { errors.push(line.text() + " " + line.location().url); } });
  return page;
}

// not waitForFunction, which a page's policy keeps from evaluating words
async function until(where, what, timeout) {
  for (const last = Date.now() + timeout; ;) {
    if (await where().evaluate(what).catch(() => false)) { return; }
    if (Date.now() > last) { throw new Error("waited in vain for " + what); }
    await new Promise((resolve) => setTimeout(resolve, 30));
  }
}

// the table's own pages are in the frame; `shell` steps are about the page around it
async function step(page, one) {
  const frame = page.frame({ name: "table" });
  const where = one.shell || !frame ? page : frame;
  const patience = { timeout: one.patience || 120000 };
  if (one.again) {
    for (let n = 0; n < one.most && !(await frame.evaluate(one.again)); n += 1) { for (const each of one.steps) { await step(page, each); } }
    return;
  }
  if (one.click) { await where.locator(one.click).first().click(patience); return; }
  if (one.frame) { await page.waitForFunction((part) => { const at = document.getElementById("table"); return at && !at.hidden && at.contentDocument && at.contentDocument.readyState === "complete" && at.contentWindow.location.href.includes(part); }, one.frame, patience); return; }
  if (one.wait) { await until(() => one.shell ? page : page.frame({ name: "table" }), one.wait, patience.timeout); return; }
  if (one.pause !== undefined) { await page.waitForTimeout(one.pause); return; }
  if (one.file) { await where.locator(one.file).setInputFiles(one.from); return; }
  if (one.fill) { await where.locator(one.fill).fill(one.with); return; }
  if (one.download) {
    const [file] = await Promise.all([page.waitForEvent("download", patience), where.locator(one.download).first().click(patience)]);
    await file.saveAs(one.to); return;
  }
  if (one.other) { // a second tab while this one is open
    const second = watch(await context.newPage());
    await second.goto(job.address);
    await until(() => second, one.other, patience.timeout);
    await second.close(); return;
  }
  if (one.erase) { // as somebody clears the data of a site, or a browser does after some days without a visit
    await (await context.newCDPSession(page)).send("Storage.clearDataForOrigin", { origin: new URL(job.address).origin, storageTypes: "all" }); return;
  }
  if (one.share) { // as another program shares a file with an installed site: by a form
    await page.evaluate(({ to, name, text }) => {
      const form = document.createElement("form"), field = document.createElement("input"), held = new DataTransfer();
      held.items.add(new File([text], name, { type: "message/rfc822" }));
      Object.assign(form, { method: "POST", action: to, enctype: "multipart/form-data" });
      Object.assign(field, { type: "file", name: "file", files: held.files });
      form.append(field); document.body.append(form); form.submit();
    }, { to: job.address + "share", ...one.share }); return;
  }
  if (one.freeze) { // a tab with an open dialog answers nobody, like one that the device froze
    first.on("dialog", () => {});
    await first.evaluate(() => { setTimeout(() => alert("frozen"), 0); }); return;
  }
  if (one.shot) { await page.screenshot({ path: one.shot }); return; }
  if (one.value) { values.push(await where.evaluate(one.value)); }
}

let page = null, first = null, fault = "";
try {
  if (job.quota) { // room for what the site keeps
    page = watch(await context.newPage());
    await (await context.newCDPSession(page)).send("Storage.overrideQuotaForOrigin", { origin: new URL(job.address).origin, quotaSize: job.quota });
  }
  for (const phase of job.phases) {
    const began = Date.now();
    if (phase.second) { first = page; page = null; }  // the tab before stays open
    if (phase.close_first) { await first.close(); first = null; }
    if (!page || phase.close) { if (page) { await page.close(); } page = watch(await context.newPage()); }
    await context.setOffline(Boolean(phase.offline));
    if (phase.reload) { await page.reload(); } else if (!phase.stay) { await page.goto(job.address + (phase.hash || "")); }
    for (const one of phase.steps) {
      const from = Date.now();
      await step(page, one);
      if (one.time) { said.push([one.time, Date.now() - from]); }
    }
    times.push(Date.now() - began);
  }
} catch (error) {
  fault = String(error) + "\n" + await page.evaluate(() => document.body.innerText).catch(() => "") + "\n" + await (page.frame({ name: "table" }) || page).evaluate(() => document.body.innerText.slice(0, 2000)).catch(() => "");
  if (job.shot) { await page.screenshot({ path: job.shot }).catch(() => {}); }
}
await context.close();
rmSync(profile, { recursive: true, force: true });
process.stdout.write(JSON.stringify({ errors, requests: [...requests], values, times, said, fault }));
