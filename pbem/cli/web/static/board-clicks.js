// Clicks on the map, and what they mean.
import { T, ask, change, question, safely, say, show } from "./board-state.js";
import { aim, called, choose, counter, drop, fetched, gathered, go, joiners, kind, known, mine, options, takeUp, targets, units, weigh } from "./board-hand.js";
import { M, fit, map, pan, under, where, zoom } from "./board-sheets.js";

// a coast is a place of its own only where what is in hand may go there
export const spot = (at) => (at in T.board.coasts && !targets().has(at) ? T.board.coasts[at] : at);
const below = (event) => under(event, (at) => !(at in T.board.coasts) || targets().has(at));
export async function clicked(place, low, shift) {
  const at = spot(place);
  T.wrong = T.done = "";
  T.left = T.keyed = T.over = null;
  if (T.story) { return; }
  const goal = targets().get(at), own_ = mine(at);
  T.refused = null;
  if (T.aim && T.aim.at === at) { await go(at); return show(); }
  if (T.aim) {
    await fetched(own_.map((one) => one.id));
    const there = own_.filter((one) => joiners(T.aim.at).has(one.id)).map((one) => one.id);
    if (there.length) {
      const all = there.every((id) => T.aim.ids.has(id));
      there.forEach((id) => (all ? T.aim.ids.delete(id) : T.aim.ids.add(id)));
      if (!T.aim.ids.size) { drop(); return show(); }
      return weigh();
    }
  }
  // to those who can do nothing, and into a fight, one goes; others of one's own are taken up
  const still = own_.every((one) => T.every.has(one.id) && !known(one.id).length);
  if (T.hand && goal && (still || low || (kind(goal[0]) === "attack" && at !== T.hand.at))) {
    if (shift && kind(goal[0]) === "move") { T.hand.way.push(at); return show(); }
    const who = [...joiners(at)];
    if (kind(goal[0]) === "attack" && (who.length > 1 || !gathered()) && T.hand.ids.length) { return aim(at, T.hand.ids.filter((id) => who.includes(id))); }
    await go(at);
    return show();
  }
  if (own_.length && question() && !(still && goal)) {
    T.tab = "now";
    T.aim = null;
    T.hand = { at, ids: own_.map((one) => one.id), way: [] };
    show();  // seen at once; what they may do may take longer
    if (await takeUp(at)) { return show(); }
    T.look = at;
    if (!goal) { return why(at, null); }
  }
  if (T.hand && !own_.length) { return why(T.hand.at, at); }
  if (!T.hand && goal && question()) {
    const foes = goal.filter((one) => kind(one) === "attack");
    if (foes.length) { T.look = at; return aim(at, units(foes[0]).length ? units(foes[0]) : [...joiners(at)]); }
    if (goal.length === 1) { await choose(goal[0]); return show(); }
  }
  drop();
  T.look = at;
  T.spoken = M.labels.get(at) || say("nobody-here");
  if (question() && (await options(at)).length) { T.hand = { at, ids: [], way: [] }; }
  T.tab = "now";
  show();
}
export async function why(at, to, id) {
  const of = id || (T.hand && T.hand.ids.length ? T.hand.ids[0] : at);
  const found = await ask("why", { key: T.key, at: of, to });
  const reasons = found.reasons || found.faults, first = reasons[0], name = counter(of) ? of : called(at);
  T.aim = null;
  T.refused = {
    to: to || at, of, reasons, legal: found.legal, nearest: found.nearest, near: found.near, head: to ? say("cannot-go", { who: name, to: called(to) }) : say("cannot-act", { who: name }),
    text: first ? first.message + (first.rule ? " [" + first.rule + "]" : "") : say(found.legal ? "legal" : "no-reason"), short: first && first.short || say("not-possible"),
    take: () => change("take", { key: T.key, at: of, to }).then(() => { drop(); show(); })
  };
  T.refused.full = T.refused.head;
  T.tab = "now";
  show();
}

// ---- pointer: a click, a drag of the map or of a counter, two fingers, a long press ------------------------------------

// where the pointer rests, it is told what an order there would mean
let resting = 0;
function rests(event) {
  clearTimeout(resting);
  resting = setTimeout(() => {
    const there = map.contains(event.target) && !event.target.closest(".tray,.mini") && T.hand && below(event);
    over(there ? spot(there.at) : null);
  }, 120);
}
export function over(at) {
  const now = at && T.hand && !T.aim && at !== T.hand.at && targets().has(at) ? at : null;
  if (now === T.over) { return; }
  T.over = now;
  show();
}
const down = new Map();
let far = 0, press = 0, long = false, carried = null, tapped = 0;
map.addEventListener("pointerdown", (event) => {
  if (event.target.closest(".tray,.mini")) { return; }
  down.set(event.pointerId, [event.clientX, event.clientY]);
  far = down.size > 1 ? 99 : 0;
  long = false;
  const there = below(event);
  carried = T.hand && there && there.at === T.hand.at && down.size === 1 && event.pointerType === "mouse" ? there.at : null;
  clearTimeout(press);
  press = setTimeout(() => { if (down.size === 1 && far < 8) { long = true; } }, 550);
});
window.addEventListener("pointermove", (event) => {
  const was = down.get(event.pointerId);
  if (!was) {
    if (map.contains(event.target)) { T.near = where(event); }
    if (event.pointerType !== "touch") { rests(event); }
    return;
  }
  const other = [...down].filter(([id]) => id !== event.pointerId).map(([, at]) => at)[0], edge = map.getBoundingClientRect();
  far += Math.abs(event.clientX - was[0]) + Math.abs(event.clientY - was[1]);
  if (other) {
    const gap = (at) => Math.hypot(at[0] - other[0], at[1] - other[1]) || 1;
    zoom(gap([event.clientX, event.clientY]) / gap(was), other[0] - edge.left, other[1] - edge.top);
  } else if (!carried && far > 6) { map.classList.add("drag"); pan(event.clientX - was[0], event.clientY - was[1]); }
  down.set(event.pointerId, [event.clientX, event.clientY]);
});
for (const name of ["pointerup", "pointercancel"]) {
  window.addEventListener(name, (event) => {
    if (!down.delete(event.pointerId)) { return; }
    map.classList.remove("drag");
    clearTimeout(press);
    const there = name === "pointerup" && below(event);
    if (carried && far > 12 && there && there.at !== carried) { far = 99; safely(() => clicked(there.at, true, false)); }
    carried = null;
  });
}
map.addEventListener("click", (event) => {
  if (event.target.closest(".tray,.mini")) { return; }
  if (far > 8) { return; }
  const there = below(event), twice = event.pointerType === "touch" && event.timeStamp - tapped < 320 && !T.aim;
  tapped = event.timeStamp;
  if (twice) { fit(true); return; }
  if (there) { safely(() => clicked(there.at, there.low, event.shiftKey || long)); return; }
  drop();
  show();
});
map.addEventListener("wheel", (event) => {
  if (event.target.closest(".tray")) { return; }
  event.preventDefault();
  const edge = map.getBoundingClientRect();
  zoom(Math.exp(-event.deltaY / 500), event.clientX - edge.left, event.clientY - edge.top);
}, { passive: false });
