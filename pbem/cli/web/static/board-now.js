// The tabs of the panel: what is in hand, the news, the units, the orders, the rules.
import { $, T, ask, button, change, el, orders, phone, question, row, safely, say, show } from "./board-state.js";
import { acts, called, choose, counters, inHand, joiners, kind, mine, moved, stackAt, takeUp, targets, trial } from "./board-hand.js";
import { M, reveal } from "./board-sheets.js";
import { answers, fill, hand, listed, many, pick } from "./board-panel.js";
import { lines, play, table, told } from "./board-story.js";
import { owes } from "./board-desk.js";

const TABS = ["now", "news", "units", "orders", "rules"];
export function open(tab, raise) {
  T.tab = tab;
  if (raise && phone() && $("panel").dataset.open === "peek") { size("half"); }
  show();
  if (tab === "news" && !T.all) { safely(async () => { T.all = await ask("news"); if (T.now.talks.length) { T.waiting = (await ask("talk")).waiting; } show(); }); }
}
export function size(to) {
  $("panel").dataset.open = to;
  $("grip").setAttribute("aria-expanded", String(to !== "peek"));
}
// a number of the rules opens its paragraph, in our own words, in the panel
export function rule(number) {
  return paper("[" + number + "]", "rule/" + encodeURIComponent(number), number, { ariaLabel: say("rule", { number }) });
}
function paper(text, path, title, more) {
  return button(text, async () => {
    const found = await ask(path).catch(() => ({}));
    T.page = found.html ? found : { title, text: say("no-rule") };
    open("rules", true);
  }, { className: "rule", ...more });
}
const fault = (one, bad) => el("p", { className: "fact" + (bad ? " bad" : "") }, one.message, one.rule ? [" ", rule(one.rule)] : "", (one.help || []).map((text) => [el("br"), text]));
// what the orders so far would leave, and an order that is aimed at: asked for when the pointer rests
let resting = 0;
export function means(at, tried, units) {
  const name = [T.key, at, T.draft.text, JSON.stringify(tried)].join("\n"), found = T.then && T.then.name === name ? T.then : null;
  if (!found && T.now.me && question()) {
    clearTimeout(resting);
    resting = setTimeout(async () => {
      const odds = units ? await ask("odds", { key: T.key, target: at, units }).catch(() => null) : null;
      const said = await ask("after", { key: T.key, at: at || "", ...tried }).catch(() => null);
      if (said) { T.then = said.later ? null : { name, at, odds, lines: said.lines }; show(); }  // later: a click comes first
    }, 300);
  }
  return found;
}
function after(at) {
  const aimed_ = T.over || (T.aim && T.aim.at), found = aimed_ ? aimed(aimed_) : means(at);
  return found && found.lines.length ? [head(T.over ? say("with-order", { what: called(T.over) }) : say("after-move")), el("ul", {}, found.lines.map((text) => el("li", {}, text)))] : null;
}
// what the order at a place that is aimed at would mean, before it is given
export function aimed(at) {
  const there = T.over ? targets().get(at) : null, units = there && kind(there[0]) === "attack" ? T.hand.ids.filter((id) => joiners(at).has(id)) : [];
  return means(at, trial(at), units.length ? units : null);
}
const head = (text) => el("h3", {}, text);

