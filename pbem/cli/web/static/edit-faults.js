// The check runs as one works: what it finds is listed, and marked on the map.
import { $, S, ask, button, el, emit, on, say, wrong } from "./edit-state.js";
import { G } from "./edit-geometry.js";
import { worked } from "./edit-store.js";
import { show } from "./edit-view.js";
import { cursor } from "./edit-tools.js";
import { redraw } from "./edit-draw.js";
import { looked } from "./edit-save.js";

let timer = 0, running = false, again = false;
function listed() {
  const errors = S.faults.filter((one) => one.severity === "error").length, warnings = S.faults.length - errors;
  $("found").textContent = S.faults.length ? say("found", { errors, warnings }) : say("sound");
  $("found").className = errors ? "strong" : "";
  document.body.dataset.errors = errors;
  $("faults").replaceChildren(...S.faults.map((one) => {
    const i = one.hexes.map((hex) => S.index.get(hex)).find((each) => each !== undefined), where = one.file ? one.file + (one.line ? ":" + one.line : "") : "";
    const go = button("", () => { if (i !== undefined) { cursor(i); show(G.x[i], G.y[i]); } }, { className: "fault " + one.severity });
    go.append(el("b", {}, say(one.severity)), " " + one.message, where ? el("small", {}, " " + where + (one.hexes.length ? " · " + one.hexes.slice(0, 3).join(" ") : "")) : "", one.help.map((text) => el("small", { className: "help" }, text)));
    return el("li", {}, go);
  }));
  redraw("top");
}
async function check() {
  if (running) { again = true; return; }
  running = true;
  document.body.dataset.checking = "1";
  try {
    const found = await ask("/check", { work: worked() });
    S.faults = found.faults;
    listed();
    emit("checked", S.faults.filter((one) => one.severity === "error").length);
    looked(found.digests);
  } catch (found) { wrong(found); } finally {
    running = false;
    if (again) { again = false; later(50); } else { document.body.dataset.checking = ""; }
  }
}
function later(after = 400) { document.body.dataset.checking = "1"; clearTimeout(timer); timer = setTimeout(check, after); }
on("acted", (one) => { if (!one.list.every(([key]) => key.startsWith("b/"))) { later(); } });
on("loaded", () => { S.faults = S.model.faults; listed(); if (!running) { document.body.dataset.checking = ""; } });

