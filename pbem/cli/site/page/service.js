// The service worker of a site: files of the site come from what was installed, everything below `t/` goes to Python.
// It keeps nothing in its head, because browsers end it whenever it is idle. Site: @FINGERPRINT@
"use strict";
const SITE = "@FINGERPRINT@", CACHE = "pbem-" + SITE, SCOPE = new URL(".", self.location);
const PATIENCE = 120000, MOST = 32 << 20, TRIES = 3;
// large files are sent compressed, as many web spaces compress nothing by themselves, and kept as they are used
const PACKED = ".packed", OTHER = "application/octet-stream", TYPES = { wasm: "application/wasm", mjs: "text/javascript", js: "text/javascript", json: "application/json", zip: "application/zip" };
const plain = (name) => name.endsWith(PACKED) ? name.slice(0, -PACKED.length) : name;
const SHARED = "shared-with-pbem", LAST = "last-of-pbem";

async function hashed(data) {
  return [...new Uint8Array(await crypto.subtle.digest("SHA-256", data))].map((one) => one.toString(16).padStart(2, "0")).join("");
}

// a file as the list says it is; one that came damaged or not at all is asked for again
async function fetched(name, hash, size = 0) {
  for (let tried = 1; ; tried += 1) {
    try { return await once(name, hash, size); } catch (fault) { if (tried === TRIES) { throw fault; } }
    await new Promise((resolve) => setTimeout(resolve, 300 * tried));
  }
}

async function once(name, hash, size) {
  const answer = await fetch(new URL(name, SCOPE), { cache: "no-store", redirect: "error" });
  if (!answer.ok) { throw new Error(name + ": " + answer.status); }
  const data = await (size ? watched(answer, size) : answer).arrayBuffer();
  if (await hashed(data) !== hash) { throw new Error(name + " is damaged"); }
  if (!name.endsWith(PACKED)) { return new Response(data, { headers: { "Content-Type": answer.headers.get("Content-Type") || OTHER } }); }
  return typed(name, await new Response(new Blob([data]).stream().pipeThrough(new DecompressionStream("deflate"))).arrayBuffer());
}

// an answer of which the shell hears how far it is, each megabyte
function watched(answer, of) {
  let loaded = 0;
  const transform = (part, out) => {
    if (loaded >> 20 < (loaded += part.length) >> 20) { tell({ loaded, of }); }
    out.enqueue(part);
  };
  return new Response(answer.body.pipeThrough(new TransformStream({ transform })));
}

const typed = (name, data) => new Response(data, { headers: { "Content-Type": TYPES[/[^.]*$/.exec(plain(name))[0]] || OTHER } });

// What every first visit needs is sent in one file, compressed as a whole (pbem/cli/site/build.py). It is kept as it came.
// The shell has it unpacked by this same script in a worker that ends then, with all the memory that this took: a service
// worker lives on for half a minute.
async function brought(cache, listed) {
  if (!listed.first) { return; }
  for (const name of [listed.first, listed.inside.at(-1)]) { if (await cache.match(new URL(name, SCOPE))) { return; } }
  await cache.put(new URL(listed.first, SCOPE), await fetched(listed.first, listed.files[listed.first], listed.size));
}

// Each file in it is kept as if it had come alone. The last is kept last, so where that one is, all are.
async function first(cache, listed) {
  if (!listed.first || await cache.match(new URL(listed.inside.at(-1), SCOPE))) { return; }
  const whole = new URL(listed.first, SCOPE), sent = await cache.match(whole) || await fetched(listed.first, listed.files[listed.first], listed.size);
  const data = fzstd.decompress(new Uint8Array(await sent.arrayBuffer()));
  const end = data.indexOf(10);
  let at = end + 1;
  for (const [name, size] of JSON.parse(new TextDecoder().decode(data.subarray(0, end))).files) {
    await cache.put(new URL(name, SCOPE), typed(name, data.subarray(at, at += size)));
  }
  await cache.delete(whole);
}

async function unpack() {
  const cache = await caches.open(CACHE), list = await cache.match(new URL("site.json", SCOPE));
  await first(cache, await list.json());
}

async function tell(what) {
  for (const one of await self.clients.matchAll({ type: "window", includeUncontrolled: true })) { one.postMessage(what); }
}

