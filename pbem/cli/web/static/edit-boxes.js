// Boxes, and areas that are locations of their own: what the map says of each is one line of YAML.
import { S, button, el, emit, say, tell } from "./edit-state.js";
import { change, get, of } from "./edit-store.js";
import { closed, shaped } from "./edit-shapes.js";

const ID = /^[A-Za-z0-9][A-Za-z0-9_.,]{0,39}$/;
const listed = () => [...of("x").keys()].map((rest) => { const cut = rest.indexOf("/"); return { key: "x/" + rest, group: rest.slice(0, cut), id: rest.slice(cut + 1) }; });
export function boxesForm() {
  const all = listed(), chosen = all.find((one) => one.id === S.box), groups = [...new Set([...(shaped() ? [] : ["-"]), ...S.model.layers.map((one) => one.key), ...all.map((one) => one.group)])];
  const list = el("ul", { className: "counters" }, all.map((one) => el("li", {}, (() => {
    const each = button(one.id, () => { S.box = S.box === one.id ? "" : one.id; emit("panel"); emit("outlines"); }, { ariaPressed: String(S.box === one.id) });
    each.append(el("small", {}, " " + get(one.key)));
    each.dataset.box = one.id;
    return each;
  })())));
  return [el("p", { className: "faint" }, say(shaped() ? "shapes-how" : "boxes-how")), shaped() ? eraser() : "", list, chosen ? card(chosen) : "", more(groups)];
}
function eraser() { return el("div", { className: "row", role: "group", ariaLabel: say("draw-or-remove") }, [false, true].map((gone) => button(say(gone ? "remove-points" : "drag-points"), () => { S.erase = gone; emit("panel"); }, { ariaPressed: String(S.erase === gone) }))); }
function card(one) {
  const line = el("input", { id: "box-line", value: get(one.key) || "", spellcheck: false });
  line.addEventListener("change", () => change("box", [[one.key, line.value.trim() || "{}"]]));
  return el("fieldset", {}, el("legend", {}, one.id), el("p", { className: "field" }, el("label", { htmlFor: "box-line" }, say("box-says")), line),
    S.model.hexes.length || one.group === "-" ? "" : outliner(),
    button(say("remove-box"), () => { change("box", [[one.key, null]]); S.box = ""; emit("panel"); }, { id: "remove-box" }));
}
// an area of a map without hexes gets an outline by clicks
function outliner() {
  const begin = () => { S.ring = []; tell(say("outline-how")); emit("panel"); emit("outlines"); };
  if (!S.ring) { return button(say("draw-outline"), begin, { id: "draw-outline" }); }
  return el("div", { className: "row" }, S.ring.length > 2 ? button(say("close-outline"), closed, { id: "close-outline" }) : "", button(say("cancel"), () => { S.ring = null; emit("panel"); emit("outlines"); }));
}
function more(groups) {
  const id = el("input", { id: "new-box" }), name = el("input", { id: "new-box-name" }), group = el("select", { id: "new-box-group" }, groups.map((one) => el("option", { value: one, selected: one === S.boxGroup }, one === "-" ? say("box") : one)));
  group.addEventListener("change", () => { S.boxGroup = group.value; });  // the panel may be drawn anew before "Add"
  const make = () => {
    const key = "x/" + group.value + "/" + id.value.trim();
    if (!ID.test(id.value.trim()) || get(key)) { tell(say("bad-box"), true); return; }
    S.box = id.value.trim();
    change("box", [[key, "{name: " + JSON.stringify(name.value.trim() || S.box) + "}"]]);
    emit("panel");
  };
  return el("details", {}, el("summary", {}, say("new-box")), groups.length > 1 ? el("p", { className: "field" }, el("label", { htmlFor: "new-box-group" }, say("box-kind")), group) : "",
    el("p", { className: "field" }, el("label", { htmlFor: "new-box" }, say("id")), id), el("p", { className: "field" }, el("label", { htmlFor: "new-box-name" }, say("name")), name), button(say("add-counter"), make, { id: "add-box" }),
    button(say("remove-boxes"), () => { S.box = ""; change("box", listed().map((one) => [one.key, null])); emit("panel"); }, { id: "remove-boxes" }));
}
