// The shell: starts Python in a worker, hands it what the service worker asks, and shows the table in a frame.
const HERE = new URL(".", location.href), $ = (id) => document.getElementById(id);
const german = (navigator.language || "en").toLowerCase().startsWith("de");
const WORDS = {
  first: ["pbem is loading. After this visit it starts without a network.", "pbem wird geladen. Nach diesem Besuch startet es ohne Netz."],
  last: ["This is where you were. pbem is starting.", "Hier warst du zuletzt. pbem startet gerade."],
  install: ["Put pbem on your home screen: then the browser keeps your games and keys longer.", "Leg pbem auf deinen Startbildschirm: Dann bewahrt der Browser deine Partien und Schlüssel länger auf."],
  home: ["Browsers forget. To keep your games and keys longer, choose “Add to Home Screen” in the share menu of the browser.", "Browser vergessen. Um deine Partien und Schlüssel länger zu behalten, wähle „Zum Home-Bildschirm“ im Teilen-Menü des Browsers."],
  add: ["Install", "Installieren"],
  later: ["Not now", "Jetzt nicht"],
  secure: ["This address is not secure, so the browser lets no program store anything. Open it by https.", "Diese Adresse ist nicht gesichert, deshalb lässt der Browser kein Programm etwas speichern. Öffne sie mit https."],
  lacks: ["This browser cannot run pbem: it lacks {what}. A current Firefox, Chrome, Edge or Safari can.", "Dieser Browser kann pbem nicht ausführen: Ihm fehlt {what}. Ein aktueller Firefox, Chrome, Edge oder Safari kann es."],
  private: ["This window keeps nothing, as private windows do. Open the page in a usual window.", "Dieses Fenster behält nichts, wie private Fenster es tun. Öffne die Seite in einem gewöhnlichen Fenster."],
  broken: ["pbem could not be loaded: {what}. Nothing of yours is lost.", "pbem konnte nicht geladen werden: {what}. Von dir ging nichts verloren."],
  memory: ["This device has too little free memory: pbem needs about 440 MB. Close other tabs and programs.", "Dieses Gerät hat zu wenig freien Speicher: pbem braucht etwa 440 MB. Schließe andere Tabs und Programme."],
  room: ["This browser has no room to keep pbem: it needs about 80 MB. Make room on this device, or leave the private window.", "Dieser Browser hat keinen Platz für pbem: Es braucht etwa 80 MB. Schaffe Platz auf diesem Gerät, oder verlass das private Fenster."],
  full: ["Your last step was not stored: {what}. Make room on this device, then go on from the step before.", "Dein letzter Schritt wurde nicht gespeichert: {what}. Schaffe Platz auf diesem Gerät und mach beim Schritt davor weiter."],
  again: ["Try again", "Noch einmal versuchen"],
  newer: ["There is a newer version of this site.", "Es gibt eine neuere Version dieser Seite."],
  take: ["Use it now", "Jetzt verwenden"],
};
const t = (id, what = "") => WORDS[id][german ? 1 : 0].replace("{what}", what);
const LAST = "last-of-pbem", SHARED = "shared-with-pbem", MOST_KEPT = 4 << 20;
// `leads`: this tab has Python; `shows`: its frame is there; `yields` gives the lead to another tab
// `missing`: why a file of the site did not come, `full`: there was no room for it
let missing = "", full = false;
let worker = null, leads = false, shows = false, yields = () => {};

function wrong(text, retry = true) {
  $("last").hidden = true; $("start").classList.remove("over");
  $("what").hidden = $("far").hidden = true;
  $("table").hidden = true; $("start").hidden = false;
  $("wrong").hidden = false; $("wrong").textContent = text;
  $("again").hidden = !retry; $("again").textContent = t("again");
}

function lacking() {
  if (!window.isSecureContext) { return t("secure"); }
  for (const [what, there] of [["WebAssembly", typeof WebAssembly === "object"], ["Service Worker", "serviceWorker" in navigator], ["IndexedDB", Boolean(window.indexedDB)], ["Web Locks", "locks" in navigator], ["DecompressionStream", "DecompressionStream" in window]]) {
    if (!there) { return t("lacks", what); }
  }
  return "";
}

async function registered() {
  try { await installed(); } catch { await installed(); }  // a broken download: once more
}

