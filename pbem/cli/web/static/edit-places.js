// The hex under the cursor: its name, its places with what they are worth, and the areas that it lies in.
import { S, el, emit, say } from "./edit-state.js";
import { number } from "./edit-geometry.js";
import { begin, change, end, get, of, set } from "./edit-store.js";

function field(id, label, input) { input.id = id; return el("p", { className: "field" }, el("label", { htmlFor: id }, label), input); }
const seats = () => get("m/scenario.yaml/seats") || S.model.seats;
function usual(one, hex) {
  if (one.null) { return null; }
  if (one.kind === "number") { return 0; }
  if (one.kind === "bool") { return false; }
  if (one.kind === "choice") { return one.among[0]; }
  if (one.kind === "list") { return []; }
  if (one.kind === "seat") { return seats()[0] || ""; }
  return one.key === "name" ? get("n/" + hex) || "" : seen(one.key) || "";
}
// a word that other places on this map have there
function seen(key) { for (const fields of of("p").values()) { if (typeof fields[key] === "string" && key !== "name") { return fields[key]; } } return ""; }
function input(one, value) {
  if (one.kind === "bool") { return el("input", { type: "checkbox", checked: value === true }); }
  if (one.kind === "number") { return el("input", { type: "number", min: 0, value: value ?? "" }); }
  const among = one.kind === "choice" ? one.among : one.kind === "seat" ? seats() : null;
  if (!among) { return el("input", { value: Array.isArray(value) ? value.join(" ") : value ?? "" }); }
  const none = one.null || one.may ? [el("option", { value: "" }, say("none"))] : [], more = value && !among.includes(value) ? [value] : [];
  const made = el("select", {}, none, [...among, ...more].map((each) => el("option", { value: each }, each)));
  made.value = value ?? "";
  return made;
}
function value(one, from) {
  if (one.kind === "bool") { return from.checked; }
  const text = from.value.trim();
  if (!text && (one.null || one.may)) { return one.null ? null : undefined; }
  if (one.kind === "number") { return Math.trunc(Number(text)) || 0; }
  return one.kind === "list" ? text.split(/\s+/).filter(Boolean) : text;
}
function place(kind, hex) {
  const key = "p/" + kind.key + "/" + hex, there = get(key), box = el("input", { type: "checkbox", checked: Boolean(there), id: "place-" + kind.key });
  box.addEventListener("change", () => {
    const made = Object.fromEntries(kind.fields.filter((one) => !one.may).map((one) => [one.key, usual(one, hex)]));
    change("place", [[key, box.checked ? made : null]]);
    emit("panel");
  });
  const inner = there ? kind.fields.map((one) => {
    const made = input(one, there[one.key]);
    made.addEventListener("change", () => {
      const now = { ...get(key), [one.key]: value(one, made) };
      if (now[one.key] === undefined) { delete now[one.key]; }
      change("place", [[key, now]]);
    });
    return field("place-" + kind.key + "-" + one.key, one.name, made);
  }) : [];
  return el("fieldset", {}, el("legend", {}, el("label", {}, box, " " + kind.name)), inner);
}
export function hexForm() {
  if (!S.model.hexes.length) { return S.box ? [el("h2", {}, S.box), S.model.places.map((kind) => place(kind, S.box))] : [el("p", {}, say("boxes-how"))]; }
  const hex = number(S.cursor), name = el("input", { value: get("n/" + hex) || "", maxLength: 80 });
  name.addEventListener("change", () => { change("name", [["n/" + hex, name.value.trim() || null]]); });
  const terrain = el("select", {}, [...S.terrain.values()].map((one) => el("option", { value: one.letter }, one.letter + "  " + (one.name || say("no-hex")))));
  terrain.value = get("t/" + hex);
  terrain.addEventListener("change", () => {
    const one = S.terrain.get(terrain.value);
    begin("terrain");
    if (one.new && get("L/" + one.letter) === null) { set("L/" + one.letter, one.key); }
    set("t/" + hex, one.letter);
    end();
  });
  return [
    el("h2", {}, say("hex", { hex })), field("hex-terrain", say("terrain"), terrain), field("hex-name", say("name"), name),
    S.model.places.map((kind) => place(kind, hex)),
    S.model.layers.map((one) => {
      const made = el("input", { value: get("a/" + one.key + "/" + hex) || "" });
      made.addEventListener("change", () => change("area", [["a/" + one.key + "/" + hex, made.value.trim() || null]]));
      return field("hex-area-" + one.key, one.name, made);
    })
  ];
}
