// The picture of the board: taken in, the grid laid on it by clicks, single hexes dragged to where they are.
import { S, ask, button, el, emit, on, say, tell, wrong } from "./edit-state.js";
import { G, lay, number } from "./edit-geometry.js";
import { begin, change, end, get, set } from "./edit-store.js";
import { fit } from "./edit-view.js";
import { redraw } from "./edit-draw.js";
import { accept, guess } from "./edit-guess.js";

const MOST = 4096;  // pixels of the longer side that are drawn: phones and browsers run out of memory above
let grip = -1, timer = 0;

export async function open(name, alignment) {
  if (!name) { S.picture = null; return; }
  const image = new Image();
  image.src = (document.body.dataset.root || "") + "/edit/picture?" + Date.now();
  await image.decode();
  const by = Math.min(1, MOST / Math.max(image.naturalWidth, image.naturalHeight));
  const small = document.createElement("canvas");
  small.width = Math.round(image.naturalWidth * by);
  small.height = Math.round(image.naturalHeight * by);
  small.getContext("2d").drawImage(image, 0, 0, small.width, small.height);
  S.picture = { name, image: small, size: [image.naturalWidth, image.naturalHeight], alignment: null, laying: null };
  if (alignment && alignment.corners) { set("b/alignment", alignment); }
}
// the four corners of the map, and two neighbours of the first: these prove which way the rows are shifted
function wanted() {
  const at = S.model.hexes, best = (worth) => at.reduce((most, one, i) => (worth(one) > worth(at[most]) ? i : most), 0);
  const corners = [best(([, x, y]) => -x - y), best(([, x, y]) => x - y), best(([, x, y]) => x + y), best(([, x, y]) => y - x)];
  return [...new Set([...corners, ...S.model.near[corners[0]].slice(0, 2)])];
}
function begin_() {
  S.picture.laying = { left: wanted(), corners: {} };
  G.wide = S.picture.size[0];
  G.high = S.picture.size[1];
  fit();
  next();
}
function next() {
  const left = S.picture.laying.left;
  tell(say("click-middle", { hex: number(left[0]), count: left.length }));
  emit("panel");
  redraw("top");
}
export function laid(x, y) {
  const laying = S.picture.laying;
  laying.corners[number(laying.left.shift())] = [Math.round(x), Math.round(y)];
  if (laying.left.length) { next(); return; }
  S.picture.laying = null;
  const [wide, high] = S.picture.size;
  S.shown = true;
  change("grid", [["b/alignment", { pbem_board: 1, picture: { file: S.picture.name, wide, high }, corners: laying.corners, moved: {} }]]);
  fit();
  tell(say("grid-laid"));
}
// a hex is dragged on the picture; without a point the drag ends
export function grabbed(i) { grip = i; begin("grid"); }
export function dragged(x, y) {
  if (grip < 0) { return; }
  if (x === undefined) { grip = -1; end(); return; }
  const now = get("b/alignment"), hex = number(grip), part = hex in now.corners ? "corners" : "moved";
  set("b/alignment", { ...now, [part]: { ...now[part], [hex]: [Math.round(x), Math.round(y)] } });
}
on("changed", (keys) => {
  if (!keys.includes("b/alignment") || !S.picture) { return; }
  S.picture.alignment = get("b/alignment");
  lay();
  redraw("ground", "lines", "top", "hand");
});
on("aligned", (alignment) => {
  clearTimeout(timer);
  document.body.dataset.aligned = "";
  timer = setTimeout(() => ask("/align", alignment || { gone: true }).then(() => { document.body.dataset.aligned = "1"; }).catch(wrong), 300);
});

async function take(file) {
  tell(say("reading-picture"));
  try {
    const found = await ask("/picture", file);
    change("grid", [["b/alignment", null]]);
    await open(found.picture, null);
    if (found.alignment) { S.shown = true; change("grid", [["b/alignment", found.alignment]]); fit(); tell(say("grid-of-module")); }
    emit("panel");
    if (S.model.hexes.length && !found.alignment) { begin_(); }
    document.body.dataset.picture = "1";
  } catch (found) { wrong(found); }
}
export function pictureForm() {
  const input = el("input", { type: "file", id: "picture-file", accept: ".png,.jpg,.jpeg,.webp,.vmod" });
  input.addEventListener("change", () => { if (input.files[0]) { take(input.files[0]); } });
  const file = el("p", { className: "field" }, el("label", { htmlFor: "picture-file" }, say("picture-file")), input);
  if (!S.picture) { return [el("p", {}, say("picture-how")), file]; }
  if (S.picture.laying) {
    return [el("p", { className: "strong" }, say("click-middle", { hex: number(S.picture.laying.left[0]), count: S.picture.laying.left.length })), button(say("cancel"), () => { S.picture.laying = null; lay(); fit(); emit("panel"); })];
  }
  const show = el("input", { type: "checkbox", id: "picture-show", checked: S.shown });
  show.addEventListener("change", () => { S.shown = show.checked; lay(); fit(); emit("panel"); });
  const opacity = el("input", { type: "range", id: "opacity", min: 0, max: 100, value: Math.round(S.opacity * 100) });
  opacity.addEventListener("input", () => { S.opacity = Number(opacity.value) / 100; redraw("ground"); });
  return [
    S.picture.alignment ? [el("p", {}, el("label", {}, show, " " + say("picture-show"))), el("p", { className: "field" }, el("label", { htmlFor: "opacity" }, say("opacity")), opacity), el("p", { className: "faint" }, say("drag-hexes"))] : "",
    button(say(S.picture.alignment ? "lay-again" : "lay"), begin_, { id: "lay" }),
    S.picture.alignment ? el("fieldset", {}, el("legend", {}, say("propose")), el("p", { className: "faint" }, say("propose-how")),
      el("div", { className: "row" }, button(say("propose-now"), guess, { id: "propose" }), S.proposals.size ? [button(say("accept-all", { count: S.proposals.size }), () => accept([...S.proposals.keys()]), { id: "accept-all" }), button(say("drop-proposals"), () => { S.proposals.clear(); emit("panel"); redraw("top"); })] : "")) : "",
    el("details", {}, el("summary", {}, say("other-picture")), file)
  ];
}