async function installed() {
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

// ---- the page that was shown last, for the time until Python is there ----

const game = (path) => /^\/g\/[0-9a-f]{10}\/(table)?$/.test(path);

// as it looks: without scripts, and with its styles inside, as nothing else may be loaded then
function looks(page) {
  const made = page.documentElement.cloneNode(true);
  for (const one of made.querySelectorAll("script, noscript, link, meta[http-equiv], iframe, dialog:not([open]), nav.book form, [hidden]")) { one.remove(); }
  for (const one of made.querySelectorAll("a, button, input, select, textarea, summary")) { one.setAttribute("tabindex", "-1"); one.removeAttribute("href"); one.removeAttribute("autofocus"); }
  const style = page.createElement("style");
  style.textContent = [...page.styleSheets].map((sheet) => [...sheet.cssRules].map((rule) => rule.cssText).join("\n")).join("\n");
  made.querySelector("head").append(style);
  return "<!doctype html>" + made.outerHTML;
}

async function remember(path) {
  const page = $("table").contentDocument;
  if (!game(path) || page.body.dataset.seat) { return; }
  const text = looks(page);
  if (text.length > MOST_KEPT) { return; }
  await (await caches.open(LAST)).put(new URL("last", HERE), new Response(text, { headers: { "X-Path": path } }));
}

async function remind() {
  const found = await (await caches.open(LAST)).match(new URL("last", HERE)), path = location.hash.slice(1);
  if (!found || shows || (path && path !== found.headers.get("X-Path")) || !navigator.serviceWorker.controller) { return; }
  $("last").src = new URL("last", HERE).href; $("last").hidden = false;
  $("start").classList.add("over"); $("what").textContent = t("last");
}

// ---- what other programs hand over: dropped into the table's own form ----

function give(files) {
  const page = $("table").contentDocument, form = page && page.querySelector("form.drop"), field = form && form.querySelector("input[type=file]");
  if (!field || !files.length) { return false; }
  const held = new DataTransfer();
  for (const one of files) { held.items.add(one); }
  field.files = held.files;
  form.submit();
  return true;
}

let handed = [];

async function shared() {
  const cache = await caches.open(SHARED);
  for (const request of await cache.keys()) {
    const one = await cache.match(request);
    handed.push(new File([await one.blob()], decodeURIComponent(one.headers.get("X-Name") || "shared.txt")));
    await cache.delete(request);
  }
  if (give(handed)) { handed = []; }
}

if ("launchQueue" in window) {
  window.launchQueue.setConsumer(async (launch) => {
    for (const one of launch.files || []) { handed.push(await one.getFile()); }
    if (handed.length && shows && give(handed)) { handed = []; }
  });
}

// ---- before the first key: the browser is asked to keep what it stores, and its user to install the site ----

let offer = null;
window.addEventListener("beforeinstallprompt", (event) => { event.preventDefault(); offer = event; });

function asking(path) {
  if (!/^\/(join|new\/|mail|g\/[0-9a-f]{10}\/keep)/.test(path)) { return; }
  keep();
  const box = $("install"), [add, later] = box.querySelectorAll("button");
  const standalone = matchMedia("(display-mode: standalone)").matches || navigator.standalone;
  if (standalone || box.dataset.said || !(offer || "standalone" in navigator)) { return; }
  box.dataset.said = "1"; box.hidden = false;
  box.querySelector("span").textContent = t(offer ? "install" : "home");
  add.hidden = !offer; add.textContent = t("add"); later.textContent = t("later");
  add.onclick = () => { offer.prompt(); box.hidden = true; };
  later.onclick = () => { box.hidden = true; };
}

function shown() {
  if (shows) { return; }
  shows = true;
  const frame = $("table");
  frame.addEventListener("load", () => {
    try { frame.contentDocument.addEventListener("click", saving); } catch { /* another origin's page */ }
    const path = frame.contentWindow.location.pathname.slice(HERE.pathname.length + 1);
    asking(path);
    setTimeout(() => remember(path).catch(() => { /* no room: it starts without it */ }), 1500);
    if (handed.length && give(handed)) { handed = []; return; }
    shared().catch(() => {});
    try { history.replaceState(null, "", "#" + frame.contentWindow.location.pathname.slice(HERE.pathname.length + 1)); document.title = frame.contentDocument.title || "pbem"; } catch { /* another origin's page: nothing to note */ }
  });
  frame.src = address();
  frame.addEventListener("load", () => { $("start").hidden = $("last").hidden = true; $("last").removeAttribute("src"); frame.hidden = false; frame.focus(); }, { once: true });
}

navigator.serviceWorker && navigator.serviceWorker.addEventListener("message", (event) => {
  if (event.data && event.data.missing) { ({ missing, full } = event.data); return; }
  if (event.data && event.data.loaded) { if (!worker) { $("far").max = event.data.of; $("far").value = event.data.loaded; } return; }
  if (event.data && event.data.leads) { if (worker && leads) { event.ports[0].postMessage(true); } return; }
  if (event.data && event.data.holds) { if (worker) { event.ports[0].postMessage(true); } return; }
  if (!event.data || !event.data.asked || event.source !== navigator.serviceWorker.controller) { return; }
  if (!worker || !leads) { event.ports[0].postMessage(null); return; }
  worker.postMessage({ asked: event.data.asked }, [event.ports[0]]);
});

// there is something to lose now: the browser is asked, once, to keep it for as long as it keeps anything
let asked = false;
async function keep() {
  if (asked || !navigator.storage || !navigator.storage.persist) { return; }
  asked = true;
  if (!await navigator.storage.persisted()) { await navigator.storage.persist(); }
}

// what a first visit brought is unpacked, if it still is packed (service.js says why here)
async function unpacked() {
  if (!await caches.match(new URL("first.pack.zst", HERE))) { return; }
  await new Promise((resolve) => {
    const one = new Worker(new URL("service.js", HERE), { name: "unpacking" });
    one.onmessage = one.onerror = () => { one.terminate(); resolve(); };
    one.postMessage("unpack");
  });
}

function python() {
  return new Promise((resolve, reject) => {
    worker = new Worker(new URL("worker.mjs", HERE), { type: "module", name: "pbem" });
    worker.onerror = (event) => reject(new Error(event.message || "its worker does not start"));
    worker.onmessage = ({ data }) => {
      if (data.step) { $("far").max = data.of; $("far").value = data.step; }
      if (data.ready) { resolve(); }
      if (data.failed) { reject(new Error(data.failed)); lost(failing(data)); }
      if (data.keep) { keep(); }
      if (data.lost) { lost(t("full", data.lost)); }
    };
    worker.postMessage({ begin: { language: navigator.language || "en", address: new URL("t", HERE).href } });
  });
}

// why Python did not start, or stopped
function failing({ failed, kept }) {
  if (kept === false) { return t("private"); }
  return /RangeError|out of memory|could not allocate/i.test(failed) ? t("memory") : t("broken", failed.split("\n")[0]);
}

// Python knows what is not stored: it ends here, and another tab may lead
function lost(words) {
  worker.terminate();
  leads = false;
  wrong(words);
  yields();
}

// this tab has the lock for as long as it is open, or until another took it because this one did not answer
async function lead() {
  await unpacked();
  await python();
  leads = true;
  shown();
  await new Promise((resolve) => { yields = resolve; });
}

// A device may freeze the tab that leads: then it neither answers nor gives the lock back. A tab that is looked at asks, and
// takes the lock after a while without an answer. The frozen one can store nothing any more (`numbered` of the worker).
const LOCK = "pbem " + HERE.pathname, SILENT = 20000, EACH = 5000, PATIENT = 2000;
let queue = null;

function answers() {
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    const over = setTimeout(() => resolve(false), PATIENT);
    port1.onmessage = () => { clearTimeout(over); resolve(true); };
    navigator.serviceWorker.controller.postMessage({ who_leads: true }, [port2]);
  });
}

