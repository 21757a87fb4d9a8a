// Keys: inside the map from hex to hex; everywhere undo and redo.
import { $, T, safely, say, show, step } from "./board-state.js";
import { able, called, drop, go, kind, price, takeUp, targets } from "./board-hand.js";
import { M, fit, map, pan, reveal, zoom } from "./board-sheets.js";
import { answers, pick } from "./board-panel.js";
import { at as turn, end } from "./board-story.js";
import { clicked, over } from "./board-clicks.js";
import { open } from "./board-now.js";

export const K = { at: null };
const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
let told = 0;
function tell() {
  clearTimeout(told);
  told = setTimeout(() => {
    const marks = targets().get(K.at), there = M.labels.get(K.at) || called(K.at);
    T.spoken = there + (marks ? ": " + (kind(marks[0]) === "attack" ? say("may-attack") : say("may-go")) + (price(marks[0]) ? " (" + price(marks[0]) + ")" : "") : able().has(K.at) ? ": " + say("may-act") : "");
    T.look = T.keyed = K.at;
    over(K.at);
    show();
  }, 400);
}
function onto(at) {
  K.at = at;
  T.keyed = T.over = null;
  T.done = "";
  reveal(at);
  show();
  tell();
}
// the nearest hex in the direction of an arrow
function next([u, v]) {
  const from = T.board.centres[K.at];
  let best = null, least = 1e9;
  for (const [at, [x, y]] of Object.entries(T.board.centres)) {
    const dx = x - from[0], dy = y - from[1], on = dx * u + dy * v, off = Math.abs(dx * v) + Math.abs(dy * u);
    if (on > 5 && on + 2 * off < least) { least = on + 2 * off; best = at; }
  }
  if (best) { onto(best); }
}
const far = (at) => { const [x, y] = T.board.centres[K.at] || [0, 0], [u, v] = T.board.centres[at]; return Math.hypot(u - x, v - y); };
let cycle = -1;
function around(by, among) {
  const list = among.filter((at) => T.board.centres[at]);
  if (!list.length) { return false; }
  cycle += by;
  if (cycle < 0 || cycle >= list.length) { cycle = by > 0 ? -1 : list.length; return false; }
  onto(list[cycle]);
  return true;
}
function key(event) {
  const name = event.key, hand = T.hand;
  if (ARROWS[name] || ["Enter", " ", "Tab", "n", "N"].includes(name)) { K.at = K.at && T.board.centres[K.at] ? K.at : (hand && hand.at) || [...able()][0] || Object.keys(T.board.centres)[0]; }
  if (ARROWS[name]) { if (event.shiftKey) { pan(-60 * ARROWS[name][0], -60 * ARROWS[name][1]); } else { next(ARROWS[name]); } return true; }
  if (name === "Enter" || name === " ") { safely(() => (T.aim && T.aim.at === K.at ? go(K.at).then(show) : clicked(K.at, Boolean(hand && hand.at !== K.at && targets().has(K.at)), event.shiftKey))); return true; }
  if (name === "Tab") {
    const from = hand ? hand.at : null, list = hand ? [...targets().keys()].filter((at) => at !== hand.at && T.board.centres[at]) : [...able()];
    if (from) { const at = K.at; K.at = from; list.sort((a, b) => far(a) - far(b)); K.at = at; }
    return around(event.shiftKey ? -1 : 1, list);
  }
  cycle = -1;
  if (name === "+" || name === "=") { zoom(1.25); return true; }
  if (name === "-") { zoom(.8); return true; }
  if (name === "0") { fit(true); return true; }
  if (name === "n" || name === "N") {
    const list = [...able()], at = list[(list.indexOf(hand ? hand.at : null) + 1) % list.length];
    if (at) { onto(at); safely(() => takeUp(at).then(show)); }
    return true;
  }
  if (name === "/") { open("units", true); requestAnimationFrame(() => requestAnimationFrame(() => $("find").focus())); return true; }
  if (name === "s" || name === "S") { $("sign").focus(); return true; }
  if (name === "," && T.story) { turn(T.story.n - 1); return true; }
  if (name === "." && T.story) { turn(T.story.n + 1); return true; }
  if (/^[1-9]$/.test(name) && !T.story) { const one = answers()[Number(name) - 1]; if (one) { safely(() => pick(one)); } return true; }
  return false;
}
map.addEventListener("keydown", (event) => {
  if (event.target !== map || event.ctrlKey || event.metaKey || event.altKey) { return; }
  if (key(event)) { event.preventDefault(); }
});
for (const name of ["blur", "pointerdown"]) { map.addEventListener(name, () => { K.at = T.keyed = null; cycle = -1; show(); }); }
document.addEventListener("keydown", (event) => {
  if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === "z" && !event.target.closest("textarea,input")) {
    event.preventDefault();
    safely(() => (event.shiftKey ? step(T.redo, T.undo) : step(T.undo, T.redo)));
  } else if (event.key === "Escape") { if (T.story) { end(); } else { drop(); show(); } }
});
