// The page that checks a game: runs audit.js over the archive that lies in the page, and says what it found.
(function () {
  "use strict";
  const words = JSON.parse(document.getElementById("check-words").textContent);
  const said = document.getElementById("check-said"), run = document.getElementById("check-run");
  const fill = (text, values) => text.replace(/\{([a-z]+)\}/g, (whole, name) => (name in values ? String(values[name]) : whole));

  function line(kind, text) {
    const one = document.createElement("p");
    one.className = "check-" + kind;
    one.textContent = text;
    said.appendChild(one);
  }
  function list(texts) {
    const found = document.createElement("ul");
    texts.forEach((text) => {
      const one = document.createElement("li");
      one.textContent = text;
      found.appendChild(one);
    });
    said.appendChild(found);
  }
  const told = (kind) => (one) => {
    const where = one.stage === null ? words.roster : fill(words.stage, { stage: one.stage });
    return where + ": " + (words[kind + one.what] || one.what) + (one.who ? " (" + one.who + ")" : "");
  };
  function tell(found) {
    said.textContent = "";
    if (found.wrong.length) {
      line("false", words["false"]);
      list(found.wrong.slice(0, 50).map(told("wrong-")));
    } else {
      line("proved", words.proved);
      list(["signatures", "records", "links", "openings", "rolls"].map((name) => fill(words["count-" + name], { count: found.counts[name] })));
      line("claimed", words.claimed);
      list([fill(words.head, { head: found.head, by: found.by || "–" }), ...found.claimed.slice(0, 200).map(told("claim-"))]);
    }
    line("claimed", words["unchecked-heading"]);
    list(found.unchecked.map((name) => words["unchecked-" + name]));
    line("game", fill(words.game, { game: found.game }));
  }
  async function start() {
    run.disabled = true;
    said.textContent = words.running;
    try {
      const why = await globalThis.pbemCanAudit();
      if (why) { said.textContent = words[why]; return; }
      tell(await globalThis.pbemAudit(JSON.parse(document.getElementById("archive").textContent)));
    } catch (error) {
      said.textContent = "";
      line("false", words["false"]);
      list([words.unreadable]);
    } finally { run.disabled = false; }
  }
  document.getElementById("check-start").hidden = false;
  run.addEventListener("click", start);
})();
