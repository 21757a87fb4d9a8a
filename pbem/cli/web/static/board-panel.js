// The question with its answers, the line, the tray and the foot.
import { $, T, asked, button, change, el, orders, phone, question, row, safely, say, show, step, turn } from "./board-state.js";
import { acts, called, choose, counters, drop, free, go, inHand, instead, kind, known, options, price, targets } from "./board-hand.js";
import { esc, picture } from "./board-marks.js";
import { clear } from "./board-sheets.js";
import { aimed, open, rule } from "./board-now.js";
import { play, playing } from "./board-story.js";
import { desk, forfeit } from "./board-desk.js";

// answers that stand in the question: how many, and how many letters; the others are listed in Now
const room = () => (phone() ? { many: 8, long: 200, rows: 4, few: 5, first: 90 } : { many: 12, long: 420, rows: 8, few: 6, first: 190 });
// what is the same as before stays, so that it is not read aloud again and keeps the focus
export function fill(into, ...parts) {
  const made = el("div", {}, ...parts.flat(4).filter(Boolean));
  if (into.made === made.innerHTML) { return; }
  into.made = made.innerHTML;
  into.replaceChildren(...made.childNodes);
}

// ---- the question -------------------------------------------------------------------------------------------

export const answers = () => T.options.filter((one) => !one.end && (!one.start || !question().list) && free(one)).sort((a, b) => Boolean(b.usual) - Boolean(a.usual));
// cards: answers that put others in an order ("A, then B"); each is clicked in the order they are to lie
export function hand() {
  const found = answers(), heads = found.filter((one) => one.text.includes(": ")).map((one) => one.text.split(": ")[0]);
  const of = (one) => (one.text.includes(": ") ? [one.text.split(": ")[0]] : heads.filter((head) => one.text.includes(head)).sort((a, b) => one.text.indexOf(a) - one.text.indexOf(b)));
  return heads.length > 1 && found.filter((one) => of(one).length > 1).length >= heads.length ? { heads, of, found } : null;
}
function cards({ heads, of, found }) {
  const taken = (T.chosen || {})[T.key] || (question().said || [])[0] || "", now = found.find((one) => one.text === taken), lie = now ? of(now) : [];
  return heads.map((head) => {
    const at = lie.indexOf(head), then = at < 0 ? [...lie, head] : lie.filter((one) => one !== head), one = found.find((each) => String(of(each)) === String(then)), text = found.find((each) => each.text.startsWith(head + ": "));
    return button([at < 0 ? "" : el("b", { className: "lies" }, String(at + 1)), head, el("small", {}, text.shown.slice(head.length + 2))], () => { T.back = T.key; return one ? pick(one) : null; }, { "aria-pressed": String(at >= 0), "aria-disabled": String(!one), className: "card", title: text.shown });
  });
}
const dense = (found) => !phone() && found.length > 8;
// what several have in common stands before them once: "USA:" with "pass" and "land", "concede the game to" with the names
function folded(found) {
  const share = (has, least) => found.filter((each) => has(each.shown)).length >= least;
  const split = ({ shown }) => {
    const [name, tail] = (/^([^:]{1,24}): (.+)$/.exec(shown) || []).slice(1), words_ = shown.split(" ");
    if (name && share((text) => text.startsWith(name + ": "), 2)) { return [name, tail]; }
    if (name && share((text) => text.endsWith(": " + tail), 3)) { return [tail, name]; }
    for (let n = words_.length - 1; n > 2; n -= 1) {
      const head = words_.slice(0, n).join(" ");
      if (share((text) => text.startsWith(head + " "), 3)) { return [head, words_.slice(n).join(" ")]; }
    }
    return ["", shown];
  };
  let before = "", row_ = 0, left = 0, long = 0;
  const whole = dense(found) ? 48 : 40;  // letters in a row, about
  return found.map((one) => {
    const [head, rest] = split(one), first = head !== before ? head : "", wide = rest.length + 4;
    before = head;
    if (first) { row_ += .6; left = 0; }
    if (wide > left) { row_ += Math.ceil(wide / whole); left = whole; }
    left -= wide;
    long += first.length + rest.length;
    return { one, first, rest, row: row_, long };
  });
}
export const many = (found) => found.length > room().many || folded(found).some((each) => each.row > room().rows || each.long > room().long);
const few = (found) => Math.max(1, folded(found.slice(0, 60)).filter((each, n) => n < room().few && each.long + 6 * n + 6 <= room().first && each.row < room().rows).length);
function answer({ one, first, rest }, n) {
  const here = question(), said = here.said || [], on = here.chosen ? here.chosen === one.text : said.some((text) => text === one.shown || text.startsWith(one.text));
  return [first ? el("b", {}, first) : null, button(rest, () => pick(one), { "aria-pressed": String(on), "data-n": one.number, title: n < 9 ? String(n + 1) : "", "aria-label": rest === one.shown ? undefined : one.shown })];
}
export async function pick(one) {
  drop();
  T.chosen = { ...T.chosen, [T.key]: one.text };
  await choose(one);
}
function steps() {
  const row_ = T.steps.filter((one) => one.how !== "program");
  if (row_.length < 2) { return null; }
  const n = row_.findIndex((one) => one.key === T.key);
  return el("div", { className: "steps" }, row_.map((one, at) => el("button", {
    type: "button", className: at === n ? "now" : one.answered ? "done" : "", ariaLabel: say("question-of", { n: at + 1, count: row_.length }) + ": " + one.text, title: one.text, onclick: () => safely(() => turn(one.key))
  }, el("i"))), el("span", {}, say("question-of", { n: n + 1, count: row_.length })));
}
export function ask() {
  const into = $("ask"), here = question();
  into.className = "ask" + (asked() && !T.story ? " mine" : "") + (T.elsewhere ? " off" : "");
  const acted = document.activeElement && into.contains(document.activeElement) ? [...into.querySelectorAll("button")].indexOf(document.activeElement) : -1;
  if (T.story) { fill(into, playing()); } else if (T.now.gm && !T.now.over) { fill(into, desk()); } else if (T.now.over) {
    fill(into, el("h2", {}, say("over")), el("div", { className: "answers" }, button(say("replay"), () => play(0))));
  } else if (here) {
    const deck = hand(), found = deck ? deck.found.filter((one) => !deck.of(one).length) : answers(), list = many(found), shown_ = list ? few(found) : found.length, beside = (here.beside || []).join(" ");
    fill(into, steps(), el("h2", {}, here.text),
      el("p", { className: "more" }, beside.length < 160 ? beside + " " : "", here.secret ? el("span", { title: here.reads }, say("secret") + " ") : "", here.rule ? rule(here.rule) : ""),
      here.answered && !(here.elements || []).length && !found.some((one) => (here.said || []).some((text) => text.startsWith(one.text))) ? el("p", {}, "✓ " + (here.said || []).join("; ")) : null,
      el("div", { className: dense(found) && !list ? "answers dense" : "answers" }, folded(found.slice(0, 60)).slice(0, shown_).map(answer), list ? button(say("more-below", { count: found.length - shown_ }), () => { open("now", true); }, { className: "dim" }) : null, onward(here)));
  } else if (T.now.ready || (T.signs && T.signs.may)) {
    fill(into, steps(), el("h2", {}, say("ready-now")), T.ends ? el("p", {}, T.ends.text) : null);
  } else {
    const who = T.now.seats.filter((one) => one.awaited).map((one) => one.seat || one.id);
    const due = T.now.due ? say("until", { due: T.now.due }) : "";
    fill(into, el("h2", {}, say("nothing-to-do")), el("p", {}, who.length ? say("waiting-for", { who: who.join(", ") }) + " " + due : ""),
      el("div", { className: "answers" }, button(say("replay"), () => play(T.now.last)), el("a", { href: "standing" }, say("answer-ahead"))));
  }
  if (acted >= 0) { const those = into.querySelectorAll("button"); if (those.length) { those[Math.min(acted, those.length - 1)].focus(); } }
}
// what comes after the answers: the next question of the row, and why it ends
function onward(here) {
  const found = [];
  if ((here.list || T.back === here.key) && here.answered && T.next && T.next.key !== here.key) { found.push(button(say("next-question", { text: T.next.text }), () => { T.key = T.back = ""; return row().then(show); })); }
  const rest = here.complete && here.rest;
  if (rest) { found.push(button(rest.text, () => change("stand", { entry: rest.entry }), { title: (here.said || []).join("; ") })); }
  const none = T.nothing;
  if (none && (T.next ? T.next.key === here.key : here.answered)) { found.push(button(none.text, nothing, { className: "rest", title: none.questions.join(" ") + " " + none.reads })); }
  if (T.offer) { found.push(button(T.offer.text, () => change("stand", { entry: T.offer.entry }), { title: T.offer.words })); }
  return found;
}

