// Four canvases on top of each other: ground (picture, terrain), lines (rivers, roads, names), top (counters, marks), hand (what
// follows the mouse). A stroke of the brush draws its own hexes on the ground; everything else is drawn once before a frame.
import { $, S, on } from "./edit-state.js";
import { G, corner, number, side } from "./edit-geometry.js";
import { of } from "./edit-store.js";
import { V, board } from "./edit-view.js";
import { standing } from "./edit-counters.js";
import { piece } from "./edit-pieces.js";
import { drawNames, drawPoints, drawShapes, shaped, stand } from "./edit-shapes.js";

const dark = matchMedia("(prefers-color-scheme:dark)");
const pen = (id) => { const c = $(id).getContext("2d"); c.setTransform(V.k * V.dots, 0, 0, V.k * V.dots, V.x * V.dots, V.y * V.dots); return c; };
const tint = (one) => (dark.matches ? one.dark : one.light);
const ink = () => (dark.matches ? "#ece5d3" : "#23201a");
let wanted = new Set(), strokes = [];

export function redraw(...layers) {
  if (!wanted.size && !strokes.length) { requestAnimationFrame(drawn); }
  layers.forEach((one) => wanted.add(one));
}
function stroke(hexes) {
  if (!wanted.size && !strokes.length) { requestAnimationFrame(drawn); }
  strokes.push(...hexes);
}
function drawn() {
  const layers = wanted, hexes = strokes;
  wanted = new Set();
  strokes = [];
  if (!S.model) { return; }
  if (layers.has("ground")) { ground(); } else if (hexes.length) { patch(hexes); }
  if (layers.has("lines")) { lines(); }
  if (layers.has("top")) { top(); }
  if (layers.has("hand")) { hand(); }
  for (const one of layers) { S.drawn[one] = (S.drawn[one] || 0) + 1; }
}
function clear(c) { c.save(); c.setTransform(1, 0, 0, 1, 0, 0); c.clearRect(0, 0, c.canvas.width, c.canvas.height); c.restore(); }
function path(c, i) {
  const k = G.corners, at = i * 12;
  c.moveTo(k[at], k[at + 1]);
  for (let n = 2; n < 12; n += 2) { c.lineTo(k[at + n], k[at + n + 1]); }
  c.closePath();
}
function inView() {
  const [x1, y1] = board(-40, -40), [x2, y2] = board(V.wide + 40, V.high + 40), r = G.radius, found = [];
  for (let i = 0; i < G.x.length; i++) { if (G.x[i] > x1 - r && G.x[i] < x2 + r && G.y[i] > y1 - r && G.y[i] < y2 + r) { found.push(i); } }
  return found;
}
const alpha = () => (G.onPicture ? S.opacity : 1);
function rim(c) { c.lineWidth = Math.max(0.6 / V.k, G.radius / 60); c.strokeStyle = dark.matches ? "#ffffff26" : "#00000030"; }

// ---- ground ------------------------------------------------------------------------------------------------------

function ground() {
  const c = pen("ground"), groups = new Map(), letters = of("t"), seen = inView();
  clear(c);
  if (G.under && !S.picture.laying) { c.drawImage(G.under.image, 0, 0, ...G.under.size); }
  if (S.picture && S.picture.image && (G.onPicture || S.picture.laying)) {
    const size = S.picture.laying ? S.picture.size : [G.wide, G.high];
    c.drawImage(S.picture.image, 0, 0, size[0], size[1]);
    if (S.picture.laying) { return; }
  }
  if (shaped()) { drawShapes(c, dark.matches, G.under ? S.opacity : 1); }
  for (const i of seen) {
    const letter = letters.get(number(i));
    (groups.get(letter) || groups.set(letter, []).get(letter)).push(i);
  }
  c.globalAlpha = alpha();
  for (const [letter, hexes] of groups) {
    c.fillStyle = tint(S.terrain.get(letter) || { light: "#ff00ff", dark: "#ff00ff" });
    paths(c, hexes, () => c.fill());
  }
  c.globalAlpha = 1;
  if (V.k * G.radius < 4) { return; }
  rim(c);
  paths(c, seen, () => c.stroke());
}
const FEW = 50;  // hexes of one path: a browser takes far longer for a path of thousands than for many short ones
function paths(c, hexes, by) {
  for (let n = 0; n < hexes.length; n += FEW) {
    c.beginPath();
    for (let k = n; k < Math.min(n + FEW, hexes.length); k++) { path(c, hexes[k]); }
    by();
  }
}
function patch(hexes) {
  if (G.onPicture) { ground(); return; }
  const c = pen("ground"), letters = of("t");
  for (const i of hexes) {
    c.fillStyle = tint(S.terrain.get(letters.get(number(i))) || { light: "#ff00ff", dark: "#ff00ff" });
    c.beginPath();
    path(c, i);
    c.fill();
  }
  if (V.k * G.radius < 4) { return; }
  rim(c);
  paths(c, hexes, () => c.stroke());
}

