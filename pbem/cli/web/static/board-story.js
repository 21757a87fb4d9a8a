// News as a replay: one story of steps, one's own fights first; back, next, to the end.
import { T, ask, button, el, say, show } from "./board-state.js";
import { called } from "./board-hand.js";
import { reveal } from "./board-sheets.js";
import { rule } from "./board-now.js";

export async function play(since, from) {
  const found = await ask("news?since=" + since);
  if (!found.steps.length) { T.wrong = say("no-news"); show(); return; }
  T.story = { found, order: "ranked", n: 0 };
  const n = found.ranked.findIndex((at) => found.steps[at].n === from);
  at(Math.max(0, n));
}
export const told = (one) => (one.fight && one.sentence) || one.headline;
export const order = () => T.story.found[T.story.order];
export function at(n) {
  const story = T.story;
  story.n = Math.max(0, Math.min(order().length - 1, n));
  story.now = story.found.steps[order()[story.n]];
  story.at = (story.now.at || [])[0];
  if (story.at) { reveal(story.at); }
  T.tab = "now";
  show();
}
export function end() { T.story = null; show(); }
export function playing() {
  const story = T.story, count = order().length, one = story.now;
  return [el("p", { className: "faint" }, say("step-of", { n: story.n + 1, count })), el("h2", {}, told(one)), el("progress", { max: count, value: story.n + 1, ariaLabel: say("step-of", { n: story.n + 1, count }) }),
    el("div", { className: "answers" }, button(say("back"), () => at(story.n - 1), { "aria-disabled": String(!story.n) }),
      story.n + 1 < count ? button(say("next"), () => at(story.n + 1)) : null, button(say("to-the-end"), end),
      button((story.order === "ranked" ? say("as-it-happened") : say("own-first")), () => { story.order = story.order === "ranked" ? "happened" : "ranked"; at(0); }))];
}
export function table() {
  const one = T.story.now, rest = order().slice(T.story.n + 1).map((n) => T.story.found.steps[n]);
  return [el("h3", {}, say(one.fight ? "this-fight" : "this-step")), el("p", {}, one.fight ? one.headline : one.sentence, one.rule ? [" ", rule(one.rule)] : ""), (one.at || []).length || (one.dice || []).length ? el("dl", {},
    (one.at || []).length ? [el("dt", {}, say("where")), el("dd", {}, one.at.map(called).join(", "))] : null,
    (one.dice || []).length ? [el("dt", {}, say("dice")), el("dd", {}, one.dice.join("; "))] : null) : null,
  el("h3", {}, say("to-come")), rest.length ? el("ul", {}, rest.slice(0, 30).map((each) => el("li", {}, told(each)))) : el("p", {}, say("nothing-more"))];
}
export const lines = (found) => el("ul", { className: "list" }, found.steps.map((one) => el("li", {}, button(told(one), () => play(found.since || 0, one.n)))));