async function nothing() {
  drop();
  await change("nothing", {});
  T.back = "";
}

// ---- the line -------------------------------------------------------------------------------------------------

const parts = (bold, ...more) => [el("b", {}, bold), ...more.filter(Boolean).map((one) => (typeof one === "string" ? el("span", {}, one) : one))];
function odds(found) {
  const share = parseFloat(found.share) || 0, wide = (n) => `width:${n}%`;
  return [el("span", { className: "odds", "aria-hidden": "true" }, el("i", { style: wide(share) })), el("span", {}, found.sentence)];
}
// what an order where the pointer rests would mean
function meaning() {
  const found = T.over ? aimed(T.over) : null;
  return !found ? [] : found.odds && found.odds.sentence ? [found.odds.sentence] : found.lines;
}
export function line() {
  const into = $("line");
  if (T.wrong) { fill(into, parts(T.wrong), T.elsewhere ? button(say("show-it"), () => location.reload()) : null); return; }
  if (T.story) { fill(into, el("span", {}, T.story.now.sentence || T.story.now.headline)); return; }
  if (T.refused) { fill(into, parts(T.refused.head, T.refused.text)); return; }
  if (T.aim) {
    const n = T.aim.ids.size, found = T.aim.odds;
    fill(into, found && found.sentence ? odds(found) : [el("b", {}, say("against", { what: called(T.aim.at) })), el("span", {}, found ? found.none : "")],
      button(say("order-it", { count: n }), () => go(T.aim.at).then(show), { className: "order" }));
    return;
  }
  if (T.instead.length) { fill(into, parts(say("ordered"), say("or")), T.instead.map((one) => button(one.option.shown, () => instead(one).then(() => { show(); $("map").focus(); })))); return; }
  if (T.left && T.left.length) { const one = T.left[0], why = one.faults[0]; fill(into, parts(say("left", { counter: one.counter }), why ? why.message : "")); return; }
  if (T.done && !T.hand) { fill(into, parts(say("ordered"), T.done)); return; }
  if (T.keyed && T.keyed === T.look && !(T.hand && T.hand.at === T.keyed)) { fill(into, el("span", {}, [T.spoken, ...meaning()].join(" "))); return; }
  if (T.over && targets().has(T.over)) { const one = targets().get(T.over)[0]; fill(into, parts(called(T.over), [say(kind(one) === "attack" ? "may-attack" : "may-go") + (price(one) ? ` (${price(one)}).` : "."), ...meaning()].join(" "))); return; }
  const purse = ((question() || {}).purse || []).filter((one, n, all) => !T.hand || one.at === T.hand.at || !all.some((each) => each.at === T.hand.at)).map((one) => one.text).join(" · ");
  if (T.hand) { fill(into, parts(T.hand.ids.join(", ") || called(T.hand.at), (purse || inHand()))); return; }
  if (T.look && T.spoken) { fill(into, el("span", {}, T.spoken)); return; }
  if (purse) { fill(into, el("span", {}, purse)); return; }
  fill(into, el("span", { className: "if" }, (phone() ? say("tap-something") : say("click-something"))));
}

