// The desk of a game master: what is undone first, who owes what by when; nothing runs before its words were read.
import { $, T, button, el, load, say, show } from "./board-state.js";

// one of the commands of the pages; what it says is read from its page
async function run(fields) {
  const word = $("passphrase"), body = new URLSearchParams([...fields, ["passphrase", word ? word.value : ""]]);
  const said = await fetch("do", { method: "POST", body }), page = new DOMParser().parseFromString(await said.text(), "text/html");
  const lines = [...page.querySelectorAll("main .said li, main .faults li")].map((one) => one.textContent.trim().replace(/^\S+\[[\w-]+\]: |^= \S+: /, "")).filter(Boolean);  // without the marks of the command line
  T.did = { head: (page.querySelector("h1") || page.body).textContent.trim(), lines, good: said.ok && !page.querySelector(".refused,.error"), fields };
  T.tab = "now";
}
const awaited = () => T.now.seats.filter((one) => one.awaited);
const by = () => { const field = $("by"); return field && field.value ? [["by", field.value]] : []; };
async function stage(fields) {
  await run([["what", "run"], ...fields]);
  await load();
  T.redraw = true;
  show();
}
const look = async (fields) => { await run([["what", "look"], ...fields]); T.did.run = fields; show(); };
export function desk() {
  const who = awaited(), due = [T.now.due, T.now.left].filter(Boolean).join(", ");
  return [el("h2", {}, who.length ? say("missing", { count: who.length }) : say("all-in")), el("p", {}, who.length ? who.map((one) => one.seat).join(", ") + (due ? " · " + due : "") : due),
    el("div", { className: "answers" }, who.length ? button(say("remind"), async () => { await run([["what", "remind"], ...who.map((one) => ["party", one.id])]); show(); }) : null,
      button(say("look-first"), () => look(by())), button(say("run-stage"), () => (who.length ? Promise.resolve().then(() => { T.wrong = say("not-all-in"); show(); }) : stage(by())), { "aria-disabled": String(who.length > 0) }))];
}
export function owes() {
  const did = T.did;
  return [did ? [el("h3", {}, did.head), el("ul", { className: did.good ? "" : "fact bad" }, did.lines.map((line) => el("li", {}, line))),
    did.run && did.good && (!awaited().length || did.run.some(([name]) => name === "forfeit")) ? button(say("run-stage"), () => stage(did.run)) : null] : null,
  el("h3", {}, say("who-owes")), el("table", {}, T.now.seats.map((one) => el("tr", {}, el("td", {}, one.seat), el("td", {}, one.state, one.words ? ": " + one.words : ""), el("td", {}, one.awaited ? T.now.left || one.due : one.arrived || "✓")))),
  el("h3", {}, say("next-deadline")), el("input", { id: "by", ariaLabel: say("next-deadline"), value: ($("by") || {}).value || "" }),
  el("p", {}, el("a", { href: "post" }, say("post")), " · ", el("a", { href: "desk" }, say("whole-desk")))];
}
// what a forfeit would do is shown before it is done
export function forfeit() { return look([...awaited().map((one) => ["forfeit", one.id]), ...by()]); }
