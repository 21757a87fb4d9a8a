// The editor: fetches the folder, and begins.
import { $, ask, emit, say, tell, wrong } from "./edit-state.js";
import { forget } from "./edit-store.js";
import { lay } from "./edit-geometry.js";
import { fit, measure } from "./edit-view.js";
import { recovered, taken } from "./edit-save.js";
import { open } from "./edit-picture.js";
import "./edit-draw.js";
import "./edit-tools.js";
import "./edit-keys.js";
import "./edit-panel.js";
import "./edit-faults.js";

(async () => {
  try {
    const model = await ask("/board");
    taken(model, {});
    measure();
    recovered(model);
    if (model.picture) { await open(model.picture, model.alignment).catch(() => tell(say("no-picture"), true)); forget(); lay(); fit(); }
    emit("panel");
    if (model.mended.length) { tell(model.mended.join("; ")); }
    document.body.classList.add("ready");
  } catch (found) { wrong(found); document.body.classList.add("failed"); }
})();

