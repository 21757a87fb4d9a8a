// What the mouse does on the map, by the tool in hand.
import { $, S, emit, on, say, tell } from "./edit-state.js";
import { G, across, box, hit, number, way, within } from "./edit-geometry.js";
import { begin, end, get, of, set } from "./edit-store.js";
import { board, map, pan, zoom } from "./edit-view.js";
import { linked, sided } from "./edit-lines.js";
import { choose, counters, move, spots, standing } from "./edit-counters.js";
import { accept } from "./edit-guess.js";
import { dragged, grabbed, laid } from "./edit-picture.js";
import { grasp, pinAt, pulled, removed, ringed, shaped, stand } from "./edit-shapes.js";
import { redraw } from "./edit-draw.js";

let held = null;
function point(event) {
  const b = map.getBoundingClientRect();
  return board(event.clientX - b.left, event.clientY - b.top);
}
function spot(event) {
  const b = map.getBoundingClientRect();
  if (event.clientX < b.left || event.clientX > b.right || event.clientY < b.top || event.clientY > b.bottom) { return ""; }
  const [x, y] = point(event), i = hit(x, y), inside = box(x, y);
  return inside ? inside.id : i >= 0 ? number(i) : "";
}
spots(spot);
export function cursor(i, quiet) {
  if (i < 0 || i === undefined) { return; }
  S.cursor = i;
  redraw("hand");
  if (!quiet) { emit("cursor"); }
}

// ---- painting --------------------------------------------------------------------------------------------------------

function letter(hexes, name) {
  const one = S.terrain.get(S.letter), values = [];
  if (!one) { return 0; }
  begin(name || "terrain");
  if (one.new && get("L/" + one.letter) === null) { set("L/" + one.letter, one.key); }
  for (const i of hexes) {
    values.push(set("t/" + number(i), one.letter));
    if (S.mode === "brush") { S.sure.add(number(i)); }  // painted by hand: terrain is proposed by its colours
  }
  return values.filter(Boolean).length;
}
function flood(i) {
  const letters = of("t"), from = letters.get(number(i)), found = new Set([i]), next = [i];
  while (next.length) {
    for (const j of S.model.near[next.pop()]) { if (!found.has(j) && letters.get(number(j)) === from) { found.add(j); next.push(j); } }
  }
  return found;
}
function rectangle(a, b) {
  const at = S.model.hexes, [, , , sheet, ar, ac] = at[a], [, , , other, br, bc] = at[b];
  if (sheet !== other) { return [a, b]; }
  const [r1, r2, c1, c2] = [Math.min(ar, br), Math.max(ar, br), Math.min(ac, bc), Math.max(ac, bc)];
  return at.map(([, , , of_, r, c], i) => (of_ === sheet && r >= r1 && r <= r2 && c >= c1 && c <= c2 ? i : -1)).filter((i) => i >= 0);
}
function area(hexes) {
  begin("area");
  for (const i of hexes) { set("a/" + S.layer + "/" + number(i), S.erase ? null : S.area || null); }
}
// one hex with the tool in hand: a click, or Enter
export function act(i) {
  cursor(i);
  if (S.proposals.size && S.tool === "picture") { accept([i]); return; }
  if (S.tool === "terrain") {
    if (S.mode === "rectangle") {
      if (S.anchor === undefined || S.anchor < 0) { S.anchor = i; tell(say("rectangle-from", { hex: number(i) })); redraw("hand"); return; }
      tell(say("painted", { count: letter(rectangle(S.anchor, i)) }));
      S.anchor = -1;
    } else { tell(say("painted", { count: letter(S.mode === "fill" ? flood(i) : within(i, S.size)) })); }
    end();
    redraw("hand");
  } else if (S.tool === "areas") { area(within(i, S.size)); end(); } else if (S.tool === "links") { linked(i); } else if (S.tool === "counters") { placed(number(i)); }
}
function placed(at) {
  if (S.counter) { move(counters().find((one) => one.id === S.counter.id && one.file === S.counter.file), at); S.counter = null; emit("panel"); return; }
  const here = standing().get(at) || [];
  if (here.length) { choose(here[here.length - 1]); } else { emit("panel"); }
}

// ---- the mouse -------------------------------------------------------------------------------------------------------

