// Where hexes are: on the drawing, or on the picture on which the grid is laid. Nothing here knows how hexes are turned.
import { S } from "./edit-state.js";
import { placer } from "./edit-fit.js";
import { areaAt, shaped } from "./edit-shapes.js";

export const G = { x: [], y: [], corners: [], wide: 1, high: 1, radius: 40, cells: new Map(), step: 1, onPicture: false, under: null };

export function lay() {
  const model = S.model, count = model.hexes.length, laid = S.picture && S.picture.alignment && S.shown ? S.picture : null;
  const aligned = laid && count ? laid.alignment : null, own = aligned ? laid.sheet : "";
  const to = aligned ? placer(new Map(model.hexes.map(([number, x, y]) => [number, [x, y]])), aligned) : (x, y) => [x, y];
  G.onPicture = Boolean(aligned);
  G.under = laid && !count ? laid.under : null;
  G.x = new Float64Array(count);
  G.y = new Float64Array(count);
  G.corners = new Float64Array(count * 12);
  for (let i = 0; i < count; i++) {
    const [, x, y, sheet] = model.hexes[i];
    // of a picture of one sheet the other sheets are nowhere
    if (own && sheet !== own) { G.x[i] = G.y[i] = NaN; G.corners.fill(NaN, i * 12, i * 12 + 12); continue; }
    [G.x[i], G.y[i]] = to(x, y);
    model.shapes[sheet].forEach(([dx, dy], n) => { [G.corners[i * 12 + n * 2], G.corners[i * 12 + n * 2 + 1]] = aligned ? to(x + dx, y + dy) : [x + dx, y + dy]; });
  }
  [G.wide, G.high] = aligned ? [aligned.picture.wide, aligned.picture.high] : G.under ? G.under.size : [model.wide, model.high];
  const first = Math.max(0, G.x.findIndex((x) => x === x)), [next] = count ? model.near[first] : [];
  G.radius = next === undefined ? 40 : Math.hypot(G.x[first] - G.x[next], G.y[first] - G.y[next]) / 1.75 || 40;
  if (count && G.x[S.cursor] !== G.x[S.cursor]) { S.cursor = first; }
  G.step = G.radius * 2;
  G.cells.clear();
  for (let i = 0; i < count; i++) {
    const key = Math.floor(G.x[i] / G.step) + "," + Math.floor(G.y[i] / G.step);
    (G.cells.get(key) || G.cells.set(key, []).get(key)).push(i);
  }
}
export function corner(i, n) { return [G.corners[i * 12 + n * 2], G.corners[i * 12 + n * 2 + 1]]; }

// the hex at a point, -1 for none
export function hit(x, y) {
  const cx = Math.floor(x / G.step), cy = Math.floor(y / G.step);
  let best = -1, least = (G.radius * 1.15) ** 2;
  for (let dx = -1; dx < 2; dx++) {
    for (let dy = -1; dy < 2; dy++) {
      for (const i of G.cells.get((cx + dx) + "," + (cy + dy)) || []) {
        const far = (G.x[i] - x) ** 2 + (G.y[i] - y) ** 2;
        if (far < least) { least = far; best = i; }
      }
    }
  }
  return best;
}
export function box(x, y) {
  if (shaped()) { return areaAt(x, y); }
  return G.onPicture || G.under ? null : S.model.boxes.findLast((one) => x >= one.x && x < one.x + one.wide && y >= one.y && y < one.y + one.high) || null;
}
// the two corners that hex a shares with hex b
export function side(a, b) {
  const far = [0, 1, 2, 3, 4, 5].map((n) => { const [x, y] = corner(a, n); return [(x - G.x[b]) ** 2 + (y - G.y[b]) ** 2, n]; });
  far.sort((one, other) => one[0] - other[0]);
  return [corner(a, far[0][1]), corner(a, far[1][1])];
}
// the neighbour across the side that is nearest to a point in a hex
export function across(i, x, y) {
  let best = -1, least = Infinity;
  for (const j of S.model.near[i]) {
    const far = ((G.x[i] + G.x[j]) / 2 - x) ** 2 + ((G.y[i] + G.y[j]) / 2 - y) ** 2;
    if (far < least) { least = far; best = j; }
  }
  return best;
}
// the neighbour that lies most in a direction (an angle, 0 to the east, clockwise)
export function towards(i, angle) {
  let best = -1, most = 0.4;
  for (const j of S.model.near[i]) {
    const cos = Math.cos(Math.atan2(G.y[j] - G.y[i], G.x[j] - G.x[i]) - angle);
    if (cos > most) { most = cos; best = j; }
  }
  return best;
}
// the six directions of neighbours, clockwise from the north; null at the edge
export function around(i) {
  const corners = [0, 1, 2, 3, 4, 5].map((n) => { const [ax, ay] = corner(i, n), [bx, by] = corner(i, (n + 1) % 6); return Math.atan2((ay + by) / 2 - G.y[i], (ax + bx) / 2 - G.x[i]); });
  const north = (angle) => (angle + Math.PI / 2 + 0.3 + 4 * Math.PI) % (2 * Math.PI);
  return corners.sort((a, b) => north(a) - north(b)).map((angle) => {
    const j = towards(i, angle);
    return j >= 0 && Math.cos(Math.atan2(G.y[j] - G.y[i], G.x[j] - G.x[i]) - angle) > 0.85 ? j : null;
  });
}
// hexes at most so many steps away
export function within(i, steps) {
  const found = new Set([i]);
  let edge = [i];
  for (let n = 1; n < steps; n++) {
    const next = [];
    for (const a of edge) { for (const b of S.model.near[a]) { if (!found.has(b)) { found.add(b); next.push(b); } } }
    edge = next;
  }
  return found;
}
// a way from hex to hex, each step the one that comes nearest
export function way(a, b) {
  const found = [a];
  while (found[found.length - 1] !== b && found.length < 400) {
    const i = found[found.length - 1];
    let best = -1, least = (G.x[i] - G.x[b]) ** 2 + (G.y[i] - G.y[b]) ** 2;
    for (const j of S.model.near[i]) { const far = (G.x[j] - G.x[b]) ** 2 + (G.y[j] - G.y[b]) ** 2; if (far < least) { least = far; best = j; } }
    if (best < 0) { return found; }
    found.push(best);
  }
  return found;
}
export function number(i) { return S.model.hexes[i][0]; }
export function pair(i, j) { return i < j ? number(i) + "/" + number(j) : number(j) + "/" + number(i); }
