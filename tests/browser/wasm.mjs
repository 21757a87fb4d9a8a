// Runs a Python program in the Python of a site, without a browser: `node wasm.mjs SITE PROGRAM` prints what its last
// line gives. It starts as a visit does, from the memory that the site has.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { pathToFileURL } from "node:url";

const [site, program] = process.argv.slice(2);
const list = JSON.parse(readFileSync(site + "/site.json", "utf8"));
// as the service worker unpacks it, with the library that is its first line
const library = { exports: {} };
new Function("module", "exports", readFileSync(site + "/service.js", "utf8").split("\n", 1)[0])(library, library.exports);
const whole = library.exports.decompress(new Uint8Array(readFileSync(site + "/" + list.first))), end = whole.indexOf(10);
let at = end + 1;
for (const [name, size] of JSON.parse(new TextDecoder().decode(whole.subarray(0, end))).files) {
  mkdirSync(dirname(site + "/" + name), { recursive: true });
  writeFileSync(site + "/" + name, whole.subarray(at, at += size));
}
const { start } = await import(pathToFileURL(site + "/python.mjs").href);
const archive = async (name) => new Uint8Array(readFileSync(site + "/" + name)).buffer;
const now = (name) => new Uint8Array(readFileSync(site + "/" + name)).buffer;
const given = { runtime: site + "/runtime/", archives: list.archives, later: list.later, now, archive, files: { names: [], contents: new Map() }, base: "/t", language: "en", said: () => {} };
const table = await start({ ...given, memory: now(list.memory) });
process.stdout.write(String(table.py.runPython(readFileSync(program, "utf8"))));
process.exit(0);