async function taking() {
  for (let silent = 0; !worker;) {
    await new Promise((resolve) => setTimeout(resolve, EACH));
    if (worker || document.hidden) { silent = 0; continue; }
    silent = await answers() ? 0 : silent + EACH + PATIENT;
    if (silent >= SILENT && !worker) { queue.abort(); await holding({ steal: true }); return; }
  }
}

function waiting() {
  queue = new AbortController();
  return holding({ signal: queue.signal });
}

async function holding(how) {
  try { await navigator.locks.request(LOCK, how, lead); } catch (fault) {
    if (fault.name !== "AbortError") { throw fault; }
    if (!worker) { return; }  // it waits no more, as it takes the lock
    worker.terminate(); worker = null; leads = false;  // another tab took the lock, and answers from now on
    taking();
    await waiting();
  }
}

$("again").addEventListener("click", () => location.reload());
const fault = lacking();
if (fault) { wrong(fault, false); } else {
  $("what").textContent = t("first");
  registered().then(async () => {
    await remind().catch(() => {});
    const held = await navigator.locks.query();
    if (held.held.some((one) => one.name === LOCK)) { shown(); taking(); }  // the tab that leads answers this one too
    await waiting();
  }).catch((error) => { if ($("wrong").hidden) { wrong(full ? t("room") : t("broken", missing || error.message || String(error))); } });
}
