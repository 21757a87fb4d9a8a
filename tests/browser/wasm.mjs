// Runs a Python program in the Python of a site, without a browser: `node wasm.mjs SITE PROGRAM` prints what its last
// line gives. It starts as a later visit does, from the memory that a first start kept.
import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

const [site, program] = process.argv.slice(2);
const { start } = await import(pathToFileURL(site + "/python.mjs").href);
const list = JSON.parse(readFileSync(site + "/site.json", "utf8"));
const archive = async (name) => new Uint8Array(readFileSync(site + "/" + name)).buffer;
const now = (name) => new Uint8Array(readFileSync(site + "/" + name)).buffer;
const given = { runtime: site + "/runtime/", archives: list.archives, later: list.later, now, archive, files: { names: [], contents: new Map() }, base: "/t", language: "en", said: () => {} };
const first = await start(given);
const table = await start({ ...given, memory: await first.memory.arrayBuffer() });
process.stdout.write(String(table.py.runPython(readFileSync(program, "utf8"))));
process.exit(0);