// all files of the site, each as its list says, or nothing: a broken download leaves the old site in place
async function install() {
  const list = new URL("site.json", SCOPE), answer = await fetch(list, { cache: "no-store", redirect: "error" });
  const data = await answer.arrayBuffer();
  if (!answer.ok || await hashed(data) !== SITE) { throw new Error("site.json is of another site"); }
  const listed = JSON.parse(new TextDecoder().decode(data)), cache = await caches.open(CACHE);
  const later = new Set(Object.values(listed.later));
  for (const name of later) { if (await caches.match(new URL(name, SCOPE))) { later.delete(name); } }  // played here before
  const waiting = Object.entries(listed.files).filter(([name]) => name !== "service.js" && !name.startsWith("licences/") && name !== listed.first && !later.has(plain(name)));
  const of = waiting.length, faults = [];
  const whole = brought(cache, listed).catch((fault) => faults.push(fault));
  await Promise.all([0, 1, 2, 3, 4, 5].map(async () => {
    for (let next = waiting.pop(); next; next = waiting.pop()) {
      const [name, hash] = next, at = new URL(plain(name), SCOPE);
      try { if (!await cache.match(at)) { await cache.put(at, await fetched(name, hash)); } } catch (fault) { faults.push(fault); }
      if (!listed.first) { await tell({ loaded: of - waiting.length, of }); }
    }
  }));
  await whole;
  if (faults.length) { await tell({ missing: faults[0].message, full: faults.some((one) => one.name === "QuotaExceededError") }); throw faults[0]; }
  await cache.put(list, new Response(data, { headers: { "Content-Type": "application/json" } }));
}

self.addEventListener("install", (event) => event.waitUntil(install()));
self.addEventListener("activate", (event) => event.waitUntil((async () => {
  for (const name of await caches.keys()) { if (name.startsWith("pbem-") && name !== CACHE) { await caches.delete(name); } }
  await self.clients.claim();
})()));
// a new site waits until its user agrees
self.addEventListener("message", (event) => {
  if (event.data === "take-over") { self.skipWaiting(); }
  if (event.data === "unpack") { unpack().catch(() => { /* the service worker tries again, and says why */ }).then(() => self.postMessage(true)); }
  // a shell asks whether any other leads; the one that does may be frozen, and then there is no answer
  if (event.data && event.data.who_leads) { event.waitUntil(leading("holds").then((one) => { if (one) { event.ports[0].postMessage(true); } })); }
});

self.addEventListener("fetch", (event) => {
  const at = new URL(event.request.url);
  if (at.origin !== SCOPE.origin || !at.pathname.startsWith(SCOPE.pathname)) { return; }
  const name = at.pathname.slice(SCOPE.pathname.length);
  if (name === "share" && event.request.method === "POST") { event.respondWith(shared(event.request)); return; }
  if (name === "last") { event.respondWith(last()); return; }
  event.respondWith(name === "t" || name.startsWith("t/") ? asked(event, name.slice(1)) : kept(event.request, name));
});

async function kept(request, name) {
  const cache = await caches.open(CACHE);
  const found = await cache.match(new URL(name === "" ? "index.html" : name, SCOPE));
  if (found) { return found; }
  const list = await cache.match(new URL("site.json", SCOPE)), listed = list ? await list.json() : {};
  if (listed.first && listed.inside.includes(name)) { await first(cache, listed); return cache.match(new URL(name, SCOPE)); }
  const files = listed.files || {}, sent = name + PACKED in files ? name + PACKED : name;
  if (!(sent in files) || name === "service.js") { return fetch(request); }
  const whole = await fetched(sent, files[sent]);  // a rules system, when it is first played
  if (!name.startsWith("licences/")) { await cache.put(new URL(name, SCOPE), whole.clone()); }
  return whole;
}

