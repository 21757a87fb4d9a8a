// The panel: the tools, and what the one in hand offers.
import { $, S, button, el, emit, on, say } from "./edit-state.js";
import { get, many, of, unsaved } from "./edit-store.js";
import { again, back, described } from "./edit-keys.js";
import { tray } from "./edit-counters.js";
import { hexForm } from "./edit-places.js";
import { pick } from "./edit-tools.js";
import { pictureForm } from "./edit-picture.js";
import { sizeForm, textForm } from "./edit-size.js";
import { boxesForm } from "./edit-boxes.js";
import { setupForm } from "./edit-forms.js";
import { shaped } from "./edit-shapes.js";
import { hue, redraw } from "./edit-draw.js";

const TOOLS = [["hand", "H"], ["terrain", "T"], ["sides", "E"], ["links", "R"], ["places", "P"], ["areas", "A"], ["counters", "C"], ["boxes", "X"], ["picture", "I"], ["size", ""], ["setup", "S"], ["text", ""]];
const dark = matchMedia("(prefers-color-scheme:dark)");
function swatch(colour, dash) { return el("i", { className: "swatch", style: dash ? "background:none;border-bottom:4px " + dash + " " + colour : "background:" + colour }); }
function chooser(listed, label, chosen, by) {
  return el("div", { className: "swatches", role: "group", ariaLabel: label }, listed.map((one) => {
    const each = button("", () => { by(one); emit("panel"); }, { ariaPressed: String(chosen === one.value) });
    each.append(swatch(one.colour, one.dash), el("span", {}, one.name));
    each.dataset.value = one.value;
    return each;
  }));
}
function sizes() { return el("div", { className: "row", role: "group", ariaLabel: say("brush-size") }, [1, 2, 3, 4].map((n) => button(say("brush-" + n), () => { S.size = n; emit("panel"); }, { ariaPressed: String(S.size === n), title: "[ ]" }))); }
function eraser() { return el("div", { className: "row", role: "group", ariaLabel: say("draw-or-remove") }, [false, true].map((gone) => button(say(gone ? "remove" : "draw"), () => { S.erase = gone; emit("panel"); }, { ariaPressed: String(S.erase === gone) }))); }