// ---- the stack in hand, as pictures -----------------------------------------------------------------------------

export function tray() {
  const deck = !T.hand && !T.story && question() ? hand() : null;
  if (deck) { $("tray").hidden = false; $("tray").dataset.at = "foot"; fill($("tray"), cards(deck)); return; }
  const box = $("tray"), all = T.hand ? counters(T.hand.at).filter((one) => one.mine) : [], more = acts();
  box.hidden = T.story || !T.hand || (all.length < 2 && !more.length);
  if (box.hidden) { return; }
  const focused = document.activeElement && box.contains(document.activeElement) ? document.activeElement.dataset.id : null;
  fill(box, all.map((one) => {
    const face = picture(one.id), can = known(one.id).length;
    const made = button("", (event) => held(one.id, event.shiftKey), { "aria-pressed": String(T.hand.ids.includes(one.id)), "data-id": one.id, "aria-disabled": can ? "false" : "true" });
    made.innerHTML = (face ? `<svg viewBox="-18 -18 36 36" aria-hidden="true"><use href="${esc(face)}"/></svg>` : "") + `${esc(one.id)}<small>${esc(one.text)}</small>`;
    return made;
  }), more.slice(0, 12).map((one) => button(one.shown, () => choose(one).then(show), { className: "act" })));
  clear(box, [T.hand.at, ...targets().keys()]);
  if (focused) { const one = box.querySelector(`[data-id="${CSS.escape(focused)}"]`); if (one) { one.focus({ preventScroll: true }); } }
}
async function held(id, more) {
  T.aim = T.refused = null;
  const those = await options(id);
  if (!those.length) { T.refused = null; return import("./board-clicks.js").then((one) => one.why(T.hand.at, null, id)); }
  T.hand.ids = !more ? [id] : T.hand.ids.includes(id) ? T.hand.ids.filter((one) => one !== id) : [...T.hand.ids, id];
  if (!T.hand.ids.length) { drop(); }
  show();
}

