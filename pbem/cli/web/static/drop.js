// On every page: a mail or an attachment dropped anywhere goes into the form that takes mails in. On a report: note
// that it was read.
(function () {
  "use strict";
  const form = document.querySelector("form.drop");
  const game = document.body.dataset.game, root = document.body.dataset.root || "";
  function files(event) { return event.dataTransfer && [...event.dataTransfer.types].includes("Files"); }
  window.addEventListener("dragover", (event) => { if (files(event)) { event.preventDefault(); document.body.classList.add("dropping"); } });
  window.addEventListener("dragleave", (event) => { if (!event.relatedTarget) { document.body.classList.remove("dropping"); } });
  window.addEventListener("drop", (event) => {
    document.body.classList.remove("dropping");
    if (!files(event) || !event.dataTransfer.files.length) { return; }
    event.preventDefault();
    let goal = form;
    if (!goal) {
      goal = document.createElement("form");
      goal.method = "post"; goal.enctype = "multipart/form-data"; goal.hidden = true;
      goal.action = game ? root + "/g/" + game + "/post" : root + "/mail";
      const field = document.createElement("input");
      field.type = "file"; field.name = "file"; field.multiple = true;
      goal.append(field);
      document.body.append(goal);
    }
    goal.querySelector("input[type=file]").files = event.dataTransfer.files;
    goal.submit();
  });
  if (game && document.getElementById("summary")) { fetch(root + "/g/" + game + "/read", { method: "POST" }).catch(() => {}); }
  // several persons at this computer: a page that was left open, or is gone back to, is not for the next one
  if (document.body.dataset.seat) {
    const look = () => fetch(root + "/g/" + game + "/seated").then((said) => { if (said.status !== 204) { location.reload(); } }).catch(() => {});
    window.addEventListener("pageshow", look);
    window.addEventListener("focus", look);
  }
  // a letter goes out by the share sheet as a text file, or by the clipboard, where the browser has these
  const file = (button, text) => new File([text], button.dataset.name.replace(/\.(eml|pbem-invitation)$/, "") + ".txt", { type: "text/plain" });
  const letter = (button) => button.closest("li, .invitation").querySelector("textarea.copy").value;
  document.querySelectorAll("button.share").forEach((one) => {
    if (!navigator.canShare || !navigator.canShare({ files: [file(one, "x")] })) { return; }
    one.hidden = false;
    one.addEventListener("click", () => navigator.share({ files: [file(one, letter(one))], title: document.title }).catch(() => {}));
  });
  document.querySelectorAll("button.copies").forEach((one) => {
    if (!navigator.clipboard) { return; }
    one.hidden = false;
    one.addEventListener("click", () => navigator.clipboard.writeText(letter(one)).then(() => { one.textContent = "✓ " + one.textContent.replace("✓ ", ""); }));
  });
  document.querySelectorAll("textarea.copy").forEach((one) => one.addEventListener("focus", () => one.select()));
})();
