// What the pages of the editor share: words, questions to the program, and who is told when something changes.
export const $ = (id) => document.getElementById(id);
export const S = {
  model: null, index: new Map(), terrain: new Map(), digests: {}, faults: [], cursor: 0,
  tool: "terrain", mode: "brush", size: 1, letter: "", side: "", link: "", layer: "", area: "", box: "", boxGroup: "", erase: false, ring: null,
  counter: null, faces: null, picture: null, pictures: {}, scan: "", pulled: null, shown: true, opacity: 0.35, proposals: new Map(), sure: new Set(), drawn: {}
};
const words = JSON.parse(document.body.dataset.words), base = (document.body.dataset.root || "") + "/edit";

export function say(name, values) {
  const one = values && values.count === 1 && words[name + "-one"] ? name + "-one" : name;
  return (words[one] || name).replace(/\{(\w+)\}/g, (all, key) => (values && key in values ? values[key] : all));
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
  one.addEventListener("click", work);
  return one;
}
export async function ask(path, body) {
  let said;
  try {
    const raw = body instanceof Blob;
    said = await fetch(base + path, body === undefined ? { headers: { Accept: "application/json" } } : {
      method: "POST", headers: { Accept: "application/json", "Content-Type": raw ? "application/octet-stream" : "application/json" },
      body: raw ? body : JSON.stringify(body)
    });
  } catch (error) { throw { wrong: say("silent") }; }
  const found = await said.json().catch(() => ({ wrong: say("silent") }));
  if (!said.ok) { throw found; }
  return found;
}
export function wrong(found) {
  if (!found || !("wrong" in found)) { throw found; }
  tell(found.wrong || (found.faults || []).map((one) => one.message).join(". "), true);
}
// the line below the map: what has happened, for all who look or listen
export function tell(text, strong) {
  $("said").textContent = text;
  $("said").classList.toggle("strong", Boolean(strong));
}
const heard = {};
export function on(what, by) { (heard[what] = heard[what] || []).push(by); }
export function emit(what, value) { (heard[what] || []).forEach((by) => by(value)); }