// what another program shares with this one waits for the shell, which hands it to the table as a dropped file
async function shared(request) {
  const form = await request.formData(), cache = await caches.open(SHARED);
  const files = form.getAll("file").filter((one) => one.size <= MOST);
  for (const name of ["text", "title", "url"]) {
    const text = form.get(name);
    if (!files.length && typeof text === "string" && text.includes("PBEM")) { files.push(new File([text], "shared.txt")); }
  }
  let number = 0;
  for (const one of files) {
    await cache.put(new URL("share/" + Date.now() + "-" + (number += 1), SCOPE), new Response(one, { headers: { "X-Name": encodeURIComponent(one.name || "shared.txt") } }));
  }
  return Response.redirect(SCOPE.href + "#/join", 303);
}

// the page that was shown last, as it looked, for the time until Python is there
async function last() {
  const cache = await caches.open(LAST), found = await cache.match(new URL("last", SCOPE));
  const headers = { "Content-Type": "text/html; charset=utf-8", "Cache-Control": "no-store", "Content-Security-Policy": "default-src 'none'; style-src 'unsafe-inline'; img-src data:; frame-ancestors 'self'; sandbox" };
  return new Response(found ? await found.text() : "", { status: found ? 200 : 404, headers });
}

function said(status, text) {
  const headers = { "Content-Type": "text/html; charset=utf-8", "Content-Security-Policy": "default-src 'none'; frame-ancestors 'self'", "Cache-Control": "no-store" };
  return new Response('<!doctype html><meta charset="utf-8"><title>pbem</title><p>' + text + "</p>", { status, headers });
}

// Only pages of this site may ask: its frame's pages, their scripts, and the shell that shows the frame. A page of
// another origin could send its user here with a form; then the referrer is another one, or there is none.
function ours(request) {
  if (request.mode === "navigate" && request.destination !== "iframe") { return false; }
  return request.referrer.startsWith(SCOPE.href);
}

async function asked(event, path) {
  const request = event.request;
  if (request.mode === "navigate" && request.destination === "document" && request.method === "GET") {
    return Response.redirect(SCOPE.href + "#" + path, 303);  // an address of the frame, opened by itself
  }
  if (!ours(request)) { return said(403, "This address answers only its own pages."); }
  const body = request.method === "GET" || request.method === "HEAD" ? null : await request.arrayBuffer();
  if (body && body.byteLength > MOST) { return said(413, "This is larger than a mail can be."); }
  const headers = { host: SCOPE.host };
  for (const one of ["content-type", "accept", "x-requested-with"]) { if (request.headers.has(one)) { headers[one] = request.headers.get(one); } }
  const query = new URL(request.url).search;
  const answer = await handed({ method: request.method, path, query, headers, body });
  if (!answer) { return said(503, "The table does not answer: open this site in one tab, and wait until it is there."); }
  const told = new Headers(answer.headers);
  if (answer.status >= 300 && answer.status < 400) { return Response.redirect(new URL(told.get("Location"), SCOPE).href, answer.status); }
  return new Response([204, 304].includes(answer.status) ? null : answer.body, { status: answer.status, headers: told });
}

// A tab that leads answers. While none does, one is about to: it takes over from a tab that was closed. Nobody knows what
// became of a form whose tab was closed meanwhile, so only questions are asked again.
async function handed(what) {
  for (const until = Date.now() + PATIENCE; Date.now() < until;) {
    const one = await leading();
    const answer = one && await told(one, what);
    if (answer || (one && what.method !== "GET")) { return answer; }
    await new Promise((resolve) => setTimeout(resolve, 250));
  }
  return null;
}

// every shell is asked whether it leads (or `holds` the lock, while Python starts); one that is closing says nothing
async function leading(what = "leads") {
  const shells = (await self.clients.matchAll({ type: "window", includeUncontrolled: true })).filter((one) => one.frameType === "top-level");
  return new Promise((resolve) => {
    setTimeout(() => resolve(null), 2000);
    for (const one of shells) {
      const { port1, port2 } = new MessageChannel();
      port1.onmessage = (event) => { if (event.data) { resolve(one); } };
      one.postMessage({ [what]: true }, [port2]);
    }
  });
}

function told(one, what) {
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    const over = setTimeout(() => resolve(null), PATIENCE);
    const there = setInterval(async () => { if (!await self.clients.get(one.id)) { done(null); } }, 500);
    const done = (answer) => { clearTimeout(over); clearInterval(there); resolve(answer); };
    port1.onmessage = (event) => done(event.data);
    one.postMessage({ asked: what }, [port2]);
  });
}
