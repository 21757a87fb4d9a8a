// Python in WebAssembly with pbem: unpacks what the site holds, restores files, and answers requests one after another.
// Nothing here knows a browser, so the same module is tried in Node.
import { loadPyodide } from "./runtime/pyodide.mjs";
import module from "./runtime/pyodide.asm.mjs";
import { noble } from "./bridge.mjs";

export const HOME = "/home/pbem";
const LIB = "/lib/pbem-site";

// Python's memory once it has imported pbem and drawn the first page, before it knows any game or key: made when the site is
// built, so that a start needs a fraction of the work. Kept of Pyodide's snapshot: its lengths, its head, and of the memory
// the pieces with anything in them.
const PIECE = 1 << 16;

function thin(snapshot) {
  const head = new Uint32Array(snapshot.buffer, 0, 2)[1], memory = snapshot.subarray(head), numbers = [], pieces = [];
  for (let at = 0; at * PIECE < memory.length; at += 1) {
    const piece = memory.subarray(at * PIECE, (at + 1) * PIECE);
    if (new BigUint64Array(piece.buffer, piece.byteOffset, piece.length / 8).some((one) => one !== 0n)) { numbers.push(at); pieces.push(piece); }
  }
  return new Blob([new Uint32Array([head, memory.length, numbers.length, ...numbers]), snapshot.subarray(0, head), ...pieces]);
}

// the head for Pyodide, and what fills the memory of its module. One word is this browser's own: the function by which Python
// calls others, which not every browser has.
function thick(buffer) {
  const [head, length, count] = new Uint32Array(buffer, 0, 3), from = 12 + 4 * count, first = new Uint8Array(buffer.slice(from, from + head));
  const fill = (module) => {
    module._sbrk(length - module._sbrk(0));  // as large as it was
    const own = module.__PyRuntime + new DataView(module.HEAPU8.buffer).getInt32(module.__PyEM_EMSCRIPTEN_TRAMPOLINE_OFFSET, true);
    const call = module.HEAPU8.slice(own, own + 4);
    new Uint32Array(buffer, 12, count).forEach((one, at) => module.HEAPU8.set(new Uint8Array(buffer, from + head + at * PIECE, PIECE), one * PIECE));
    module.HEAPU8.set(call, own);
    if (buffer.transfer) { buffer.transfer(0); }  // freed now: a browser would collect it seconds later
    buffer = null;  // Pyodide keeps its options, and this with them
  };
  return { head: first, fill };
}

// refused if Python holds anything else of JavaScript
function remembered(py, outside) {
  const names = new Map(Object.entries(outside).map(([name, one]) => [one, name]));
  const serializer = (one) => {
    if (!names.has(one)) { throw new Error("Python holds " + String(one)); }
    return names.get(one);
  };
  return thin(py.makeMemorySnapshot({ serializer }));
}

// `archive(name)` gives the bytes of an archive of the site (pbem/cli/site/packing.py), and `now(name)` at once those of a
// rules system: `later` has them by name. `said(step, of)` is told how far it is. `memory` is that of the site; without it
// the answer has one, and the files of the modules that are in it, if it is `keeping`.
export async function start({ runtime, archives, later = {}, now = null, archive, files, base, language, fingerprint, said, memory = null, keeping = false }) {
  let done = 0;
  const steps = archives.length + 2;
  const held = archives.map((name) => archive(name));
  // what Python's memory refers to in JavaScript, by name
  const page = { bring: (name) => unpack(now(later[name])), code: (name) => code.get(name) };
  const outside = { page, bring: page.bring, code: page.code, noble, ...noble };
  const options = { indexURL: runtime, env: { HOME, PYTHONDONTWRITEBYTECODE: "1", PYTHONHASHSEED: "0" }, checkAPIVersion: true, fullStdLib: false };
  if (memory) {
    const { head, fill } = thick(memory);
    options._loadSnapshot = head;
    options._snapshotDeserializer = (name) => outside[name];
    options.createPyodideModule = async (settings) => {
      const made = await module(settings);
      fill(made);
      return made;
    };
  }
  options._makeSnapshot = keeping;
  const py = await loadPyodide(options);
  said(done += 1, steps);
  py.FS.mkdirTree(HOME);
  py.FS.mkdirTree(LIB + "/pbem/systems");  // the home of what comes later
  const code = new Map(), made = new Set();
  // files go where Python sees them; bytecode stays here until its module is imported
  const unpack = (buffer) => {
    const data = new Uint8Array(buffer), end = data.indexOf(10), names = [];
    const head = JSON.parse(new TextDecoder().decode(data.subarray(0, end)));
    let at = end + 1;
    for (const [name, size] of head.files) {
      const folder = LIB + "/" + name.slice(0, Math.max(name.lastIndexOf("/"), 0));
      if (!made.has(folder)) { py.FS.mkdirTree(folder); made.add(folder); }
      py.FS.writeFile(LIB + "/" + name, data.subarray(at, at += size), { canOwn: true });
    }
    for (const [name, size] of head.code) {
      code.set(name, data.subarray(at, at += size));
      names.push(name);
    }
    return names;
  };
  const known = [];
  for (const one of held) {
    known.push(...unpack(await one));
    said(done += 1, steps);
  }
  let kept = null;
  if (!memory) {
    py.registerJsModule("pbem_noble", noble);
    py.registerJsModule("pbem_page", page);
    py.runPython(`
import sys
sys.path.append(${JSON.stringify(LIB)})
import pbem_found
pbem_found.install(${JSON.stringify(LIB)}, ${JSON.stringify(Object.keys(later))}, ${JSON.stringify(known)})
from pbem.cli.site.answering import warm
warm(${JSON.stringify(base)})
`);
    if (keeping) {
      const loaded = py.runPython("[file for one in list(sys.modules.values()) if (file := getattr(one, '__file__', None))]");
      kept = { loaded: loaded.toJs() };
      loaded.destroy();
      kept.memory = remembered(py, outside);
    }
  }
  // the worker gives names, the hashes of what is in them, and contents by those hashes
  for (const [name, hash] of files.names) {
    const data = files.contents.get(hash);
    py.FS.mkdirTree(name.slice(0, name.lastIndexOf("/")));
    py.FS.writeFile(name, data);
  }
  const make = py.runPython(`
import importlib, random
random.seed()
importlib.invalidate_caches()
from pbem.cli.site.answering import Answering
Answering
`);
  const table = make(HOME, base, language, fingerprint || "", py.toPy(new Map(files.names)));
  said(done += 1, steps);
  return {
    py,
    kept,
    answer({ method, path, query, headers, body }) {
      const given = py.toPy({ headers, body: body || new Uint8Array(0) });
      const sent = given.get("headers"), content = given.get("body");
      const found = table.answer(method, path, query, sent, content);
      const [status, listed, out] = [found.get(0), found.get(1).toJs(), found.get(2)];
      const data = out.toJs();
      for (const one of [given, sent, content, found, out]) { if (one && one.destroy) { one.destroy(); } }
      return { status, headers: listed.map((one) => [...one]), body: data };
    },
    changed() {
      const found = table.changed();
      const [contents, names, namesGone, contentsGone] = found.toJs();
      found.destroy();
      return { contents, names, namesGone, contentsGone };
    },
  };
}
