// Counters as the map draws them (pbem/report/svg/units.py): block, symbol, label, figures, steps. The program says what each
// shows; until it can, a counter is a block with words.
import { S, ask, emit, on } from "./edit-state.js";
import { get, worked } from "./edit-store.js";

const made = new Map(), INK = "#1d1b16", PAPER = "#f7f2e2";
let stale = true;

const outline = (text) => made.get(text) || made.set(text, new Path2D(text)).get(text);
function words(c, text, x, y, size, align, wide) {
  c.font = "600 " + size + "px sans-serif";
  c.textAlign = align;
  c.fillText(text, x, y, wide);
}
function block(c, fill) {
  c.beginPath();
  c.roundRect(-15, -15, 30, 30, 2.5);
  c.fillStyle = fill;
  c.fill();
}
function symbol(c, one, narrow) {
  c.save();
  c.translate(narrow ? 4 : 0, 1.2);
  c.scale(narrow ? 0.8 : 1.05, 0.92);
  c.fillStyle = PAPER;
  c.fillRect(-9.5, -8, 19, 12);
  c.strokeStyle = c.fillStyle = INK;
  c.lineWidth = 1;
  c.strokeRect(-9.5, -8, 19, 12);
  if (one.line) { c.lineWidth = 1.2; c.stroke(outline(one.line)); }
  if (one.fill) { c.fill(outline(one.fill)); }
  c.restore();
}
function front(c, face) {
  const ink = face.paint.ink, [left, all] = face.steps, label = face.label.startsWith(face.corner + "-") ? face.label.slice(face.corner.length + 1) : face.label;
  const own = S.faces.symbols[face.symbol];
  if (own) { symbol(c, own, face.marks); }
  c.fillStyle = ink;
  words(c, label, -13.8, -7, 9.6, "left", 18);
  words(c, face.corner, 13.8, -7, 8, "right", 9);
  words(c, face.echelon.slice(0, 4), 14.4, 1, 5, "right", 5);
  if (face.foot) { words(c, face.foot, all > 1 ? -12.5 : 0, 13.8, 9.6, all > 1 ? "left" : "center", all > 1 ? 14 : 26); }
  if (all > 1) {
    const wide = Math.min(4.2, 13 / all);
    c.strokeStyle = ink;
    c.lineWidth = 0.6;
    for (let n = 0; n < all; n++) { c[n < left ? "fillRect" : "strokeRect"](13.4 - wide * (all - n), 8.4, wide - 1, 4); }
  }
  if (face.marks) {
    c.fillRect(-14.4, -6.2, 9, 10.4);
    c.fillStyle = face.paint.fill;
    words(c, face.marks, -9.9, 2.4, 8, "center", 8);
  }
}
// a counter around a point, so large
export function piece(c, one, x, y, size, chosen) {
  const face = S.faces && S.faces.faces[one.id], form = face && face.form;
  c.save();
  c.translate(x, y);
  c.scale(size / 30, size / 30);
  c.strokeStyle = chosen ? "#ff2fa0" : "#00000099";
  c.lineWidth = chosen ? 2.5 : 1;
  if (form) {
    c.fillStyle = face.paint.fill;
    const path = S.faces.forms[form] ? outline(S.faces.forms[form]) : new Path2D();
    if (!S.faces.forms[form]) { path.roundRect(-17, -11, 34, 22, 4); }
    c.fill(path);
    c.stroke(path);
  } else {
    block(c, (face || one).paint.fill);
    c.stroke();
    if (face) { front(c, face); } else {
      c.fillStyle = one.paint.ink;
      words(c, one.label[0], 0, -1, 11, "center", 27);
      words(c, one.label[1] || "", 0, 11, 11, "center", 27);
    }
  }
  c.restore();
}
// a picture of one counter for the list
export function chip(one, size = 34) {
  const made_ = document.createElement("canvas"), dots = Math.min(2, devicePixelRatio || 1);
  made_.width = made_.height = size * dots;
  made_.className = "chip";
  made_.style.width = made_.style.height = size + "px";
  made_.setAttribute("aria-hidden", "true");
  const c = made_.getContext("2d");
  c.scale(dots, dots);
  piece(c, one, size / 2, size / 2, size * 0.88, false);
  return made_;
}
async function fetched() {
  if (!stale) { return; }
  stale = false;
  const found = await ask("/faces", { work: worked() }).catch(() => null);
  if (found && found.faces) { S.faces = found; emit("faces"); emit("top"); document.body.dataset.faces = Object.keys(found.faces).length; }
}
on("checked", (errors) => { if (!errors) { fetched(); } });
on("loaded", () => { stale = true; if (S.model.faults.every((one) => one.severity !== "error")) { fetched(); } });
on("changed", (keys) => {
  const place = (key) => S.model && S.model.tables.some((one) => one.place && key.startsWith("c/" + one.file + "/") && key.endsWith("/" + one.place));
  if (keys.some((key) => key[0] === "f" || key[0] === "m" || ((key[0] === "c" || key[0] === "r") && !place(key) && get(key) !== undefined))) { stale = true; }
});
