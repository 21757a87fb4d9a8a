// Forms that follow from schemas of the rules (pbem/workshop/members.py): what a member may hold is what can be filled in, added and
// removed. Values are plain data; one that no schema describes, such as a condition, is a line of YAML.
import { S, ask, button, el, emit, say, tell, wrong } from "./edit-state.js";
import { change, get, of } from "./edit-store.js";

const opened = new Set(), BETWEEN = "; ";
let schema = {}, start = "";  // of the form that is drawn
export const known = (name) => S.model.labels[name] || name;
const here = () => S.model.hexes[S.cursor]?.[0] || "";
const quoted = (text) => (/^[A-Za-z][\w./-]*$/.test(text) && !/^(true|false|null|yes|no|on|off|y|n)$/i.test(text) ? text : JSON.stringify(text));
export function flow(value) {
  if (Array.isArray(value)) { return "[" + value.map(flow).join(", ") + "]"; }
  if (value && typeof value === "object") { return "{" + Object.entries(value).map(([key, one]) => quoted(key) + ": " + flow(one)).join(", ") + "}"; }
  return typeof value === "string" ? quoted(value) : JSON.stringify(value ?? null);
}

// ---- what a schema says -----------------------------------------------------------------------------------------------

function resolved(one) { let found = one; while (found.$ref) { found = schema.$defs[found.$ref.split("/").pop()]; } return found; }
function kindOf(one) {
  const types = [one.type || (one.properties ? "object" : [])].flat();
  if (one.enum) { return "choice"; }
  if (!types.length || (types.includes("object") && types.length > 1)) { return "line"; }
  if (types.length > 1) { return "mixed"; }
  return types[0] === "array" ? (one.prefixItems ? "tuple" : "list") : types[0];
}
const plain = (one) => !["object", "list", "tuple", "line"].includes(kindOf(resolved(one)));
// the members of an object; some depend on a word that another member has
function members(one, value) {
  const chosen = (one.allOf || []).filter(({ if: when }) => Object.entries(when.properties).every(([name, { const: word }]) => value[name] === word)).map((each) => each.then);
  const all = [one, ...chosen];
  return { properties: Object.assign({}, ...all.map((each) => each.properties || {})), required: all.flatMap((each) => each.required || []) };
}
function byKey(one) {
  const [pattern, inner] = Object.entries(one.patternProperties || {})[0] || [one.propertyNames?.pattern, one.additionalProperties];
  return inner && typeof inner === "object" ? { pattern, title: one.propertyNames?.title, inner } : null;
}
// the least that a new value must say
function usual(said) {
  const one = resolved(said), kind = kindOf(one);
  if ("default" in one) { return one.default; }
  if (kind === "choice") { return one.enum[0]; }
  if (kind === "integer") { return Math.max(one.minimum ?? 0, Math.min(0, one.maximum ?? 0)); }
  if (kind === "boolean") { return true; }
  if (kind === "mixed") { return one.type.includes("null") ? null : 0; }
  if (kind === "tuple") { return one.prefixItems.map(usual); }
  if (kind === "object") { const { properties, required } = members(one, {}); return fitted(one, Object.fromEntries(required.map((name) => [name, usual(properties[name])]))); }
  if (kind === "list") { return []; }
  if (kind === "line") { return {}; }
  return isPlace(one) ? here() : /seat/.test(one.title || "") ? (get("m/scenario.yaml/seats") || [])[0] || "" : "";
}
// an object after a word was chosen: what the word does not know goes, what it needs comes
function fitted(one, value) {
  if (!one.allOf) { return value; }
  const { properties, required } = members(one, value), kept = Object.entries(value).filter(([name]) => name in properties);
  return { ...Object.fromEntries(required.map((name) => [name, usual(properties[name])])), ...Object.fromEntries(kept) };
}
const isPlace = (one) => /^a hex, a box/.test(one.title || "");

// ---- values ----------------------------------------------------------------------------------------------------------

