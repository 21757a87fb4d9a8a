// Terrain proposed from the picture: the colour of each hex is compared with those of hexes that a person has painted.
import { S, emit, say, tell } from "./edit-state.js";
import { G, corner, number } from "./edit-geometry.js";
import { begin, end, get, of, set, touched } from "./edit-store.js";
import { redraw } from "./edit-draw.js";

const KINDS = 3, ROUNDS = 4, MOST = 2200, SPOTS = 61;
// the middle colour of a hex, and how unquiet it is
function samples() {
  const { image, size } = S.picture, by = Math.min(1, MOST / Math.max(size[0], size[1])), c = document.createElement("canvas");
  c.width = Math.round(size[0] * by);
  c.height = Math.round(size[1] * by);
  const pen = c.getContext("2d", { willReadFrequently: true });
  pen.drawImage(image, 0, 0, c.width, c.height);
  const { data } = pen.getImageData(0, 0, c.width, c.height);
  return S.model.hexes.map((_, i) => {
    const reds = [], greens = [], blues = [], lights = [];
    for (let n = 0; n < SPOTS; n++) {
      const [cx, cy] = corner(i, n % 6), far = 0.12 + 0.6 * Math.floor(n / 6) / 10, turn = n % 2 ? 1 : 0.8;
      const x = Math.round((G.x[i] + (cx - G.x[i]) * far * turn) * by), y = Math.round((G.y[i] + (cy - G.y[i]) * far * turn) * by);
      if (!(x >= 0 && y >= 0 && x < c.width && y < c.height)) { continue; }  // outside, or on a sheet that the picture doesn't show
      const at = (y * c.width + x) * 4, [r, g, b] = [data[at], data[at + 1], data[at + 2]];
      reds.push(r); greens.push(g); blues.push(b); lights.push(0.3 * r + 0.59 * g + 0.11 * b);
    }
    if (!lights.length) { return null; }
    const middle = (list) => list.sort((a, b) => a - b)[list.length >> 1], mean = lights.reduce((a, b) => a + b) / lights.length;
    const unquiet = Math.sqrt(lights.reduce((sum, one) => sum + (one - mean) ** 2, 0) / lights.length) / (mean + 8);
    const [r, g, b] = [middle(reds), middle(greens), middle(blues)].map((one) => 100 * Math.log(one + 8));
    // the light of a photograph changes how bright a hex is, but hardly how red or blue it is beside its green
    return [(r + g + b) / 3, r - g, b - g, 100 * unquiet];
  });
}
// the light falls off to one side: a plane through what is brighter or darker than its terrain is taken away
function even(found, meant) {
  let xx = 0, xy = 0, yy = 0, xl = 0, yl = 0;
  const groups = new Map();
  for (const [i, kind] of meant) { if (found[i]) { (groups.get(kind) || groups.set(kind, []).get(kind)).push(i); } }
  for (const there of groups.values()) {
    const mean = (by) => there.reduce((sum, i) => sum + by(i), 0) / there.length, mx = mean((i) => G.x[i]), my = mean((i) => G.y[i]), ml = mean((i) => found[i][0]);
    for (const i of there) { const x = G.x[i] - mx, y = G.y[i] - my, l = found[i][0] - ml; xx += x * x; xy += x * y; yy += y * y; xl += x * l; yl += y * l; }
  }
  const det = xx * yy - xy * xy;
  if (det <= 1e-6 * (xx + yy) ** 2) { return; }
  const a = (xl * yy - yl * xy) / det, b = (yl * xx - xl * xy) / det;
  found.forEach((one, i) => { if (one) { one[0] -= a * G.x[i] + b * G.y[i]; } });
}
const WEIGHT = [0.7, 1.5, 1.5, 0.6];
const far = (a, b) => a.reduce((sum, one, n) => sum + ((one - b[n]) * WEIGHT[n]) ** 2, 0);
// up to three colours of a terrain: boards have woods on clear ground and woods on hills
function centres(list) {
  let found = [list[0]];
  while (found.length < Math.min(KINDS, list.length)) {
    const next = list.reduce((most, one) => { const least = Math.min(...found.map((each) => far(one, each))); return least > most[0] ? [least, one] : most; }, [40, null])[1];
    if (!next) { break; }
    found.push(next);
  }
  for (let n = 0; n < 8; n++) {
    const groups = found.map(() => []);
    for (const one of list) { groups[found.reduce((best, each, k) => (far(one, each) < far(one, found[best]) ? k : best), 0)].push(one); }
    found = groups.map((group, k) => (group.length ? group[0].map((_, d) => group.reduce((sum, one) => sum + one[d], 0) / group.length) : found[k]));
  }
  return found;
}
// hexes that somebody has painted: all but those of the letter with which an empty map is filled
function painted() {
  const letters = of("t"), count = new Map(), known = new Map();
  for (const letter of letters.values()) { count.set(letter, (count.get(letter) || 0) + 1); }
  const fill = [...count].sort((a, b) => b[1] - a[1])[0][0];
  S.model.hexes.forEach(([hex], i) => {
    const letter = letters.get(hex);
    if (letter !== fill || touched("t/" + hex) || S.sure.has(hex)) { (known.get(letter) || known.set(letter, []).get(letter)).push(i); }
  });
  return known;
}
export function guess() {
  const known = painted();
  if (known.size < 2) { tell(say("paint-first"), true); return; }
  const found = samples(), sure = new Set([...known.values()].flat()), meant = new Map();
  for (const [letter, hexes] of known) { hexes.forEach((i) => meant.set(i, letter)); }
  for (let n = 0; n < ROUNDS; n++) {
    even(found, meant);
    const kinds = [...known].map(([letter, hexes]) => [letter, centres(hexes.map((i) => found[i]).filter(Boolean))]).filter(([, list]) => list[0]);
    found.forEach((one, i) => {
      if (!one || sure.has(i)) { return; }
      let best = "", least = Infinity;
      for (const [letter, list] of kinds) { for (const each of list) { const now = far(one, each); if (now < least) { least = now; best = letter; } } }
      meant.set(i, best);
    });
  }
  S.proposals = new Map([...meant].filter(([i]) => !sure.has(i)));
  tell(say("proposed", { count: S.proposals.size }));
  emit("panel");
  redraw("top");
}
export function accept(hexes) {
  begin("proposals");
  for (const i of hexes) {
    const letter = S.proposals.get(i);
    if (letter === undefined) { continue; }
    const one = S.terrain.get(letter);
    if (one && one.new && get("L/" + letter) === null) { set("L/" + letter, one.key); }
    set("t/" + number(i), letter);
    S.sure.add(number(i));
    S.proposals.delete(i);
  }
  end();
  emit("panel");
  redraw("top");
}
