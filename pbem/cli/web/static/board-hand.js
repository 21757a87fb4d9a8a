// The units in hand: what each of them may do, where it may go, who may join an attack.
import { T, ask, change, orders, own, phone, question, say, show } from "./board-state.js";
import { middle } from "./board-sheets.js";

// ---- where counters stand after the orders so far ------------------------------------------------------------

export const moved = (id) => T.draft.moved[id];
// where each counter and each stack is on the board that was fetched last
let of = null, byCounter = new Map(), byPlace = new Map();
function index() {
  if (of === T.board) { return; }
  of = T.board;
  byPlace = new Map([...of.stacks].reverse().map((one) => [one.at, one]));
  byCounter = new Map(of.stacks.flatMap((stack) => stack.counters.map((each) => [each.id, { stack, each }])));
}
export function stackAt(at) { index(); return byPlace.get(at); }
export function stackOf(id) { index(); const found = byCounter.get(id); return found && found.stack; }
export function counter(id) { index(); const found = byCounter.get(id); return found ? found.each : null; }
export function standing(id) {
  const there = stackOf(id);
  return moved(id) || (there ? there.at : id);
}
export function counters(at) {
  const here = (stackAt(at) || { counters: [] }).counters.filter((one) => !moved(one.id) || moved(one.id) === at);
  const came = Object.keys(T.draft.moved).filter((id) => T.draft.moved[id] === at && !here.some((one) => one.id === id)).map(counter).filter(Boolean);
  return [...here, ...came];
}
export const mine = (at) => counters(at).filter((one) => one.mine);
export function called(at) {
  const one = stackAt(at), name = one ? one.name.replace(at, "").trim() : "";
  return !name ? at : name[0] === "(" ? `${at} ${name}` : `${name} (${at})`;
}

// ---- options --------------------------------------------------------------------------------------------------

export const kind = (one) => one.kind;
export const units = (one) => (one.units.length ? one.units : one.counters);
export const price = (one) => String(Object.values(one.cost)[0] || "");

const AT_ONCE = 24, name = () => T.key + T.draft.text;
let gathering = null, portion = 1;
export async function fetched(ids) {
  const now = name(), some = ids.filter((id) => !T.every.has(id)), found = some.length ? await ask("options", { key: T.key, units: some }) : {};
  if (!found || now !== name()) { return false; }
  some.forEach((id) => T.every.set(id, (found.of[id] || []).map(own(id))));
  return true;
}
// the options of all own units, so that most clicks need no answer: those nearest to the pointer first, as many at a time
// as the program answers in a wink, so that a click between waits for no more
export async function gather() {
  const now = name(), open = question();
  if (open && !open.list && !T.every.size) {
    for (const one of T.options) { units(one).forEach((id) => T.every.set(id, [...known(id), one])); }
    if (T.every.size) { show(); }
  }
  if (!open || !open.list || gathering === now || !T.board.stacks.length) { return; }
  gathering = now;
  const at = new Map(T.board.stacks.flatMap((one) => one.counters.filter((each) => each.mine).map((each) => [each.id, T.board.centres[moved(each.id) || one.at]])));
  const far = (id) => { const spot = at.get(id), [x, y] = T.near || middle(); return spot ? Math.hypot(spot[0] - x, spot[1] - y) : 1e9; };
  try {
    for (let rest = [...at.keys()]; now === name(); show()) {
      while (T.busy) { await new Promise((done) => setTimeout(done, 40)); }
      rest = rest.filter((id) => !T.every.has(id)).sort((a, b) => far(a) - far(b));
      const began = performance.now();
      if (!rest.length || now !== name() || !(await fetched(rest.slice(0, portion)))) { break; }
      const took = performance.now() - began;
      portion = took < 40 ? Math.min(AT_ONCE, portion * 2) : took > 80 ? Math.ceil(portion / 2) : portion;
    }
  } catch (gone) { /* the next click asks for itself */ }
  if (gathering === now) { gathering = null; }
}
export const gathered = () => T.board.stacks.every((one) => one.counters.every((each) => !each.mine || T.every.has(each.id)));
export async function options(id) {
  if (!T.every.has(id)) {
    T.every.set(id, (await ask("options", { key: T.key, at: id })).options.map(own(id)));
  }
  return T.every.get(id);
}
export const known = (id) => T.every.get(id) || [];
const along = (one) => T.hand.way.every((at, n, all) => one.way.indexOf(at) >= 0 && (!n || one.way.indexOf(at) > one.way.indexOf(all[n - 1])));

// options that are whole answers stand by themselves, also where they name units
export const free = (one) => !one.counters.length || !(question() || {}).list;
// the places where what is in hand may go; with empty hands those that can be attacked
export function targets() {
  const found = new Map(), put = (one) => { new Set([one.end, one.goal]).forEach((at) => { const those = found.get(at); if (those) { those.push(one); } else if (at) { found.set(at, [one]); } }); };
  if (T.hand) {
    (T.hand.ids.length ? T.hand.ids : [T.hand.at]).forEach((id) => known(id).filter(along).forEach(put));
    return found;
  }
  T.options.filter(free).forEach(put);
  for (const those of T.every.values()) { those.filter((one) => kind(one) === "attack").forEach(put); }
  return found;
}
export function joiners(at) {
  const found = new Set();
  for (const those of T.every.values()) { those.filter((one) => one.end === at && kind(one) === "attack").forEach((one) => units(one).forEach((id) => found.add(id))); }
  return found;
}
// where something can be done: by units, or as a build in an empty place
export const able = () => new Set([...[...T.every].filter(([id, those]) => those.length && counter(id)).map(([id]) => standing(id)), ...T.options.filter((one) => one.start && !one.end && !one.counters.length).map((one) => one.start)]);
// what can be done without a place: buttons
export const acts = () => (T.hand ? (T.hand.ids.length ? T.hand.ids : [T.hand.at]).flatMap((id) => known(id).filter((one) => !one.end)) : []);

