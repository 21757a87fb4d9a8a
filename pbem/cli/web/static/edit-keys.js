// Everything by keys: the cursor of the map, tools by letters, sides and roads by the digits 1 to 6 clockwise from the north.
import { $, S, emit, say, tell } from "./edit-state.js";
import { G, around, number, pair, towards } from "./edit-geometry.js";
import { end, get, redo, undo } from "./edit-store.js";
import { fit, map, show, zoom } from "./edit-view.js";
import { linked, sided } from "./edit-lines.js";
import { act, cursor, pick } from "./edit-tools.js";
import { counters, called, move, standing } from "./edit-counters.js";
import { save } from "./edit-save.js";
import { shaped } from "./edit-shapes.js";

const TOOLS = { h: "hand", t: "terrain", e: "sides", r: "links", p: "places", a: "areas", c: "counters", x: "boxes", i: "picture", s: "setup" };
const ARROWS = { ArrowUp: -Math.PI / 2, ArrowDown: Math.PI / 2, ArrowLeft: Math.PI, ArrowRight: 0 };

export function described(i) {
  const hex = number(i), kind = S.terrain.get(get("t/" + hex)), said = [hex, kind ? kind.name || say("no-hex") : ""];
  for (const one of S.model.places) { const place = get("p/" + one.key + "/" + hex); if (place) { said.push(one.name + (place.name ? " " + place.name : "")); } }
  if (get("n/" + hex)) { said.push(get("n/" + hex)); }
  for (const [kinds, prefix] of [[S.model.hexsides, "s"], [S.model.links, "l"]]) {
    for (const one of kinds) { const many = S.model.near[i].filter((j) => get(prefix + "/" + one.key + "/" + pair(i, j))).length; if (many) { said.push(one.name + " ×" + many); } }
  }
  for (const one of S.model.layers) { const area = get("a/" + one.key + "/" + hex); if (area) { said.push(area); } }
  said.push(...(standing().get(hex) || []).slice(0, 5).map(called));
  return said.filter(Boolean).join(", ");
}
export function back() { const one = undo(); tell(one ? say("undone") : say("nothing-to-undo")); }
export function again() { const one = redo(); tell(one ? say("redone") : say("nothing-to-redo")); }

document.addEventListener("keydown", (event) => {
  const typing = event.target.closest("input,textarea,select"), key = event.key;
  if ((event.ctrlKey || event.metaKey) && !event.altKey) {
    const low = key.toLowerCase();
    if (low === "s") { event.preventDefault(); save(); }
    if (low === "z" && !typing) { event.preventDefault(); if (event.shiftKey) { again(); } else { back(); } }
    if (low === "y" && !typing) { event.preventDefault(); again(); }
    return;
  }
  if (typing || event.altKey || !S.model) { return; }
  const at = document.activeElement === map;
  if (at && key in ARROWS && G.x.length) {
    event.preventDefault();
    let to = towards(S.cursor, ARROWS[key]);
    if (to < 0) { to = towards(S.cursor, ARROWS[key] + 0.6); }
    if (to < 0) { to = towards(S.cursor, ARROWS[key] - 0.6); }
    if (to >= 0) { cursor(to); show(G.x[to], G.y[to]); }
    return;
  }
  if (at && (key === "Enter" || key === " ")) { event.preventDefault(); if (S.tool === "places") { $("hex-name")?.focus(); } else { act(S.cursor); } return; }
  if (at && /^[1-6]$/.test(key)) {
    const to = around(S.cursor)[Number(key) - 1];
    if (to === null) { return; }
    if (S.tool === "sides") { sided(S.cursor, to); end(); emit("cursor"); }
    if (S.tool === "links") { linked(to, S.cursor, true); end(); cursor(to); }
    return;
  }
  if (at && (key === "Delete" || key === "Backspace") && S.counter) { const one = counters().find((each) => each.id === S.counter.id && each.file === S.counter.file); if (one) { move(one, ""); } return; }
  if (key === "Escape") { S.anchor = -1; S.counter = null; emit("panel"); emit("top"); map.focus(); return; }
  if (key === "+" || key === "=") { zoom(1.25); } else if (key === "-") { zoom(0.8); } else if (key === "0") { fit(); } else if (key === "[" || key === "]") { S.size = Math.max(1, Math.min(4, S.size + (key === "]" ? 1 : -1))); emit("panel"); } else if (key === "b" || key === "f" || key === "g") { S.mode = { b: "brush", f: "fill", g: "rectangle" }[key]; pick("terrain"); } else if (key in TOOLS) { pick(key === "x" && shaped() ? "shapes" : TOOLS[key]); } else if (key === "u") { back(); }
});
