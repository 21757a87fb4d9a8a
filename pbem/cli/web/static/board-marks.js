// The marks: by shape, at the rim of a hex, under the counters; what was ordered as ways with the counters at their ends.
import { T, orders } from "./board-state.js";
import { able, joiners, kind, price, stackOf, standing, targets } from "./board-hand.js";
import { M } from "./board-sheets.js";

const f = (n) => Math.round(n * 10) / 10;
export const esc = (text) => String(text).replace(/[&<>"']/g, (one) => "&#" + one.charCodeAt(0) + ";");

function rim(at, r) {
  const box = M.boxes.get(at), own = M.shapes.get(at), [x, y] = T.board.centres[at];
  if (own) { return own.d; }
  if (box && /[^\d.]/.test(at)) { const n = (40 - r) * .8; return `M${box[0] + n} ${box[1] + n}h${box[2] - 2 * n}v${box[3] - 2 * n}h${2 * n - box[2]}z`; }
  return "M" + T.board.rim.map(([u, v]) => `${f(x + u * r / 40)} ${f(y + v * r / 40)}`).join("L") + "z";
}
function brackets(at) {
  const [x, y] = T.board.centres[at], box = M.boxes.get(at), a = box ? box[2] / 2 - 3 : 36, b = box ? box[3] / 2 - 3 : 31, c = 12;
  const d = [[-1, -1], [1, -1], [1, 1], [-1, 1]].map(([i, j]) => `M${x + i * a} ${y + j * (b - c)}V${y + j * b}H${x + i * (a - c)}`).join("");
  return `<path class="halo" d="${d}"/><path class="aim" d="${d}"/>`;
}
function tag(at, text, dim) {
  const [x, y] = T.board.centres[at], wide = text.length * 5.6 + 12;
  return `<rect class="tag-box${dim ? " dim" : ""}" x="${f(x - wide / 2)}" y="${y - 40}" width="${f(wide)}" height="15" rx="3"/><text class="tag" x="${x}" y="${y - 29}">${esc(text)}</text>`;
}
// a way ends at the rim of its last hex, never on a counter; its number stands where no counter is
function way(places, foe, number, helps) {
  const points = places.map((at) => T.board.centres[at]).filter(Boolean);
  if (points.length < 2) { return ["", ""]; }
  const [x1, y1] = points[points.length - 2], [x2, y2] = points[points.length - 1], far = Math.hypot(x2 - x1, y2 - y1) || 1, back = Math.min(far * .4, foe ? 33 : 24);
  const end = [x2 - (x2 - x1) / far * back, y2 - (y2 - y1) / far * back], d = "M" + [...points.slice(0, -1), end].map((p) => p.map(f).join(" ")).join("L");
  const turned = Math.atan2(y2 - y1, x2 - x1) * 180 / Math.PI, red = foe ? " foe" : helps ? " helps" : "";
  let over = `<path class="tip${red}" transform="translate(${f(end[0])} ${f(end[1])}) rotate(${f(turned)})" d="M9 0L-7 7L-3 0L-7 -7Z"/>`;
  if (number) {
    const at = (t) => { const n = Math.min(points.length - 2, Math.floor(t * (points.length - 1))), u = t * (points.length - 1) - n, [a, b] = [points[n], points[n + 1]]; return [a[0] + (b[0] - a[0]) * u, a[1] + (b[1] - a[1]) * u]; };
    const full = [...T.board.stacks.map((one) => one.at), ...Object.values(T.draft.moved)].map((place) => T.board.centres[place]).filter(Boolean);
    const free = ([x, y]) => full.every(([u, v]) => Math.hypot(u - x, v - y) > 28);
    const [x, y] = at([.5, .4, .6, .3, .7, .25, .75].find((t) => free(at(t))) || .5);
    over += `<circle class="number-box${red}" cx="${f(x)}" cy="${f(y)}" r="8"/><text class="number" x="${f(x)}" y="${f(y + 4)}">${number}</text>`;
  }
  return [`<path class="halo" d="${d}"/><path class="way${red}" d="${d}"/>`, over];
}
function picture(id) {
  const there = stackOf(id);
  return there && (M.pictures.get(there.at) || [])[T.board.faces[id]];
}
export { picture };
// who attacks stands before the enemy, not on him
function stands(id, to) {
  const [x, y] = T.board.centres[to], one = orders().find((each) => each.trail[each.trail.length - 1] === to && each.text.includes(id)), from = one && T.board.centres[one.trail[one.trail.length - 2]];
  if (!from || !foe(one)) { return [x, y]; }
  const far = Math.hypot(from[0] - x, from[1] - y) || 1;
  return [x + (from[0] - x) / far * 42, y + (from[1] - y) / far * 42];
}
const foe = (one) => one.fight || /\b(battle|attack|against|strike|assault)/i.test(one.text);
let last = new Map();
function ghosts() {
  const at = new Map(), now = new Map();
  M.units.querySelectorAll(".gone").forEach((one) => one.classList.remove("gone"));
  for (const [id, to] of Object.entries(T.draft.moved)) {
    const from = stackOf(id), face = picture(id);
    if (!from || !face || !T.board.centres[to]) { continue; }
    const alike = from.counters.filter((one) => picture(one.id) === face);
    if (alike.every((one) => one.id in T.draft.moved)) {
      M.units.querySelectorAll(`[data-at="${CSS.escape(from.at)}"] [data-face="${CSS.escape(face)}"]`).forEach((one) => one.classList.add("gone"));
    }
    const those = at.get(to) || [];
    if (!those.some((one) => one.face === face)) { those.push({ id, face }); }
    at.set(to, those);
    now.set(id, to);
  }
  let made = "";
  for (const [to, those] of at) {
    those.forEach(({ id, face }, n) => {
      const [x, y] = stands(id, to), shift = (n - (those.length - 1) / 2) * Math.min(24, 60 / those.length), from = stackOf(id).at;
      const [u, v] = T.board.centres[from] || [x, y], come = last.get(id) === to ? "" : ` class="moved" style="--from:translate(${u - x - shift}px,${v - y}px)"`;
      made += `<g transform="translate(${f(x + shift)} ${y - 3})"><g${come} data-counter="${esc(id)}"><use href="${esc(face)}" transform="scale(1.08)"/></g></g>`;
    });
  }
  last = now;
  return made;
}

// what is the same as before is not painted again
function paint(sheet, made) {
  if (sheet.made === made) { return; }
  sheet.made = made;
  sheet.innerHTML = made;
}
export function draw(cursor) {
  if (M.none || !M.under) { return; }
  const low = [], over = [], there = (at) => T.board.centres[at];
  if (T.story) {
    const one = T.story.now;
    (one.at || []).filter(there).forEach((at) => (one.fight ? over : low).push(one.fight ? brackets(at) : `<path class="halo" d="${rim(at, 36)}"/><path class="held" d="${rim(at, 36)}"/>`));
    (one.ways || [one.way || []]).forEach((places) => { const [a, b] = way(places, one.fight, 0); low.push(a); over.push(b); });
    paint(M.under, low.join(""));
    paint(M.over, over.join(""));
    return;
  }
  const seen = targets(), fights = new Set();
  if (!T.hand || !seen.has(T.over)) { T.over = null; }
  for (const [at, those] of seen) {
    if (!there(at)) { continue; }
    const [x, y] = there(at);
    if (kind(those[0]) === "attack") { fights.add(at); continue; }
    if (T.aim) { continue; }
    if (!T.hand) { low.push(`<path class="asked" d="${rim(at, 37)}"/>`); continue; }
    low.push(`<path class="reach" d="${rim(at, 39)}"/><path class="may" d="${rim(at, 36)}"/><circle class="dot" cx="${x - 17}" cy="${y - 27}" r="3.4"/>`);
    const cost = price(those[0]);
    if (cost) { low.push(`<text class="cost" x="${x + 18}" y="${y - 23}">${esc(cost)}</text>`); }
  }
  if (!T.hand && !T.aim) { for (const at of able()) { if (there(at)) { low.push(`<path class="asked" d="${rim(at, 37)}"/>`); } } }
  orders().filter((one) => one.trail.length > 1).forEach((one, n) => {
    const fight = foe(one), [a, b] = way(one.trail, fight, n + 1, one.helps), end = one.trail[one.trail.length - 1];
    low.push(a);
    over.push(b);
    if (fight && there(end)) { fights.add(end); }
  });
  if (T.aim) {
    fights.add(T.aim.at);
    for (const id of joiners(T.aim.at)) {
      const at = standing(id);
      if (!there(at)) { continue; }
      low.push(T.aim.ids.has(id) ? `<path class="halo" d="${rim(at, 37)}"/><path class="held" d="${rim(at, 37)}"/>` : `<path class="join" d="${rim(at, 38)}"/><path class="join" d="${rim(at, 33)}"/>`);
    }
    if (T.aim.odds && T.aim.odds.share) { over.push(tag(T.aim.at, T.aim.odds.share)); }
    const from = [...T.aim.ids].map(standing)[0], [a, b] = from ? way([from, T.aim.at], true, 0) : ["", ""];
    low.push(a);
    over.push(b);
  } else if (T.hand && there(T.hand.at)) {
    low.push(`<path class="halo" d="${rim(T.hand.at, 37)}"/><path class="held" d="${rim(T.hand.at, 37)}"/>`);
    T.hand.way.forEach((at) => low.push(`<path class="held" d="${rim(at, 33)}"/>`));
  }
  fights.forEach((at) => over.push(brackets(at)));
  if (T.over && T.then && T.then.at === T.over && T.then.odds && T.then.odds.share) { over.push(tag(T.over, T.then.odds.share)); }
  if (T.refused && there(T.refused.to)) {
    const [x, y] = there(T.refused.to), cross = `M${x - 33} ${y - 6}l12 12m0 -12l-12 12`;
    low.push(`<path class="halo" d="${rim(T.refused.to, 36)}"/><path class="no" d="${rim(T.refused.to, 36)}"/>`);
    over.push(`<path class="halo" d="${cross}"/><path class="no" d="${cross}"/>`, tag(T.refused.to, T.refused.short, true));
  }
  if (cursor && there(cursor)) { over.push(`<path class="halo" d="${rim(cursor, 39)}"/><path class="cursor" d="${rim(cursor, 39)}"/>`); }
  paint(M.under, low.join(""));
  paint(M.over, ghosts() + over.join(""));
}
