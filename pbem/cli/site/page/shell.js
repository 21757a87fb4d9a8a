// The shell: starts Python in a worker, hands it what the service worker asks, and shows the table in a frame.
const HERE = new URL(".", location.href), $ = (id) => document.getElementById(id);
const german = (navigator.language || "en").toLowerCase().startsWith("de");
const WORDS = {
  first: ["pbem is loading. After this visit it starts without a network.", "pbem wird geladen. Nach diesem Besuch startet es ohne Netz."],
  other: ["pbem is open in another tab. Go there, or close it: this tab then takes over.", "pbem ist in einem anderen Tab offen. Wechsle dorthin oder schließe ihn: Dann übernimmt dieser Tab."],
  secure: ["This address is not secure, so the browser lets no program store anything. Open it by https.", "Diese Adresse ist nicht gesichert, deshalb lässt der Browser kein Programm etwas speichern. Öffne sie mit https."],
  lacks: ["This browser cannot run pbem: it lacks {what}. A current Firefox, Chrome, Edge or Safari can.", "Dieser Browser kann pbem nicht ausführen: Ihm fehlt {what}. Ein aktueller Firefox, Chrome, Edge oder Safari kann es."],
  private: ["This window keeps nothing, as private windows do. Open the page in a usual window.", "Dieses Fenster behält nichts, wie private Fenster es tun. Öffne die Seite in einem gewöhnlichen Fenster."],
  broken: ["pbem could not be loaded: {what}. Nothing of yours is lost.", "pbem konnte nicht geladen werden: {what}. Von dir ging nichts verloren."],
  full: ["Your last step was not stored: {what}. Make room on this device, then go on from the step before.", "Dein letzter Schritt wurde nicht gespeichert: {what}. Schaffe Platz auf diesem Gerät und mach beim Schritt davor weiter."],
  again: ["Try again", "Noch einmal versuchen"],
  newer: ["There is a newer version of this site.", "Es gibt eine neuere Version dieser Seite."],
  take: ["Use it now", "Jetzt verwenden"],
};
const t = (id, what = "") => WORDS[id][german ? 1 : 0].replace("{what}", what);
let worker = null, ready = false;

function wrong(text, retry = true) {
  $("what").hidden = $("far").hidden = true;
  $("table").hidden = true; $("start").hidden = false;
  $("wrong").hidden = false; $("wrong").textContent = text;
  $("again").hidden = !retry; $("again").textContent = t("again");
}

function lacking() {
  if (!window.isSecureContext) { return t("secure"); }
  for (const [what, there] of [["WebAssembly", typeof WebAssembly === "object"], ["Service Worker", "serviceWorker" in navigator], ["IndexedDB", "indexedDB" in window], ["Web Locks", "locks" in navigator]]) {
    if (!there) { return t("lacks", what); }
  }
  return "";
}

async function registered() {
  const there = await navigator.serviceWorker.register(new URL("service.js", HERE), { scope: HERE.pathname, updateViaCache: "none" });
  const offered = () => { if (there.waiting && navigator.serviceWorker.controller) { newer(there.waiting); } };
  there.addEventListener("updatefound", () => { const one = there.installing; one.addEventListener("statechange", offered); });
  offered();
  if (!there.active) {
    const one = there.installing || there.waiting;
    await new Promise((resolve, reject) => {
      const look = () => { if (one.state === "activated") { resolve(); } else if (one.state === "redundant") { reject(new Error("its files did not arrive whole")); } };
      one.addEventListener("statechange", look); look();
    });
  }
  if (!navigator.serviceWorker.controller) {
    await new Promise((resolve) => { navigator.serviceWorker.addEventListener("controllerchange", resolve, { once: true }); if (navigator.serviceWorker.controller) { resolve(); } });
  }
}

