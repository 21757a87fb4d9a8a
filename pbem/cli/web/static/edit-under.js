// The picture under a map of areas: straightened by its four corners, and by places of units that were dragged to where they are.
import { S } from "./edit-state.js";
import { placer } from "./edit-fit.js";
import { of } from "./edit-store.js";

const FINE = 2, MOST = 3000;  // pixels of a unit of the drawing, and of the longer side
const WIDE = 1000, HIGH = 720, MOST_HIGH = 2000;  // of a drawing that begins with a picture
const apart = ([ax, ay], [bx, by]) => Math.hypot(bx - ax, by - ay);
// the size of the drawing: that of the outlines, else as wide and high as the board on the picture
function frame(alignment) {
  if (S.model.outlines) { return S.model.outlines.size; }
  const [a, b, c, d] = ["top-left", "top-right", "bottom-right", "bottom-left"].map((name) => alignment.corners[name]);
  if (!a || !b || !c || !d) { return [WIDE, HIGH]; }
  return [WIDE, Math.max(1, Math.min(MOST_HIGH, Math.round(WIDE * (apart(a, d) + apart(b, c)) / (apart(a, b) + apart(d, c)))))];
}
export function straightened({ image, size, alignment }) {
  const [wide, high] = frame(alignment), stands = [...of("h")].map(([key, at]) => [key.split("/"), at]).filter(([[, , what]]) => what === "stand").map(([[, area], at]) => [area, at]);
  const corners = [["top-left", [0, 0]], ["top-right", [wide, 0]], ["bottom-right", [wide, high]], ["bottom-left", [0, high]]];
  const to = placer(new Map([...corners, ...stands]), alignment), by = image.width / size[0], made = document.createElement("canvas"), fine = Math.min(FINE, MOST / Math.max(wide, high));
  made.width = Math.round(wide * fine);
  made.height = Math.round(high * fine);
  const from = image.getContext("2d").getImageData(0, 0, image.width, image.height), pen = made.getContext("2d"), out = pen.createImageData(made.width, made.height);
  const there = new Uint32Array(from.data.buffer), here = new Uint32Array(out.data.buffer);
  for (let y = 0; y < made.height; y++) {
    for (let x = 0; x < made.width; x++) {
      const [u, v] = to(x / fine, y / fine), px = Math.floor(u * by), py = Math.floor(v * by);
      if (px >= 0 && py >= 0 && px < image.width && py < image.height) { here[y * made.width + x] = there[py * image.width + px]; }
    }
  }
  pen.putImageData(out, 0, 0);
  return { image: made, size: [wide, high], to };
}
