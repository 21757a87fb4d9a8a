// Checks an archive of pbem in the reader's browser, by the protocol alone: who signed what, the chain of records, who
// was asked, links, seeds, openings, amendments and public rolls. It knows no rules of any game and asks no network.
// Numbers in brackets are sections of the protocol; proof.js does the arithmetic. `pbemAudit(archive)` gives
// {wrong: [{stage, what, who}], claimed: [{stage, what, who}], unchecked: [what], counts, game, head, by}.
(function (root) {
  "use strict";
  const { text, hex, unhex, same, u32, H, canonical, keyOf, signed, recompute, isRoll, rolls } = root.pbemProof;

  // ---- what a statement may be (5.1) ----------------------------------------------------------------------

  const ROLES = { order: ["player"], standing: ["player"], link: ["player"], ack: ["gm"], lock: ["gm"], report: ["gm"], view: ["gm"],
    amend: ["gm", "player"], unseal: ["gm", "player"], protest: ["gm", "player", "observer"] };
  const NOT_IN = { swift: ["lock", "link"], locked: [], pair: ["ack", "lock", "report", "view"] };
  // members that a body must have, and those that it may have
  const BODIES = { order: [["orders"], ["commits", "sealed", "openings", "standing", "link", "answers"]],
    standing: [[], ["standing", "commits", "sealed"]], ack: [[], ["have", "unreadable"]], lock: [["accepted", "forfeits"], []],
    link: [["answers", "link"], ["openings", "sealed", "head"]], report: [["record"], ["events", "views", "next"]],
    view: [["head", "view"], []], amend: [["ops"], []], protest: [["text"], ["about"]], unseal: [[], ["secret", "openings"]] };
  const HEAD = ["body", "from", "game", "pbem", "prev", "rev", "stage", "type"];
  const OPS = { key: [["party"], ["sign", "seal", "name", "mail", "proxy"]], option: [["name", "value"], []], module: [["module"], []],
    ruling: [["reason"], ["changes", "commit"]], chain: [["party", "anchor"], []],
    party: [["party", "name", "mail", "sign", "seal", "anchor"], ["secret"]], drop: [["party"], []], rewind: [["to"], []] };
  const CLOSING = ["chain", "party", "drop", "rewind"];
  const RECORDS = { zero: [["stage", "prev", "groups", "state", "asked"], []], closed: [["stage", "prev", "amends"], []],
    played: [["stage", "prev", "accepted", "forfeits", "links", "seed", "events", "groups", "state", "asked"],
      ["openings", "kept", "lock", "amends", "standing", "readers"]] };
  const MAY_DIFFER = ["events", "groups", "state", "asked", "openings", "kept", "readers"];
  const MOST = { gm: 8 << 20, player: 1 << 20, observer: 1 << 20 };

  const has = (value, [must, may]) => Boolean(value) && typeof value === "object" && !Array.isArray(value)
    && must.every((name) => name in value) && Object.keys(value).every((name) => must.includes(name) || may.includes(name));
  const empty = (value) => value === null || value === "" || (typeof value === "object" && Object.keys(value).length === 0);
  const ascending = (list) => list.every((one, n) => n === 0 || list[n - 1] < one);
  const alike = (one, other) => canonical(one) === canonical(other);

  function shaped(one) {
    const [must, may] = BODIES[one.type];
    if (!has(one, [HEAD, []]) || !has(one.body, [must, may]) || one.pbem !== 1 || !Number.isInteger(one.rev) || one.rev < 1) { return false; }
    const kept = (name) => name === "standing" && one.type === "standing" || name === "events";  // never left out, even when empty (17.1)
    if (may.some((name) => name in one.body && !kept(name) && empty(one.body[name]))) { return false; }
    if (one.type === "amend") {
      const ops = one.body.ops;
      return Array.isArray(ops) && ops.length > 0 && ops.every((op) => op && op.op in OPS && has(op, [["op", ...OPS[op.op][0]], OPS[op.op][1]]))
        && !(ops.some((op) => op.op === "ruling") && ops.some((op) => CLOSING.includes(op.op)));
    }
    if (one.type === "order") {
      return Array.isArray(one.body.orders) && one.body.orders.every((item) => has(item, [["decision", "answer"], ["question", "on_illegal"]]));
    }
    return true;
  }
  function fitsMode(one, dice, gm) {
    const body = one.body;
    if (body.sealed && Object.keys(body.sealed).join() !== gm) { return false; }
    if (one.type === "link") { return ("head" in body) === (dice === "pair"); }
    if (one.type !== "order" || dice === "pair") { return true; }
    if ("link" in body || "answers" in body) { return false; }
    return dice === "swift" ? "sealed" in body && !("openings" in body) : !("sealed" in body) || "standing" in (body.commits || {});
  }

  // ---- the archive (12, 15) -----------------------------------------------------------------------------

  const UNCHECKED = ["results", "scenario", "views", "hidden", "files", "letters", "texts"];

  function rosterOf(archive) {
    try {
      const roster = JSON.parse(archive.roster);
      return roster && Array.isArray(roster.parties) && roster.scenario ? roster : null;
    } catch (fault) { return null; }
  }

  async function audit(archive, progress) {
    const wrong = [], claimed = [];
    const counts = { statements: 0, signatures: 0, records: 0, links: 0, openings: 0, rolls: 0 };
    const roster = rosterOf(archive), bytes = text(archive.roster);
    const game = await H("game", bytes);
    if (!roster) {  // nothing says who plays, so nothing else can be checked
      return { wrong: [{ stage: null, what: "roster", who: "" }], claimed, unchecked: UNCHECKED, counts, game: hex(game), head: "", by: "" };
    }
    const order = roster.parties.map((one) => one.id), gm = roster.arbiter === null ? "" : roster.arbiter;
    const everybody = roster.parties.filter((one) => one.role !== "observer").map((one) => one.id).sort();
    const parties = {}, since = {}, last = {}, position = {}, dropped = new Set(), former = [], used = new Set();
    const secrets = [roster.secret];
    for (const one of roster.parties) {
      parties[one.id] = { ...one };
      if (one.anchor) { last[one.id] = unhex(one.anchor); position[one.id] = 0; }
      ["sign", "seal", "anchor"].filter((name) => one[name]).forEach((name) => used.add(one[name]));
    }
    const overdue = /(?:^| )overdue=(wait|default)(?: |$)/.exec(roster.scenario.name);
    const terms = { dice: roster.dice, absent: roster.absent, overdue: overdue ? overdue[1] : "" };
    const stages = [], seeds = {}, all = new Map(), dead = [];
    let head = game, before = game, asked = {}, fresh = true, superseded = [], lastWord = "";

    const active = (role) => order.filter((party) => !dropped.has(party) && (!role || parties[party].role === role));
    const playing = () => active().filter((party) => parties[party].role !== "observer");
    const expect = (fine, stage, what, who) => { if (!fine) { wrong.push({ stage, what, who: who || "" }); } return Boolean(fine); };
    const claim = (stage, what, who) => claimed.push({ stage, what, who: who || "" });
    async function isSigned(armoured, data, key) {
      counts.signatures += 1;
      try { return Boolean(key) && await signed(armoured, data, key); } catch (fault) { return false; }
    }
    async function signature(armoured, data, key, stage, who) {
      return expect(await isSigned(armoured, data, key), stage, "signature", who);
    }

    // ---- statements: good ones by sid, what is wrong with the others ----------------------------------------

    async function bySender(file, one, data, coming) {
      const keys = [parties[one.from].sign];
      if (one.type === "report" && one.from === gm) { keys.push(...coming); }  // of the GM who takes over (17.9)
      if (one.type === "unseal") { keys.push(...former.filter((each) => each.party === one.from).map((each) => each.sign)); }
      for (const key of keys) { if (await isSigned(file.signatures[""], data, key)) { return key; } }
      return "";
    }
    async function statements(stage) {
      const here = new Map(), read = [];
      for (const file of stage.statements) {
        try { read.push([file, JSON.parse(file.text)]); } catch (fault) { expect(false, stage.number, "canonical"); }
      }
      const coming = read.filter(([, one]) => one && one.type === "amend" && one.body && Array.isArray(one.body.ops))
        .flatMap(([, one]) => one.body.ops.filter((op) => op && op.op === "party" && op.party === gm).map((op) => op.sign));
      for (const [file, one] of read) {
        const data = text(file.text), number = stage.number, who = String(one && one.from);
        if (!expect(one && parties[who] && !dropped.has(who), number, "signature", who)) { continue; }
        const key = await bySender(file, one, data, coming);
        let fine = expect(key, number, "signature", who);
        fine = expect(data.length <= MOST[parties[who].role], number, "schema", who) && fine;
        fine = expect(canonical(one) === file.text, number, "canonical", who) && fine;
        fine = expect(one.type in BODIES && shaped(one), number, "schema", who) && fine;
        if (!fine && !(one.type in BODIES && one.body)) { continue; }
        fine = expect(hex(await H("statement", data)) === file.sid, number, "id", who) && fine;
        fine = expect(one.game === hex(game), number, "game", who) && fine;
        fine = expect(one.stage === number, number, "stage", who) && fine;
        const may = ROLES[one.type].includes(parties[who].role) && !NOT_IN[terms.dice].includes(one.type) && fitsMode(one, terms.dice, gm);
        fine = expect(may, number, "role", who) && fine;
        counts.statements += 1;
        if (!fine) { continue; }
        const kept = { ...one, sid: file.sid, data, key, signatures: file.signatures };
        here.set(file.sid, kept);
        all.set(file.sid, kept);
      }
      return here;
    }
    const of = (here, type) => [...here.values()].filter((one) => one.type === type);
    const revisions = (listed) => [...listed].sort((a, b) => b.rev - a.rev || (a.sid < b.sid ? -1 : 1));

    function reportOf(stage, here) {
      if (roster.dice === "pair") {
        return stage.record === null ? null : { record: JSON.parse(stage.record), events: stage.events === null ? null : JSON.parse(stage.events), old: [] };
      }
      const found = [];  // without those that are one report but for their seals (17.35)
      for (const one of revisions(of(here, "report"))) {
        if (!found.some((other) => other.rev === one.rev && alike([other.body.record, other.body.events || []], [one.body.record, one.body.events || []]))) { found.push(one); }
      }
      expect(new Set(found.map((one) => one.rev)).size === found.length, stage.number, "fork", gm);
      if (!found.length) { return null; }
      const [counts_, ...old] = found;
      for (const one of old) {
        claim(stage.number, "corrected", gm);
        const names = new Set([...Object.keys(one.body.record), ...Object.keys(counts_.body.record)]);
        const same_ = [...names].every((name) => MAY_DIFFER.includes(name) || alike([one.body.record[name]], [counts_.body.record[name]]));
        expect(same_, stage.number, "correction", gm);
      }
      expect(counts_.prev === hex(head), stage.number, "prev", gm);
      for (const name of ["record", "events"]) {
        const file = stage[name], wanted = name === "record" ? counts_.body.record : counts_.body.events || [];
        let value = wanted;
        try { value = file === null ? wanted : JSON.parse(file); } catch (fault) { value = null; }
        expect(alike(value, wanted), stage.number, "derived");
      }
      return { record: counts_.body.record, events: counts_.body.events, by: counts_.from, old, report: counts_ };
    }
    function isRecord(record, place) {
      const kind = place === 0 ? "zero" : record && "accepted" in record ? "played" : "closed";
      if (!has(record, RECORDS[kind]) || !RECORDS[kind][1].every((name) => !(name in record) || !empty(record[name]))) { return ""; }
      const lists = [...Object.values(record.kept || {}), record.amends || [], record.forfeits || []];
      return lists.every(ascending) ? kind : "";
    }

    // ---- one played stage -----------------------------------------------------------------------------------

    async function state(record, number) {
      expect(hex(await H("state", game, u32(number), canonical(record.groups))) === record.state, number, "state");
      const readers = record.groups.map((one) => one[0]);
      const fine = readers.some((one) => alike(one, everybody)) && readers.every((one) => one.every((party) => everybody.includes(party)));
      expect(fine, number, "groups");
      const players = active("player"), named = Object.keys(record.asked);
      named.forEach((party) => expect(players.includes(party), number, "asked", party));
      const whole = number === 0 && named.length && terms.dice === "swift";
      players.forEach((party) => expect(!whole || named.includes(party), number, "asked", party));
      for (const [who] of record.readers || []) { // text for named readers: who they are, not what they read
        const can = who.includes(gm) && !alike(who, everybody) && who.every((party) => everybody.includes(party));
        expect(can && who.some((party) => party in (record.kept || {})), number, "readers", gm);
      }
    }
    function forfeits(record, number) {
      for (const [party, sid] of Object.entries(record.accepted)) { expect(sid !== null || record.forfeits.includes(party), number, "absent", party); }
      for (const party of record.forfeits) {
        const given = record.accepted[party];
        claim(number, "forfeit", party);
        if (given === undefined) { expect(false, number, "forfeits", party); continue; }
        if (given === null && terms.dice !== "locked") { expect(terms.absent === "skip" && !fresh, number, "absent", party); continue; }
        const usual = terms.absent === "skip" || terms.dice === "locked" ? "default" : "wait";
        expect(terms.dice !== "pair" && (terms.overdue || usual) === "default", number, "forfeits", party);
      }
    }
    function accepted(record, here, number) {
      const wanted = Object.keys(asked).sort(), orders = {};
      expect(alike(Object.keys(record.accepted).sort(), wanted), number, "accepted", wanted.find((one) => !(one in record.accepted)));
      expect(wanted.length > 0, number, "over");
      const named = (sid, party, type) => {
        const given = here.get(sid);
        return expect(given && given.from === party && given.type === type && given.prev === hex(head), number, "accepted", party) ? given : null;
      };
      for (const [party, sid] of Object.entries(record.accepted)) { if (sid !== null) { orders[party] = named(sid, party, "order"); } }
      for (const [party, sid] of Object.entries(record.standing || {})) { named(sid, party, "standing"); }
      forfeits(record, number);
      return orders;
    }
    function locks(here, record, number) {
      if (terms.dice !== "locked") { expect(!("lock" in record), number, "mode"); return; }
      const lock = here.get(record.lock);
      expect(lock && lock.type === "lock" && lock.prev === hex(head) && of(here, "lock").length === 1, number, "lock");
      for (const name of ["accepted", "forfeits"]) { expect(lock && alike(lock.body[name], record[name]), number, "lock"); }
      for (const party of active("player")) {
        const under = of(here, "link").filter((one) => one.from === party && one.body.answers === record.lock);
        expect(under.some((one) => one.body.link === record.links[party]), number, "link", party);
      }
    }
    function turns(here, record, orders, number) {
      if (terms.dice !== "pair") { return; }
      const [one, two] = active("player"), both = Object.keys(asked).length > 1;
      const first = both ? lastWord || one : Object.keys(asked)[0] || one, second = first === one ? two : one;
      const end = of(here, "link")[0], answered = both ? orders[second] : orders[first];
      const fine = of(here, "link").length === 1 && answered && end.from === (both ? first : second) && end.body.answers === answered.sid;
      if (!expect(fine, number, "turn")) { return; }
      expect(!both || (orders[first] && answered.body.answers === orders[first].sid && !("link" in orders[first].body)), number, "turn", second);
      for (const said of [answered, end]) { expect(said.body.link === record.links[said.from], number, "link", said.from); }
      lastWord = end.from;
    }
    async function chance(record, number) {
      const fields = [game, u32(number), before];
      const given = active().filter((party) => parties[party].role === "gm"
        || (parties[party].role === "player" && (terms.dice !== "swift" || record.accepted[party])));
      order.forEach((party) => expect(given.includes(party) === party in record.links, number, "links", party));
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
      before = await H("seed", ...fields);
      seeds[number] = before;
      expect(hex(before) === record.seed, number, "seed");
    }
    function thrown(events, number) {
      const labels = new Set();
      expect(events.every((one) => one && typeof one === "object" && !Array.isArray(one)), number, "events");
      for (const roll of rolls(events, [])) {
        if (!expect(isRoll(roll), number, "roll")) { continue; }
        const made = "stage" in roll ? roll.stage : number, label = canonical(roll.label);
        expect(made === number ? !("stage" in roll) : made > 0 && made < number, number, "roll");
        if (!("stage" in roll)) { expect(!labels.has(label), number, "roll"); labels.add(label); }
        if (roll.hidden) { continue; }
        let fine = made in seeds;
        try { fine = fine && alike(recompute(roll, seeds[made]), roll.result); } catch (fault) { fine = false; }
        expect(fine, number, "roll");
        counts.rolls += 1;
      }
    }
    async function fits(commit, number, party, decision, one) {
      try { return commit === hex(await H("commit", game, u32(number), party, decision, unhex(one.nonce), canonical(one.value))); }
      catch (fault) { return false; }
    }
    function committed(party, stage, decision) {
      const record = stage > 0 && stage < stages.length && !dead.some(([to, at]) => to < stage && stage <= at) && stages[stage].record;
      const given = record && all.get((record.accepted || {})[party]);
      return given && (given.body.commits || {})[decision];
    }
    async function openings(record, orders, number) {
      const shown = record.openings || {}, kept = record.kept || {};
      for (const [party, decisions] of Object.entries(shown)) {
        for (const [decision, one] of Object.entries(decisions)) {
          const own = orders[party] && (orders[party].body.commits || {})[decision];
          const commit = "stage" in one ? committed(party, one.stage, decision) : own;
          expect(commit && await fits(commit, "stage" in one ? one.stage : number, party, decision, one), number, "opening", party);
          counts.openings += 1;
        }
      }
      for (const party of new Set([...Object.keys(orders), ...Object.keys(kept)])) {
        const commits = Object.keys((orders[party] && orders[party].body.commits) || {});
        const now = Object.entries(shown[party] || {}).filter(([, one]) => !("stage" in one)).map(([decision]) => decision);
        expect(alike(commits.filter((one) => !now.includes(one)).sort(), kept[party] || []), number, "kept", party);
      }
    }

    // ---- beside the record: other statements of the stage --------------------------------------------------------

    function others(here, record, number) {
      const twice = new Map(), had = new Set(of(here, "ack").flatMap((one) => one.body.have || []));
      const known = [...here.values()].filter((one) => !superseded.includes(one.prev));
      for (const one of known) {
        if (one.type !== "protest" && one.type !== "report") { expect(one.prev === hex(head), number, "prev", one.from); }
        if (one.type === "order") { expect(one.from in asked, number, "not-asked", one.from); }
        if (one.type === "protest") { claim(number, "protest", one.from); }
        const name = [one.type, one.from, one.rev].join(" ");
        if (["order", "standing", "ack"].includes(one.type) && twice.has(name)) { claim(number, "equivocation", one.from); }
        twice.set(name, one);
      }
      for (const type of record && "accepted" in record ? ["order", "standing"] : []) {
        const listed = (type === "order" ? record.accepted : record.standing) || {};
        for (const party of new Set(of(here, type).map((one) => one.from))) {
          const mine = revisions(of(here, type).filter((one) => one.from === party));
          const at = mine.findIndex((one) => one.sid === listed[party]);
          for (const left of at < 0 ? mine : mine.slice(0, at)) {
            if (expect(!had.has(left.sid), number, "acknowledged", gm)) { claim(number, "left-out", party); }
          }
        }
      }
    }
    async function opened(here, number) {
      for (const one of of(here, "unseal")) {
        let fine = !("secret" in one.body);
        if (!fine) { fine = one.from === gm && secrets.includes(hex(await H("secret", unhex(roster.salt), unhex(one.body.secret)))); }
        for (const [sid, decisions] of Object.entries(one.body.openings || {})) {
          const said = all.get(sid);
          for (const [decision, shown] of Object.entries(decisions)) {
            if (decision.startsWith("letter/")) { continue; } // letters lie in no stage: `pbem verify` reads them
            const ruled = said && said.type === "amend" && said.body.ops.find((op) => "commit" in op);
            const commit = ruled ? decision === "ruling" && ruled.commit : said && (said.body.commits || {})[decision];
            fine = Boolean(commit) && await fits(commit, said.stage, said.from, decision, shown) && fine;
            counts.openings += 1;
          }
        }
        expect(fine, number, "unseal", one.from);
      }
    }

    // ---- amendments (4.4) -----------------------------------------------------------------------------------

    async function agreed(one, number) {
      const needed = new Set();
      for (const op of one.body.ops) {
        if ("party" in op && !expect(active().includes(op.party), number, "amend", op.party)) { return; }
        if (op.op === "key") { needed.add(op.party); }
        else if (op.op === "ruling" && terms.dice !== "pair") { needed.add(gm); }
        else if (op.op === "party" || op.op === "drop") { playing().filter((p) => p !== op.party || terms.dice === "pair").forEach((p) => needed.add(p)); }
        else { playing().forEach((party) => needed.add(party)); }
        expect(op.op !== "drop" || (terms.dice !== "pair" && op.party !== gm), number, "amend", op.party);
      }
      needed.delete(one.from);
      for (const party of [...needed].sort()) { await signature(one.signatures[party], one.data, parties[party].sign, number, party); }
      for (const op of one.body.ops.filter((each) => each.sign)) {
        const own = op.sign === parties[one.from].sign ? "" : op.party + ".new";
        await signature(one.signatures[own], one.data, op.sign, number, op.party);
      }
      for (const op of one.body.ops) {
        if (op.op === "ruling") { claim(number, "ruling", one.from); }
        if (op.op === "drop") { claim(number, "dropped", op.party); }
        if (op.op === "party" && !await isSigned(one.signatures[op.party], one.data, parties[op.party].sign)) { claim(number, "takeover", op.party); }
      }
    }
    function apply(op, number) {
      const party = parties[op.party];
      for (const name of ["sign", "seal", "anchor"].filter((each) => each in op)) {
        expect(!used.has(op[name]), number, "amend", op.party);
        used.add(op[name]);
      }
      if (op.sign) {
        try { keyOf(op.sign); } catch (fault) { expect(false, number, "amend", op.party); }
        former.push({ party: op.party, sign: party.sign });
        party.sign = op.sign;
      }
      if (op.op === "party") { delete party.proxy; }
      if (op.proxy) { claim(number, "proxy", op.party); }
      if (op.secret) { secrets.push(op.secret); }
      if (op.op === "chain" || op.op === "party") {
        last[op.party] = unhex(op.anchor);
        position[op.party] = since[op.party] = number;
      }
      if (op.op === "drop") { dropped.add(op.party); }
      if (op.op === "option" && ["dice", "absent", "overdue"].includes(op.name)) { terms[op.name] = op.value; }
    }
    async function amend(here, record, number, kind, report) {
      const ops = [];
      for (const sid of record.amends || []) {
        const one = here.get(sid);
        if (!expect(one && one.type === "amend" && one.prev === hex(head), number, "amend")) { continue; }
        await agreed(one, number);
        ops.push(...one.body.ops);
      }
      const closes = ops.some((op) => CLOSING.includes(op.op));
      expect((kind === "closed") === closes && !(closes && ops.some((op) => op.op === "ruling")), number, "amend");
      const key = gm && parties[gm].sign;
      ops.filter((op) => "party" in op ? parties[op.party] : true).forEach((op) => apply(op, number));
      if (report) {  // of a closed stage the GM behind it signs the report, of any other the one before
        expect(report.key === (closes ? parties[gm].sign : key), number, "signature", gm);
      }
      return ops;
    }
    function next(record, ops, number, kind) {
      if (kind !== "closed") {
        fresh = number === 0;
        stages.push({ record, at: number });
      } else {
        fresh = fresh || ops.some((op) => op.op === "chain" || op.op === "party");
        const back = ops.filter((op) => op.op === "rewind").pop();
        expect(!back || back.to < number, number, "amend");
        stages.push({ record, at: stages[back && back.to < number ? back.to : number - 1].at });
        if (back) { dead.push([back.to, number]); }
        lastWord = "";
      }
      const now = stages[stages[number].at].record.asked, players = active("player");
      const few = Object.keys(now).length && (!players.some((party) => party in now) || (fresh && number > 0 && terms.dice === "swift"));
      asked = Object.fromEntries(players.filter((party) => few || party in now).map((party) => [party, now[party] || ["ready"]]));
    }

    // ---- from the roster on -----------------------------------------------------------------------------------

    expect(canonical(roster) === archive.roster, null, "roster");
    for (const one of roster.parties) { if (one.proxy) { claim(null, "proxy", one.id); } }
    for (const party of order) { await signature(archive.signatures[party], bytes, parties[party].sign, null, party); }
    let by = "";
    for (const [place, stage] of archive.stages.entries()) {
      if (progress) { progress(place, archive.stages.length); }
      if (!expect(stage.number === place, place, "gap")) { break; }
      const here = await statements(stage);
      const found = reportOf(stage, here);
      if (!found) {
        expect(place === archive.stages.length - 1 && place > 0, place, "no-report");
        others(here, null, place);
        await opened(here, place);
        break;
      }
      const record = found.record, kind = isRecord(record, place);
      if (!expect(kind, place, "record")) { break; }
      expect(record.prev === hex(head) && record.stage === place, place, "prev");
      const events = found.events || [];
      expect(kind === "zero" || Array.isArray(found.events), place, "events");
      expect(kind === "played" || !events.length, place, "events");
      if (kind !== "closed") { await state(record, place); }
      if (kind === "played") {
        expect(hex(await H("events", canonical(events))) === record.events, place, "events");
        const orders = accepted(record, here, place);
        locks(here, record, place);
        turns(here, record, orders, place);
        await chance(record, place);
        thrown(events, place);
        await openings(record, orders, place);
      }
      others(here, record, place);
      const ops = await amend(here, record, place, kind, found.report);
      await opened(here, place);
      superseded = await Promise.all(found.old.map(async (one) => hex(await H("record", canonical(one.body.record)))));
      head = await H("record", canonical(record));
      by = found.by || "";
      if (roster.dice === "pair" && kind === "played") {
        const heads = of(here, "link").map((one) => one.body.head);
        expect(heads.length === 1 && heads[0] === hex(head), place, "head");
      }
      next(record, ops, place, kind);
      counts.records += 1;
    }
    return { wrong, claimed, unchecked: UNCHECKED, counts, game: hex(game), head: hex(head), by };
  }

  root.pbemAudit = audit;
})(globalThis);
