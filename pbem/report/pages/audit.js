// Checks an archive of pbem in the reader's browser, by the protocol alone: signatures (Ed25519 of WebCrypto), ids, the
// chain of records, links, seeds, openings and public rolls. It knows no rules of any game and asks no network. Numbers
// in brackets are sections of the protocol. `audit(archive)` gives {wrong: [{stage, what, who}], counts, head, missing}.
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

  function keyOf(line) {
    const parts = line.split(" ");
    const blob = base64(parts[1]);
    const key = reader(blob);
    if (parts[0] !== "ssh-ed25519" || words(key.string()) !== "ssh-ed25519") { throw new Error("no Ed25519 key"); }
    return { blob, raw: key.string() };
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
    const known = { sha256: "SHA-256", sha512: "SHA-512" }[words(name)];
    if (!outer.done() || !inner.done() || !known || kind !== "ssh-ed25519") { return false; }
    if (words(space) !== "pbem-v1" || !same(key, own.blob)) { return false; }
    const said = joined([text("SSHSIG"), field(space), field(reserved), field(name), field(await digest(known, data))]);
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
  function rolls(value, found) {
    if (Array.isArray(value)) { value.forEach((one) => rolls(one, found)); }
    else if (value && typeof value === "object") {
      if ("label" in value && "result" in value) { found.push(value); }
      else { Object.values(value).forEach((one) => rolls(one, found)); }
    }
    return found;
  }

  // ---- the archive (12, 15) -----------------------------------------------------------------------------

  async function audit(archive, progress) {
    const wrong = [], sealed = new Set();
    const counts = { statements: 0, signatures: 0, records: 0, links: 0, openings: 0, rolls: 0 };
    const roster = JSON.parse(archive.roster), bytes = text(archive.roster);
    const game = await H("game", bytes);
    const parties = {}, signs = {}, since = {}, last = {}, position = {}, dropped = new Set();
    for (const one of roster.parties) {
      parties[one.id] = one;
      signs[one.id] = one.sign;
      if (one.anchor) { last[one.id] = unhex(one.anchor); position[one.id] = 0; }
    }
    const order = roster.parties.map((one) => one.id);
    const known = new Map();
    let head = game, before = game;

    const expect = (fine, stage, what, who) => { if (!fine) { wrong.push({ stage, what, who: who || "" }); } };
    async function signature(armoured, data, key, stage, who) {
      counts.signatures += 1;
      let fine = false;
      try { fine = Boolean(key) && await signed(armoured, data, key); } catch (fault) { fine = false; }
      expect(fine, stage, "signature", who);
    }

    async function statements(stage) {
      const here = new Map();
      for (const file of stage.statements) {
        const data = text(file.text);
        let one;
        try { one = JSON.parse(file.text); } catch (fault) { expect(false, stage.number, "canonical"); continue; }
        const who = String(one.from);
        expect(hex(await H("statement", data)) === file.sid, stage.number, "id", who);
        expect(canonical(one) === file.text, stage.number, "canonical", who);
        expect(one.game === hex(game), stage.number, "game", who);
        expect(one.stage === stage.number, stage.number, "stage", who);
        if (one.type !== "view" && one.type !== "protest") { expect(one.prev === hex(head), stage.number, "prev", who); }
        await signature(file.signatures[""], data, signs[who], stage.number, who);
        here.set(file.sid, { ...one, data, signatures: file.signatures });
        const spoken = who + " " + stage.number;
        known.set(spoken, [...(known.get(spoken) || []), one]);
        counts.statements += 1;
      }
      return here;
    }

    function reportOf(stage, here) {
      if (roster.dice === "pair") { return stage.record === null ? null : { record: JSON.parse(stage.record) }; }
      const found = [...here.values()].filter((one) => one.type === "report").sort((a, b) => b.rev - a.rev);
      expect(found.length < 2 || found[0].rev !== found[1].rev, stage.number, "fork", found[0] && found[0].from);
      return found.length ? { record: found[0].body.record, events: found[0].body.events || [], by: found[0].from } : null;
    }

    function people(record, number) {
      const playing = order.filter((party) => parties[party].role === "player" && !dropped.has(party));
      for (const party of Object.keys(record.asked || {})) { expect(playing.includes(party), number, "asked", party); }
      const readers = (record.groups || []).map((one) => one[0]);
      const all = order.filter((party) => !dropped.has(party));
      expect(readers.some((one) => all.every((party) => one.includes(party))), number, "groups");
      expect(readers.every((one) => one.every((party) => order.includes(party))), number, "groups");
    }

    async function accepted(record, events, here, number) {
      expect(hex(await H("events", canonical(events))) === record.events, number, "events");
      for (const [party, sid] of Object.entries(record.accepted)) {
        const given = sid === null ? null : here.get(sid);
        expect(sid === null || (given && given.from === party), number, "accepted", party);
      }
    }

    function choreography(here, record, number) {
      const all = [...here.values()], links = all.filter((one) => one.type === "link");
      const players = order.filter((party) => parties[party].role === "player" && !dropped.has(party));
      if (roster.dice === "swift") {
        expect(!("lock" in record) && !links.length, number, "mode");
        return;
      }
      expect(players.every((party) => party in record.links), number, "links");
      if (roster.dice === "locked") {
        const lock = here.get(record.lock);
        expect(lock && lock.type === "lock" && all.filter((one) => one.type === "lock").length === 1, number, "lock");
        for (const name of ["accepted", "forfeits"]) {
          expect(lock && canonical(lock.body[name]) === canonical(record[name]), number, "lock");
        }
        for (const party of players) {
          expect(links.some((one) => one.from === party && one.body.answers === record.lock
            && one.body.link === record.links[party]), number, "link", party);
        }
        return;
      }
      const word = links[0], answered = word && here.get(word.body.answers);
      expect(links.length === 1 && answered && answered.from !== word.from, number, "turn");
      if (!answered) { return; }
      expect(answered.body.link === record.links[answered.from], number, "link", answered.from);
      expect(word.body.link === record.links[word.from], number, "link", word.from);
    }

    async function chance(record, events, number) {
      const fields = [game, u32(number), before];
      for (const party of order.filter((one) => one in record.links)) {
        const link = unhex(record.links[party]), from = since[party] || 0;
        let value = link;
        for (let i = roster.chain_length - number + from + 1; i <= roster.chain_length - position[party] + from; i++) {
          value = await H("chain", unhex(roster.salt), party, u32(i), value);
        }
        expect(last[party] && same(value, last[party]), number, "link", party);
        last[party] = link;
        position[party] = number;
        fields.push(party, link);
        counts.links += 1;
      }
      const seed = await H("seed", ...fields);
      expect(hex(seed) === record.seed, number, "seed");
      const labels = new Set();
      for (const roll of rolls(events, [])) {
        if (roll.hidden || "stage" in roll) { if (roll.hidden) { sealed.add(number); } continue; }
        const label = canonical(roll.label);
        expect(!labels.has(label), number, "roll");
        labels.add(label);
        expect(canonical(recompute(roll, seed)) === canonical(roll.result), number, "roll");
        counts.rolls += 1;
      }
      before = seed;
    }

    async function openings(record, number) {
      for (const [party, decisions] of Object.entries(record.openings || {})) {
        for (const [decision, one] of Object.entries(decisions)) {
          const stage = "stage" in one ? one.stage : number;
          const made = hex(await H("commit", game, u32(stage), party, decision, unhex(one.nonce), canonical(one.value)));
          const said = known.get(party + " " + stage) || [];
          expect(said.some((each) => (each.body.commits || {})[decision] === made), number, "opening", party);
          counts.openings += 1;
        }
      }
    }

    async function amendment(here, sid, number) {
      const one = here.get(sid);
      if (!one) { expect(false, number, "amend"); return; }
      const playing = order.filter((party) => parties[party].role !== "observer" && !dropped.has(party));
      const needed = new Set(), coming = {};
      for (const op of one.body.ops) {
        if (op.op === "key") { needed.add(op.party); }
        else if (op.op === "party" || op.op === "drop") { playing.filter((p) => p !== op.party).forEach((p) => needed.add(p)); }
        else if (op.op !== "ruling") { playing.forEach((party) => needed.add(party)); }
        if (op.sign) { coming[op.party] = op.sign; }
      }
      needed.delete(one.from);
      for (const party of [...needed].sort()) { await signature(one.signatures[party], one.data, signs[party], number, party); }
      for (const [party, key] of Object.entries(coming)) {
        await signature(one.signatures[party + ".new"], one.data, key, number, party);
      }
      for (const op of one.body.ops) {
        if (op.sign) { signs[op.party] = op.sign; }
        if (op.op === "chain" || op.op === "party") {
          last[op.party] = unhex(op.anchor);
          position[op.party] = since[op.party] = number;
        }
        if (op.op === "drop") { dropped.add(op.party); }
      }
    }

    expect(canonical(roster) === archive.roster, null, "roster");
    for (const party of order) { await signature(archive.signatures[party], bytes, signs[party], null, party); }
    let by = "";
    for (const [place, stage] of archive.stages.entries()) {
      if (progress) { progress(place, archive.stages.length); }
      expect(stage.number === place, place, "gap");
      const here = await statements(stage);
      const found = reportOf(stage, here);
      if (!found || !found.record) {
        expect(place === archive.stages.length - 1 && place > 0, place, "no-report");
        break;
      }
      const record = found.record, events = found.events || JSON.parse(stage.events || "[]");
      expect(Boolean(found.events) || place === 0 || stage.events !== null, place, "events");
      by = found.by || "";
      expect(record.prev === hex(head) && record.stage === place, place, "prev");
      const played = place > 0 && "accepted" in record;
      if (played || place === 0) {
        people(record, place);
        expect(hex(await H("state", game, u32(place), canonical(record.groups))) === record.state, place, "state");
      }
      if (played) {
        await accepted(record, events, here, place);
        choreography(here, record, place);
        await chance(record, events, place);
        await openings(record, place);
      }
      for (const sid of record.amends || []) { await amendment(here, sid, place); }
      head = await H("record", canonical(record));
      if (roster.dice === "pair" && played) {
        const heads = [...here.values()].filter((one) => one.type === "link").map((one) => one.body.head);
        expect(heads.length === 1 && heads[0] === hex(head), place, "head");
      }
      counts.records += 1;
    }
    return { wrong, counts, game: hex(game), head: hex(head), by, hidden: sealed.size > 0 };
  }

  root.pbemAudit = audit;
  root.pbemCanAudit = async function () {
    if (!SUBTLE) { return "no-subtle"; }
    try { await SUBTLE.importKey("raw", new Uint8Array(32), { name: "Ed25519" }, false, ["verify"]); } catch (fault) { return "no-ed25519"; }
    return "";
  };
})(globalThis);