map.addEventListener("pointerdown", (event) => {
  if (!S.model || event.target.closest("button")) { return; }
  map.focus({ preventScroll: true });
  map.setPointerCapture(event.pointerId);
  const [x, y] = point(event), i = hit(x, y);
  held = { x: event.clientX, y: event.clientY, from: i, last: i, moved: false, what: "" };
  if (event.button === 1 || event.button === 2 || S.tool === "hand" || event.altKey) { held.what = "pan"; return; }
  if (S.picture && S.picture.laying) { laid(x, y); held = null; return; }
  if (S.tool === "picture" && G.under && pinAt(x, y)) { held.what = "pin"; held.area = pinAt(x, y); return; }
  if (S.tool === "shapes" || S.tool === "boxes" || (S.tool === "places" && !S.model.hexes.length)) { onShapes(x, y); return; }
  if (S.tool === "counters" && shaped()) { held.what = "counter"; held.at = box(x, y)?.id || ""; held.one = (standing().get(held.at) || []).slice(-1)[0]; return; }
  if (i < 0) { const inside = box(x, y); if (inside && S.tool === "counters") { placed(inside.id); } else { held.what = "pan"; } return; }
  if (S.tool === "terrain" && S.mode === "brush") { held.what = "brush"; cursor(i, true); letter(within(i, S.size)); } else if (S.tool === "terrain" && S.mode === "rectangle") { held.what = "rectangle"; cursor(i, true); } else if (S.tool === "areas" && S.layer) { held.what = "area"; cursor(i, true); area(within(i, S.size)); } else if (S.tool === "sides") { held.what = "sides"; held.sense = sided(i, across(i, x, y)); cursor(i, true); } else if (S.tool === "links") { held.what = "links"; cursor(i, true); } else if (S.tool === "counters" && !S.counter) { held.what = "counter"; held.one = (standing().get(number(i)) || []).slice(-1)[0]; cursor(i, true); } else if (S.tool === "picture" && G.onPicture && !S.proposals.size) { held.what = "grid"; grabbed(number(i)); } else { held.what = "act"; }
});
function onShapes(x, y) {
  if (S.ring) { ringed(x, y); held = null; return; }
  if (S.tool === "shapes" && S.erase) { removed(x, y); held = null; return; }
  if (S.tool === "shapes" && grasp(x, y)) { held.what = "shape"; return; }
  held.what = "box";
  held.id = box(x, y)?.id || "";
}
map.addEventListener("pointermove", (event) => {
  if (!held) { return; }
  const [x, y] = point(event), i = hit(x, y);
  held.moved = held.moved || Math.hypot(event.clientX - held.x, event.clientY - held.y) > 4;
  if (held.what === "pan") { pan(event.movementX, event.movementY); return; }
  if (held.what === "grid") { dragged(x, y); return; }
  if (held.what === "pin") { S.pulled = [stand(held.area), [x, y]]; redraw("hand"); return; }
  if (held.what === "shape") { pulled(x, y); return; }
  if (held.what === "box" && held.moved) { held.what = "pan"; }
  if (i < 0 || (i === held.last && held.what !== "sides")) { return; }
  // a quick hand skips hexes: the stroke goes through all between two points
  const stroke = () => new Set(way(held.last, i).flatMap((each) => [...within(each, S.size)]));
  if (held.what === "brush") { letter(stroke()); cursor(i, true); }
  if (held.what === "area") { area(stroke()); cursor(i, true); }
  if (held.what === "rectangle") { S.preview = rectangle(held.from, i); redraw("hand"); }
  if (held.what === "sides") { sided(i, across(i, x, y), held.sense); }
  if (held.what === "links") { linked(i, held.last, true); cursor(i, true); }
  held.last = i;
});
function up(event) {
  if (!held) { return; }
  const one = held, to = spot(event), pull = S.pulled;
  held = null;
  S.preview = S.pulled = null;
  if (one.what === "pin") { if (pull) { grabbed(one.area); dragged(...G.under.to(...pull[1])); dragged(); } redraw("hand"); return; }
  if (one.what === "rectangle") {
    if (one.moved && one.last !== one.from) { tell(say("painted", { count: letter(rectangle(one.from, one.last)) })); } else { act(one.from); return; }
  } else if (one.what === "links" && !one.moved) { linked(one.from); } else if (one.what === "counter") {
    if (one.moved && one.one && to && to !== one.one.at) { move(one.one, to); } else { placed(one.at ?? number(one.from)); }
  } else if (one.what === "shape") { pulled(); } else if (one.what === "box") { S.box = one.id === S.box ? "" : one.id; emit("panel"); emit("outlines"); } else if (one.what === "act") { act(one.from); } else if (one.what === "grid") { dragged(); }
  end();
  redraw("hand");
  if (!["pan", "shape", "box"].includes(one.what)) { emit("cursor"); }
}
map.addEventListener("pointerup", up);
map.addEventListener("pointercancel", up);
map.addEventListener("contextmenu", (event) => event.preventDefault());
map.addEventListener("wheel", (event) => {
  event.preventDefault();
  const b = map.getBoundingClientRect();
  zoom(event.deltaY < 0 ? 1.2 : 1 / 1.2, event.clientX - b.left, event.clientY - b.top);
}, { passive: false });
on("top", () => redraw("top", "hand"));
export function pick(tool) {
  S.tool = tool;
  S.anchor = -1;
  S.counter = null;
  S.ring = null;
  emit("panel");
  redraw("lines", "top", "hand");
  $("map").dataset.tool = tool;
}
