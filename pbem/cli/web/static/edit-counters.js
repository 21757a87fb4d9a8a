// Counters: the rows of tables, where each stands, the tray with those to be placed, and a drag onto the map.
import { $, S, button, el, emit, on, say, tell } from "./edit-state.js";
import { chip } from "./edit-pieces.js";
import { begin, change, end, get, of, set } from "./edit-store.js";

let kept = null, rows_ = null;
on("changed", (keys) => { if (keys.some((key) => key[0] === "c" || key[0] === "r")) { kept = null; rows_ = null; } });
on("loaded", () => { kept = null; rows_ = null; });

// every counter: {file, id, at, owner, label, paint, cells}
export function counters() {
  if (rows_) { return rows_; }
  const byRow = new Map();
  for (const [rest, value] of of("c")) {
    const end_ = rest.lastIndexOf("/"), row = rest.slice(0, end_);
    (byRow.get(row) || byRow.set(row, {}).get(row))[rest.slice(end_ + 1)] = value;
  }
  rows_ = [];
  for (const [rest, value] of of("r")) {
    const file = rest.slice(0, rest.indexOf("/")), id = rest.slice(file.length + 1);
    const table = S.model.tables.find((one) => one.file === file);
    if (!table) { continue; }
    const cells = value === 1 ? byRow.get(rest) || {} : value;
    const owner = cells[table.owner] || "", paint = table.paints[owner] || { fill: "#8a8a80", ink: "#ffffff" };
    rows_.push({ file, id, table, cells, at: table.place ? cells[table.place] || "" : "", owner, paint, label: table.label.map((head) => cells[head] || "").filter(Boolean).concat(id).slice(0, 2) });
  }
  return rows_;
}
export function standing() {
  if (kept) { return kept; }
  kept = new Map();
  for (const one of counters()) { if (one.at) { (kept.get(one.at) || kept.set(one.at, []).get(one.at)).push(one); } }
  return kept;
}
export function called(one) { return one.id + " " + one.label.filter((text) => text !== one.id).join(" ") + (one.owner ? " (" + one.owner + ")" : ""); }

// put a counter into a place; "" takes it off the map
export function move(one, to) {
  const row = get("r/" + one.file + "/" + one.id);
  if (!one.table.place) { tell(say("no-place-column"), true); return; }
  if (!to && one.table.must) { tell(say("must-stand"), true); return; }
  if (row === 1) { set("c/" + one.file + "/" + one.id + "/" + one.table.place, to || null); } else { set("r/" + one.file + "/" + one.id, { ...row, [one.table.place]: to }); }
  tell(to ? say("placed", { id: one.id, hex: to }) : say("taken-off", { id: one.id }));
}
function cell(one, column, value) {
  const row = get("r/" + one.file + "/" + one.id);
  if (row === 1) { set("c/" + one.file + "/" + one.id + "/" + column, value || null); } else { set("r/" + one.file + "/" + one.id, { ...row, [column]: value }); }
}

// ---- the tray ------------------------------------------------------------------------------------------------------

