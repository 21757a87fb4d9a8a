// The worker in which Python runs: one request after the other, and what it changed is stored before its answer leaves.
import { HOME, start } from "./python.mjs";

const STORE = "files";

function opened() {
  return new Promise((resolve, reject) => {
    const asked = indexedDB.open("pbem " + new URL(".", self.location).pathname, 1);
    asked.onupgradeneeded = () => asked.result.createObjectStore(STORE);
    asked.onsuccess = () => resolve(asked.result);
    asked.onerror = () => reject(asked.error);
  });
}

function all(base) {
  return new Promise((resolve, reject) => {
    const found = [], cursor = base.transaction(STORE).objectStore(STORE).openCursor();
    cursor.onerror = () => reject(cursor.error);
    cursor.onsuccess = () => {
      const at = cursor.result;
      if (!at) { resolve(found); return; }
      found.push([at.key, at.value]);
      at.continue();
    };
  });
}

// all of it or nothing: a tab that is closed leaves what was before, or what is after
function stored(base, { put, gone }) {
  if (!put.length && !gone.length) { return Promise.resolve(); }
  return new Promise((resolve, reject) => {
    const work = base.transaction(STORE, "readwrite", { durability: "strict" }), store = work.objectStore(STORE);
    work.oncomplete = () => resolve();
    work.onabort = work.onerror = () => reject(work.error);
    for (const name of gone) { store.delete(name); }
    for (const [name, data] of put) { store.put(data, name); }
  });
}

let table = null, base = null, turn = Promise.resolve();

async function begin({ language, address }) {
  const listed = await (await fetch(new URL("site.json", self.location))).arrayBuffer();
  const list = JSON.parse(new TextDecoder().decode(listed));
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", listed));
  const fingerprint = [...digest].map((one) => one.toString(16).padStart(2, "0")).join("");
  base = await opened();
  const archive = async (name) => {
    const answer = await fetch(new URL(name, self.location));
    if (!answer.ok) { throw new Error(name + ": " + answer.status); }
    return answer.arrayBuffer();
  };
  const said = (step, of) => self.postMessage({ step, of });
  const runtime = new URL("runtime/", self.location).href;
  table = await start({ runtime, archives: list.archives, archive, files: await all(base), base: address, language, fingerprint, said });
}

async function answered(what, port) {
  const answer = table.answer(what);
  try {
    const changed = table.changed();
    await stored(base, changed);
    if (changed.put.length) { self.postMessage({ keep: true }); }
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
    turn = begin(event.data.begin).then(() => self.postMessage({ ready: HOME }), (fault) => self.postMessage({ failed: String(fault && fault.stack || fault) }));
    return;
  }
  const port = event.ports[0];
  turn = turn.then(() => answered(event.data.asked, port)).catch((fault) => {
    port.postMessage(null);
    self.postMessage({ failed: String(fault) });
  });
};
