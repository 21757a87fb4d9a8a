// Starts the Python of a site and keeps its memory: `node remember.mjs FOLDER` reads the files of a site there, and writes
// `memory` and the list of the modules that are in it, loaded.json. Clock and chance stand still, so that the same site
// gives the same memory. Nothing of this computer goes in.
import crypto from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

const folder = process.argv[2], DAY = 1e12;
process.argv[1] = "pbem";  // else its place on this computer is the name of the program
Date.now = () => DAY;
performance.now = () => 0;
crypto.randomFillSync = (array) => array.fill(0);
const { start } = await import(pathToFileURL(folder + "/python.mjs").href);
const now = (name) => new Uint8Array(readFileSync(folder + "/" + name)).buffer;
const { archives, later } = JSON.parse(readFileSync(folder + "/site.json", "utf8"));
const given = { runtime: folder + "/runtime/", archives, later, now, archive: async (name) => now(name), files: { names: [], contents: new Map() }, base: "/t", language: "en", said: () => {}, keeping: true };
const { memory, loaded } = (await start(given)).kept;
writeFileSync(folder + "/memory", new Uint8Array(await memory.arrayBuffer()));
writeFileSync(folder + "/loaded.json", JSON.stringify(loaded));
process.exit(0);
