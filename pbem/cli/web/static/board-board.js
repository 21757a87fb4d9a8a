// The table: one page for a whole turn. Fetches, draws, signs.
import { $, T, ask, load, reload, safely, say, show, shown } from "./board-state.js";
import { drop, gather } from "./board-hand.js";
import { again, fit, lay, map, refit, zoom } from "./board-sheets.js";
import { draw } from "./board-marks.js";
import { ask as asks, bar, foot, forfeit, line, tray } from "./board-panel.js";
import { size, tabs } from "./board-now.js";
import { end } from "./board-story.js";
import { K } from "./board-keys.js";
import "./board-clicks.js";

// the marks first, as an answer to the click; what stands beside the map in the frame after it
let wanted = 0;
function marked() {
  wanted = 0;
  if (!T.now) { return; }
  if (T.redraw) { T.redraw = false; safely(async () => { await scene(); show(); }); }
  draw(K.at);
  requestAnimationFrame(written);
}
function written() {
  bar();
  asks();
  line();
  tray();
  tabs();
  foot();
}
let idle = 0;
shown(() => { clearTimeout(idle); idle = setTimeout(gather, 250); if (!wanted) { wanted = requestAnimationFrame(marked); } });

async function scene() {
  const [drawing, board] = await Promise.all([fetch("map").then((said) => said.text()), ask("board")]);
  lay(drawing);
  T.board = board;
  refit();
}
async function sign() {
  const word = $("passphrase");
  const found = await ask("sign", { passphrase: word ? word.value : "" });
  if (!found.ok) { T.wrong = (found.faults[0] || {}).message || ""; show(); return; }
  drop();
  T.key = "";
  T.undo = []; T.redo = [];
  T.every.clear();
  T.all = null;
  T.look = null;
  T.signed = found;
  document.body.dataset.signed = found.stages;
  await Promise.all([load(), scene()]);
  await news();
  T.tab = "now";
  show();
}
async function news() { T.news = await ask("news?since=" + T.now.last).catch(() => null); }
async function back() {
  const said = await fetch("do", { method: "POST", body: new URLSearchParams({ what: "undo" }) });
  if (!said.ok) { throw { wrong: say("silent") }; }
  drop();
  T.key = "";
  T.undo = []; T.redo = [];
  T.every.clear();
  await Promise.all([load(), scene()]);
  await news();
  show();
}
T.takeBack = back;
$("sign").addEventListener("click", () => {
  if (T.story) { end(); return; }
  if (T.now.gm && !T.now.over) { safely(forfeit); return; }
  if ($("sign").getAttribute("aria-disabled") === "true") { T.wrong = $("sign").title; show(); return; }
  safely($("sign").textContent === say("take-back") ? back : sign);
});
document.querySelectorAll("[data-zoom]").forEach((one) => one.addEventListener("click", () => { const by = Number(one.dataset.zoom); if (by) { zoom(by); } else { fit(true); } }));

// ---- the sheet of a phone: three heights, by its handle ------------------------------------------------------

const grip = $("grip"), panel = $("panel");
let held = null;
grip.addEventListener("click", () => { if (!held) { size({ peek: "half", half: "full", full: "peek" }[panel.dataset.open]); } held = null; });
grip.addEventListener("pointerdown", (event) => { grip.setPointerCapture(event.pointerId); grip.dataset.from = event.clientY; });
grip.addEventListener("pointerup", (event) => {
  const by = event.clientY - Number(grip.dataset.from), at = ["peek", "half", "full"].indexOf(panel.dataset.open);
  if (Math.abs(by) > 24) { held = true; size(["peek", "half", "full"][Math.max(0, Math.min(2, at - Math.sign(by)))]); setTimeout(() => { held = null; }, 60); }
});
new ResizeObserver(() => refit()).observe(map);

// ---- what was done elsewhere meanwhile is taken up when one comes back ---------------------------------------------

async function look() {
  if (T.busy || document.hidden || !T.now) { return; }
  const found = await fetch("now", { headers: { Accept: "application/json" } }).then((said) => (said.ok ? said.json() : null)).catch(() => null);
  if (!found || T.busy) { return; }
  if (found.changed) { reload(); return; }
  if (found.stage !== T.now.stage) { safely(async () => { T.key = ""; T.every.clear(); drop(); await Promise.all([load(), scene()]); await news(); show(); }); } else if (found.tag !== T.tag) { T.tag = found.tag; safely(async () => { T.every.clear(); drop(); await load(); show(); }); }
}
window.addEventListener("focus", look);
setInterval(look, 30000);

lay();
safely(async () => {
  const board = ask("board");
  await load();
  T.board = await board;
  again();
  show();
  document.body.classList.add("ready");
  await news();
  T.notes = await ask("notes");
  show();
});