function put(path, value) {
  const [member, ...rest] = path, key = start + "/" + member;
  if (!rest.length) { change("form", [[key, value === undefined ? null : value]]); return; }
  const whole = structuredClone(get(key)), last = rest.pop();
  const inside = rest.reduce((at, step) => at[step], whole);
  if (value === undefined) { if (Array.isArray(inside)) { inside.splice(last, 1); } else { delete inside[last]; } } else { inside[last] = value; }
  change("form", [[key, whole]]);
}
function anew(path, value) { put(path, value); emit("panel"); }
const id = (path) => "m-" + path.join("-");

// ---- controls --------------------------------------------------------------------------------------------------------

function aim(input, add) { return button(say("tool-places"), () => { input.value = add && input.value ? input.value + BETWEEN + here() : here(); input.dispatchEvent(new Event("change")); }, { title: say("take-hex"), ariaLabel: say("take-hex") }); }
function read(one, text) {
  const types = [one.type].flat();
  if (!text && types.includes("null")) { return null; }
  return types.includes("integer") && /^-?\d+$/.test(text) ? Number(text) : text;
}
function single(said, value, path) {
  const one = resolved(said), kind = kindOf(one), at = id(path);
  if (kind === "boolean") {
    const box = el("input", { type: "checkbox", id: at, checked: value === true });
    box.addEventListener("change", () => put(path, box.checked));
    return [box];
  }
  if (kind === "choice") {
    const pick = el("select", { id: at }, one.enum.map((each) => el("option", { value: String(each) }, each === null ? say("none") : String(each))));
    pick.value = String(value);
    pick.addEventListener("change", () => {
      const chosen = one.enum.find((each) => String(each) === pick.value), up = path.slice(0, -1);
      put(path, chosen);
      const whole = up.length ? resolved(schemaAt(up)) : {};
      if (whole.allOf) { anew(up, fitted(whole, valueAt(up))); }
    });
    return [pick];
  }
  const number = kind === "integer", input = el("input", { id: at, type: number ? "number" : "text", value: value ?? "", min: one.minimum, max: one.maximum, placeholder: one.title || "", spellcheck: false });
  input.addEventListener("change", () => put(path, number ? Math.trunc(Number(input.value)) || 0 : read(one, input.value.trim())));
  return isPlace(one) ? [input, aim(input)] : [input];
}
function valueAt(path) { return path.slice(1).reduce((at, step) => at[step], get(start + "/" + path[0])); }
function schemaAt(path) {
  return path.reduce((said, step, n) => {
    const one = resolved(said), kind = kindOf(one);
    if (kind === "tuple") { return one.prefixItems[step]; }
    if (kind === "list") { return one.items; }
    const { properties } = members(one, n ? valueAt(path.slice(0, n)) : {});
    return properties[step] || byKey(one).inner;
  }, schema);
}
// plain values of a list in one field
function several(said, value, path) {
  const one = resolved(resolved(said).items), input = el("input", { id: id(path), value: value.join(BETWEEN), placeholder: one.title || "", spellcheck: false });
  input.addEventListener("change", () => put(path, input.value.split(";").map((part) => part.trim()).filter(Boolean).map((part) => read(one, part))));
  return isPlace(one) ? [input, aim(input, true)] : [input];
}
function line(value, path) {
  const input = el("input", { id: id(path), value: flow(value), spellcheck: false });
  input.addEventListener("change", () => ask("/line", { line: input.value }).then((found) => put(path, found.value)).catch(wrong));
  return [input];
}
function controls(said, value, path) {
  const one = resolved(said), kind = kindOf(one), whole = Array.isArray(value) ? "array" : value === null ? "null" : typeof value;
  if (kind === "tuple" && whole === "array" && one.prefixItems.every(plain)) { return value.map((each, n) => {
      const [input, ...more] = single(one.prefixItems[n] || {}, each, [...path, n]);
      input.ariaLabel = known(String(path.at(-1))) + " " + (n + 1);
      return [input, more];
    });
  }
  if (kind === "list" && whole === "array" && plain(one.items) && !value.some((each) => String(each).includes(";"))) { return several(said, value, path); }
  if (kind === "line" || (whole === "array" && plain(one.items || {})) || (plain(said) && whole === "object")) { return line(value, path); }
  return plain(said) ? single(said, value, path) : null;
}
function remover(path) { return button("×", () => anew(path, undefined), { ariaLabel: say("remove-it", { name: known(String(path.at(-1))) }), title: say("remove"), className: "away" }); }
function row(said, value, path, name, may) {
  const made = controls(said, value, path), gone = may ? remover(path) : "";
  if (made) {
    const field = el("div", { className: "field member" }, el("label", { htmlFor: id(path) }, name), el("span", { className: "values" }, made, gone));
    field.dataset.at = id(path);
    return field;
  }
  const one = resolved(said), inside = el("details", { className: "node", open: opened.has(id(path)) }, el("summary", {}, name), gone, opened.has(id(path)) ? parts(one, value, path) : "");
  inside.dataset.at = id(path);
  inside.addEventListener("toggle", () => {
    if (inside.open === opened.has(id(path))) { return; }
    if (inside.open) { opened.add(id(path)); } else { opened.delete(id(path)); }
    emit("panel");
  });
  return inside;
}
function parts(one, value, path) {
  if (kindOf(one) === "list") {
    const add = button(say("add-counter"), () => { opened.add(id([...path, value.length])); anew([...path, value.length], usual(one.items)); }, { id: id(path) + "-add" });
    return [value.map((each, n) => row(one.items, each, [...path, n], String(n + 1) + (each && each.title ? " " + each.title : ""), true)), add];
  }
  if (kindOf(one) === "tuple") { return value.map((each, n) => row(one.prefixItems[n], each, [...path, n], String(n + 1))); }
  const { properties, required } = members(one, value || {}), keyed = byKey(one);
  const listed = Object.entries(value || {}).map(([name, each]) => row(properties[name] || keyed?.inner || {}, each, [...path, name], properties[name] ? known(name) : name, !required.includes(name)));
  return [listed, adder(Object.keys(properties).filter((name) => !(name in (value || {}))), properties, path), keyed ? keyAdder(keyed, value || {}, path) : ""];
}
function adder(names, properties, path) {
  if (!names.length) { return ""; }
  const pick = el("select", { id: id(path) + "-member", ariaLabel: say("member") }, names.map((name) => el("option", { value: name }, known(name))));
  return el("div", { className: "row" }, pick, button(say("add-counter"), () => { opened.add(id([...path, pick.value])); anew([...path, pick.value], usual(properties[pick.value])); }, { id: id(path) + "-add" }));
}
function keyAdder({ pattern, title, inner }, value, path) {
  const input = el("input", { id: id(path) + "-key", placeholder: title || "", ariaLabel: say("member"), spellcheck: false });
  const add = button(say("add-counter"), () => {
    const name = input.value.trim();
    if (name in value || !new RegExp(pattern).test(name)) { tell(say("bad-member", { what: title || "" }), true); return; }
    opened.add(id([...path, name]));
    anew([...path, name], usual(inner));
  }, { id: id(path) + "-key-add" });
  return el("div", { className: "row" }, input, /^a hex, a box/.test(title || "") ? aim(input) : "", add);
}

// ---- forms -----------------------------------------------------------------------------------------------------------

// the form of a file or of a sheet; `from` is the key before its members
export function form(from, only) {
  const value = {};
  start = from;
  schema = S.model.forms[from];
  for (const [rest, one] of of(from.slice(0, from.indexOf("/")))) {
    const prefix = from.slice(from.indexOf("/") + 1) + "/";
    if (rest.startsWith(prefix) && (!only || only.includes(rest.slice(prefix.length)))) { value[rest.slice(prefix.length)] = one; }
  }
  return parts(schema, value, []);
}
export function setupForm() {
  const known_ = Object.keys(S.model.forms).filter((name) => name.startsWith("m/"));
  const from = known_.includes(S.form) ? S.form : known_[0], pick = el("select", { id: "form-of" }, known_.map((name) => el("option", { value: name }, name.slice(2))));
  pick.value = from;
  pick.addEventListener("change", () => { S.form = pick.value; opened.clear(); emit("panel"); });
  return [el("p", { className: "faint" }, say("setup-how")), known_.length > 1 ? el("p", { className: "field" }, el("label", { htmlFor: "form-of" }, say("file")), pick) : "", form(from)];
}