// ---- lines -------------------------------------------------------------------------------------------------------

const ends = (rest) => { const [kind, a, b] = rest.split("/"); return [kind, S.index.get(a), S.index.get(b)]; };
function lines() {
  const c = pen("lines");
  clear(c);
  if (S.picture && S.picture.laying) { return; }
  areas(c);
  strokesOf(c, "s", S.model.hexsides);
  strokesOf(c, "l", S.model.links);
  boxes(c);
  if (shaped()) { drawNames(c, dark.matches); }
  letter(c);
}
function strokesOf(c, kind, known) {
  for (const one of known) {
    const found = [];
    for (const rest of of(kind).keys()) {
      const [key, a, b] = ends(rest);
      if (key === one.key && a !== undefined && b !== undefined) { found.push(kind === "l" || one.line.across ? [[G.x[a], G.y[a]], [G.x[b], G.y[b]]] : side(a, b)); }
    }
    if (!found.length) { continue; }
    const wide = one.line.width * G.radius / 40;
    const strokeAll = () => {
      for (let n = 0; n < found.length; n += FEW) {
        c.beginPath();
        found.slice(n, n + FEW).forEach(([[ax, ay], [bx, by]]) => { c.moveTo(ax, ay); c.lineTo(bx, by); });
        c.stroke();
      }
    };
    c.lineCap = "round";
    c.setLineDash([]);
    if (one.line.casing) { c.lineWidth = wide * 2; c.strokeStyle = one.line.casing; strokeAll(); }
    c.setLineDash((one.line.dash || "").split(" ").filter(Boolean).map((n) => n * G.radius / 40));
    c.lineWidth = Math.max(wide, 1.2 / V.k);
    c.strokeStyle = tint(one.line);
    strokeAll();
    if (one.line.ties) { c.setLineDash([2 * G.radius / 40, 8 * G.radius / 40]); c.lineWidth = wide * 4; c.lineCap = "butt"; strokeAll(); }
    c.setLineDash([]);
  }
}
const HUES = [12, 200, 110, 280, 45, 330, 160, 240, 75, 300];
export function hue(name) { let sum = 0; for (const sign of name) { sum = (sum * 31 + sign.charCodeAt(0)) % 9973; } return "hsl(" + HUES[sum % HUES.length] + " 70% 45%)"; }
function areas(c) {
  if (S.tool !== "areas" || !S.layer) { return; }
  c.globalAlpha = 0.35;
  for (const [rest, area] of of("a")) {
    const [layer, hex] = rest.split("/"), i = S.index.get(hex);
    if (layer === S.layer && i !== undefined) { c.fillStyle = hue(area); c.beginPath(); path(c, i); c.fill(); }
  }
  c.globalAlpha = 1;
}
function boxes(c) {
  if (G.onPicture || G.under) { return; }
  c.font = "600 11px sans-serif";
  c.textAlign = "left";
  for (const one of S.model.boxes) {
    c.fillStyle = dark.matches ? "#282520" : "#fffdf6";
    c.strokeStyle = S.box === one.id ? "#b3006e" : ink();
    c.lineWidth = S.box === one.id ? 4 : 1.5;
    c.fillRect(one.x, one.y, one.wide, one.high);
    c.strokeRect(one.x, one.y, one.wide, one.high);
    c.fillStyle = ink();
    c.fillText(one.name.slice(0, 24), one.x + 4, one.y + 12, one.wide - 8);
  }
}
function letter(c) {
  const r = G.radius, near = V.k * r > 17, names = of("n");
  c.textAlign = "center";
  const seen = inView();
  if (near) {
    c.fillStyle = dark.matches ? "#ece5d399" : "#23201a99";
    c.font = r * 0.27 + "px sans-serif";
    seen.forEach((i) => c.fillText(number(i), G.x[i], G.y[i] - r * 0.55));
  }
  if (V.k * r < 8) { return; }
  const named = new Map();
  for (const [hex, name] of names) { named.set(hex, [name, false]); }
  for (const [rest, fields] of of("p")) {
    const hex = rest.split("/")[1], known = named.get(hex);
    named.set(hex, [fields.name || (known ? known[0] : ""), true]);
  }
  c.font = "600 " + r * 0.34 + "px sans-serif";
  c.lineWidth = r * 0.09;
  for (const [hex, [name, place]] of named) {
    const i = S.index.get(hex);
    if (i === undefined) { continue; }
    if (place) { c.fillStyle = ink(); c.beginPath(); c.arc(G.x[i], G.y[i], r * 0.2, 0, 7); c.fill(); c.fillStyle = dark.matches ? "#131210" : "#fffdf6"; c.beginPath(); c.arc(G.x[i], G.y[i], r * 0.11, 0, 7); c.fill(); }
    if (!name) { continue; }
    c.strokeStyle = dark.matches ? "#14130fcc" : "#fffdf4cc";
    c.strokeText(name, G.x[i], G.y[i] + r * 0.62);
    c.fillStyle = ink();
    c.fillText(name, G.x[i], G.y[i] + r * 0.62);
  }
}

