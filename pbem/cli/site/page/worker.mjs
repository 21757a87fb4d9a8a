// The worker in which Python runs: one request after the other, and what it changed is stored before its answer leaves.
import { HOME, start } from "./python.mjs";

const NAMES = "files", CONTENTS = "contents", LEAD = "lead";

function opened() {
  return new Promise((resolve, reject) => {
    const asked = indexedDB.open("pbem " + new URL(".", self.location).pathname, 2);
    asked.onupgradeneeded = () => {
      for (const name of [NAMES, CONTENTS, LEAD]) { if (!asked.result.objectStoreNames.contains(name)) { asked.result.createObjectStore(name); } }
    };
    asked.onblocked = () => reject(new Error("another tab has an older version of this site open: close it"));
    asked.onsuccess = () => { asked.result.onversionchange = () => asked.result.close(); resolve(asked.result); };
    asked.onerror = () => reject(asked.error);
  });
}

function all(base) {
  const work = base.transaction([NAMES, CONTENTS]);
  const pairs = (name) => new Promise((resolve, reject) => {
    const store = work.objectStore(name), keys = store.getAllKeys(), values = store.getAll();
    work.onerror = work.onabort = () => reject(work.error);
    values.onsuccess = () => resolve(keys.result.map((key, at) => [key, values.result[at]]));
  });
  return Promise.all([pairs(NAMES), pairs(CONTENTS)]).then(([names, contents]) => ({ names, contents: new Map(contents) }));
}

// every worker that begins takes the next number: one with an older number (its tab was frozen) may store no more
function numbered(base) {
  return new Promise((resolve, reject) => {
    const work = base.transaction([LEAD], "readwrite"), lead = work.objectStore(LEAD), before = lead.get(LEAD);
    before.onsuccess = () => { own = (before.result || 0) + 1; lead.put(own, LEAD); };
    work.oncomplete = () => resolve();
    work.onabort = work.onerror = () => reject(work.error);
  });
}

// all of it or nothing: a tab that is closed leaves what was before, or what is after
function stored(base, { contents, names, namesGone, contentsGone }) {
  if (!names.length && !namesGone.length) { return Promise.resolve(); }
  return new Promise((resolve, reject) => {
    const work = base.transaction([LEAD, NAMES, CONTENTS], "readwrite", { durability: "strict" });
    const files = work.objectStore(NAMES), held = work.objectStore(CONTENTS), leads = work.objectStore(LEAD).get(LEAD);
    work.oncomplete = () => resolve();
    work.onabort = work.onerror = () => reject(work.error || new Error("another tab leads now"));
    leads.onsuccess = () => { if (leads.result !== own) { work.abort(); } };
    for (const hash of contentsGone) { held.delete(hash); }
    for (const [hash, data] of contents) { held.put(data, hash); }
    for (const name of namesGone) { files.delete(name); }
    for (const [name, hash] of names) { files.put(hash, name); }
  });
}

let table = null, base = null, own = 0, keeps = true, turn = Promise.resolve();

async function begin({ language, address }) {
  const listed = await (await fetch(new URL("site.json", self.location))).arrayBuffer();
  const list = JSON.parse(new TextDecoder().decode(listed));
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", listed));
  const fingerprint = [...digest].map((one) => one.toString(16).padStart(2, "0")).join("");
  keeps = false;  // until it is known that this browser stores
  base = await opened();
  await numbered(base);
  keeps = true;
  const archive = async (name) => {
    const answer = await fetch(new URL(name, self.location));
    if (!answer.ok) { throw new Error(name + ": " + answer.status); }
    return answer.arrayBuffer();
  };
  // a rules system when it is first wanted: Python waits for it
  const now = (name) => {
    const request = new XMLHttpRequest();
    request.open("GET", new URL(name, self.location), false);
    request.responseType = "arraybuffer";
    request.send();
    if (request.status !== 200) { throw new Error(name + ": " + request.status); }
    return request.response;
  };
  const said = (step, of) => self.postMessage({ step, of });
  const runtime = new URL("runtime/", self.location).href;
  const memory = list.memory ? await archive(list.memory) : null;  // none if the site was built without Node.js
  table = await start({ runtime, archives: list.archives, later: list.later, now, archive, files: await all(base), base: address, language, fingerprint, said, memory });
}

async function answered(what, port) {
  const answer = table.answer(what);
  try {
    const changed = table.changed();
    await stored(base, changed);
    if (changed.names.length) { self.postMessage({ keep: true }); }
  } catch (fault) {
    // Python knows more than what is stored: only a new start from what is stored is sure
    self.postMessage({ lost: String(fault) });
    return;
  }
  const body = answer.body instanceof Uint8Array ? answer.body.slice() : new Uint8Array(0);
  port.postMessage({ ...answer, body }, [body.buffer]);
}

self.onmessage = (event) => {
  if (event.data.begin) {
    turn = begin(event.data.begin).then(() => self.postMessage({ ready: HOME }), (fault) => self.postMessage({ failed: String(fault) + "\n" + (fault && fault.stack || ""), kept: keeps }));
    return;
  }
  const port = event.ports[0];
  turn = turn.then(() => answered(event.data.asked, port)).catch((fault) => {
    port.postMessage(null);
    self.postMessage({ failed: String(fault) });
  });
};
