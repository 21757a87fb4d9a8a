// What audit.js counts with: bytes and hashes, canonical JSON, SSH signatures (Ed25519 of WebCrypto), SHAKE-256 and
// the rolls of a seed. Numbers in brackets are sections of the protocol.
(function (root) {
  "use strict";
  const SUBTLE = root.crypto && root.crypto.subtle;
  const UTF8 = new TextEncoder();

  // ---- bytes (3) --------------------------------------------------------------------------------

  const text = (value) => UTF8.encode(value);
  const hex = (bytes) => Array.from(bytes, (one) => one.toString(16).padStart(2, "0")).join("");
  function unhex(value) {
    if (typeof value !== "string" || !/^([0-9a-f]{2})*$/.test(value)) { throw new Error("no hexadecimal digits"); }
    return Uint8Array.from(value.match(/../g) || [], (pair) => parseInt(pair, 16));
  }
  function base64(value) {
    return Uint8Array.from(atob(value.replace(/\s/g, "")), (char) => char.charCodeAt(0));
  }
  function joined(parts) {
    const whole = new Uint8Array(parts.reduce((sum, one) => sum + one.length, 0));
    let at = 0;
    for (const one of parts) { whole.set(one, at); at += one.length; }
    return whole;
  }
  const same = (a, b) => a.length === b.length && a.every((one, n) => one === b[n]);
  const u32 = (n) => Uint8Array.of((n >>> 24) & 255, (n >>> 16) & 255, (n >>> 8) & 255, n & 255);
  const field = (value) => {
    const bytes = typeof value === "string" ? text(value) : value;
    return joined([u32(bytes.length), bytes]);
  };
  async function digest(name, bytes) { return new Uint8Array(await SUBTLE.digest(name, bytes)); }
  const H = (label, ...fields) => digest("SHA-256", joined(["pbem/v1/" + label, ...fields].map(field)));

  function canonical(value) {
    if (Array.isArray(value)) { return "[" + value.map(canonical).join(",") + "]"; }
    if (value && typeof value === "object") {
      return "{" + Object.keys(value).sort().map((key) => JSON.stringify(key) + ":" + canonical(value[key])).join(",") + "}";
    }
    return JSON.stringify(value);
  }

  // ---- signatures (5.2): SSHSIG with an Ed25519 key -------------------------------------------------

  function reader(bytes) {
    let at = 0;
    const take = (count) => {
      if (at + count > bytes.length) { throw new Error("too short"); }
      at += count;
      return bytes.slice(at - count, at);
    };
    const string = () => { const n = take(4); return take(((n[0] << 24) | (n[1] << 16) | (n[2] << 8) | n[3]) >>> 0); };
    return { take, string, done: () => at === bytes.length };
  }
  const words = (bytes) => String.fromCharCode(...bytes);

  // Keys under which one signature passes for every statement (4.1), without the top bit of the last byte.
  const REFUSED = new Set(["00".repeat(32), "01" + "00".repeat(31), "ec" + "ff".repeat(30) + "7f", "ed" + "ff".repeat(30) + "7f",
    "ee" + "ff".repeat(30) + "7f", "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05",
    "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a"]);
  function keyOf(line) {
    const parts = line.split(" ");
    const blob = base64(parts[1]);
    const key = reader(blob);
    if (parts[0] !== "ssh-ed25519" || words(key.string()) !== "ssh-ed25519") { throw new Error("no Ed25519 key"); }
    const raw = key.string();
    const small = raw.slice();
    small[31] &= 127;
    if (raw.length !== 32 || !key.done() || REFUSED.has(hex(small))) { throw new Error("a key that is refused"); }
    return { blob, raw };
  }

  async function signed(armoured, data, line) {
    const body = /^-----BEGIN SSH SIGNATURE-----\n([A-Za-z0-9+/=\n]+)\n-----END SSH SIGNATURE-----\n?$/.exec(armoured || "");
    if (!body) { return false; }
    const outer = reader(base64(body[1]));
    if (words(outer.take(6)) !== "SSHSIG" || !same(outer.take(4), u32(1))) { return false; }
    const [key, space, reserved, name, sig] = [1, 2, 3, 4, 5].map(() => outer.string());
    const inner = reader(sig);
    const kind = words(inner.string()), raw = inner.string();
    const own = keyOf(line);
    if (!outer.done() || !inner.done() || kind !== "ssh-ed25519" || !same(key, own.blob)) { return false; }
    if (words(space) !== "pbem-v1" || reserved.length || words(name) !== "sha512") { return false; }
    const said = joined([text("SSHSIG"), field(space), field(reserved), field(name), field(await digest("SHA-512", data))]);
    const made = await SUBTLE.importKey("raw", own.raw, { name: "Ed25519" }, false, ["verify"]);
    return SUBTLE.verify({ name: "Ed25519" }, made, raw, said);
  }

  // ---- dice (9.2): SHAKE-256, which browsers do not have ------------------------------------------------

  const MASK = (1n << 64n) - 1n;
  const rotated = (value, by) => (by ? ((value << by) | (value >> (64n - by))) & MASK : value);
  const OFFSETS = [0, 1, 62, 28, 27, 36, 44, 6, 55, 20, 3, 10, 43, 25, 39, 41, 45, 15, 21, 8, 18, 2, 61, 56, 14].map(BigInt);
  const ROUNDS = (function () {
    const found = [];
    let bit = 1;
    for (let round = 0; round < 24; round++) {
      let value = 0n;
      for (let j = 0; j < 7; j++) {
        if (bit & 1) { value |= 1n << BigInt((1 << j) - 1); }
        bit = (bit << 1) ^ ((bit >> 7) * 0x171);
      }
      found.push(value);
    }
    return found;
  })();
  function keccak(a) {
    for (const constant of ROUNDS) {
      const c = [0, 1, 2, 3, 4].map((x) => a[x] ^ a[x + 5] ^ a[x + 10] ^ a[x + 15] ^ a[x + 20]);
      const d = [0, 1, 2, 3, 4].map((x) => c[(x + 4) % 5] ^ rotated(c[(x + 1) % 5], 1n));
      const b = new Array(25);
      for (let x = 0; x < 5; x++) {
        for (let y = 0; y < 5; y++) {
          b[y + 5 * ((2 * x + 3 * y) % 5)] = rotated(a[x + 5 * y] ^ d[x], OFFSETS[x + 5 * y]);
        }
      }
      for (let x = 0; x < 5; x++) {
        for (let y = 0; y < 5; y++) {
          a[x + 5 * y] = b[x + 5 * y] ^ (~b[((x + 1) % 5) + 5 * y] & MASK & b[((x + 2) % 5) + 5 * y]);
        }
      }
      a[0] ^= constant;
    }
  }
  function* shake256(data) {
    const rate = 136;
    const padded = new Uint8Array(Math.ceil((data.length + 1) / rate) * rate);
    padded.set(data);
    padded[data.length] = 0x1f;
    padded[padded.length - 1] |= 0x80;
    const state = new Array(25).fill(0n);
    for (let start = 0; start < padded.length; start += rate) {
      for (let lane = 0; lane < rate / 8; lane++) {
        let value = 0n;
        for (let n = 7; n >= 0; n--) { value = (value << 8n) | BigInt(padded[start + 8 * lane + n]); }
        state[lane] ^= value;
      }
      keccak(state);
    }
    for (;;) {
      for (let n = 0; n < rate; n++) { yield Number((state[n >> 3] >> BigInt(8 * (n & 7))) & 255n); }
      keccak(state);
    }
  }
  function uniform(stream, n) {
    if (n === 1) { return 0; }
    const size = Math.ceil((n - 1).toString(2).length / 8);
    const span = 256 ** size;
    for (;;) {
      let value = 0;
      for (let k = 0; k < size; k++) { value = value * 256 + stream.next().value; }
      if (value < span - (span % n)) { return value % n; }
    }
  }
  function recompute(roll, seed) {
    const stream = shake256(joined([field("pbem/v1/roll"), field(seed), field(canonical(roll.label))]));
    if ("dice" in roll) {
      const [count, sides] = roll.dice === "d66" ? [2, 6] : roll.dice.split("d").map(Number);
      return Array.from({ length: count }, () => 1 + uniform(stream, sides));
    }
    const items = [...("shuffle" in roll ? roll.shuffle : roll.from)];
    for (let i = items.length - 1; i > 0; i--) {
      const j = uniform(stream, i + 1);
      [items[i], items[j]] = [items[j], items[i]];
    }
    return "shuffle" in roll ? items : items.slice(0, roll.draw);
  }
  const ROLLED = ["dice", "shuffle", "draw"];
  function isRoll(one) {
    const kinds = ROLLED.filter((kind) => kind in one);
    const wanted = ["label", "result", ...kinds, ...(kinds[0] === "draw" ? ["from"] : [])];
    const members = Object.keys(one).filter((name) => name !== "stage" && name !== "hidden");
    return kinds.length === 1 && members.length === wanted.length && wanted.every((name) => name in one)
      && (one.hidden === undefined || one.hidden === true) && (one.stage === undefined || Number.isInteger(one.stage))
      && Array.isArray(one.label) && one.label.every((part) => typeof part === "string" || Number.isInteger(part));
  }
  function rolls(value, found) {
    if (Array.isArray(value)) { value.forEach((one) => rolls(one, found)); }
    else if (value && typeof value === "object") {
      if ("label" in value && "result" in value && ROLLED.some((kind) => kind in value)) { found.push(value); }
      else { Object.values(value).forEach((one) => rolls(one, found)); }
    }
    return found;
  }

  root.pbemProof = { text, hex, unhex, same, u32, H, canonical, keyOf, signed, recompute, isRoll, rolls };
  root.pbemCanAudit = async function () {
    if (!SUBTLE) { return "no-subtle"; }
    try { await SUBTLE.importKey("raw", new Uint8Array(32), { name: "Ed25519" }, false, ["verify"]); } catch (fault) { return "no-ed25519"; }
    return "";
  };
})(globalThis);
