// The map as three sheets on top of each other (ground, marks, counters), and the view of it. A mark is drawn without the map
// being painted anew; the view is moved by a transform, and the sheets are set to their size when it rests.
import { $, T, phone } from "./board-state.js";

const SVG = "http://www.w3.org/2000/svg", LEAST = 44, HEX = 80, MOST = 3.2, KEPT = "view " + document.body.dataset.game;
export const map = $("map"), sheet = $("sheet");
export const M = { wide: 1, high: 1, labels: new Map(), pictures: new Map(), boxes: new Map(), shapes: new Map() };
const view = { k: 1, x: 0, y: 0, drawn: 1, chosen: false };

// ---- three sheets -----------------------------------------------------------------------------------------

export function lay(text) {
  if (text !== undefined) { sheet.innerHTML = text; }
  const ground = sheet.querySelector("svg");
  M.none = !ground || !ground.viewBox.baseVal.width;
  if (M.none) { return; }
  M.wide = ground.viewBox.baseVal.width;
  M.high = ground.viewBox.baseVal.height;
  for (const one of [M.labels, M.pictures, M.boxes, M.shapes]) { one.clear(); }
  ground.querySelectorAll("[id^=hex-]").forEach((one) => {
    const at = one.id.slice(4), box = one.querySelector("rect"), use = one.querySelector("use"), drawn = use && one.dataset.x && ground.querySelector(use.getAttribute("href"));
    if (drawn) {
      const d = drawn.getAttribute("d"), small = one.querySelector("circle");
      M.shapes.set(at, { d, path: new Path2D(d), small: small && ["cx", "cy", "r"].map((name) => Number(small.getAttribute(name))) });
    }
    if (!drawn && one.dataset.x && one.querySelector("circle")) {  // a coast that is apart: a circle of its own
      const small = ["cx", "cy", "r"].map((name) => Number(one.querySelector("circle").getAttribute(name))), [x, y, r] = small;
      M.shapes.set(at, { d: `M${x - r} ${y}a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0z`, small, apart: true });
    }
    M.labels.set(at, one.getAttribute("aria-label"));
    if (box) { M.boxes.set(at, ["x", "y", "width", "height"].map((name) => Number(box.getAttribute(name)))); }
  });
  ground.querySelectorAll("[data-at]").forEach((one) => {
    const all = ground.querySelector('[data-fan="' + CSS.escape(one.dataset.at) + '"] .m-all') || one;
    M.pictures.set(one.dataset.at, [...all.children].filter((each) => each.localName === "use").map((each) => each.getAttribute("href")));
  });
  ground.querySelectorAll(".m-spots,.m-fans,:scope>title").forEach((one) => one.remove());
  const layers = [...ground.children], first = layers.findIndex((one) => one.classList.contains("m-L-units"));
  M.ground = ground;
  ground.id = "ground";
  [M.under, M.units, M.over] = ["under", "units", "over"].map((name) => {
    const one = document.createElementNS(SVG, "svg");
    one.setAttribute("viewBox", ground.getAttribute("viewBox"));
    one.setAttribute("class", name);
    one.id = "sheet-" + name;
    sheet.append(one);
    return one;
  });
  if (first >= 0) { M.units.append(...layers.slice(first)); }
  M.units.querySelectorAll("[data-at]>use").forEach((one) => stamp(one, ground.querySelector("defs")));
  sheet.querySelectorAll("svg").forEach((one) => { one.setAttribute("aria-hidden", "true"); one.removeAttribute("role"); one.removeAttribute("aria-label"); });
  overview();
}