// ---- orders so far, and the foot ------------------------------------------------------------------------------------

export function listed() {
  const found = orders();
  if (!found.length && !(T.signs && T.signs.would || []).length) { return el("p", { className: "faint" }, say("nothing-ordered")); }
  return [el("ol", { className: "orders" }, found.map((one) => el("li", {}, el("span", {}, one.text, (one.faults || []).map((fault) => el("p", { className: "fact bad" }, fault.message, fault.rule ? [" ", rule(fault.rule)] : ""))),
    one.number ? button("↑", () => change("shift", { key: one.key, number: one.number, text: "up" }), { ariaLabel: say("up") + ": " + one.text }) : null,
    button("×", () => { drop(); return change("remove", { key: one.key, number: one.number }); }, { ariaLabel: say("remove") + ": " + one.text })))),
    ...(T.signs && T.signs.would || []).filter(() => !found.length).map((text) => el("p", {}, text))];
}
export function foot() {
  const all = orders(), n = all.filter((one) => one.trail.length).length || all.length, may = Boolean(T.signs && T.signs.may && !T.elsewhere), going = asked() && !T.story, sign = $("sign");
  const would = (T.signs && T.signs.would) || [], ahead = (T.signs && T.signs.ahead) || [], left = (T.signs && T.signs.open) || [];
  fill($("count"), T.story ? say("question-after") : T.now.gm ? (phone() ? "" : say("all-before-stage")) : !going ? (T.signs && T.signs.back ? say("may-take-back") : "")
    : may ? [el("b", {}, n ? say(n === 1 ? "one-order" : "orders", { count: n }) : (would[0] && would[0].length < 60 ? would[0] : say("ready-to-sign")) + ","), " ", say("one-signature"), ahead.length ? " " + say("and-ahead", { count: ahead.length }) : "", left.length ? ". " + say("left-open", { what: phone() ? left.length : left[0] }) : ""]
      : n ? [el("b", {}, say(n === 1 ? "one-order" : "orders", { count: n })), " ", T.signs && T.signs.why || ""] : say("nothing-to-sign"));
  $("count").title = [...(n ? [] : would), $("count").textContent].join(" ");
  $("undo").setAttribute("aria-disabled", String(!T.undo.length));
  $("redo").setAttribute("aria-disabled", String(!T.redo.length));
  const back = !going && T.signs && T.signs.back && !T.story;
  sign.textContent = T.story ? say("skip") : back ? say("take-back") : say("sign");
  const master = T.now.gm && !T.now.over && !T.story;
  sign.classList.toggle("plain", master);
  if (master) { sign.textContent = say("forfeit"); sign.setAttribute("aria-disabled", "false"); }
  sign.hidden = !going && !back && !T.story && !master;
  $("undo").parentElement.hidden = T.now.gm;
  if (!master) { sign.setAttribute("aria-disabled", String(!(T.story || back || may))); }
  sign.title = T.story || may ? "" : T.elsewhere ? T.wrong : (T.signs && T.signs.why) || say("nothing-to-sign");
  fill($("pinned"), el("h3", {}, say("orders-so-far")), listed());
  const tab = $("tab-orders");
  tab.textContent = tab.dataset.name = (tab.dataset.word = tab.dataset.word || tab.textContent) + (n ? " " + n : "");
}
const paints = $("seats").dataset.paints.split(" ");
export function bar() {
  $("turn").textContent = T.now.place;
  fill($("seats"), T.now.seats.map((one) => el("li", {}, el("b", { className: paints[paints.indexOf(one.id) + 1] || "" }, one.seat || one.id), " ", one.awaited ? (one.you ? say("you") : "…") : "✓")));
  fill($("due"), T.now.due ? [say("due") + " ", el("b", { title: T.now.due }, T.now.left || T.now.due)] : "");
}
export { forfeit };
$("undo").addEventListener("click", () => safely(() => step(T.undo, T.redo)));
$("redo").addEventListener("click", () => safely(() => step(T.redo, T.undo)));
