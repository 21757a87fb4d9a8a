// The editor: fetches the folder, and begins.
import { $, ask, emit, say, tell, wrong } from "./edit-state.js";
import { forget } from "./edit-store.js";
import { measure } from "./edit-view.js";
import { recovered, taken } from "./edit-save.js";
import { begun } from "./edit-picture.js";
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
    await begun(model.pictures).catch(() => tell(say("no-picture"), true));
    forget();
    emit("panel");
    if (model.mended.length) { tell(model.mended.join("; ")); }
    document.body.classList.add("ready");
  } catch (found) { wrong(found); document.body.classList.add("failed"); }
})();