// A counter is stamped as the mark of a point. Each `use` with a transform is a node of the page's tree of transforms, and
// with 600 of them the browser spends 20 ms of every frame on that tree; a stamp is none.
function stamp(use, defs) {
  const [, x, y, by] = /^translate\(([-\d.]+)[ ,]([-\d.]+)\)(?:scale\(([\d.]+)\))?$/.exec(use.getAttribute("transform")) || [];
  const href = use.dataset.face = use.getAttribute("href"), name = "stamp-" + href.slice(1), drawn = defs && defs.querySelector(href);
  if (!x || !drawn) { return; }
  if (!defs.querySelector("#" + name)) {
    const made = document.createElementNS(SVG, "marker"), copy = drawn.cloneNode(true);
    copy.removeAttribute("id");
    set(made, { id: name, markerUnits: "strokeWidth", markerWidth: 1, markerHeight: 1, overflow: "visible", orient: 0 }).append(copy);
    defs.append(made);
  }
  const point = document.createElementNS(SVG, "path");
  use.replaceWith(set(point, { d: `M${x} ${y}h0`, "stroke-width": by || 1, stroke: "none", "marker-start": `url(#${name})`, "data-face": href }));
}
function set(one, more) {
  for (const [name, value] of Object.entries(more)) { one.setAttribute(name, value); }
  return one;
}

// ---- the view -----------------------------------------------------------------------------------------------

let rest = 0;
function put(now) {
  const width = map.clientWidth, height = map.clientHeight, pad = 40;
  view.x = Math.min(width - pad, Math.max(pad - M.wide * view.k, view.x));
  view.y = Math.min(height - pad, Math.max(pad - M.high * view.k, view.y));
  clearTimeout(rest);
  const settle = () => {
    if (view.drawn !== view.k) { sheet.style.width = M.wide * view.k + "px"; sheet.style.height = M.high * view.k + "px"; view.drawn = view.k; }
    sheet.style.transform = `translate(${view.x}px,${view.y}px)`;
    if (view.chosen) { sessionStorage.setItem(KEPT, JSON.stringify([T.key, view.k, view.x, view.y])); }
    frame();
  };
  if (now) { settle(); } else { sheet.style.transform = `translate(${view.x}px,${view.y}px) scale(${view.k / view.drawn})`; rest = setTimeout(settle, 160); }
}
export function fit(whole) {
  if (M.none) { return; }
  const pad = phone() ? 6 : 14, width = map.clientWidth, height = map.clientHeight;
  const all = Math.min((width - 2 * pad) / M.wide, (height - 2 * pad) / M.high);
  view.k = all;
  view.chosen = false;
  if (!whole && all * HEX < LEAST) { view.k = Math.max(LEAST / HEX + .04, Math.min(1, (height - 2 * pad) / M.high)); return centre(asksAt()); }
  view.x = (width - M.wide * view.k) / 2;
  view.y = (height - M.high * view.k) / 2;
  put(true);
}
// the view that was chosen while this was asked
export function again() {
  const [key, k, x, y] = JSON.parse(sessionStorage.getItem(KEPT) || "[]");
  if (M.none || key !== T.key) { return fit(); }
  Object.assign(view, { k, x, y, chosen: true });
  put(true);
}
export function refit() { if (view.chosen) { put(true); } else { fit(); } }
// the place that is asked about: what is in hand, else the middle of one's counters
function asksAt() {
  const at = (T.story && T.story.at) || (T.aim && T.aim.at) || (T.hand && T.hand.at);
  if (at && T.board.centres[at]) { return T.board.centres[at]; }
  const mine = T.board.stacks.filter((one) => one.counters.some((each) => each.mine) && T.board.centres[one.at]).map((one) => T.board.centres[one.at]);
  if (!mine.length) { return [M.wide / 2, M.high / 2]; }
  const middle = [0, 1].map((n) => mine.reduce((sum, one) => sum + one[n], 0) / mine.length);
  return mine.sort((a, b) => Math.hypot(a[0] - middle[0], a[1] - middle[1]) - Math.hypot(b[0] - middle[0], b[1] - middle[1]))[0];
}
export function centre([x, y]) {
  const width = map.clientWidth, height = map.clientHeight, pad = 6;
  const along = (at, size, room) => (size < room ? (room - size) / 2 : Math.min(pad, Math.max(room - size - pad, room / 2 - at)));
  view.x = along(x * view.k, M.wide * view.k, width);
  view.y = along(y * view.k, M.high * view.k, height);
  put(true);
}
// bring a place into sight, with the hexes around it
export function reveal(at) {
  const spot = T.board.centres[at];
  if (!spot || M.none) { return; }
  const [x, y] = [view.x + spot[0] * view.k, view.y + spot[1] * view.k], room = 60;
  if (x < room || y < room || x > map.clientWidth - room || y > map.clientHeight - room) { centre(spot); }
}
export function zoom(by, x = map.clientWidth / 2, y = map.clientHeight / 2) {
  const least = Math.min(map.clientWidth / M.wide, map.clientHeight / M.high) * .8, k = Math.max(least, Math.min(MOST, view.k * by)), r = k / view.k;
  view.x = x - (x - view.x) * r;
  view.y = y - (y - view.y) * r;
  view.k = k;
  view.chosen = true;
  put();
}
export function pan(x, y) { view.x += x; view.y += y; view.chosen = true; put(); }
// put the tray where it hides the fewest of these places: at the foot of the map or at its head
export function clear(box, places) {
  const hidden = (end) => {
    box.dataset.at = end;
    const left = box.offsetLeft - 20, top = box.offsetTop - 20, right = left + box.offsetWidth + 40, foot = top + box.offsetHeight + 40;
    return places.filter((at, n) => { const spot = T.board.centres[at]; if (!spot) { return false; } const x = view.x + spot[0] * view.k, y = view.y + spot[1] * view.k; return x > left && x < right && y > top && y < foot; }).length;
  };
  const low = hidden("foot");
  if (low && hidden("head") >= low) { box.dataset.at = "foot"; }
}

