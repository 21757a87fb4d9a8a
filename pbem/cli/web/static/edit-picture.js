// Pictures of the board, of the whole or of single sheets: taken in, the grid laid on them by clicks, single hexes dragged to where
// they are. On a map of areas the picture is straightened and lies under the outlines.
import { S, ask, button, el, emit, on, say, tell, wrong } from "./edit-state.js";
import { G, lay, number } from "./edit-geometry.js";
import { begin, change, end, get, set } from "./edit-store.js";
import { fit } from "./edit-view.js";
import { redraw } from "./edit-draw.js";
import { accept, guess } from "./edit-guess.js";
import { straightened } from "./edit-under.js";

const MOST = 4096;  // pixels of the longer side that are drawn: phones and browsers run out of memory above
const CORNERS = ["top-left", "top-right", "bottom-right", "bottom-left"];
let grip = "", timer = 0, kept = new Set();
const key = () => "b/" + S.picture.sheet;

// the pictures that the folder has: one is opened, how all lie is known
export async function begun(pictures) {
  S.pictures = Object.fromEntries(Object.entries(pictures).map(([sheet, one]) => [sheet, one.file]));
  for (const [sheet, { laid }] of Object.entries(pictures)) { if (laid && laid.corners) { set("b/" + sheet, laid); } }
  const [first] = Object.keys(pictures);
  if (first !== undefined) { await open(first); }
}
async function open(sheet) {
  S.picture = null;
  S.scan = sheet;
  if (S.pictures[sheet]) {
    const image = new Image();
    image.src = (document.body.dataset.root || "") + "/edit/picture?sheet=" + sheet + "&" + Date.now();
    await image.decode();
    const by = Math.min(1, MOST / Math.max(image.naturalWidth, image.naturalHeight));
    const small = document.createElement("canvas");
    small.width = Math.round(image.naturalWidth * by);
    small.height = Math.round(image.naturalHeight * by);
    small.getContext("2d").drawImage(image, 0, 0, small.width, small.height);
    S.picture = { sheet, name: S.pictures[sheet], image: small, size: [image.naturalWidth, image.naturalHeight], alignment: get("b/" + sheet), laying: null, under: null };
    straighten();
  }
  lay();
  fit();
}
function straighten() { S.picture.under = S.picture.alignment && !S.model.hexes.length ? straightened(S.picture) : null; }
// the four corners of the map, and two neighbours of the first: these prove which way the rows are shifted
function wanted() {
  const at = S.model.hexes, there = at.map((_, i) => i).filter((i) => !S.picture.sheet || at[i][3] === S.picture.sheet);
  if (!there.length) { return [...CORNERS]; }
  const best = (worth) => there.reduce((most, i) => (worth(at[i]) > worth(at[most]) ? i : most), there[0]);
  const corners = [best(([, x, y]) => -x - y), best(([, x, y]) => x - y), best(([, x, y]) => x + y), best(([, x, y]) => y - x)];
  return [...new Set([...corners, ...S.model.near[corners[0]].filter((i) => there.includes(i)).slice(0, 2)])].map(number);
}
function begin_() {
  S.picture.laying = { left: wanted(), corners: {} };
  G.wide = S.picture.size[0];
  G.high = S.picture.size[1];
  fit();
  next();
}
function asked() {
  const { left } = S.picture.laying, what = left[0], count = left.length;
  return CORNERS.includes(what) ? say("click-corner", { corner: say(what), count }) : say("click-middle", { hex: what, count });
}
function next() {
  tell(asked());
  emit("panel");
  redraw("ground", "lines", "top", "hand");
}
export function laid(x, y) {
  const laying = S.picture.laying;
  laying.corners[laying.left.shift()] = [Math.round(x), Math.round(y)];
  if (laying.left.length) { next(); return; }
  S.picture.laying = null;
  const [wide, high] = S.picture.size, { sheet, name } = S.picture;
  S.shown = true;
  change("grid", [[key(), { pbem_board: 1, picture: { file: name, wide, high }, corners: laying.corners, moved: {}, ...(sheet ? { sheet } : {}) }]]);
  fit();
  emit("panel");
  tell(say(S.model.hexes.length ? "grid-laid" : "picture-laid"));
}
// a hex, or the place of a unit in an area, is dragged on the picture; without a point the drag ends
export function grabbed(name) { grip = name; begin("grid"); }
export function dragged(x, y) {
  if (!grip) { return; }
  if (x === undefined) { grip = ""; end(); return; }
  const now = get(key()), part = grip in now.corners ? "corners" : "moved";
  set(key(), { ...now, [part]: { ...now[part], [grip]: [Math.round(x), Math.round(y)] } });
}
on("changed", (keys) => {
  if (!S.picture || !keys.includes(key())) { return; }
  S.picture.alignment = get(key());
  straighten();
  lay();
  redraw("ground", "lines", "top", "hand");
});
on("loaded", () => { if (S.picture && !S.model.hexes.length) { straighten(); lay(); } });
on("aligned", (sheet) => {
  clearTimeout(timer);
  kept.add(sheet);
  document.body.dataset.aligned = "";
  timer = setTimeout(() => {
    const sheets = [...kept];
    kept = new Set();
    Promise.all(sheets.map((one) => ask("/align", get("b/" + one) || { gone: true, sheet: one }))).then(() => { document.body.dataset.aligned = "1"; }).catch(wrong);
  }, 300);
});

