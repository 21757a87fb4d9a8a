// Runs a Python program in the Python of a site, without a browser: `node wasm.mjs SITE PROGRAM` prints what its last
// line gives.
import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

const [site, program] = process.argv.slice(2);
const { start } = await import(pathToFileURL(site + "/python.mjs").href);
const list = JSON.parse(readFileSync(site + "/site.json", "utf8"));
const archive = async (name) => new Uint8Array(readFileSync(site + "/" + name)).buffer;
const table = await start({ runtime: site + "/runtime/", archives: list.archives, later: list.later, now: (name) => new Uint8Array(readFileSync(site + "/" + name)).buffer, archive, files: { names: [], contents: new Map() }, base: "/t", language: "en", said: () => {} });
process.stdout.write(String(table.py.runPython(readFileSync(program, "utf8"))));
process.exit(0);
