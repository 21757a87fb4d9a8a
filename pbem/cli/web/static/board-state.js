// What the program has said of the game, and what the player has in hand. The program decides everything: this asks it, and
// tells those who draw.
export const $ = (id) => document.getElementById(id);
const NOTHING = { text: "", moved: {}, faults: [] };
export const T = {
  now: null, board: { centres: {}, coasts: {}, rim: [], stacks: [], faces: {} }, key: "", steps: [], options: [], ends: null, offer: null, draft: NOTHING,
  notes: { notes: [], turn: "" }, hand: null, aim: null, over: null, refused: null, instead: [], look: null, tab: "now", page: null, story: null, news: null, undo: [], redo: [], every: new Map(), busy: 0, wrong: ""
};
const words = JSON.parse(document.body.dataset.words), base = (document.body.dataset.root || "") + "/g/" + document.body.dataset.game + "/";
export const phone = () => matchMedia("(max-width:699px) and (min-height:521px),(max-width:559px)").matches;

export function say(name, values) {
  return (words["js-" + name] || name).replace(/\{(\w+)\}/g, (all, key) => (values && key in values ? values[key] : all));
}
export function el(name, more, ...inner) {
  const one = document.createElement(name);
  for (const [key, value] of Object.entries(more || {})) {
    if (key in one && key !== "list") { one[key] = value; } else if (value !== undefined && value !== false) { one.setAttribute(key, value); }
  }
  one.append(...inner.flat(6).filter((each) => each !== null && each !== undefined && each !== ""));
  return one;
}
export function button(text, work, more) {
  const one = el("button", { type: "button", ...more }, text);
  one.addEventListener("click", (event) => safely(() => work(event)));
  return one;
}

// ---- asking -------------------------------------------------------------------------------------------

// somebody else sits here; a page that is being left stays on its way
let leaves = false;
document.addEventListener("submit", () => { leaves = true; });
export function reload() { if (!leaves) { location.reload(); } }
export async function ask(path, body) {
  let said;
  const open = T.now && body !== undefined ? { stage: T.now.stage, tag: T.tag, ...body } : body;
  try {
    said = await fetch(base + path, body === undefined ? { headers: { Accept: "application/json" } } : {
      method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(open)
    });
  } catch (error) { throw { wrong: say("silent") }; }
  if (said.status === 304) { return null; }
  const found = await said.json().catch(() => ({ wrong: say("silent") }));
  if (!said.ok) { throw { status: said.status, ...found }; }
  const gone = found.changed;
  if (gone && gone.left) { reload(); }
  if (gone) { throw { wrong: gone.said, elsewhere: !T.now || gone.stage !== T.now.stage || gone.tag !== T.tag }; }
  if (found.tag !== undefined) { T.tag = found.tag; }
  return found;
}
let shows = () => {}, waiting = Promise.resolve(), works = 0;
export function shown(by) { shows = by; }
export function show() { shows(); }
// one thing after the other; what goes wrong is told in the line, and the page stays
export function safely(work) {
  T.busy += 1;
  const mine = works += 1;
  document.body.setAttribute("aria-busy", "true");
  waiting = waiting.then(work).catch((found) => {
    if (!found || !("wrong" in found)) { throw found; }
    T.wrong = found.wrong || (found.faults && found.faults[0] ? found.faults[0].message : "");
    T.elsewhere = Boolean(found.elsewhere);
    shows();
  }).finally(() => {
    T.busy -= 1;
    requestAnimationFrame(() => requestAnimationFrame(() => { if (mine === works) { document.body.removeAttribute("aria-busy"); } }));  // when it is drawn
  });
  return waiting;
}

// ---- what is asked, and the orders so far ---------------------------------------------------------------

export const question = () => T.steps.find((one) => one.key === T.key) || null;
export const asked = () => Boolean(T.now && !T.now.over && (T.steps.length || T.now.ready || (T.now.sign && T.now.sign.may)));
export const orders = () => T.steps.flatMap((one) => (one.elements || []).map((each, number) => ({ ...each, key: one.key, number })));

export async function load() {
  T.now = await ask("now");
  T.wrong = "";
  T.elsewhere = false;
  taken(T.now);
  await row();
}
function taken(found) {
  T.draft = found.draft || NOTHING;
  T.steps = found.questions;
  T.signs = found.sign;
}
// the questions in a row: all that are answered, and the one that comes next
export async function row(past) {
  if (!T.now.questions.length || T.now.over) { T.steps = []; T.options = []; T.ends = T.nothing = null; return; }
  const found = await ask("next", past ? { past } : {});
  T.steps = found.steps.filter((one) => one.how !== "program");
  T.told = found.steps.filter((one) => one.how === "program");
  if (found.question && !T.steps.some((one) => one.key === found.question.key)) { T.steps.push(found.question); }
  T.ends = found.ends;
  T.offer = found.offer;
  T.nothing = found.nothing;
  T.signs = found.sign || T.signs;
  const here = question();
  T.next = found.question;
  // a list with something in it goes on until the player turns to what follows
  if (here && here.answered && (T.back === here.key || (here.grows && here.elements.length) || !found.question)) { return; }
  const to = found.question || here || T.steps[T.steps.length - 1];
  const other = to && to.key !== T.key;
  T.key = to ? to.key : "";
  T.back = "";
  T.options = (found.question ? found.options : to ? (await ask("options", { key: T.key, at: null })).options : []).map(own(null));
  if (other) { T.every.clear(); T.hand = T.aim = T.refused = null; }
}
export const own = (of) => (one) => ({ ...one, of });
// turn to another question of the row
export async function turn(key) {
  T.key = T.back = key;
  T.every.clear();
  T.hand = T.aim = T.refused = null;
  T.options = (await ask("options", { key, at: null })).options.map(own(null));
  show();
}
export async function change(path, body) {
  const before = T.draft.text, many = orders().length;
  const found = await ask(path, { key: T.key, ...body });
  T.tag = found.tag;
  if (found.text !== undefined && found.text !== before) {
    if (path !== "put") { T.undo.push(before); T.redo.length = 0; }
    T.every.clear();
  }
  // drawn at once from what has come; the row follows
  T.draft = { ...T.draft, text: found.text, moved: found.moved, faults: found.faults };
  T.steps = T.steps.map((one) => ({ ...one, ...(found.questions.find((each) => each.key === one.key) || {}) }));
  const now = orders();
  T.refused = T.keyed = null;
  T.done = now.length > many ? now[now.length - 1].text : "";
  T.wrong = "";
  show();
  await row();
  if (question() && question().list && path !== "march") { T.options = (await ask("options", { key: T.key, at: null })).options.map(own(null)); }
  show();
  return found;
}
export async function step(from, onto) {
  if (!from.length) { return; }
  onto.push(T.draft.text);
  T.hand = T.aim = null;
  T.instead = [];
  await change("put", { text: from.pop() });
}
