// Areas with outlines: borders are arcs that two areas share, so a point that is dragged moves both; where arcs meet, all follow.
// A click on a small point between two makes a new one. Names, units, centres and coasts have points of their own.
import { S, emit, on, say, tell } from "./edit-state.js";
import { begin, change, end, of, set } from "./edit-store.js";
import { G } from "./edit-geometry.js";
import { V } from "./edit-view.js";

let paths = new Map(), grip = null;
export const shaped = () => Boolean(S.model && S.model.outlines);
const pointsOf = (name) => { const flat = of("h").get("arc/" + name) || [], found = []; for (let n = 0; n < flat.length; n += 2) { found.push([flat[n], flat[n + 1]]); } return found; };
const flat = (points) => points.flatMap(([x, y]) => [Math.round(x), Math.round(y)]);

// as pbem/report/svg/curves.py: each curve begins as the one before ended
function onward(path, points, straight) {
  if (straight || points.length === 2) { points.slice(1).forEach(([x, y]) => path.lineTo(x, y)); return; }
  let [cx, cy] = points[0];
  for (let n = 1; n < points.length; n++) {
    const [px, py] = points[n - 1], [x, y] = points[n], next = points[n + 1];
    const dx = next ? Math.trunc((next[0] - px) / 6) : 0, dy = next ? Math.trunc((next[1] - py) / 6) : 0;
    path.bezierCurveTo(cx, cy, x - dx, y - dy, x, y);
    [cx, cy] = [x + dx, y + dy];
  }
}
function outline(area) {
  if (paths.has(area)) { return paths.get(area); }
  const made = new Path2D(), straight = new Set(S.model.outlines.straight);
  for (const ring of S.model.outlines.areas[area].rings) {
    ring.forEach(([arc, back], n) => {
      const points = back ? pointsOf(arc).reverse() : pointsOf(arc);
      if (!n) { made.moveTo(...points[0]); }
      onward(made, points, straight.has(arc));
    });
    made.closePath();
  }
  paths.set(area, made);
  return made;
}
export function stand(area) { return shaped() ? of("h").get("spot/" + area + "/stand") || null : null; }
const measure = document.createElement("canvas").getContext("2d");
// the area at a point; those that no unit stands in are passed over
export function areaAt(x, y) {
  if (!shaped()) { return null; }
  const id = Object.keys(S.model.outlines.areas).find((one) => !S.model.outlines.areas[one].blank && measure.isPointInPath(outline(one), x, y, "evenodd"));
  return id ? { id, name: S.model.outlines.areas[id].name } : null;
}
// `strength`: how much of a picture below is covered
export function drawShapes(c, dark, strength) {
  const { size, areas } = S.model.outlines;
  c.fillStyle = dark ? "#1d3342" : "#bcd5e2";
  if (strength === 1) { c.fillRect(0, 0, ...size); }
  for (const [id, one] of Object.entries(areas)) {
    c.fillStyle = one.water ? (dark ? "#1d3342" : "#bcd5e2") : one.blank ? (dark ? "#33322b" : "#cfcabb") : dark ? "#4a4836" : "#efe8cf";
    c.globalAlpha = strength;
    c.fill(outline(id), "evenodd");
    c.globalAlpha = 1;
    c.strokeStyle = S.box === id ? "#b3006e" : dark ? "#e8dfc2" : "#6b6550";
    c.lineWidth = S.box === id ? 4 : 1.5;
    c.stroke(outline(id));
  }
}
const SPOTS = { label: "#7a4a00", stand: "#1d4c85", centre: "#1d1b16" };
function spots() { return [...of("h")].filter(([key]) => key.startsWith("spot/")).map(([key, at]) => [key, at, key.split("/")]); }
export function drawNames(c, dark) {
  c.textAlign = "center";
  for (const [, [x, y], [, area, what, coast]] of spots()) {
    c.fillStyle = dark ? "#f3eddb" : "#2b2720";
    if (what === "label") { c.font = "600 14px sans-serif"; c.fillText(S.model.outlines.areas[area]?.name || area, x, y + 5); }
    if (what === "centre") { c.beginPath(); c.arc(x, y, 5, 0, 7); c.fill(); }
    if (coast && S.tool === "shapes") { c.font = "600 10px sans-serif"; c.fillText(coast, x, y - 7); }
  }
}
// the points in hand: of the chosen area, else of all when they can be told apart
function arcs() { const own = S.model.outlines.areas[S.box]; return own ? [...new Set(own.rings.flat().map(([arc]) => arc))] : [...of("h").keys()].filter((key) => key.startsWith("arc/")).map((key) => key.slice(4)); }
// ---- an outline that is drawn anew: points that are clicked, along borders that are there already -------------------------