// what to do with what is in hand
export const inHand = () => say(targets().size ? (phone() ? "tap-where" : "click-where") : "choose-act");

// ---- taking up, and putting down ----------------------------------------------------------------------------------

export async function takeUp(at) {
  await fetched(mine(at).map((one) => one.id));
  const ids = mine(at).map((one) => one.id).filter((id) => known(id).length);
  T.aim = T.refused = null;
  T.instead = [];
  T.look = at;
  T.hand = ids.length ? { at, ids, way: [] } : null;
  // where just one thing can be done by just one unit, as with a loss, the click does it
  if (ids.length === 1 && known(ids[0]).length === 1 && !known(ids[0])[0].end) { await choose(known(ids[0])[0]); return true; }
  if (!ids.length && question() && (await options(at)).length) { T.hand = { at, ids: [], way: [] }; }
  return Boolean(T.hand);
}
export function drop() { T.hand = T.aim = T.over = T.refused = T.left = T.keyed = null; T.done = ""; T.instead = []; T.wrong = ""; }

// ---- ordering -------------------------------------------------------------------------------------------------------

export async function choose(one) {
  T.look = null;
  const at = T.hand ? T.hand.at : null, ids = T.hand ? T.hand.ids : [];
  await change("choose", { at: one.of, number: one.number, text: one.text });
  T.aim = null;
  T.instead = [];
  if (!at) { return; }
  const rest = ids.filter((id) => !units(one).includes(id));
  T.hand = null;
  if (one.more) { await takeUp(moved(units(one)[0]) || at); } else if (rest.length && rest.length < ids.length && ids.length > 1) { T.hand = { at, ids: rest, way: [] }; await fetched(rest); }
}
// what kind of order it is: its text without units, places and numbers
const sort = (one) => one.text.replace(/[\w.]*[\d-][\w.-]*/g, "").replace(/\s+/g, " ");
// how much an order has to do with one that was given: a support of one's own move comes before that of a stranger's
const akin = (one, given) => Math.max(0, ...given.map((words) => one.text.split(" ").filter((word) => words.includes(word)).length));
const equal = (some, others) => some.length === others.length && some.every((id) => others.includes(id));
// what a click there would order: the likeliest of these options, or a march of all that are in hand
function meant(at) {
  const ids = T.aim ? [...T.aim.ids] : T.hand ? T.hand.ids : [], those = (T.aim ? [...new Set([...ids, at])].flatMap(known) : targets().get(at) || []).filter((one) => one.end === at || one.goal === at);
  const together = those.filter((one) => equal(units(one), ids));
  return { ids, those, together, one: together[0] || those[0], alone: together.length > 0 || ids.length < 2 || Boolean(T.hand && T.hand.way.length) };
}
// the order that is aimed at, so that the program can say what it would leave
export function trial(at) {
  const { ids, one, alone } = meant(at);
  return !one ? null : alone ? { of: one.of, number: one.number, text: one.text } : { units: ids };
}
// send what is in hand to a place: the likeliest kind of order, the others stay in the line
export async function go(at) {
  const { ids, those, together, one, alone } = meant(at);
  T.instead = [];
  if (alone) {
    if (!one) { return false; }
    const before = T.draft.text, given = orders().map((each) => each.text.split(" ")), other = those.filter((each) => each !== one && sort(each) !== sort(one) && (!together.length || equal(units(each), ids)));
    other.sort((a, b) => akin(b, given) - akin(a, given));
    await choose(one);
    T.instead = other.filter((each, n) => other.findIndex((same) => sort(same) === sort(each)) === n).slice(0, 3).map((each) => ({ option: each, before }));
    return true;
  }
  T.look = null;
  const found = await change("march", { counters: ids, to: at });
  const left = found.left.map((one) => one.counter);
  T.aim = null;
  T.hand = left.length ? { at: standing(left[0]), ids: left, way: [] } : null;
  await fetched(left);
  T.left = found.left;
  return true;
}
export async function instead(one) {
  T.undo.pop();
  await change("put", { text: one.before });
  await options(one.option.of);
  const same = known(one.option.of).find((each) => each.text === one.option.text);
  T.hand = null;
  if (same) { T.undo.push(one.before); await choose(same); T.undo.pop(); }
}

// ---- aiming: who takes part, and the odds --------------------------------------------------------------------------

export async function aim(at, ids) {
  T.aim = { at, ids: new Set(ids), odds: null };
  T.refused = null;
  await weigh();
}
export async function weigh() {
  const it = T.aim;
  show();
  const found = await ask("odds", { key: T.key, target: it.at, units: [...it.ids] }).catch(() => null);
  if (T.aim === it) { it.odds = found; show(); }
}
