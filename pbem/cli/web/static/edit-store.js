// The values of the folder by keys (pbem/workshop/editing.py), the work since they were saved, and undo for all of it.
import { emit } from "./edit-state.js";

const kinds = new Map(), work = new Map();
let done = [], undone = [], open = null;
export const same = (a, b) => (a ?? null) === (b ?? null) || JSON.stringify(a ?? null) === JSON.stringify(b ?? null);
function part(key) {
  const at = key.indexOf("/"), kind = key.slice(0, at);
  if (!kinds.has(kind)) { kinds.set(kind, new Map()); }
  return [kinds.get(kind), key.slice(at + 1)];
}
export function of(kind) { return kinds.get(kind) || new Map(); }
export function get(key) { const [map, rest] = part(key); return map.has(rest) ? map.get(rest) : null; }
function put(key, value) {
  const [map, rest] = part(key), before = map.has(rest) ? map.get(rest) : null;
  if (value === null || value === undefined) { map.delete(rest); } else { map.set(rest, value); }
  const known = work.get(key), first = known ? known[0] : before;
  if (same(first, value)) { work.delete(key); } else { work.set(key, [first, value ?? null]); }
  return before;
}
// values that the files have; the work is done on them again
export function load(values, kept) {
  for (const kind of [...kinds.keys()]) { if (kind !== "b") { kinds.delete(kind); } }  // how pictures lie is in no file of these
  work.clear();
  for (const [key, value] of Object.entries(values)) { const [map, rest] = part(key); map.set(rest, value); }
  for (const [key, [, after]] of Object.entries(kept || {})) { put(key, after); }
}
export function forget() { done = []; undone = []; }
export function worked() { return Object.fromEntries([...work].filter(([key]) => !key.startsWith("b/"))); }
export function unsaved() { return Object.keys(worked()).length; }
export function touched(key) { return work.has(key); }

// ---- one act of a person: from its begin to its end it is undone as a whole -------------------------------------

export function begin(name) { if (!open) { open = { name, list: [] }; } }
export function set(key, value) {
  const before = get(key);
  if (same(before, value)) { return false; }
  const own = !open;
  begin("");
  put(key, value);
  open.list.push([key, before, value ?? null]);
  emit("changed", [key]);
  if (own) { end(); }
  return true;
}
export function end() {
  const one = open;
  open = null;
  if (!one || !one.list.length) { return; }
  done.push(one);
  if (done.length > 1000) { done.shift(); }
  undone = [];
  emit("acted", one);
}
export function change(name, values) {
  begin(name);
  for (const [key, value] of values) { set(key, value); }
  end();
}
function back(from, to, side) {
  const one = from.pop();
  if (!one) { return null; }
  const list = side === 1 ? [...one.list].reverse() : one.list;
  for (const each of list) { put(each[0], each[side]); }
  to.push(one);
  emit("changed", one.list.map((each) => each[0]));
  emit("acted", one);
  return one;
}
export function undo() { return back(done, undone, 1); }
export function redo() { return back(undone, done, 2); }
export function many() { return [done.length, undone.length]; }