async function take(file) {
  tell(say("reading-picture"));
  const sheet = S.scan;
  try {
    const found = await ask("/picture?sheet=" + sheet, file);
    change("grid", [["b/" + sheet, null]]);
    S.pictures[sheet] = found.picture;
    await open(sheet);
    if (found.laid) { S.shown = true; change("grid", [[key(), found.laid]]); fit(); tell(say("grid-of-module")); } else { begin_(); }
    emit("panel");
    document.body.dataset.picture = Number(document.body.dataset.picture || 0) + 1;
  } catch (found) { wrong(found); }
}
// a map of several sheets: which of them the picture shows
function sheets() {
  if (S.model.sheets.length < 2) { return ""; }
  const pick = el("select", { id: "picture-sheet" }, [["", say("whole-board")], ...S.model.sheets].map(([name, title]) => el("option", { value: name }, title || name)));
  pick.value = S.scan;
  pick.addEventListener("change", () => open(pick.value).catch(() => tell(say("no-picture"), true)).then(() => emit("panel")));
  return el("p", { className: "field" }, el("label", { htmlFor: "picture-sheet" }, say("picture-of")), pick);
}
export function pictureForm() {
  const input = el("input", { type: "file", id: "picture-file", accept: ".png,.jpg,.jpeg,.webp,.vmod" });
  input.addEventListener("change", () => { if (input.files[0]) { take(input.files[0]); } });
  const file = el("p", { className: "field" }, el("label", { htmlFor: "picture-file" }, say("picture-file")), input), hexes = S.model.hexes.length;
  if (!S.picture) { return [el("p", {}, say(hexes ? "picture-how" : "picture-how-areas")), sheets(), file]; }
  if (S.picture.laying) {
    return [el("p", { className: "strong" }, asked()), button(say("cancel"), () => { S.picture.laying = null; lay(); fit(); emit("panel"); })];
  }
  const show = el("input", { type: "checkbox", id: "picture-show", checked: S.shown });
  show.addEventListener("change", () => { S.shown = show.checked; lay(); fit(); emit("panel"); });
  const opacity = el("input", { type: "range", id: "opacity", min: 0, max: 100, value: Math.round(S.opacity * 100) });
  opacity.addEventListener("input", () => { S.opacity = Number(opacity.value) / 100; redraw("ground"); });
  const again = hexes ? "lay-again" : "lay-again-areas", first = hexes ? "lay" : "lay-areas";
  return [
    sheets(),
    S.picture.alignment ? [el("p", {}, el("label", {}, show, " " + say("picture-show"))), el("p", { className: "field" }, el("label", { htmlFor: "opacity" }, say("opacity")), opacity), el("p", { className: "faint" }, say(hexes ? "drag-hexes" : "drag-areas"))] : "",
    button(say(S.picture.alignment ? again : first), begin_, { id: "lay" }),
    S.picture.alignment && hexes ? el("fieldset", {}, el("legend", {}, say("propose")), el("p", { className: "faint" }, say("propose-how")),
      el("div", { className: "row" }, button(say("propose-now"), guess, { id: "propose" }), S.proposals.size ? [button(say("accept-all", { count: S.proposals.size }), () => accept([...S.proposals.keys()]), { id: "accept-all" }), button(say("drop-proposals"), () => { S.proposals.clear(); emit("panel"); redraw("top"); })] : "")) : "",
    el("details", {}, el("summary", {}, say("other-picture")), file)
  ];
}

