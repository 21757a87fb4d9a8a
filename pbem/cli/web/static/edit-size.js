// The size of the map, a map that begins empty, and the files that are edited as text.
import { S, button, el, emit, say, tell } from "./edit-state.js";
import { form } from "./edit-forms.js";
import { begin, change, end, get, of, set, worked } from "./edit-store.js";

function number(id, label, value, most) { return el("p", { className: "field" }, el("label", { htmlFor: id }, label), el("input", { type: "number", id, value, min: 1, max: most })); }
export function sizeForm() {
  if (!S.model.sheets.length) { return [el("p", {}, say("no-hexes"))]; }
  const sheets = S.model.sheets, pick = el("select", { id: "sheet-name" }, sheets.map(([name, title]) => el("option", { value: name }, title || name || say("map"))));
  pick.value = S.sheet || sheets[0][0];
  pick.addEventListener("change", () => { S.sheet = pick.value; emit("panel"); });
  const key = "size/" + pick.value, [columns, rows] = get(key), fill = el("select", { id: "fill" }, [...S.terrain.values()].filter((one) => !one.new).map((one) => el("option", { value: one.letter }, one.name || say("no-hex"))));
  const [wide, high] = [number("columns", say("columns"), columns, 200), number("rows", say("rows"), rows, 200)];
  const empty = el("input", { type: "checkbox", id: "empty" });
  return [
    el("p", {}, say("size-how")), sheets.length > 1 ? el("p", { className: "field" }, el("label", { htmlFor: "sheet-name" }, say("sheet")), pick) : "", wide, high,
    el("p", { className: "field" }, el("label", { htmlFor: "fill" }, say("fill-with")), fill),
    el("p", {}, el("label", {}, empty, " " + say("empty-map"))),
    button(say("resize"), () => resize(), { id: "resize" }), numbering(pick.value), sheetForm()
  ];
  function resize() {
      const to = [wide, high].map((one) => Math.trunc(Number(one.querySelector("input").value)));
      if (to.some((one) => !(one >= 1 && one <= 200))) { tell(say("bad-size"), true); return; }
      begin("size");
      if (empty.checked) {
        for (const kind of ["s", "l", "p", "n", "a"]) { for (const rest of [...of(kind).keys()]) { set(kind + "/" + rest, null); } }
        for (const rest of [...of("t").keys()]) { set("t/" + rest, fill.value); }
      }
      set(key, [...to, fill.value]);
      end();
      tell(say("resized", { columns: to[0], rows: to[1] }));
  }
}
// how a sheet is numbered, and how it lies beside others; other work names hexes by the numbers of before
function numbering(sheet) {
  const others = Object.keys(worked()).some((key) => !/^(layout|size|sheet)\//.test(key));
  return el("details", {}, el("summary", {}, say("numbering")), others ? el("p", { className: "faint" }, say("numbering-later")) : [el("p", { className: "faint" }, say("numbering-how")), form("layout/" + sheet)]);
}
// another sheet: beside or below one that is there, with letters before its numbers
function sheetForm() {
  const names = S.model.sheets.map(([name]) => name || "main"), name = el("input", { id: "new-sheet" }), prefix = el("input", { id: "new-sheet-prefix", maxLength: 3 });
  const [wide, high] = [number("new-sheet-columns", say("columns"), 10, 200), number("new-sheet-rows", say("rows"), 10, 200)];
  const where = el("select", { id: "new-sheet-where" }, ["beside", "below"].map((one) => el("option", { value: one }, say(one)))), other = el("select", { id: "new-sheet-of", ariaLabel: say("sheet") }, names.map((one) => el("option", { value: one }, one)));
  const field = (input, label) => el("p", { className: "field" }, el("label", { htmlFor: input.id }, label), input);
  const make = () => {
    const to = [wide, high].map((one) => Math.trunc(Number(one.querySelector("input").value))), id = name.value.trim(), letters = prefix.value.trim();
    if (to.some((one) => !(one >= 1 && one <= 200))) { tell(say("bad-size"), true); return; }
    if (!/^[a-z][a-z0-9_-]{0,20}$/.test(id) || names.includes(id) || !/^[A-Za-z]{1,3}$/.test(letters)) { tell(say("bad-sheet"), true); return; }
    change("sheet", [["sheet/" + id, [...to, document.getElementById("fill").value, letters, where.value, other.value]]]);
    tell(say("sheet-added", { name: id }));
  };
  return el("details", {}, el("summary", {}, say("new-sheet")), el("p", { className: "faint" }, say("new-sheet-how")), field(name, say("name")), field(prefix, say("prefix")), wide, high, field(where, say("where")), field(other, say("sheet")), button(say("add-counter"), make, { id: "add-sheet" }));
}
export function textForm() {
  const known = S.model.texts, name = S.file && known.includes(S.file) ? S.file : known[0];
  const pick = el("select", { id: "text-file" }, known.map((one) => el("option", { value: one }, one)));
  pick.value = name;
  pick.addEventListener("change", () => { S.file = pick.value; emit("panel"); });
  const area = el("textarea", { id: "text", value: get("f/" + name) || "", spellcheck: false, rows: 24, ariaLabel: name });
  area.addEventListener("change", () => { change("text", [["f/" + name, area.value || null]]); });
  return [el("p", { className: "field" }, el("label", { htmlFor: "text-file" }, say("file")), pick), area, el("p", { className: "faint" }, say("text-how"))];
}
