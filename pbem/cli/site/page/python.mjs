// Python in WebAssembly with pbem: unpacks what the site holds, restores files, and answers requests one after another.
// Nothing here knows a browser, so the same module is tried in Node.
import { loadPyodide } from "./runtime/pyodide.mjs";
import { noble } from "./bridge.mjs";

export const HOME = "/home/pbem";
const LIB = "/lib/pbem-site";

// `archive(name)` gives the bytes of an archive of the site (pbem/cli/site/packing.py), and `now(name)` at once those of a
// rules system: `later` has them by name. `said(step, of)` is told how far it is.
export async function start({ runtime, archives, later = {}, now = null, archive, files, base, language, fingerprint, said }) {
  let done = 0;
  const steps = archives.length + 2;
  const held = archives.map((name) => archive(name));
  const py = await loadPyodide({ indexURL: runtime, env: { HOME, PYTHONDONTWRITEBYTECODE: "1", PYTHONHASHSEED: "0" }, checkAPIVersion: true, fullStdLib: false });
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
  // the worker gives names, the hashes of what is in them, and contents by those hashes
  for (const [name, hash] of files.names) {
    const data = files.contents.get(hash);
    py.FS.mkdirTree(name.slice(0, name.lastIndexOf("/")));
    py.FS.writeFile(name, data);
  }
  py.registerJsModule("pbem_noble", noble);
  py.registerJsModule("pbem_page", {
    bring: (name) => unpack(now(later[name])),
    code: (name) => code.get(name),
  });
  const make = py.runPython(`
import sys
sys.path.append(${JSON.stringify(LIB)})
import pbem_found
pbem_found.install(${JSON.stringify(LIB)}, ${JSON.stringify(Object.keys(later))}, ${JSON.stringify(known)})
from pbem.cli.site.answering import Answering
Answering
`);
  const table = make(HOME, base, language, fingerprint || "", py.toPy(new Map(files.names)));
  said(done += 1, steps);
  return {
    py,
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
