// Saving, the recovery file, and files that somebody else has changed meanwhile: nothing is ever written over unasked.
import { $, S, ask, button, el, emit, on, say, tell, wrong } from "./edit-state.js";
import { get, load, same, unsaved, worked } from "./edit-store.js";
import { lay } from "./edit-geometry.js";
import { fit } from "./edit-view.js";
import { redraw } from "./edit-draw.js";

// work of an earlier session of which nobody has said yet whether it counts: it is kept beside the new
let undecided = {};
let timer = 0, busy = Promise.resolve(), asking = false, sizing = false, sizes = "";
const row = (key, value) => (key.startsWith("r/") ? Boolean(value) : value);
const sized = (work) => JSON.stringify(Object.entries(work).filter(([key]) => /^(size|sheet|x|layout|ring)\//.test(key)).map(([key, both]) => [key, both[1]]));

// ---- what the program said is what is worked on -------------------------------------------------------------------

export function taken(model, work) {
  const before = S.model;
  S.model = model;
  S.digests = model.digests;
  S.index = new Map(model.hexes.map(([number], i) => [number, i]));
  S.terrain = new Map(model.terrains.map((one) => [one.letter, one]));
  if (S.cursor >= model.hexes.length) { S.cursor = 0; }
  load(model.values, work);
  sizes = sized(worked());
  S.letter = S.terrain.has(S.letter) ? S.letter : model.terrains[0]?.letter || "";
  S.side = S.side || model.hexsides[0]?.key || "";
  S.link = S.link || model.links[0]?.key || "";
  S.layer = S.layer || model.layers[0]?.key || "";
  lay();
  document.body.dataset.hexes = model.hexes.length;
  document.body.dataset.outlines = Object.keys(model.outlines?.areas || {}).length;
  emit("loaded");
  if (!before || before.hexes.length !== model.hexes.length || before.high !== model.high) { fit(); }
  redraw("ground", "lines", "top", "hand");
  emit("cursor");
}
// a work on other values: what both have changed is asked about
function rebase(model, work, done) {
  const clash = Object.entries(work).filter(([key, [first, mine]]) => {
    const theirs = model.values[key] ?? null;
    return !same(row(key, theirs), row(key, first)) && !same(row(key, theirs), row(key, mine));
  });
  const left = Object.fromEntries(Object.entries(work).filter(([key, [, mine]]) => !same(model.values[key], mine)));
  if (!clash.length) { taken(model, left); done(); return; }
  asked(clash.map(([key, [, mine]]) => ({ key, mine, theirs: model.values[key] ?? null })), (theirs) => {
    for (const key of theirs) { delete left[key]; }
    taken(model, left);
    done();
  });
}
const shown = (value) => (value === null || value === undefined ? say("none") : typeof value === "string" ? value.slice(0, 300) : JSON.stringify(value).slice(0, 300));
function asked(list, answered) {
  if (asking) { return; }
  asking = true;
  const dialog = $("dialog"), theirs = new Set();
  const rows = list.slice(0, 200).map(({ key, mine, theirs: other }, n) => {
    const [a, b] = [["mine", mine], ["theirs", other]].map(([who, value]) => {
      const input = el("input", { type: "radio", name: "clash-" + n, checked: who === "mine", value: who });
      input.addEventListener("change", () => { if (who === "theirs") { theirs.add(key); } else { theirs.delete(key); } });
      return el("label", {}, input, " " + say(who) + ": ", el("code", {}, shown(value)));
    });
    return el("fieldset", {}, el("legend", {}, key.split("/").slice(1).join(" ")), el("p", {}, a), el("p", {}, b));
  });
  const end = (all) => {
    if (all) { list.forEach(({ key }) => { if (all === "theirs") { theirs.add(key); } else { theirs.delete(key); } }); }
    asking = false;
    dialog.close();
    answered(theirs);
  };
  dialog.replaceChildren(el("h2", {}, say("clash")), el("p", {}, say("clash-how", { count: list.length })), el("div", { className: "scrolls" }, rows),
    el("div", { className: "row" }, button(say("as-chosen"), () => end(""), { className: "go", id: "as-chosen" }), button(say("all-mine"), () => end("mine")), button(say("all-theirs"), () => end("theirs"), { id: "all-theirs" })));
  dialog.addEventListener("cancel", (event) => event.preventDefault());
  dialog.showModal();
}

// ---- changes elsewhere ----------------------------------------------------------------------------------------------

const differs = (digests) => [...new Set([...Object.keys(digests), ...Object.keys(S.digests)])].filter((name) => digests[name] !== S.digests[name]);
export function looked(digests) {
  const names = differs(digests);
  if (!names.length || asking) { return; }
  queue(async () => {
    const model = await ask("/board", { work: worked() });
    rebase(model, worked(), () => { tell(say("changed-elsewhere", { files: names.join(", ") })); keep(); });
  });
}
function queue(work) { busy = busy.then(work).catch(wrong); return busy; }
async function look() { if (S.model && !document.hidden && !asking) { const found = await ask("/look").catch(() => null); if (found) { looked(found.digests); } } }
addEventListener("focus", look);
setInterval(look, 5000);

// ---- saving -----------------------------------------------------------------------------------------------------------

export function save() {
  if (!unsaved()) { tell(say("all-saved")); return Promise.resolve(); }
  return queue(async () => {
    const work = worked(), found = await ask("/save", { work, digests: S.digests });
    if (found.changed) {
      const model = await ask("/board", { work });
      rebase(model, worked(), () => { tell(say("changed-then-save"), true); keep(); });
      return;
    }
    const since = worked(), left = Object.fromEntries(Object.entries(since).filter(([key, [, now]]) => !same(work[key] ? work[key][1] : null, now)));
    for (const key of Object.keys(left)) { left[key][0] = found.values[key] ?? null; }
    taken(found, left);
    document.body.dataset.saved = Number(document.body.dataset.saved || 0) + 1;
    tell(say("saved", { files: found.saved.join(", ") }));
    if (Object.keys(undecided).length) { keep(); }
    emit("panel");
  });
}
// other hexes and boxes are asked for once, however much was changed since
function resized() {
  sizing = true;
  document.body.dataset.sizing = "1";
  queue(async () => {
    sizing = false;
    const model = await ask("/board", { work: worked() });
    taken(model, worked());
    if (!sizing) { document.body.dataset.sizing = ""; }
  });
}
function keep() {
  clearTimeout(timer);
  document.body.dataset.kept = "";
  timer = setTimeout(() => queue(async () => { await ask("/keep", { work: { ...undecided, ...worked() } }); document.body.dataset.kept = "1"; }), 600);
}
on("acted", (one) => {
  keep();
  const work = worked(), now = sized(work);
  if (now !== sizes && !sizing) { resized(); }
  sizes = now;
  for (const [key] of one.list) { if (key.startsWith("b/")) { emit("aligned", key.slice(2)); } }
});
addEventListener("beforeunload", (event) => { if (unsaved() && document.body.dataset.kept !== "1") { event.preventDefault(); } });
$("save").addEventListener("click", save);

// work that was not saved before the editor ended
export function recovered(model) {
  const work = model.recovery || {}, count = Object.keys(work).length;
  if (!count) { return; }
  undecided = work;
  const bar = $("recovery");
  bar.hidden = false;
  bar.replaceChildren(el("p", {}, say("recovery", { count })),
    button(say("recover"), () => {
      bar.hidden = true;
      undecided = {};
      queue(async () => { const both = { ...work, ...worked() }, now = await ask("/board", { work: both }); rebase(now, both, () => { tell(say("recovered", { count })); emit("panel"); }); });
    }, { className: "go", id: "recover" }),
    button(say("discard"), () => { bar.hidden = true; undecided = {}; queue(() => ask("/keep", { work: worked() })); }, { id: "discard" }));
}

