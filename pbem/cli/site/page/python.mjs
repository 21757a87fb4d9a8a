// Python in WebAssembly with pbem: unpacks what the site holds, restores files, and answers requests one after another.
// Nothing here knows a browser, so the same module is tried in Node.
import { loadPyodide } from "./runtime/pyodide.mjs";
import { noble } from "./bridge.mjs";

export const HOME = "/home/pbem";
const LIB = "/lib/pbem-site";

// `archive(name)` gives the bytes of an archive of the site, and `now(name)` at once those of a rules system: `later` has
// them by name. `said(step, of)` is told how far it is.
export async function start({ runtime, archives, later = {}, now = null, archive, files, base, language, fingerprint, said }) {
  let done = 0;
  const steps = archives.length + 2;
  const held = archives.map((name) => archive(name));
  const py = await loadPyodide({ indexURL: runtime, env: { HOME, PYTHONDONTWRITEBYTECODE: "1", PYTHONHASHSEED: "0" }, checkAPIVersion: true, fullStdLib: false });
  said(done += 1, steps);
  py.FS.mkdirTree(LIB);
  py.FS.mkdirTree(HOME);
  py.FS.mkdirTree(LIB + "/pbem/systems");  // the home of what comes later
  for (const one of held) {
    py.unpackArchive(await one, "zip", { extractDir: LIB });
    said(done += 1, steps);
  }
  // the worker gives names, the hashes of what is in them, and contents by those hashes
  for (const [name, hash] of files.names) {
    const data = files.contents.get(hash);
    py.FS.mkdirTree(name.slice(0, name.lastIndexOf("/")));
    py.FS.writeFile(name, data);
  }
  py.registerJsModule("pbem_noble", noble);
  py.registerJsModule("pbem_later", { bring: (name) => { py.unpackArchive(now(later[name]), "zip", { extractDir: LIB }); } });
  const make = py.runPython(`
import sys
sys.path.insert(0, ${JSON.stringify(LIB)})
from pbem.cli.site.later import watch_for
watch_for(${JSON.stringify(Object.keys(later))})
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