function now() {
  if (T.story) { return table(); }
  if (T.refused) {
    const [first, ...others] = T.refused.reasons;
    return [head(say("why")), el("p", {}, el("b", {}, T.refused.full)), first ? fault(first, true) : null,
      others.length ? el("details", {}, el("summary", {}, say("other-reasons", { count: others.length })), others.map((one) => fault(one))) : null,
      T.refused.near ? [head(say("what-it-could")), el("p", {}, T.refused.near), T.refused.nearest ? button(say("order-that"), () => choose({ ...T.refused.nearest, of: T.refused.of }).then(show)) : null] : null,
      T.refused.legal ? button(say("take"), T.refused.take) : null];
  }
  if (T.aim) {
    const found = T.aim.odds;
    return [head(say("against", { what: called(T.aim.at) })), el("p", {}, [...T.aim.ids].join(", ")), el("p", { className: "faint" }, say("who-joins")), found ? [
      found.sentence ? el("p", { className: "fact" }, found.sentence) : el("p", { className: "fact" }, found.none),
      (found.table || []).length ? el("table", {}, found.table.map((one) => el("tr", {}, el("td", {}, one.result), el("td", {}, one.share || one.chance)))) : null,
      found.chart ? el("p", {}, paper(say("chart"), "chart/" + found.chart.name + "?column=" + encodeURIComponent(found.chart.column), found.chart.name)) : null,
      (found.ends || []).length ? el("dl", {}, found.ends.flatMap((one) => [el("dt", {}, one.text || one.end), el("dd", {}, one.share)])) : null] : null, after(T.aim.at)];
  }
  if (T.hand) {
    const all = [...new Set([...targets().values()].flat().concat(acts()))];
    return [head(say("in-hand")), T.hand.ids.length ? T.hand.ids.map(figures) : el("p", {}, called(T.hand.at)), T.over && T.then && T.then.at === T.over && T.then.odds && T.then.odds.sentence ? el("p", { className: "fact" }, T.then.odds.sentence) : null, after(T.hand.at), el("p", { className: "faint" }, inHand()),
      opened(say("all-it-may", { count: all.length }), () => filtered(all.slice(0, 200), (one) => choose(one).then(show))), notes(T.hand.at)];
  }
  const found = answers(), other = T.options.filter((one) => !found.includes(one));
  const choices = question() && many(found) && !hand() ? [head(say("answers")), filtered(found, pick)] : null;
  const more = question() && other.length ? filtered(other, (one) => choose(one).then(show)) : null;
  if (T.now.gm) { return [owes(), T.look ? [head(called(T.look)), here(T.look)] : null]; }
  if (T.look) { return [choices, head(called(T.look)), here(T.look), after(T.look), more]; }
  const beside = question() ? question().beside || [] : [];
  const letters = (T.signed || {}).letters || [];
  const last = orders().filter((one) => one.trail.length).pop();
  return [last ? after(last.trail[last.trail.length - 1]) : null, letters.length ? [head(say("to-send")), el("ul", {}, letters.map((one) => el("li", {}, one.about))), el("p", {}, el("a", { href: "post" }, say("post")))] : null, choices, beside.join(" ").length < 160 ? null : [head(say("to-know")), el("ul", {}, beside.map((text) => el("li", {}, text)))], since(), (T.draft.faults || []).map((one) => fault(one, one.severity === "error")), (T.told || []).length ? [head(say("told")), T.told.map((one) => el("p", {}, one.text + " " + (one.said || []).join("; ")))] : null, ends(), awaited(), noted(), T.now.practice && T.signs && T.signs.back ? el("p", {}, button(say("take-back-last"), () => T.takeBack())) : null];
}
// why the row of questions ends here; whoever goes on nevertheless is told who will be able to read it
function ends() {
  return [beyond(), T.nothing ? el("details", {}, el("summary", {}, T.nothing.text), el("ul", {}, T.nothing.questions.map((text) => el("li", {}, text))), el("p", { className: "faint" }, T.nothing.reads)) : null];
}
function beyond() {
  const one = T.ends && question() && question().answered ? T.ends : null, more = one && one.further;
  return one ? [head(say("after-this")), el("p", {}, one.text), more ? [el("p", {}, button(more.text, () => { T.key = ""; return row(true).then(show); })), el("p", { className: "faint" }, more.reads)] : null] : null;
}
function awaited() {
  const who = T.now.seats.filter((one) => one.awaited && !one.you);
  return who.length ? [head(say("awaited")), el("table", {}, who.map((one) => el("tr", {}, el("td", {}, one.seat || one.id), el("td", {}, one.due || ""))))] : null;
}
function since() {
  const found = T.news && T.news.steps.length ? T.news : null;
  if (!found) { return null; }
  return [head(say("since")), el("ul", {}, found.ranked.slice(0, 3).map((n) => el("li", {}, told(found.steps[n])))), el("p", {}, button(say("replay-it"), () => play(T.now.last)))];
}
// what is folded is made when it is opened: two hundred buttons take longer than all else that a click draws
function opened(text, make) {
  const found = el("details", { "data-of": T.key + T.draft.text.length }, el("summary", {}, text));
  found.addEventListener("toggle", () => { if (found.open && found.children.length === 1) { found.append(...[make()].flat()); } });
  return found;
}
export function filtered(found, work) {
  const list = el("ul", { className: "list" }, found.map((one) => el("li", {}, button(one.shown, () => work(one)))));
  if (found.length <= 12) { return list; }
  const field = el("input", { type: "search", ariaLabel: say("filter"), placeholder: say("filter") });
  field.addEventListener("input", () => {
    const wanted = field.value.toLowerCase().split(/\s+/);
    for (const line of list.children) { line.hidden = !wanted.every((word) => line.textContent.toLowerCase().includes(word)); }
  });
  return [field, list];
}
function figures(id) {
  const one = T.facts && T.facts[id];
  return el("p", {}, el("b", {}, id), " ", (counters(T.hand.at).find((each) => each.id === id) || {}).text || "", moved(id) ? " → " + called(moved(id)) : "", " ", one ? el("span", { className: "faint" }, one) : button(say("past"), async () => {
    const told = (await ask("past", { at: id })).lines;
    T.facts = { ...T.facts, [id]: told.join(" · ") || say("past-none") };
    show();
  }, { className: "rule" }));
}
function here(at) {
  const all = counters(at), lying = (stackAt(at) || {}).facilities || [];
  return [el("p", { className: "faint" }, M.labels.get(at) || (all.length ? "" : say("nobody-here"))),
    el("ul", {}, all.map((one) => el("li", {}, (one.mine ? one.id + ": " : one.owner + " ") + one.text)), lying.map((one) => el("li", {}, one))), notes(at)];
}
// a private note on a place, or on this game turn ("")
function notes(at) {
  const found = T.notes.notes.find((one) => one.at === at && (at || one.turn === T.notes.turn)), text = found ? found.text : "", name = at ? say("note") + ": " + called(at) : say("note-turn");
  const field = el("textarea", { rows: 2, ariaLabel: name }, text);
  return el("details", { open: Boolean(text) }, el("summary", {}, name), field, button(say("keep"), async () => { T.notes = await ask("note", { at, text: field.value }); show(); }));
}
function noted() {
  const places = T.notes.notes.filter((one) => one.at), before = T.notes.notes.filter((one) => !one.at && one.turn !== T.notes.turn);
  return [notes(""), places.length + before.length ? el("details", {}, el("summary", {}, say("notes", { count: places.length + before.length })),
    places.map((one) => el("p", {}, button(called(one.at), () => { reveal(one.at); T.look = one.at; show(); }, { className: "rule" }), " ", one.text)), before.map((one) => el("p", {}, el("b", {}, one.turn), " ", one.text))) : null];
}
function units() {
  const rows = [...new Set(T.board.stacks.map((one) => one.at))].map((at) => [at, counters(at)]).filter(([, all]) => all.length);
  const part = (own) => rows.map(([at, all]) => [at, all.filter((one) => one.mine === own)]).filter(([, all]) => all.length)
    .map(([at, all]) => el("tr", {}, el("td", {}, button(called(at), async () => { reveal(at); if (own) { await takeUp(at); } T.look = at; show(); }, { className: "rule" })), el("td", {}, all.map((one) => (own ? one.id + " " : one.owner + " ") + one.text).join("; "))));
  const field = el("input", { type: "search", id: "find", ariaLabel: say("find"), placeholder: say("find"), value: T.find || "" });
  field.addEventListener("change", async () => {
    const wanted = field.value.trim().toLowerCase(), known_ = Object.keys(T.board.centres);
    const at = known_.find((one) => one.toLowerCase() === wanted) || (T.board.stacks.find((one) => one.name.toLowerCase().includes(wanted) || one.counters.some((each) => each.id.toLowerCase() === wanted)) || {}).at;
    if (at && wanted) { reveal(at); if (mine(at).length) { await takeUp(at); } T.look = at; T.tab = "now"; show(); }
  });
  return [field, head(say("your-units")), el("table", {}, part(true)), head(say("others")), el("table", {}, part(false))];
}
function news() {
  const found = T.all || T.news;
  if (!found) { return el("p", { className: "faint" }, say("no-news")); }
  return [el("p", {}, button(say("replay-it"), () => play(T.now.last))), lines(found), talk(), el("p", {}, el("a", { href: "./" }, say("whole-report")))];
}
// a message that goes with the next email, pure text
function talk() {
  const others = T.now.talks, field = el("textarea", { rows: 2, ariaLabel: say("message") }), send = (to, text, all) => async () => { T.waiting = (await ask("talk", { to: to(), text: text(), public: Boolean(all) })).waiting; show(); };
  if (!others.length) { return null; }
  const boxes = others.map((one) => [one.id, el("input", { type: "checkbox", checked: others.length === 1, ariaLabel: one.seat }), one.seat]);
  return el("details", { open: Boolean(T.waiting && T.waiting.length) }, el("summary", {}, say("message")), boxes.map(([, box, seat]) => el("label", {}, box, " " + seat + " ")), field,
    button(say("add-message"), send(() => boxes.filter(([, box]) => box.checked).map(([id]) => id), () => field.value)),
    (T.waiting || []).map((one) => el("p", { className: "fact" }, one.to.join(", ") + ": " + one.text, button("×", send(() => one.to, () => "", one.public), { ariaLabel: say("remove") }))), el("p", {}, el("a", { href: "letters" }, say("letters", { count: T.now.letters }))));
}
// text for named readers that goes with the orders: seen in the list of what will be signed too
function enclosed() {
  return (T.now.enclosed || []).map((one) => {
    const field = el("textarea", { rows: 2, maxLength: 400, ariaLabel: one.ask, value: one.text });
    const boxes = one.others.map(({ id, seat }) => [el("input", { type: "checkbox", checked: one.to.includes(id), ariaLabel: seat }), id, seat]);
    const put = (text) => async () => {
      T.now.enclosed = (await change("enclose", { kind: one.kind, to: boxes.filter(([box]) => box.checked).map(([, id]) => id), text: text() })).enclosed;
      if (document.activeElement) { document.activeElement.blur(); }
      show();
    };
    return el("details", { open: Boolean(one.text), id: "enclose-" + one.kind }, el("summary", {}, say("enclose")), el("p", { className: "faint" }, one.ask),
      boxes.map(([box, , seat]) => el("label", {}, box, " " + seat + " ")), field, button(say("enclose-it"), put(() => field.value)),
      one.text ? button(say("enclose-not"), put(() => "")) : null);
  });
}
function rules() {
  const page = T.page;
  if (!page) { return el("p", { className: "faint" }, say("no-rule-yet")); }
  const body = el("div");
  if (page.html) { body.innerHTML = page.html; } else { body.textContent = page.text || ""; }
  return [head(page.title), body];
}
export function tabs() {
  for (const name of TABS) {
    const one = $("tab-" + name), on = name === T.tab;
    one.setAttribute("aria-selected", String(on));
    one.tabIndex = on ? 0 : -1;
  }
  const into = $("pages");
  into.setAttribute("aria-labelledby", "tab-" + T.tab);
  const kept = into.contains(document.activeElement) && ["TEXTAREA", "INPUT"].includes(document.activeElement.tagName);
  if (kept) { return; }
  fill(into, [{ now, news, units, orders: () => [head(say("orders-so-far")), listed(), enclosed()], rules }[T.tab]()]);
}
$("tabs").addEventListener("click", (event) => { const one = event.target.closest("[data-tab]"); if (one) { open(one.dataset.tab); } });
$("tabs").addEventListener("keydown", (event) => {
  const by = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
  if (!by) { return; }
  open(TABS[(TABS.indexOf(T.tab) + by + TABS.length) % TABS.length]);
  $("tab-" + T.tab).focus();
});
