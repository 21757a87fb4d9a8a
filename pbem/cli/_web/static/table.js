// The orders page: click a place or a counter, see what may be done, choose. The program decides everything; the page
// only shows what it says and sends what was clicked.
(function () {
  "use strict";
  const desk = document.getElementById("desk");
  if (!desk) { return; }
  const id = (name) => document.getElementById(name);
  const base = "/g/" + desk.dataset.game + "/", asking = Boolean(desk.dataset.asked);
  const words = JSON.parse(desk.dataset.words);
  const frame = desk.querySelector(".map-frame"), svg = frame && frame.querySelector("svg");
  const where = id("where"), field = id("at"), choices = id("choices"), stack = id("stack"), reasons = id("reasons");
  const SVG = "http://www.w3.org/2000/svg";
  let question = null, place = null, board = { centres: {}, stacks: [] }, state = null, options = [], busy = false;
  const ticked = new Set(), undone = [], done = [];
  let marks = null, arrows = null;
  // what is drawn over the map lies in a drawing of its own, so that the map itself is not painted anew with every click
  const over = svg && svg.viewBox.baseVal.width ? drawn("svg", { class: "over", viewBox: svg.getAttribute("viewBox") }) : null;
  if (over) {
    frame.append(over);
    new ResizeObserver(() => { over.style.width = svg.clientWidth + "px"; over.style.height = svg.clientHeight + "px"; }).observe(svg);
  }

  function say(name, values) {
    return words["js-" + name].replace(/\{(\w+)\}/g, (all, key) => (values && key in values ? values[key] : all));
  }
  function element(name, text, more) {
    const one = document.createElement(name);
    if (text) { one.textContent = text; }
    return Object.assign(one, more || {});
  }
  function drawn(name, attributes) {
    const one = document.createElementNS(SVG, name);
    for (const [key, value] of Object.entries(attributes)) { one.setAttribute(key, value); }
    return one;
  }
  function button(text, work, more) {
    const one = element("button", text, { type: "button", ...more });
    one.addEventListener("click", () => safely(work));
    return one;
  }
  async function ask(path, body) {
    let said;
    try {
      said = await fetch(base + path, body === undefined ? {} : {
        method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body)
      });
    } catch (error) { throw { wrong: say("silent") }; }
    const found = await said.json();
    if (!said.ok) { throw found; }
    return found;
  }
  async function safely(work) {
    if (busy) { return; }
    busy = true;
    desk.setAttribute("aria-busy", "true");
    try { await work(); } catch (found) {
      if (!("wrong" in found)) { throw found; }
      if ((found.faults || []).some((one) => one.code === "not-seated")) { location.reload(); return; }
      where.textContent = found.wrong || "";
      told(reasons, found.faults || []);
    } finally { busy = false; desk.removeAttribute("aria-busy"); }
  }
  function told(into, faults) {
    into.textContent = "";
    for (const one of faults) {
      const line = element("p", one.message, { className: "fault " + one.severity });
      if (one.rule) { line.append(" ", element("span", "[" + one.rule + "]", { className: "rule" })); }
      if (one.code) { line.dataset.code = one.code; }
      one.help.forEach((text) => line.append(element("br"), text));
      into.append(line);
    }
  }

  // ---- the orders so far ------------------------------------------------------------------------------

  async function change(path, body) {
    const before = state ? state.text : null;
    const found = await ask(path, body);
    if (before !== null && found.text !== before) { done.push(before); undone.length = 0; }
    show(found);
    return found;
  }
  async function turn(from, onto) {
    if (!from.length) { return; }
    onto.push(state.text);
    show(await ask("put", { text: from.pop() }));
    await look(place);
  }
  function show(found) {
    state = found;
    if (!asking) { return; }
    const list = id("questions");
    list.textContent = "";
    if (!state.questions.some((one) => one.key === question)) { question = state.questions.length ? state.questions[0].key : null; }
    if (!state.questions.length) { list.append(element("p", say("ready"))); }
    for (const one of state.questions) {
      const line = element("p", "", { className: "asked" });
      line.dataset.key = one.key;
      if (one.complete) { line.dataset.answered = "yes"; }
      const pick = button(one.text + (one.rule ? " [" + one.rule + "]" : ""), async () => { question = one.key; show(state); await look(null); }, { className: "question" });
      pick.setAttribute("aria-pressed", String(one.key === question));
      line.append(pick);
      if (one.secret) { line.append(" ", element("span", say("secret"), { className: "state" })); }
      if (one.answered) { line.append(" ", element("span", one.complete ? "✓ " + say("answered") : "… " + say("begun"), { className: "state" })); }
      for (const [name, text] of [["back", say("back")], ["clear", say("clear")]]) {
        line.append(" ", button(text, async () => { question = one.key; await change(name, { key: one.key }); await look(null); }, { disabled: !one.answered, className: name }));
      }
      list.append(line);
    }
    parts();
    const understood = id("understood");
    understood.textContent = "";
    state.understood.forEach((text) => understood.append(element("li", text)));
    told(id("faults"), state.faults);
    id("text").value = state.text;
    id("sign").disabled = !state.ok;
    id("undo").disabled = !done.length;
    id("redo").disabled = !undone.length;
    trails();
  }
  function parts() {
    const into = id("elements");
    into.textContent = "";
    for (const one of state.questions) {
      if (!one.elements.length) { continue; }
      const list = element("ol");
      one.elements.forEach((each, number) => {
        const line = element("li", each.text + " ");
        const act = (name, body) => async () => { await change(name, { key: one.key, number, ...body }); await look(place); };
        if (number) { line.append(button("↑", act("shift", { text: "up" }), { title: say("up"), ariaLabel: say("up") + ": " + each.text }), " "); }
        if (number + 1 < one.elements.length) { line.append(button("↓", act("shift", { text: "down" }), { title: say("down"), ariaLabel: say("down") + ": " + each.text }), " "); }
        line.append(button("×", act("remove", {}), { title: say("remove"), ariaLabel: say("remove") + ": " + each.text, className: "remove" }));
        const wrong = element("div");
        told(wrong, each.faults);
        if (each.faults.length) { line.className = "wrong"; line.append(wrong); }
        list.append(line);
      });
      into.append(list);
    }
  }
  function trails() {
    if (arrows) { arrows.remove(); }
    if (!over) { return; }
    arrows = drawn("g", { class: "my-orders", "aria-hidden": "true" });
    for (const one of state.questions.flatMap((each) => each.elements)) {
      const points = one.trail.map((at) => board.centres[at]).filter(Boolean);
      if (points.length > 1) {
        arrows.append(drawn("polyline", { points: points.map((p) => p.join(",")).join(" "), class: "trail" }));
        const [x, y] = points[points.length - 1], [u, v] = points[points.length - 2];
        const turned = Math.atan2(y - v, x - u) * 180 / Math.PI;
        arrows.append(drawn("path", { d: "M0 0L-26 11L-26 -11Z", transform: `translate(${x} ${y}) rotate(${turned})`, class: "head" }));
      } else if (points.length) {
        arrows.append(drawn("circle", { cx: points[0][0], cy: points[0][1], r: 30, class: "trail" }));
      }
    }
    for (const [at, those] of moved()) { those.forEach((one, n) => arrows.append(ghost(one, at, n, those.length))); }
    over.append(arrows);
  }

  // ---- counters stand where the draft leads them, what they leave is pale --------------------------------

  function moved() {
    const found = new Map();
    svg.querySelectorAll(".left").forEach((one) => one.classList.remove("left"));
    for (const [counter, at] of Object.entries(state.moved)) {
      const from = drawnAt(standing(counter));
      if (!from || !board.centres[at] || board.faces[counter] === undefined) { continue; }
      const there = board.stacks.find((one) => one.at === standing(counter));
      const alike = there.counters.filter((one) => board.faces[one.id] === board.faces[counter]);
      const picture = from[board.faces[counter]];
      if (!picture) { continue; }
      if (alike.every((one) => one.id in state.moved)) { const shown = seen(standing(counter), picture); if (shown) { shown.classList.add("left"); } }
      const those = found.get(at) || [];
      if (!those.some((one) => one.picture === picture)) { those.push({ counter, picture }); }
      found.set(at, those);
    }
    return found;
  }
  function drawnAt(at) {
    const group = svg.querySelector('[data-at="' + CSS.escape(at) + '"]');
    const fan = svg.querySelector('[data-fan="' + CSS.escape(at) + '"] .m-all');
    return group && [...(fan || group).children].filter((one) => one.localName === "use");
  }
  // the picture that is to be seen of a counter: in a tall stack only the two that matter most have one
  function seen(at, picture) {
    const group = svg.querySelector('[data-at="' + CSS.escape(at) + '"]');
    return [...group.children].find((one) => one.getAttribute("href") === picture.getAttribute("href"));
  }
  function ghost(one, at, n, count) {
    const [x, y] = board.centres[at], [u, v] = board.centres[standing(one.counter)] || [x, y];
    const shift = (n - (count - 1) / 2) * Math.min(24, 60 / count);
    const copy = one.picture.cloneNode(true), group = drawn("g", { class: "ghost" });
    copy.classList.remove("left");
    copy.setAttribute("transform", "scale(1.05)");
    group.dataset.counter = one.counter;
    group.style.setProperty("--from", `translate(${u - x - shift}px, ${v - y}px)`);
    const place = drawn("g", { transform: `translate(${x + shift} ${y - 3})` });
    group.append(copy);
    place.append(group);
    return place;
  }

  // ---- what may be done ---------------------------------------------------------------------------------

  function mark(found) {
    if (marks) { marks.remove(); marks = null; }
    if (!over) { return; }
    marks = drawn("g", { class: "targets" });
    const ends = new Map();
    found.forEach((one) => { if (one.end && board.centres[one.end]) { ends.set(one.end, [...(ends.get(one.end) || []), one]); } });
    for (const [end, those] of ends) {
      const [x, y] = board.centres[end];
      const spot = drawn("circle", { cx: x, cy: y, r: 26, class: "target" });
      spot.dataset.end = end;
      const title = drawn("title", {});
      title.textContent = those.map((one) => one.shown).join("\n");
      spot.append(title);
      marks.append(spot);
    }
    const from = place && board.centres[standing(place)];
    if (from && found.length) {
      const grip = drawn("circle", { cx: from[0], cy: from[1], r: 33, class: "grip" });
      grip.addEventListener("pointerdown", hold);
      marks.append(grip);
    }
    over.append(marks);
  }
  function standing(at) {
    const found = board.stacks.find((one) => one.counters.some((each) => each.id === at));
    return found ? found.at : at;
  }
  function list(found, heading) {
    choices.textContent = "";
    if (heading) { choices.append(element("h3", heading)); }
    const lines = element("ul", "", { className: "options" });
    for (const one of found) {
      const line = element("li");
      line.append(button(one.shown, () => choose(one)));
      lines.append(line);
    }
    if (found.length > 12) {
      const narrow = element("input", "", { id: "narrow", autocomplete: "off" });
      narrow.addEventListener("input", () => {
        const wanted = narrow.value.toLowerCase().split(/\s+/);
        for (const line of lines.children) { line.hidden = !wanted.every((word) => line.textContent.toLowerCase().includes(word)); }
      });
      const label = element("label", say("filter") + " ", { htmlFor: "narrow" });
      const line = element("p");
      line.append(label, narrow);
      choices.append(line);
    }
    choices.append(lines);
    if (found.length >= (place === null ? 60 : 400)) { choices.append(element("p", say("more", { count: found.length }))); }
  }
  async function choose(one) {
    const found = await change("choose", { key: question, at: place, number: one.number, text: one.text });
    offer(found);
    where.textContent = say("in-orders", { text: one.shown });
  }
  async function aim(end) {
    if (ticked.size > 1) {
      const found = await change("march", { key: question, counters: [...ticked], to: end });
      const count = ticked.size - found.left.length;
      ticked.clear();
      await look(place);
      where.textContent = say("marched", { count });
      told(reasons, found.left.flatMap((one) => [{ severity: "note", message: say("left", { counter: one.counter }), help: [], rule: "" }, ...one.faults]));
      return;
    }
    const those = options.filter((one) => one.end === end);
    if (those.length === 1) { await choose(those[0]); } else if (those.length) { list(those, end); } else { await why(end); }
  }
  async function why(to) {
    const found = await ask("why", { key: question, at: place, to });
    where.textContent = to ? say("not-there", { at: place, to }) : say("not-here");
    told(reasons, found.faults.length ? found.faults : [{ severity: "note", message: say(found.legal ? "legal" : "no-reason"), help: [], rule: "" }]);
    if (found.legal && to) {
      where.textContent = say("here", { at: place + " – " + to });
      reasons.append(button(say("take"), async () => { await change("take", { key: question, at: place, to }); await look(place); }));
    }
  }
  function counters(at) {
    stack.textContent = "";
    const there = board.stacks.find((one) => one.at === standing(at));
    if (!there) { return; }
    stack.append(element("h3", [there.at, there.name.replace(there.at, "").trim()].filter(Boolean).join(" ")));
    const lines = element("ul", "", { className: "counters" });
    const mine = there.counters.filter((one) => one.mine);
    for (const one of there.counters) {
      const line = element("li");
      if (one.mine && asking && mine.length > 1) {
        const tick = element("input", "", { type: "checkbox", checked: ticked.has(one.id), ariaLabel: one.id });
        tick.addEventListener("change", () => { if (tick.checked) { ticked.add(one.id); } else { ticked.delete(one.id); } });
        line.append(tick, " ");
      }
      const name = button((one.mine ? one.id + ": " : one.owner + " ") + one.text, async () => { await look(one.id); await data(one.id); }, { className: "counter" + (one.mine ? " mine" : "") });
      name.setAttribute("aria-pressed", String(place === one.id));
      if (state && state.moved && state.moved[one.id]) { name.append(" → " + state.moved[one.id]); }
      if (one.mine && asking) {
        name.draggable = true;
        name.addEventListener("dragstart", (event) => { event.dataTransfer.setData("text/plain", one.id); if (place !== one.id) { safely(() => look(one.id, true)); } });
      }
      line.append(name);
      lines.append(line);
    }
    there.facilities.forEach((text) => lines.append(element("li", text)));
    stack.append(lines);
    if (mine.length > 1 && asking) {
      const line = element("p", "", { className: "several" });
      line.append(button(say("all"), async () => { mine.forEach((one) => ticked.add(one.id)); await look(at); }), " ", say("march"));
      stack.append(line);
    }
  }
  async function data(at) {
    const found = await ask("counter", { at });
    if (!found.text) { return; }
    const box = element("details", "", { className: "counter-data" });
    box.append(element("summary", found.text));
    const list = element("dl");
    found.fields.forEach(([name, value]) => list.append(element("dt", name), element("dd", value)));
    box.append(list, button(say("past"), async () => {
      const lines = (await ask("past", { at })).lines;
      const told = element("ul");
      (lines.length ? lines : [say("past-none")]).forEach((text) => told.append(element("li", text)));
      box.append(told);
    }));
    stack.append(box);
  }
  async function look(at, quiet) {
    reasons.textContent = "";
    if (question === null || !asking) {
      place = at;
      field.value = at || "";
      where.textContent = at ? say("here", { at }) : "";
      counters(at);
      return;
    }
    offer(await ask("options", { key: question, at }), quiet);
  }
  // what may be done with a counter or at a place, as the program has said
  function offer(found, quiet) {
    reasons.textContent = "";
    if (found.at !== place) { const there = board.stacks.find((one) => one.at === standing(found.at)); for (const one of [...ticked]) { if (!there || !there.counters.some((each) => each.id === one)) { ticked.delete(one); } } }
    place = found.at;
    field.value = place || "";
    options = found.options;
    where.textContent = place === null ? say("whatever") : say(options.length ? "here" : "none", { at: place });
    list(options);
    if (!quiet) { counters(place); }
    mark(options);
    if (place !== null && !options.length) {
      reasons.append(button(say("why"), () => why(null)));
    }
  }

  // ---- the map ----------------------------------------------------------------------------------------------

  function nearest(event) {
    const point = new DOMPoint(event.clientX, event.clientY).matrixTransform(svg.getScreenCTM().inverse());
    let best = null, least = 60 * 60;
    for (const [at, [x, y]] of Object.entries(board.centres)) {
      const far = (x - point.x) ** 2 + (y - point.y) ** 2;
      if (far < least) { least = far; best = at; }
    }
    return best;
  }
  function mineAt(at) {
    return board.stacks.some((one) => one.at === at && one.counters.some((each) => each.mine));
  }
  // a click on a place: where the counter in hand may go it goes there; a stack is opened; else: why not?
  async function clicked(at) {
    const goal = options.some((one) => one.end === at) && place !== null;
    if (asking && (goal || (ticked.size > 1 && at !== standing(place)))) { await aim(at); return; }
    const held = asking && place !== null && options.some((one) => one.end) && at !== standing(place);
    if (held && !mineAt(at)) { await why(at); return; }
    await look(at);
  }
  function hold(event) {
    event.stopPropagation();
    event.preventDefault();
    const line = drawn("line", { x1: event.target.getAttribute("cx"), y1: event.target.getAttribute("cy"), class: "pull" });
    marks.append(line);
    const from = [event.clientX, event.clientY];
    function move(now) {
      const point = new DOMPoint(now.clientX, now.clientY).matrixTransform(svg.getScreenCTM().inverse());
      line.setAttribute("x2", point.x); line.setAttribute("y2", point.y);
    }
    function drop(now) {
      window.removeEventListener("pointermove", move);
      window.removeEventListener("pointerup", drop);
      line.remove();
      const at = nearest(now);
      if (Math.hypot(now.clientX - from[0], now.clientY - from[1]) > 12 && at && at !== standing(place)) { held = true; safely(() => aim(at)); }
    }
    window.addEventListener("pointermove", move);
    window.addEventListener("pointerup", drop);
    move(event);
  }
  let held = false, pressed = null;
  if (svg) {
    frame.addEventListener("pointerdown", (event) => { pressed = [event.clientX, event.clientY]; });
    frame.addEventListener("click", (event) => {
      const moved = pressed && Math.hypot(event.clientX - pressed[0], event.clientY - pressed[1]) > 6;
      if (held || moved) { held = false; event.preventDefault(); return; }
      const at = event.target.dataset.end || (event.detail === 0 && event.target.closest("[id^=hex-]") ? event.target.closest("[id^=hex-]").id.slice(4) : nearest(event));
      if (at) { event.preventDefault(); safely(() => clicked(at)); }
    });
    frame.addEventListener("dragover", (event) => event.preventDefault());
    frame.addEventListener("drop", (event) => {
      const at = nearest(event);
      if (event.dataTransfer.getData("text/plain") && at) { event.preventDefault(); safely(() => aim(at)); }
    });
  }
  const typed = () => safely(() => look(field.value.trim() || null));
  id("look").addEventListener("click", typed);
  field.addEventListener("keydown", (event) => { if (event.key === "Enter") { event.preventDefault(); typed(); } });
  if (asking) {
    id("undo").addEventListener("click", () => safely(() => turn(done, undone)));
    id("redo").addEventListener("click", () => safely(() => turn(undone, done)));
    window.addEventListener("keydown", (event) => {
      if ((event.ctrlKey || event.metaKey) && event.key === "z" && !event.target.closest("textarea, input")) {
        event.preventDefault();
        safely(() => (event.shiftKey ? turn(undone, done) : turn(done, undone)));
      }
    });
  }
  // what was written elsewhere meanwhile, in another tab or by a command, is taken up when one comes back
  window.addEventListener("focus", () => {
    if (!state) { return; }
    safely(async () => {
      const found = await ask("state");
      if (found.stage !== state.stage) { location.reload(); } else if (found.text !== state.text) { show(found); await look(place); }
    });
  });

  safely(async () => {
    const first = asking ? ask("state") : null;
    board = await ask("board");
    if (asking) { show(await first); }
    if (asking && state.options) { offer(state); } else { await look(null); }
    document.body.classList.add("ready");
  });
})();