function newer(waiting) {
  const box = $("newer"), button = box.querySelector("button");
  box.hidden = false; box.querySelector("span").textContent = t("newer"); button.textContent = t("take");
  button.onclick = () => {
    navigator.serviceWorker.addEventListener("controllerchange", () => location.reload(), { once: true });
    waiting.postMessage("take-over");
  };
}

// the address in the frame, so that a reload comes back to it
const address = () => { const path = location.hash.slice(1); return new URL("t" + (path.startsWith("/") ? path : "/"), HERE).href; };

// links that save a file bypass service workers, and Python with them: the shell fetches it and hands it over
async function saved(link) {
  const answer = await fetch(link.href), named = /filename="([^"]*)"/.exec(answer.headers.get("Content-Disposition") || "");
  if (!answer.ok) { link.ownerDocument.location.href = link.href; return; }
  const file = document.createElement("a");
  file.href = URL.createObjectURL(await answer.blob());
  file.download = link.download || (named && named[1]) || link.pathname.split("/").pop();
  document.body.append(file);
  file.click();
  file.remove();
  setTimeout(() => URL.revokeObjectURL(file.href), 60000);
}

function saving(event) {
  const link = event.target.closest && event.target.closest("a[download]");
  if (link && link.href.startsWith(HERE.href)) { event.preventDefault(); saved(link); }
}

function shown() {
  ready = true;
  const frame = $("table");
  frame.addEventListener("load", () => {
    try { frame.contentDocument.addEventListener("click", saving); } catch { /* another origin's page */ }
    try { history.replaceState(null, "", "#" + frame.contentWindow.location.pathname.slice(HERE.pathname.length + 1)); document.title = frame.contentDocument.title || "pbem"; } catch { /* another origin's page: nothing to note */ }
  });
  frame.src = address();
  $("start").hidden = true; frame.hidden = false; frame.focus();
}

navigator.serviceWorker && navigator.serviceWorker.addEventListener("message", (event) => {
  if (!event.data || !event.data.asked || event.source !== navigator.serviceWorker.controller) { return; }
  if (!worker || !ready) { event.ports[0].postMessage(null); return; }
  worker.postMessage({ asked: event.data.asked }, [event.ports[0]]);
});

// there is something to lose now: the browser is asked, once, to keep it for as long as it keeps anything
let asked = false;
async function keep() {
  if (asked || !navigator.storage || !navigator.storage.persist) { return; }
  asked = true;
  if (!await navigator.storage.persisted()) { await navigator.storage.persist(); }
}

function python() {
  return new Promise((resolve, reject) => {
    worker = new Worker(new URL("worker.mjs", HERE), { type: "module", name: "pbem" });
    worker.onerror = (event) => reject(new Error(event.message || "its worker does not start"));
    worker.onmessage = ({ data }) => {
      if (data.step) { $("far").max = data.of; $("far").value = data.step; }
      if (data.ready) { resolve(); }
      if (data.failed) { reject(new Error(data.failed)); if (ready) { worker.terminate(); ready = false; wrong(t("broken", data.failed.split("\n").pop())); } }
      if (data.keep) { keep(); }
      if (data.lost) { worker.terminate(); ready = false; wrong(t("full", data.lost)); }
    };
    worker.postMessage({ begin: { language: navigator.language || "en", address: new URL("t", HERE).href } });
  });
}

async function lead() {
  $("what").textContent = t("first");
  await python();
  shown();
  await new Promise(() => { /* the lock is held for as long as this tab is open */ });
}

$("again").addEventListener("click", () => location.reload());
const fault = lacking();
if (fault) { wrong(fault, false); } else {
  $("what").textContent = t("first");
  registered().then(async () => {
    const name = "pbem " + HERE.pathname;
    const held = await navigator.locks.query();
    if (held.held.some((one) => one.name === name)) { $("what").textContent = t("other"); $("far").hidden = true; }
    await navigator.locks.request(name, () => { $("far").hidden = false; return lead(); });
  }).catch((error) => wrong(t("broken", error.message || String(error))));
}
