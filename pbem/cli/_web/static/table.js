// The orders page: click a place or a counter, see what may be done, choose. The program decides everything; the page
// only shows what it says and sends what was clicked.
(function () {
  "use strict";
  const desk = document.getElementById("desk");
  if (!desk) { return; }
  const base = "/g/" + desk.dataset.game + "/";
  const map = document.getElementById("map"), choices = document.getElementById("choices");
  const where = document.getElementById("where"), field = document.getElementById("at");
  const SVG = "http://www.w3.org/2000/svg";
  let question = null, place = null, board = null, marks = null, busy = false;

  function element(name, text, more) {
    const one = document.createElement(name);
    if (text) { one.textContent = text; }
    return Object.assign(one, more || {});
  }
  async function ask(path, body) {
    const said = await fetch(base + path, body === undefined ? {} : {
      method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body)
    });
    const found = await said.json();
    if (!said.ok) { throw found; }
    return found;
  }
  async function safely(work) {
    if (busy) { return; }
    busy = true;
    desk.setAttribute("aria-busy", "true");
    try { await work(); } catch (found) {
      const faults = found.faults || [];
      where.textContent = [found.wrong || "", ...faults.map((one) => one.message + " " + one.help.join("; "))].join(" ").trim() || "the table does not answer";
    } finally { busy = false; desk.removeAttribute("aria-busy"); }
  }

  // ---- the orders so far ------------------------------------------------------------------------------

  function show(state) {
    const list = document.getElementById("questions");
    list.textContent = "";
    if (!state.questions.some((one) => one.key === question)) { question = state.questions.length ? state.questions[0].key : null; }
    for (const one of state.questions) {
      const line = element("p");
      const pick = element("button", one.text + (one.rule ? " [" + one.rule + "]" : ""), { type: "button", className: "question" });
      pick.setAttribute("aria-pressed", String(one.key === question));
      pick.addEventListener("click", () => safely(async () => { question = one.key; show(state); await look(null); }));
      line.append(pick, one.secret ? " secret" : "", one.answered ? " ✓" : "");
      for (const [name, text] of [["back", "Take the last back"], ["clear", "Begin again"]]) {
        const button = element("button", text, { type: "button", disabled: !one.answered });
        button.addEventListener("click", () => safely(async () => { show(await ask(name, { key: one.key })); question = one.key; await look(null); }));
        line.append(" ", button);
      }
      list.append(line);
    }
    const understood = document.getElementById("understood");
    understood.textContent = "";
    state.understood.forEach((text) => understood.append(element("li", text)));
    const faults = document.getElementById("faults");
    faults.textContent = "";
    state.faults.forEach((one) => faults.append(element("p", one.message + (one.rule ? " [" + one.rule + "]" : "") + (one.help.length ? ": " + one.help.join("; ") : ""), { className: one.severity })));
    document.getElementById("text").value = state.text;
    document.getElementById("sign").disabled = !state.ok;
  }

  // ---- what may be done ---------------------------------------------------------------------------------

  function mark(options) {
    if (marks) { marks.remove(); }
    const svg = map.querySelector("svg");
    if (!svg) { return; }
    marks = document.createElementNS(SVG, "g");
    const ends = new Map();
    options.forEach((one) => { if (one.end && board.centres[one.end]) { ends.set(one.end, [...(ends.get(one.end) || []), one]); } });
    for (const [end, those] of ends) {
      const [x, y] = board.centres[end];
      const spot = document.createElementNS(SVG, "circle");
      spot.setAttribute("cx", x); spot.setAttribute("cy", y); spot.setAttribute("r", 26);
      spot.setAttribute("class", "target");
      const title = document.createElementNS(SVG, "title");
      title.textContent = those.map((one) => one.text + (one.note ? " (" + one.note + ")" : "")).join("\n");
      spot.append(title);
      spot.addEventListener("click", (event) => {
        event.stopPropagation();
        if (those.length === 1) { choose(those[0]); } else { list(those, end); }
      });
      marks.append(spot);
    }
    svg.append(marks);
  }
  function list(options, heading) {
    choices.textContent = "";
    if (heading) { choices.append(element("h3", heading)); }
    const found = element("ul", "", { className: "options" });
    for (const one of options) {
      const button = element("button", one.text + (one.note ? " (" + one.note + ")" : ""), { type: "button" });
      button.addEventListener("click", () => choose(one));
      const line = element("li");
      line.append(button);
      found.append(line);
    }
    choices.append(found);
  }
  function choose(one) {
    return safely(async () => {
      show(await ask("choose", { key: question, at: place, number: one.number, text: one.text }));
      where.textContent = "In your orders: " + one.text;
      await look(place);
    });
  }
  function counters(at) {
    const stack = board.stacks.find((one) => one.at === at);
    if (!stack) { return; }
    const line = element("p");
    stack.counters.forEach((one) => {
      if (!one.mine) { line.append(element("span", one.owner + " " + one.text, { className: "counter" }), " "); return; }
      const button = element("button", one.id + ": " + one.text, { type: "button", className: "counter mine" });
      button.addEventListener("click", () => safely(() => look(one.id)));
      line.append(button, " ");
    });
    choices.prepend(line);
  }
  async function look(at) {
    place = at;
    field.value = at || "";
    if (question === null) { return; }
    const found = (await ask("options", { key: question, at })).options;
    where.textContent = at === null ? "Whatever may come next:" : found.length ? at + ":" : at + ": nothing that is open now begins there.";
    list(found);
    if (at !== null) { counters(at); }
    mark(found);
  }

  // ---- the map ----------------------------------------------------------------------------------------------

  function nearest(event) {
    const svg = map.querySelector("svg");
    const point = new DOMPoint(event.clientX, event.clientY).matrixTransform(svg.getScreenCTM().inverse());
    let best = null, least = 40 * 40;
    for (const [id, [x, y]] of Object.entries(board.centres)) {
      const far = (x - point.x) ** 2 + (y - point.y) ** 2;
      if (far < least) { least = far; best = id; }
    }
    return best;
  }
  function size(by) {
    const svg = map.querySelector("svg");
    if (!svg) { return; }
    svg.style.minWidth = "0";
    svg.style.width = by === 0 ? "100%" : Math.round(svg.getBoundingClientRect().width * by) + "px";
  }
  desk.addEventListener("click", (event) => {
    const tool = event.target.closest("[data-map]");
    if (tool) { size({ larger: 1.4, smaller: 1 / 1.4, fit: 0 }[tool.dataset.map]); }
  });
  map.addEventListener("click", (event) => {
    const at = nearest(event);
    if (at) { event.preventDefault(); safely(() => look(at)); }
  });
  map.addEventListener("keydown", (event) => {
    const spot = event.target.closest(".m-x");
    if (spot && event.key === "Enter") { event.preventDefault(); safely(() => look(spot.id.replace(/^hex-/, ""))); }
  });
  document.getElementById("look").addEventListener("click", () => safely(() => look(field.value.trim() || null)));
  field.addEventListener("keydown", (event) => { if (event.key === "Enter") { safely(() => look(field.value.trim() || null)); } });

  safely(async () => {
    desk.hidden = false;
    board = await ask("board");
    map.innerHTML = board.svg;
    if (!board.svg) { map.hidden = true; }
    show(await ask("state"));
    await look(null);
  });
})();
