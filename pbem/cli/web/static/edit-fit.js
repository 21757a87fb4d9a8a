// The grid laid on a picture: a homography through the hexes that were clicked, and what single hexes were dragged by.
// The file that this makes is described in docs/own-scenarios.md; `place` is the whole of its meaning.

function solve(rows, right) {
  const n = right.length, m = rows.map((row, i) => [...row, right[i]]);
  for (let c = 0; c < n; c++) {
    let p = c;
    for (let r = c + 1; r < n; r++) { if (Math.abs(m[r][c]) > Math.abs(m[p][c])) { p = r; } }
    if (Math.abs(m[p][c]) < 1e-12) { return null; }
    [m[c], m[p]] = [m[p], m[c]];
    for (let r = 0; r < n; r++) {
      if (r === c) { continue; }
      const f = m[r][c] / m[c][c];
      for (let k = c; k <= n; k++) { m[r][k] -= f * m[c][k]; }
    }
  }
  return m.map((row, i) => row[n] / row[i]);
}
// the middle of points and how far they are spread: numbers near 1 are solved exactly
function spread(points) {
  const mx = points.reduce((sum, p) => sum + p[0], 0) / points.length, my = points.reduce((sum, p) => sum + p[1], 0) / points.length;
  const s = points.reduce((sum, p) => sum + Math.hypot(p[0] - mx, p[1] - my), 0) / points.length || 1;
  return [mx, my, s];
}
function homography(from, to) {
  const [fx, fy, fs] = spread(from), [tx, ty, ts] = spread(to), wide = from.length > 4 || from.length === 4 ? 8 : 6;
  const normal = Array.from({ length: wide }, () => new Array(wide).fill(0)), right = new Array(wide).fill(0);
  from.forEach((p, n) => {
    const x = (p[0] - fx) / fs, y = (p[1] - fy) / fs, u = (to[n][0] - tx) / ts, v = (to[n][1] - ty) / ts;
    for (const [row, value] of [[[x, y, 1, 0, 0, 0, -u * x, -u * y], u], [[0, 0, 0, x, y, 1, -v * x, -v * y], v]]) {
      for (let i = 0; i < wide; i++) { right[i] += row[i] * value; for (let j = 0; j < wide; j++) { normal[i][j] += row[i] * row[j]; } }
    }
  });
  const h = solve(normal, right);
  if (!h) { return null; }
  const [a, b, c, d, e, f, g = 0, k = 0] = h;
  return (px, py) => {
    const x = (px - fx) / fs, y = (py - fy) / fs, w = g * x + k * y + 1;
    return [(a * x + b * y + c) / w * ts + tx, (d * x + e * y + f) / w * ts + ty];
  };
}
const FAR = 8 * 80;  // a hex that was dragged draws its neighbours along, and hardly those this far away
// `at`: where hexes are on the drawing, by their numbers; areas and corners by their names
export function placer(at, alignment) {
  const listed = (points) => Object.entries(points || {}).filter(([number]) => at.has(number));
  const corners = listed(alignment.corners), moved = listed(alignment.moved);
  const to = homography(corners.map(([number]) => at.get(number)), corners.map(([, point]) => point)) || ((x, y) => [x, y]);
  const rests = [...corners, ...moved].map(([number, point]) => { const [x, y] = at.get(number), [px, py] = to(x, y); return [x, y, point[0] - px, point[1] - py]; });
  return (x, y) => {
    const [px, py] = to(x, y);
    let sum = 1 / FAR ** 2, dx = 0, dy = 0;
    for (const [rx, ry, mx, my] of rests) {
      const far = (rx - x) ** 2 + (ry - y) ** 2;
      if (far === 0) { return [px + mx, py + my]; }
      sum += 1 / far; dx += mx / far; dy += my / far;
    }
    return [px + dx / sum, py + dy / sum];
  };
}