function border(x, y) {
  for (const name of [...of("h").keys()].filter((key) => key.startsWith("arc/"))) {
    const points = pointsOf(name.slice(4)), n = points.findIndex((at) => near(at, x, y));
    if (n >= 0) { return points[n]; }
  }
  return [Math.round(Math.max(0, x)), Math.round(Math.max(0, y))];
}
// the points of a border between two of its points, both of which an outline has
function along(from, to) {
  for (const name of [...of("h").keys()].filter((key) => key.startsWith("arc/"))) {
    const points = pointsOf(name.slice(4)), [a, b] = [from, to].map((at) => points.findIndex((one) => one[0] === at[0] && one[1] === at[1]));
    if (a >= 0 && b >= 0) { return a < b ? points.slice(a + 1, b) : points.slice(b + 1, a).reverse(); }
  }
  return [];
}
export function ringed(x, y) {
  if (S.ring.length > 2 && near(S.ring[0], x, y)) { closed(); return; }
  const at = border(x, y);
  if (S.ring.length) { S.ring.push(...along(S.ring.at(-1), at)); }
  S.ring.push(at);
  emit("outlines");
  emit("panel");
}
export function closed() {
  const ring = [...S.ring, ...along(S.ring.at(-1), S.ring[0])];
  S.ring = null;
  // an outline that is the first of all, traced from a picture, makes the drawing as large as it
  change("ring", [["ring/" + S.box, G.under && !shaped() ? { size: G.under.size, points: flat(ring) } : flat(ring)]]);
  emit("panel");
}
export function drawPoints(c) {
  if (S.ring?.length) {
    c.strokeStyle = c.fillStyle = "#b3006e";
    c.lineWidth = 2 / V.k;
    c.beginPath();
    S.ring.forEach(([x, y]) => c.lineTo(x, y));
    c.stroke();
    S.ring.forEach(([x, y]) => { c.beginPath(); c.arc(x, y, 5 / V.k, 0, 7); c.fill(); });
  }
  if ((S.tool !== "shapes" && !pinned()) || !shaped() || S.ring) { return; }
  const r = 4.5 / V.k;
  c.lineWidth = 1.2 / V.k;
  c.strokeStyle = "#1d1b16";
  for (const arc of pinned() ? [] : arcs()) {
    const points = pointsOf(arc);
    points.forEach(([x, y], n) => {
      const end_ = !n || n === points.length - 1;
      c.fillStyle = end_ ? "#b3006e" : "#fffdf6";
      c.beginPath(); c.arc(x, y, end_ ? r * 1.2 : r, 0, 7); c.fill(); c.stroke();
      if (S.box && n) { const [px, py] = points[n - 1]; c.fillStyle = "#8886"; c.beginPath(); c.arc((x + px) / 2, (y + py) / 2, r * 0.7, 0, 7); c.fill(); }
    });
  }
  for (const [, [x, y], [, area, what]] of spots()) {
    if (pinned() ? what !== "stand" : S.box && area !== S.box) { continue; }
    c.fillStyle = SPOTS[what] || "#2f7d4f";
    c.fillRect(x - r, y - r, 2 * r, 2 * r);
    c.strokeRect(x - r, y - r, 2 * r, 2 * r);
  }
}
const near = ([ax, ay], x, y) => Math.hypot(ax - x, ay - y) < 9 / V.k;
// places of units are dragged to where their areas are on the picture
const pinned = () => S.tool === "picture" && Boolean(G.under);
export function pinAt(x, y) { const one = spots().find(([, at, [, , what]]) => what === "stand" && near(at, x, y)); return one ? one[2][1] : ""; }
// take hold of what is at a point: a place, a point of a border, or a new one between two; false if nothing is
export function grasp(x, y) {
  const spot = spots().find(([, at, [, area]]) => (!S.box || area === S.box) && near(at, x, y));
  if (spot) { grip = { keys: [["h/" + spot[0], -1]], spot: true }; begin("shape"); return true; }
  const held = [];
  for (const arc of arcs()) { pointsOf(arc).forEach((at, n) => { if (near(at, x, y)) { held.push([arc, n, at]); } }); }
  if (held.length) {
    const at = held[0][2];
    grip = { arcs: [] };
    for (const key of of("h").keys()) {  // all arcs that meet here
      if (!key.startsWith("arc/")) { continue; }
      pointsOf(key.slice(4)).forEach(([px, py], n) => { if (px === at[0] && py === at[1]) { grip.arcs.push([key.slice(4), n]); } });
    }
    begin("shape");
    return true;
  }
  for (const arc of S.box ? arcs() : []) {
    const points = pointsOf(arc), n = points.findIndex((at, k) => k && near([(at[0] + points[k - 1][0]) / 2, (at[1] + points[k - 1][1]) / 2], x, y));
    if (n > 0) { begin("shape"); points.splice(n, 0, [x, y]); set("h/arc/" + arc, flat(points)); grip = { arcs: [[arc, n]] }; return true; }
  }
  return false;
}
export function pulled(x, y) {
  if (!grip) { return; }
  if (x === undefined) { grip = null; end(); return; }
  const [wide, high] = S.model.outlines.size, at = [Math.round(Math.max(0, Math.min(wide, x))), Math.round(Math.max(0, Math.min(high, y)))];
  if (grip.spot) { set(grip.keys[0][0], at); return; }
  for (const [arc, n] of grip.arcs) { const points = pointsOf(arc); points[n] = at; set("h/arc/" + arc, flat(points)); }
}
// the point at a place goes, unless arcs meet there or it is one of the last two
export function removed(x, y) {
  for (const arc of arcs()) {
    const points = pointsOf(arc), n = points.findIndex((at) => near(at, x, y));
    if (n > 0 && n < points.length - 1) { points.splice(n, 1); set("h/arc/" + arc, flat(points)); return; }
    if (n >= 0) { tell(say("point-stays"), true); return; }
  }
}
on("changed", (keys) => { if (keys.some((key) => key.startsWith("h/arc/"))) { paths = new Map(); } if (keys.some((key) => key[0] === "h")) { emit("outlines"); } });
on("loaded", () => { paths = new Map(); });
