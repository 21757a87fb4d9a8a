// Compresses a file as the service worker unpacks it: `node squeeze.mjs FOLDER` reads `given` beside Pyodide in a folder,
// with the level in `level`, and writes `made`.
import { readFileSync, writeFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

const folder = process.argv[2];
const { loadPyodide } = await import(pathToFileURL(folder + "/pyodide.mjs").href);
const py = await loadPyodide({ indexURL: folder + "/" });
for (const name of ["given", "level"]) { py.FS.writeFile("/" + name, readFileSync(folder + "/" + name)); }
// fzstd unpacks windows of 32 MB at most
py.runPython(`
from compression.zstd import CompressionParameter as P, compress
from pathlib import Path
given = {P.compression_level: int(Path("/level").read_text()), P.window_log: 25}
Path("/made").write_bytes(compress(Path("/given").read_bytes(), options=given))
`);
writeFileSync(folder + "/made", py.FS.readFile("/made"));
