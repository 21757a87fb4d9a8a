// The view of the map: how large, and what of it. The screen is V.k times the drawing, moved by V.x and V.y.
import { $, emit } from "./edit-state.js";
import { G } from "./edit-geometry.js";

export const V = { k: 1, x: 0, y: 0, wide: 1, high: 1, dots: 1, chosen: false };
export const map = $("map");

export function measure() {
  const box = map.getBoundingClientRect();
  V.wide = Math.max(1, box.width);
  V.high = Math.max(1, box.height);
  V.dots = Math.min(2, devicePixelRatio || 1);
  map.querySelectorAll("canvas").forEach((one) => { one.width = V.wide * V.dots; one.height = V.high * V.dots; });
  if (!V.chosen) { fit(); } else { emit("view"); }
}
export function fit() {
  V.k = Math.min((V.wide - 16) / G.wide, (V.high - 16) / G.high, 2);
  V.x = (V.wide - G.wide * V.k) / 2;
  V.y = (V.high - G.high * V.k) / 2;
  V.chosen = false;
  emit("view");
}
export function zoom(by, x = V.wide / 2, y = V.high / 2) {
  const k = Math.max(0.02, Math.min(6, V.k * by));
  V.x = x - (x - V.x) * k / V.k;
  V.y = y - (y - V.y) * k / V.k;
  V.k = k;
  V.chosen = true;
  emit("view");
}
export function pan(dx, dy) { V.x += dx; V.y += dy; V.chosen = true; emit("view"); }
export function screen(x, y) { return [x * V.k + V.x, y * V.k + V.y]; }
export function board(x, y) { return [(x - V.x) / V.k, (y - V.y) / V.k]; }
// bring a point into view
export function show(x, y) {
  const [sx, sy] = screen(x, y), rim = 40;
  if (sx !== sx) { return; }  // on a sheet that the picture doesn't show
  const dx = sx < rim ? rim - sx : sx > V.wide - rim ? V.wide - rim - sx : 0, dy = sy < rim ? rim - sy : sy > V.high - rim ? V.high - rim - sy : 0;
  if (dx || dy) { pan(dx, dy); }
}
new ResizeObserver(() => { if (G.x.length || G.wide > 1) { measure(); } }).observe(map);
document.querySelectorAll("[data-zoom]").forEach((one) => one.addEventListener("click", () => { const by = Number(one.dataset.zoom); if (by) { zoom(by); } else { fit(); } }));
