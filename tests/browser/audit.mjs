// Runs the check of a book's page over archives in Node. Job: JSON on standard input, a list of archives; the answer is
// a JSON list of what `pbemAudit` said of each, or {error}.
import { readFileSync } from "node:fs";
import { runInThisContext } from "node:vm";
import { webcrypto } from "node:crypto";

if (!globalThis.crypto) { globalThis.crypto = webcrypto; }
for (const script of process.argv.slice(2)) { runInThisContext(readFileSync(script, "utf8")); }
const answers = [];
for (const file of JSON.parse(readFileSync(0, "utf8"))) {
  try { answers.push(await globalThis.pbemAudit(JSON.parse(readFileSync(file, "utf8")))); }
  catch (error) { answers.push({ error: String(error && error.stack) }); }
}
process.stdout.write(JSON.stringify(answers));
