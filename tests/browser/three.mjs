// Three people on a site, each in a browser of their own, and a fourth without any: from the invitation to the second game
// turn, with nothing between them but emails as files. Job: JSON on standard input {chromium, address, system, by_hand, seats,
// most, archives: {name: path}, backup, words}; the answer is JSON: {place, stages, plain, errors, requests, fault}. The first of
// the two `seats` saves the game as a backup under the passphrase `words`, the second has a phone.
import { readFileSync, writeFileSync } from "node:fs";
import { chromium } from "playwright-core";

const job = JSON.parse(readFileSync(0, "utf8"));
const browser = await chromium.launch({ executablePath: job.chromium, args: ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking"] });
const errors = [], requests = new Set(), IDLE = "document.body.classList.contains('ready') && !document.body.hasAttribute('aria-busy')";
const BUTTON = "document.getElementById('sign') && !document.getElementById('sign').hidden && document.getElementById('sign').textContent";
const SIGNABLE = BUTTON + " === 'Sign' && document.getElementById('sign').getAttribute('aria-disabled') === 'false'";
const ANSWER = "#ask .answers button, #pages .list button";
const PATIENCE = 120000;

class Person {
  constructor(name) { this.name = name; this.sent = new Set(); this.game = ""; }
  async open(phone, hash = "") {
    const context = await browser.newContext({ viewport: phone ? { width: 390, height: 844 } : { width: 1280, height: 900 }, hasTouch: phone, acceptDownloads: true });
    context.on("request", (request) => requests.add(request.url()));
    this.page = await context.newPage();
    this.page.setDefaultTimeout(PATIENCE);
    this.page.on("pageerror", (error) => errors.push(this.name + ": " + error));
    this.page.on("console", (line) => { if (line.type() === "error") { errors.push(this.name + ": " + line.text() + " " + line.location().url); } });
    await this.page.goto(job.address + hash);
    await this.page.waitForFunction(() => { const at = document.getElementById("table"); return at && !at.hidden && at.contentDocument.readyState === "complete"; }, null, { timeout: PATIENCE });
  }
  get frame() { return this.page.frame({ name: "table" }); }
  // as a link of the page does: only the site's own pages may ask
  async at(path) {
    await this.frame.evaluate((to) => { document.documentElement.dataset.old = "1"; const link = document.createElement("a"); link.href = to; document.body.append(link); link.click(); }, job.address + "t" + path);
    await this.until("!document.documentElement.dataset.old && document.readyState === 'complete'");
  }
  async of(path) { await this.at("/g/" + this.game + path); }
  async until(what) {
    for (const last = Date.now() + PATIENCE; ;) {
      if (await this.frame.evaluate(what).catch(() => false)) { return; }
      if (Date.now() > last) { throw new Error(this.name + " waited in vain for " + what); }
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }
  async click(where) { await this.frame.locator(where).first().click(); await this.page.waitForTimeout(50); await this.frame.waitForLoadState(); }
  // a click that leads to another page
  async press(where) {
    await this.frame.evaluate(() => { document.documentElement.dataset.old = "1"; });
    await this.frame.locator(where).first().click();
    await this.until("!document.documentElement.dataset.old && document.readyState === 'complete'");
  }
  async arrived(part) { await this.until("location.pathname.includes(" + JSON.stringify(part) + ")"); await this.frame.waitForLoadState(); this.game = /\/g\/([0-9a-f]{10})\//.exec(this.frame.url())[1]; }
  async who(name) { await this.frame.fill("#name", name); await this.frame.fill("#mail", name.toLowerCase() + "@example.org"); }
  async join(invitation, seat, name, proxy = false) {
    await this.frame.fill("#pasted", invitation);
    await this.press("form.drop button.go");
    await this.until("document.getElementById('seat') !== null");
    await this.frame.selectOption("#seat", seat);
    await this.who(name);
    if (proxy) { await this.frame.check("input[name=proxy]"); }
    await this.press("main form button.go");
    await this.until("location.pathname.endsWith('/keep')");
  }
  // the emails that wait to be sent and were not taken before
  async out() {
    await this.of("/post");
    const found = await this.frame.evaluate(async () => Promise.all([...document.querySelectorAll("ul.letters a[download]")].map(async (one) => ({ name: one.textContent, text: await (await fetch(one.href)).text() }))));
    const fresh = found.filter((one) => !this.sent.has(one.name));
    fresh.forEach((one) => this.sent.add(one.name));
    return fresh;
  }
  async take(letters) {
    if (!letters.length) { return; }
    await this.of("/post");
    await this.frame.locator("form.drop input[type=file]").setInputFiles(letters.map((one) => ({ name: one.name, mimeType: "message/rfc822", buffer: Buffer.from(one.text) })));
    await this.press("form.drop button[type=submit]");
    await this.until("document.getElementById('h-done') !== null");
    return this.frame.evaluate("document.querySelector('[aria-labelledby=h-done]').innerText");
  }
  async answer() {
    await this.of("/table");
    await this.until(IDLE);
    for (let n = 0; n < 30 && !(await this.frame.evaluate(SIGNABLE)); n += 1) {
      const story = await this.frame.evaluate(BUTTON + " === 'Skip'");  // what happened is replayed first
      if (!story && !await this.frame.locator(ANSWER).count()) { return false; }
      await this.frame.locator(story ? "#sign" : ANSWER).first().click({ timeout: 5000 }).catch(() => { /* a replay began */ });
      await this.until(IDLE);
    }
    if (!await this.frame.evaluate(SIGNABLE)) { return false; }
    await this.click("#sign");
    await this.until("document.body.dataset.signed");
    return true;
  }
  place() { return this.frame.evaluate("document.body.innerText"); }
}

const titled = (name) => name[0].toUpperCase() + name.slice(1);

// the player without a program: reads the questions and replies with the first number
function replied(letter) {
  const subject = /^Subject: (.*(?:\r?\n[ \t].*)*)/m.exec(letter.text)[1].replace(/\r?\n[ \t]/g, " ");
  const label = /^ {1,4}(\S+)  \S/m.exec(letter.text.slice(letter.text.indexOf("Reply code")));
  const quoted = letter.text.slice(letter.text.search(/\r?\n\r?\n/)).split(/\r?\n/).map((line) => "> " + line).join("\n");
  return { name: "reply-" + letter.name, text: "From: " + titled(job.by_hand) + " <" + job.by_hand + "@example.org>\nTo: gina@example.org\nSubject: Re: " + subject + "\nContent-Type: text/plain; charset=utf-8\n\n" + (label ? label[1] : "pass") + "\n\nOn Mon, 6 Apr 2026 at 18:26 Gina <gina@example.org> wrote:\n" + quoted + "\n" };
}

const gm = new Person("gm"), players = job.seats.map((name) => new Person(name)), [first, phone] = players, plain = [];
let fault = "", stages = 0, place = "";
const say = (text) => process.stderr.write(new Date().toISOString().slice(11, 19) + " " + text + "\n");
try {
  await gm.open(false);
  say("site is there");
  await gm.at("/new/" + job.system);
  await gm.who("Gina");
  await gm.frame.check("input[name=option][value='plain_replies=yes']");
  await gm.press("main form button.go");
  await gm.arrived("/keep");
  const game = gm.game;
  await gm.of("/post");
  const invitation = await gm.frame.inputValue(".invitation textarea.copy");
  if (!invitation.includes(job.address + "#/join")) { throw new Error("the invitation does not lead here"); }
  await gm.at("/join");
  await gm.join(invitation, job.by_hand, titled(job.by_hand), true);
  gm.game = game;
  say("game begun, the GM holds " + job.by_hand);
  for (const one of players) {
    await one.open(one === phone, "#/join");
    await one.join(invitation, one.name, titled(one.name));
    await one.arrived("/keep");
    await gm.take(await one.out());
    say(one.name + " joined");
  }
  await gm.of("/");
  await gm.press("button[value=sign-roster]");
  const roster = await gm.out();
  for (const one of players) {
    await one.take(roster);
    await one.of("/");
    await one.press("button[value=sign-roster]");
    await gm.take(await one.out());
  }
  await gm.of("/");
  await gm.press("button[value=run]");
  say("the game begins");
  for (; stages < job.most; stages += 1) {
    const letters = await gm.out(), replies = letters.filter((one) => one.name.includes("questions-to-" + job.by_hand)).map(replied);
    for (const one of players) { await one.take(letters.filter((each) => each.name.includes("report"))); }
    if (replies.length) { plain.push(await gm.take(replies)); }
    const going = [];
    for (const one of players) { if (await one.answer()) { going.push(...await one.out()); } }
    await gm.take(going);
    await gm.of("/");
    place = await gm.place();
    say("stage " + stages + " " + (/Game turn[^\n]*/.exec(place) || [""])[0]);
    if (/Game turn 2/.test(place)) { break; }
    await gm.of("/desk");
    await gm.press("button[value=run]");
  }
  for (const one of [gm, ...players]) {
    await one.of("/trust");
    const data = await one.frame.evaluate(async () => [...new Uint8Array(await (await fetch(document.querySelector("a[href$='/archive']").href)).arrayBuffer())]);
    writeFileSync(job.archives[one.name], Buffer.from(data));
  }
  const saved = await first.frame.evaluate(async (words) => (await (await fetch(document.querySelector("form[action$='/backup']").action, { method: "POST", body: new URLSearchParams({ passphrase: words }) })).text()), job.words);
  writeFileSync(job.backup, saved);
} catch (error) {
  fault = String(error && error.stack || error);
  for (const one of [gm, ...players]) { if (one.page) { fault += "\n--- " + one.name + " " + (one.frame ? one.frame.url() + "\n" + await one.frame.evaluate("document.body.innerText.slice(0, 1200)").catch(() => "") : ""); } }
}
await browser.close();
process.stdout.write(JSON.stringify({ place: place.slice(0, 3000), stages, plain, errors, requests: [...requests], fault }));