// ---- the overview, where the map is larger than its window -----------------------------------------------------

let mini = null;
function overview() {
  if (mini) { mini.remove(); }
  mini = document.createElement("div");
  mini.className = "mini";
  mini.setAttribute("aria-hidden", "true");
  mini.innerHTML = `<svg viewBox="0 0 ${M.wide} ${M.high}"><use href="#ground"/><use href="#sheet-units"/></svg><i></i>`;
  map.append(mini);
  mini.hidden = true;
  mini.addEventListener("pointerdown", (event) => {
    event.stopPropagation();
    const box = mini.getBoundingClientRect();
    view.chosen = true;
    centre([(event.clientX - box.left) / box.width * M.wide, (event.clientY - box.top) / box.height * M.high]);
  });
  mini.addEventListener("click", (event) => event.stopPropagation());
}
function frame() {
  if (!mini) { return; }
  const width = map.clientWidth, height = map.clientHeight;
  mini.hidden = M.wide * view.k < width + 20 && M.high * view.k < height + 20;
  if (mini.hidden) { return; }
  const part = (from, size, room) => [Math.max(0, -from / size), Math.min(1, (room - from) / size)];
  const [[a, b], [c, d]] = [part(view.x, M.wide * view.k, width), part(view.y, M.high * view.k, height)];
  Object.assign(mini.querySelector("i").style, { left: a * 100 + "%", right: (1 - b) * 100 + "%", top: c * 100 + "%", bottom: (1 - d) * 100 + "%" });
}

// ---- what lies under the pointer -----------------------------------------------------------------------------------

export function where(event) {
  const edge = map.getBoundingClientRect();
  return [(event.clientX - edge.left - view.x) / view.k, (event.clientY - edge.top - view.y) / view.k];
}
export const middle = () => [(map.clientWidth / 2 - view.x) / view.k, (map.clientHeight / 2 - view.y) / view.k];
const ruler = document.createElement("canvas").getContext("2d");
function shape(x, y, open) {
  for (const [at, { small }] of M.shapes) { if (small && open(at) && Math.hypot(x - small[0], y - small[1]) <= small[2]) { return at; } }
  for (const [at, { path, apart }] of M.shapes) { if (!apart && ruler.isPointInPath(path, x, y, "evenodd")) { return at; } }
  return null;
}
export function under(event, open = () => true) {
  const [x, y] = where(event);
  if (M.shapes.size) { const at = shape(x, y, open); return at && { at, low: false }; }
  let best = null, least = 50;
  for (const [at, [left, top, wide, high]] of M.boxes) { if (x >= left && y >= top && x <= left + wide && y <= top + high) { return { at, low: y > top + high * .75 }; } }
  for (const [at, [u, v]] of Object.entries(T.board.centres)) {
    const far = Math.max(Math.abs(u - x) * .9, Math.hypot(u - x, v - y));
    if (far < least) { least = far; best = at; }
  }
  return best && { at: best, low: y > T.board.centres[best][1] + 19 };
}