const FORMS = {
  hand: () => [el("p", {}, say("hand-how")), el("p", {}, say("keys-how"))],
  terrain: () => [
    el("div", { className: "row", role: "group", ariaLabel: say("how-to-paint") }, [["brush", "B"], ["fill", "F"], ["rectangle", "G"]].map(([key, sign]) => button(say(key), () => { S.mode = key; S.anchor = -1; emit("panel"); }, { ariaPressed: String(S.mode === key), title: sign }))),
    S.mode === "brush" ? sizes() : "",
    chooser([...S.terrain.values()].map((one) => ({ value: one.letter, name: (one.name || say("no-hex")) + (one.new ? " +" : ""), colour: dark.matches ? one.dark : one.light })), say("terrain"), S.letter, (one) => { S.letter = one.value; })
  ],
  sides: () => [chooser(S.model.hexsides.map((one) => ({ value: one.key, name: one.name, colour: dark.matches ? one.line.dark : one.line.light, dash: one.line.dash ? "dashed" : "solid" })), say("sides"), S.side, (one) => { S.side = one.value; }), S.model.hexsides.length ? el("p", { className: "faint" }, say("sides-how")) : el("p", {}, say("no-kinds"))],
  links: () => [eraser(), chooser(S.model.links.map((one) => ({ value: one.key, name: one.name, colour: one.line.casing || (dark.matches ? one.line.dark : one.line.light), dash: one.line.dash ? "dashed" : "solid" })), say("links"), S.link, (one) => { S.link = one.value; S.anchor = -1; }), S.model.links.length ? el("p", { className: "faint" }, say("links-how")) : el("p", {}, say("no-kinds"))],
  places: hexForm,
  areas: () => {
    const known = [...new Set([...of("a")].filter(([rest]) => rest.startsWith(S.layer + "/")).map(([, area]) => area))].sort();
    const input = el("input", { id: "area-name", value: S.area });
    input.addEventListener("change", () => { S.area = input.value.trim(); emit("panel"); });
    if (!S.model.layers.length) { return [el("p", {}, say("no-kinds"))]; }
    return [chooser(S.model.layers.map((one) => ({ value: one.key, name: one.name, colour: "#8886" })), say("areas"), S.layer, (one) => { S.layer = one.value; redraw("lines"); }), eraser(), sizes(),
      el("p", { className: "field" }, el("label", { htmlFor: "area-name" }, say("area-name")), input),
      chooser(known.map((name) => ({ value: name, name, colour: hue(name) })), say("known-areas"), S.area, (one) => { S.area = one.value; })];
  },
  counters: tray, boxes: boxesForm, shapes: boxesForm, picture: pictureForm, size: sizeForm, setup: setupForm, text: textForm
};
function drawn() {
  const focus = document.activeElement && document.activeElement.id, pressed = document.activeElement && document.activeElement.dataset.value;
  document.querySelectorAll("#tools button").forEach((one) => one.setAttribute("aria-pressed", String(one.id === "tool-" + (S.tool === "shapes" ? "boxes" : S.tool))));
  const open = new Set([...document.querySelectorAll("#form details:not(.node)[open] summary")].map((one) => one.innerText));
  $("form").replaceChildren(...[FORMS[S.tool]()].flat(4).filter((one) => one));
  document.querySelectorAll("#form details:not(.node)").forEach((one) => { one.open = open.has(one.querySelector("summary").innerText) || one.open; });
  bar();
  const again_ = (focus && $(focus)) || (pressed && document.querySelector('#form [data-value="' + CSS.escape(pressed) + '"]'));
  if (again_ && document.activeElement === document.body) { again_.focus(); }
}
function bar() {
  const [done, undone] = many(), count = unsaved();
  $("undo").setAttribute("aria-disabled", String(!done));
  $("redo").setAttribute("aria-disabled", String(!undone));
  $("save").setAttribute("aria-disabled", String(!count));
  $("title").textContent = get("m/scenario.yaml/title") || S.model.title;
  $("state").textContent = count ? say("unsaved", { count }) : say("all-saved");
  document.body.dataset.unsaved = count;
}
// nobody loses what they are writing because the program has answered
function typing() { return Boolean(document.activeElement?.closest("#form input, #form textarea, #form select")); }
// a button that is drawn anew between press and release is not clicked: the panel waits for the release, and until a field is left
let wanted = false, held = false, writing = false;
function later() {
  if (wanted) { return; }
  wanted = true;
  requestAnimationFrame(() => { if (!held && !writing) { wanted = false; if (S.model) { drawn(); } } });
}
addEventListener("pointerdown", () => { held = true; }, true);
for (const end of ["pointerup", "pointercancel"]) { addEventListener(end, () => setTimeout(() => { held = false; if (wanted) { wanted = false; later(); } }), true); }
$("form").addEventListener("input", () => { writing = true; });
for (const end of ["change", "focusout"]) { $("form").addEventListener(end, () => { writing = false; if (wanted) { wanted = false; later(); } }); }
$("tools").replaceChildren(...TOOLS.map(([key, sign]) => button(say("tool-" + key), () => pick(key === "boxes" && shaped() ? "shapes" : key), { ariaPressed: "false", title: sign ? say("key", { key: sign }) : "", id: "tool-" + key })));
on("panel", later);
on("loaded", () => { if (typing()) { bar(); } else { later(); } });
on("acted", (one) => { bar(); if (["places", "counters", "areas", "text", "size", "setup", "boxes", "shapes"].includes(S.tool) && !typing()) { later(); } if (one.list.some(([key]) => key.startsWith("L/"))) { later(); } });
on("cursor", () => { $("here").textContent = S.model.hexes.length ? described(S.cursor) : ""; if (S.tool === "places" || S.tool === "counters") { later(); } });
$("undo").addEventListener("click", back);
$("redo").addEventListener("click", again);
dark.addEventListener("change", later);
