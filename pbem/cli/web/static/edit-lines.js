// Hexsides along edges, and roads and rails from hex to hex.
import { S, emit, say, tell } from "./edit-state.js";
import { number, pair, way } from "./edit-geometry.js";
import { begin, end, get, set } from "./edit-store.js";
import { redraw } from "./edit-draw.js";

// set the side between two hexes, or turn it over; what it was set to is said, so that a stroke goes on with it
export function sided(i, j, sense) {
  if (i < 0 || j < 0 || !S.side) { return sense; }
  const key = "s/" + S.side + "/" + pair(i, j), there = sense === undefined ? get(key) === null : sense;
  begin("side");
  set(key, there ? 1 : null);
  return there;
}
// a road goes on to a hex: from the last one clicked, or from the hex before in a stroke
export function linked(i, from, stroke) {
  if (!S.link) { return; }
  const start = stroke ? from : S.anchor;
  if (start === undefined || start < 0 || start === i) {
    S.anchor = start === i ? -1 : i;
    tell(say(start === i ? "road-ends" : "road-from", { hex: number(i) }));
    redraw("hand");
    return;
  }
  const steps = way(start, i);
  begin("link");
  for (let n = 1; n < steps.length; n++) { set("l/" + S.link + "/" + pair(steps[n - 1], steps[n]), S.erase ? null : 1); }
  if (!stroke) { end(); S.anchor = i; tell(say("road-to", { hex: number(i) })); emit("cursor"); }
  redraw("hand");
}