// ---- top ---------------------------------------------------------------------------------------------------------

function top() {
  const c = pen("top");
  clear(c);
  if (S.picture && S.picture.laying) { points(c); return; }
  proposals(c);
  counters(c);
  marks(c);
}
// what follows the mouse is on a canvas of its own: thousands of counters are not drawn anew for it
function hand() {
  const c = pen("hand");
  clear(c);
  if (S.picture && S.picture.laying) { return; }
  if (S.preview) { outline(c, S.preview, "#b3006e", 3); }
  if (S.pulled) { pulled(c, S.pulled); }
  if (S.anchor >= 0) { outline(c, [S.anchor], "#b3006e", 2); }
  drawPoints(c);
  if (G.x.length) { outline(c, [S.cursor], dark.matches ? "#ff7cc4" : "#b3006e", 3.5); }
}
function outline(c, hexes, colour, wide) {
  c.strokeStyle = colour;
  c.lineWidth = Math.max(wide * G.radius / 40, 1.5 / V.k);
  c.beginPath();
  for (const i of hexes) { path(c, i); }
  c.stroke();
}
// the place of a unit on its way to where its area is on the picture
function pulled(c, [from, to]) {
  c.strokeStyle = "#b3006e";
  c.lineWidth = 3 / V.k;
  c.beginPath();
  c.moveTo(...from);
  c.lineTo(...to);
  c.arc(...to, 6 / V.k, 0, 7);
  c.stroke();
}
function proposals(c) {
  if (!S.proposals.size) { return; }
  for (const [i, letter_] of S.proposals) {
    c.fillStyle = tint(S.terrain.get(letter_));
    c.globalAlpha = 0.55;
    c.beginPath();
    for (let n = 0; n < 6; n++) { const [x, y] = corner(i, n), px = G.x[i] + (x - G.x[i]) * 0.62, py = G.y[i] + (y - G.y[i]) * 0.62; if (n) { c.lineTo(px, py); } else { c.moveTo(px, py); } }
    c.closePath();
    c.fill();
    c.globalAlpha = 1;
    c.lineWidth = G.radius / 30;
    c.strokeStyle = ink();
    c.stroke();
  }
}
function counters(c) {
  const r = G.radius, big = V.k * r > 12;
  c.textAlign = "center";
  for (const [at, listed] of standing()) {
    const i = S.index.get(at), place = i === undefined ? S.model.boxes.find((one) => one.id === at) : null;
    const spot = i === undefined ? stand(at) : null;
    if (spot) { listed.forEach((one, n) => piece(c, one, spot[0] + 8 * n, spot[1], 30, S.counter && S.counter.id === one.id)); continue; }
    if (i === undefined && (!place || G.onPicture || G.under)) { continue; }
    if (place) { pool(c, listed, place); continue; }
    const x = G.x[i], y = G.y[i];
    const last = Math.min(listed.length, 4) - 1;
    listed.slice(0, 4).forEach((one, n) => {
      const size = r * 0.9, chosen = S.counter && S.counter.id === one.id && S.counter.file === one.file;
      const px = x + n * r * 0.11, py = y - n * r * 0.09;
      if (big && n === last) { piece(c, one, px, py, size, chosen); return; }
      c.fillStyle = one.paint.fill;
      c.fillRect(px - size / 2, py - size / 2, size, size);
      c.lineWidth = r / 40;
      c.strokeStyle = chosen ? "#ff2fa0" : "#00000099";
      c.strokeRect(px - size / 2, py - size / 2, size, size);
    });
    if (big && listed.length > 1) { c.fillStyle = ink(); c.font = "600 " + r * 0.26 + "px sans-serif"; c.fillText("×" + listed.length, x + r * 0.62, y + r * 0.5); }
  }
}
// counters in a box: rows of them, as on the map
function pool(c, listed, place) {
  const across = Math.max(1, Math.floor(place.wide / 36)), left = place.x + (place.wide - Math.min(listed.length, across) * 36) / 2 + 18;
  listed.forEach((one, n) => piece(c, one, left + (n % across) * 36, place.y + 34 + Math.floor(n / across) * 36, 30, S.counter && S.counter.id === one.id));
}
function marks(c) {
  for (const one of S.faults) {
    const strong = one.severity === "error";
    for (const hex of one.hexes) {
      const i = S.index.get(hex);
      if (i === undefined) { continue; }
      const x = G.x[i] + G.radius * 0.5, y = G.y[i] - G.radius * 0.4, r = Math.max(G.radius * 0.2, 5 / V.k);
      c.fillStyle = strong ? "#b3261e" : "#a97b13";
      c.beginPath();
      c.moveTo(x, y - r); c.lineTo(x + r, y + r); c.lineTo(x - r, y + r);
      c.closePath();
      c.fill();
      c.fillStyle = "#ffffff";
      c.font = "700 " + r * 1.4 + "px sans-serif";
      c.textAlign = "center";
      c.fillText("!", x, y + r * 0.8);
    }
  }
}
function points(c) {
  Object.values(S.picture.laying.corners).forEach(([x, y]) => {
    c.strokeStyle = "#b3006e";
    c.lineWidth = 3 / V.k;
    c.beginPath();
    c.arc(x, y, 9 / V.k, 0, 7);
    c.moveTo(x - 14 / V.k, y); c.lineTo(x + 14 / V.k, y);
    c.moveTo(x, y - 14 / V.k); c.lineTo(x, y + 14 / V.k);
    c.stroke();
  });
}

on("outlines", () => redraw("ground", "lines", "top", "hand"));
on("view", () => redraw("ground", "lines", "top", "hand"));
on("changed", (keys) => {
  const kinds = new Set(keys.map((key) => key[0]));
  if (kinds.has("t") || kinds.has("L")) {
    const hexes = keys.filter((key) => key[0] === "t").map((key) => S.index.get(key.slice(2))).filter((i) => i !== undefined);
    if (hexes.length > 600) { redraw("ground"); } else { stroke(hexes); }
  }
  if ([..."slpna"].some((kind) => kinds.has(kind))) { redraw("lines"); }
  if (kinds.has("c") || kinds.has("r")) { redraw("top"); }
});
dark.addEventListener("change", () => redraw("ground", "lines", "top", "hand"));