let filter = "", lying = "tray";
const MOST = 120;
on("faces", () => { if (S.tool === "counters" && !document.activeElement?.closest("#form input, #form select")) { emit("panel"); } });
export function choose(one) { S.counter = one; emit("panel"); emit("top"); if (one) { tell(say("in-hand", { id: one.id })); } }
function listed() {
  const want = filter.toLowerCase();
  return counters().filter((one) => (lying === "all" || (lying === "tray" ? !one.at : one.at === S.model.hexes[S.cursor]?.[0])) && (!want || called(one).toLowerCase().includes(want)));
}
export function tray() {
  if (!S.model.tables.length) { return [el("p", {}, say("no-tables"))]; }
  const found = listed();
  const search = el("input", { type: "search", value: filter, id: "filter", placeholder: say("filter"), ariaLabel: say("filter") });
  search.addEventListener("input", () => { filter = search.value; $("counters").replaceChildren(...items(listed())); });
  return [
    el("div", { className: "row", role: "group", ariaLabel: say("which-counters") }, ["tray", "here", "all"].map((key) => button(say("lying-" + key), () => { lying = key; emit("panel"); }, { ariaPressed: String(lying === key) }))),
    search,
    el("ul", { className: "counters", id: "counters" }, items(found)),
    S.counter ? card(counters().find((one) => one.id === S.counter.id && one.file === S.counter.file)) : el("p", { className: "faint" }, say("counters-how")),
    more()
  ];
}
function items(found) {
  const shown = found.slice(0, MOST).map((one) => {
    const each = button("", () => choose(S.counter && S.counter.id === one.id && S.counter.file === one.file ? null : one), { className: "counter", ariaPressed: String(Boolean(S.counter && S.counter.id === one.id && S.counter.file === one.file)) });
    each.append(chip(one), " " + called(one), one.at ? el("small", {}, " " + one.at) : "");
    each.dataset.counter = one.id;
    each.addEventListener("pointerdown", (event) => { if (event.button === 0) { drag(one, event); } });
    return el("li", {}, each);
  });
  return found.length > MOST ? [...shown, el("li", { className: "faint" }, say("and-more", { count: found.length - MOST }))] : shown.length ? shown : [el("li", { className: "faint" }, say("none-here"))];
}
function card(one) {
  if (!one) { return ""; }
  const columns = one.table.columns.filter((head) => head !== "id");
  return el("fieldset", {}, el("legend", {}, one.id),
    columns.map((head) => {
      const input = el("input", { value: one.cells[head] || "", id: "cell-" + head });
      input.addEventListener("change", () => { begin(); cell(one, head, input.value.trim()); end(); emit("panel"); });
      return el("p", { className: "field" }, el("label", { htmlFor: "cell-" + head }, head), input);
    }),
    el("div", { className: "row" }, one.at && !one.table.must ? button(say("take-off"), () => { move(one, ""); emit("panel"); }) : "", button(say("remove-counter"), () => {
      change("", [["r/" + one.file + "/" + one.id, null]]);
      choose(null);
    })));
}
function more() {
  const input = el("input", { id: "new-id", placeholder: "R-IN9" }), file = el("select", { id: "new-file" }, S.model.tables.map((one) => el("option", {}, one.file)));
  const make = () => {
    const id = input.value.trim(), table = S.model.tables.find((one) => one.file === file.value);
    if (!/^[A-Za-z][A-Za-z0-9_-]{0,31}$/.test(id) || get("r/" + table.file + "/" + id)) { tell(say("bad-id"), true); return; }
    const like = S.counter && S.counter.file === table.file ? S.counter.cells : {};
    change("", [["r/" + table.file + "/" + id, { ...like, ...(table.place ? { [table.place]: table.must ? like[table.place] || S.model.hexes[S.cursor]?.[0] || "" : "" } : {}) }]]);
    choose(counters().find((one) => one.file === table.file && one.id === id));
  };
  return el("details", {}, el("summary", {}, say("new-counter")), el("p", { className: "faint" }, say("new-counter-how")),
    el("p", { className: "field" }, el("label", { htmlFor: "new-id" }, say("id")), input), S.model.tables.length > 1 ? el("p", { className: "field" }, el("label", { htmlFor: "new-file" }, say("table")), file) : "", button(say("add-counter"), make),
    button(say("remove-all"), () => { change("", counters().map((one) => ["r/" + one.file + "/" + one.id, null])); choose(null); }, { id: "remove-all" }));
}

// ---- a counter dragged from the tray onto the map --------------------------------------------------------------------

let ghost = null, spotAt = () => "";
export function spots(by) { spotAt = by; }
function drag(one, event) {
  const from = [event.clientX, event.clientY];
  const moved = (now) => {
    if (!ghost && Math.hypot(now.clientX - from[0], now.clientY - from[1]) > 6) { ghost = chip(one); ghost.classList.add("ghost"); document.body.append(ghost); }
    if (ghost) { ghost.style.left = now.clientX - 17 + "px"; ghost.style.top = now.clientY - 17 + "px"; now.preventDefault(); }
  };
  const up = (now) => {
    removeEventListener("pointermove", moved);
    removeEventListener("pointerup", up);
    if (!ghost) { return; }
    ghost.remove();
    ghost = null;
    const to = spotAt(now);
    if (to) { move(one, to); choose(null); }
  };
  addEventListener("pointermove", moved);
  addEventListener("pointerup", up);
}
