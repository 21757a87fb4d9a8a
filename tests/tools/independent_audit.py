"""Audits an archive without a line of pbem: hashlib, the standard library, and `ssh-keygen` for signatures.

Written from the protocol alone, to show that it can be done, and to catch our own code when it
agrees with itself and with nobody else. It knows no rules of any game.

    python tests/tools/independent_audit.py ARCHIVE
"""

from __future__ import annotations

import hashlib
import json
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any


def lp(data: bytes) -> bytes:
    return len(data).to_bytes(4, "big") + data


def u32(n: int) -> bytes:
    return n.to_bytes(4, "big")


def hashed(label: str, *fields: bytes | str) -> bytes:
    parts = [lp(f.encode() if isinstance(f, str) else f) for f in ("pbem/v1/" + label, *fields)]
    return hashlib.sha256(b"".join(parts)).digest()


def canonical(value: Any) -> bytes:
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()


def dice(seed: bytes, label: list[Any], spec: str) -> list[int]:
    """Roll as section 9.2 of the protocol says, in the plainest way."""
    start = lp(b"pbem/v1/roll") + lp(seed) + lp(canonical(label))
    stream = iter(hashlib.shake_256(start).digest(100_000))

    def uniform(n: int) -> int:
        if n == 1:
            return 0
        size = ((n - 1).bit_length() + 7) // 8
        limit = 256**size - 256**size % n
        while True:
            value = int.from_bytes(bytes(next(stream) for _ in range(size)), "big")
            if value < limit:
                return value % n

    if spec == "d66":
        return [1 + uniform(6), 1 + uniform(6)]
    count, _, sides = spec.partition("d")
    return [1 + uniform(int(sides)) for _ in range(int(count))]


def rolls(value: Any) -> Iterator[dict[str, Any]]:
    if isinstance(value, dict):
        if "label" in value and "result" in value:
            yield value
        for item in value.values():
            yield from rolls(item)
    elif isinstance(value, list):
        for item in value:
            yield from rolls(item)


class Audit:
    """One archive; `faults` says what is wrong, `counts` how much was looked at."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.faults: list[str] = []
        self.counts = {"signatures": 0, "statements": 0, "records": 0, "links": 0, "openings": 0, "rolls": 0}
        self.counts |= {"readers": 0, "pseudonyms": 0}
        self.roster_bytes = (root / "roster.json").read_bytes()
        self.roster = json.loads(self.roster_bytes)
        self.game = hashed("game", self.roster_bytes)
        self.parties = {party["id"]: party for party in self.roster["parties"]}
        self.order = [party["id"] for party in self.roster["parties"]]
        self.since: dict[str, int] = {}
        self.dropped: set[str] = set()
        self.coming: dict[str, str] = {}
        self.ever: set[str] = set()
        self.opened: dict[str, dict[str, Any]] = {}

    def expect(self, true: bool, what: str) -> None:
        if not true:
            self.faults.append(what)

    def run(self) -> None:
        self.expect(canonical(self.roster) == self.roster_bytes, "roster: not canonical")
        with tempfile.TemporaryDirectory() as scratch:
            self.signers = Path(scratch) / "signers"
            self.write_signers()
            self.pseudonyms("roster")
            for party in self.parties:
                self.signature(self.root / f"roster.{party}.sig", self.roster_bytes, party, "roster")
            self.stages()
            self.signers.write_text("".join(sorted(self.ever)))
            self.letters()

    def write_signers(self) -> None:
        """Write the keys in force; those that an amendment brings in sign it as `<party>.new`."""
        lines = [f'{party} namespaces="pbem-v1" {entry["sign"]}\n' for party, entry in self.parties.items()]
        lines += [f'{name} namespaces="pbem-v1" {key}\n' for name, key in self.coming.items()]
        self.ever |= set(lines)
        self.signers.write_text("".join(lines))

    def signature(self, path: Path, data: bytes, party: str, what: str) -> None:
        command = ["ssh-keygen", "-Y", "verify", "-f", str(self.signers), "-I", party, "-n", "pbem-v1"]
        done = subprocess.run([*command, "-s", str(path)], input=data, capture_output=True, check=False)
        self.counts["signatures"] += 1
        self.expect(done.returncode == 0, f"{what}: signature of {party} does not verify")

    def stages(self) -> None:
        head = self.game
        before = self.game
        checked = {party: bytes.fromhex(e["anchor"]) for party, e in self.parties.items() if "anchor" in e}
        position = dict.fromkeys(checked, 0)
        statements: dict[str, dict[str, Any]] = {}
        numbers = range(len(list((self.root / "stages").iterdir())))
        for number in numbers:
            folder = self.root / "stages" / f"{number:04}"
            here = self.statements(folder, number, head)
            statements |= here
            for one in here.values():
                self.opened |= one["body"].get("openings", {}) if one["type"] == "unseal" else {}
            record = self.report(folder, here, number)
            if record is None:  # behind the last record there may be orders that wait, or the unseal
                self.expect(number == numbers[-1] and number > 0, f"stage {number}: no report")
                break
            self.expect(record["prev"] == head.hex(), f"stage {number}: prev of the record")
            self.expect(record["stage"] == number, f"stage {number}: its number")
            played = number > 0 and "accepted" in record  # else the scenario, or closed by an amendment
            if played or number == 0:
                self.state(record, number)
            if played:
                self.choreography(here, record, number)
                before = self.chance(folder, record, number, before, checked, position)
                self.openings(record, number, statements)
                self.readers(record, number)
            for sid in record.get("amends", []):
                self.amendment(folder, sid, here, number, checked, position)
            head = hashed("record", canonical(record))
            self.counts["records"] += 1
        self.unsealed(statements)

    def statements(self, folder: Path, number: int, head: bytes) -> dict[str, dict[str, Any]]:
        found = {}
        for path in sorted(folder.glob("*.json")):
            if len(path.stem) != 64:
                continue
            data = path.read_bytes()
            statement = json.loads(data)
            what = f"stage {number}: {statement['type']} of {statement['from']}"
            self.expect(hashed("statement", data).hex() == path.stem, f"{what}: its id")
            self.expect(canonical(statement) == data, f"{what}: not canonical")
            self.expect(statement["game"] == self.game.hex(), f"{what}: of another game")
            self.expect(statement["stage"] == number, f"{what}: of another stage")
            if statement["type"] not in ("view", "protest"):
                self.expect(statement["prev"] == head.hex(), f"{what}: prev")
            self.signature(path.with_suffix(".sig"), data, statement["from"], what)
            found[path.stem] = statement
            self.counts["statements"] += 1
        return found

    def report(self, folder: Path, here: dict[str, Any], number: int) -> dict[str, Any] | None:
        reports = [s for s in here.values() if s["type"] == "report"]
        if self.roster["dice"] == "pair":
            return self.of_two(folder, here, number)
        if not reports:
            return None
        best = max(reports, key=lambda s: s["rev"])
        record: dict[str, Any] = best["body"]["record"]
        self.inside(record, best["body"].get("events", []), here, number)
        return record

    def of_two(self, folder: Path, here: dict[str, Any], number: int) -> dict[str, Any] | None:
        """Check a game of two: nobody signs a report, so the stage's last link has the record's head."""
        if not (folder / "record.json").exists():
            return None
        record: dict[str, Any] = json.loads((folder / "record.json").read_text())
        head = hashed("record", canonical(record)).hex()
        if number and "accepted" in record:
            heads = [s["body"]["head"] for s in here.values() if s["type"] == "link"]
            self.expect(heads == [head], f"stage {number}: the head that was signed")
        events = json.loads((folder / "events.json").read_text()) if number else []
        self.inside(record, events, here, number)
        return record

    def inside(self, record: dict[str, Any], events: list[Any], here: dict[str, Any], number: int) -> None:
        """Check that the record names these events and these accepted statements."""
        if number and "accepted" in record:
            self.expect(
                hashed("events", canonical(events)).hex() == record["events"], f"stage {number}: events"
            )
            self.events = events
            for party, sid in record["accepted"].items():
                given = here.get(sid) if sid else None
                self.expect(sid is None or bool(given and given["from"] == party), f"stage {number}: {party}")

    def amendment(
        self,
        folder: Path,
        sid: str,
        here: dict[str, Any],
        number: int,
        checked: dict[str, bytes],
        position: dict[str, int],
    ) -> None:
        """Check who signed an amendment, and apply it from the next stage on (4.4)."""
        what = f"stage {number}: amendment {sid[:12]}"
        if sid not in here:
            self.expect(False, f"{what} is not here")
            return
        data, ops = (folder / f"{sid}.json").read_bytes(), here[sid]["body"]["ops"]
        playing = {p for p, e in self.parties.items() if e["role"] != "observer"} - self.dropped
        needed: set[str] = set()
        for op in ops:
            if op["op"] == "key":
                needed.add(op["party"])
            elif op["op"] in ("party", "drop"):
                needed |= playing - {op["party"]}
            elif op["op"] == "deputy" and "sign" not in op:
                continue  # GM or deputy alone end it
            elif op["op"] != "ruling":
                needed |= playing
            if "sign" in op:
                needed.add(f"{op['party']}.new")
                self.coming[f"{op['party']}.new"] = op["sign"]
        self.write_signers()
        for name in sorted(needed - {here[sid]["from"]}):
            self.signature(folder / f"{sid}.{name}.sig", data, name, what)
        for op in ops:
            if op["op"] in ("key", "party"):
                given = {k: v for k, v in op.items() if k in ("name", "mail", "sign", "seal", "anchor")}
                self.parties[op["party"]] = {**self.parties[op["party"]], **given}
            if op["op"] == "deputy":
                entry = {"id": op["party"], "role": "deputy", **op}
                self.parties |= {op["party"]: entry} if "sign" in op else {}
                self.parties = self.parties if "sign" in op else self.without(op["party"])
            if op["op"] in ("chain", "party"):
                checked[op["party"]] = bytes.fromhex(op["anchor"])
                position[op["party"]] = self.since[op["party"]] = number
            if op["op"] == "drop":
                self.dropped.add(op["party"])
        self.coming = {}
        self.write_signers()
        self.pseudonyms(what)

    def without(self, party: str) -> dict[str, dict[str, Any]]:
        return {id_: entry for id_, entry in self.parties.items() if id_ != party}

    def pseudonyms(self, what: str) -> None:
        """Check that with gunboat=yes each entry has the seat's name and the GM's address."""
        if "gunboat=yes" not in self.roster["scenario"]["name"].split(" "):
            return
        gm = self.parties[self.roster["arbiter"]]["mail"]
        for party in (one for one in self.parties.values() if one["role"] == "player"):
            hidden = (party["name"], party["mail"]) == (party["id"], gm)
            self.expect(hidden, f"{what}: the entry of {party['id']} names somebody")
            self.counts["pseudonyms"] += 1

    def readers(self, record: dict[str, Any], number: int) -> None:
        """Check audiences of text for named readers: author and GM are in, never everybody."""
        everybody = {p for p, e in self.parties.items() if e["role"] in ("gm", "player")}
        for who, _ in record.get("readers", []):
            there = {"gm"} <= set(who) < everybody and who == sorted(set(who))
            written = any(record.get("kept", {}).get(party) for party in who)
            self.expect(there and written, f"stage {number}: text for {', '.join(who)}")
            self.counts["readers"] += 1

    def unsealed(self, statements: dict[str, Any]) -> None:
        """Check that the GM's unseal opens the commitments of orders and of text for named readers."""
        for sid, decisions in self.opened.items():
            one = statements.get(sid)
            for decision, opening in decisions.items() if one is not None else ():
                commits, fields = one["body"].get("commits", {}), (self.game, u32(one["stage"]), one["from"])
                if decision not in commits:
                    continue
                nonce, value = bytes.fromhex(opening["nonce"]), canonical(opening["value"])
                made = hashed("commit", *fields, decision, nonce, value).hex()
                self.expect(made == commits[decision], f"unseal: {decision} by {one['from']}")
                self.counts["openings"] += 1

    def choreography(self, here: dict[str, Any], record: dict[str, Any], number: int) -> None:
        """Check who answered whom (13): with locks each link the lock, between two each the other."""
        mode, stage = self.roster["dice"], f"stage {number}"
        players = [p for p in self.order if self.parties[p]["role"] == "player"]
        links = [s for s in here.values() if s["type"] == "link"]
        asked = list(record["accepted"])
        if mode == "swift":
            self.expect("lock" not in record and not links, f"{stage}: lock or link with dice swift")
            return
        self.expect({"gm", *players} >= set(record["links"]) >= set(players), f"{stage}: everybody's links")
        if mode == "locked":
            lock = here.get(record.get("lock", ""))
            self.expect(lock is not None and lock["type"] == "lock", f"{stage}: its lock")
            self.expect([s["type"] for s in here.values()].count("lock") == 1, f"{stage}: one lock")
            for name in ("accepted", "forfeits"):
                self.expect(bool(lock) and lock["body"][name] == record[name], f"{stage}: {name} of the lock")
            for party in players:
                given = [s["body"] for s in links if s["from"] == party]
                good = any(
                    (b["answers"], b["link"]) == (record["lock"], record["links"][party]) for b in given
                )
                self.expect(good, f"{stage}: the link of {party} under the lock")
            return
        (last,) = links
        answered = here[last["body"]["answers"]]
        self.expect(answered["from"] != last["from"], f"{stage}: who has the last word")
        self.expect(answered["body"]["link"] == record["links"][answered["from"]], f"{stage}: the first link")
        self.expect(last["body"]["link"] == record["links"][last["from"]], f"{stage}: the last link")
        if len(asked) == 2:
            first = here[answered["body"]["answers"]]
            self.expect(
                first["from"] == last["from"] and "link" not in first["body"], f"{stage}: the first order"
            )
            self.expect(record["accepted"][last["from"]] in here, f"{stage}: the order of {last['from']}")

    def state(self, record: dict[str, Any], number: int) -> None:
        value = hashed("state", self.game, u32(number), canonical(record["groups"])).hex()
        self.expect(value == record["state"], f"stage {number}: state hash")

    def chance(
        self,
        folder: Path,
        record: dict[str, Any],
        number: int,
        before: bytes,
        checked: dict[str, bytes],
        position: dict[str, int],
    ) -> bytes:
        salt = bytes.fromhex(self.roster["salt"])
        length = self.roster["chain_length"]
        fields: list[bytes | str] = [self.game, u32(number), before]
        for party in (p for p in self.order if p in record["links"]):
            link = bytes.fromhex(record["links"][party])
            value = link
            since = self.since.get(party, 0)
            for i in range(length - number + since + 1, length - position[party] + since + 1):
                value = hashed("chain", salt, party, u32(i), value)
            self.expect(value == checked[party], f"stage {number}: link of {party}")
            checked[party], position[party] = link, number
            fields += [party, link]
            self.counts["links"] += 1
        seed = hashed("seed", *fields)
        self.expect(seed.hex() == record["seed"], f"stage {number}: seed")
        labels = set()
        for roll in rolls(self.events):
            if roll.get("hidden") or "stage" in roll or "dice" not in roll:
                continue
            self.expect(
                canonical(roll["label"]) not in labels, f"stage {number}: label {roll['label']} twice"
            )
            labels.add(canonical(roll["label"]))
            self.expect(
                dice(seed, roll["label"], roll["dice"]) == roll["result"], f"stage {number}: roll {roll}"
            )
            self.counts["rolls"] += 1
        return seed

    def openings(self, record: dict[str, Any], number: int, statements: dict[str, Any]) -> None:
        for party, decisions in record.get("openings", {}).items():
            for decision, opening in decisions.items():
                stage = opening.get("stage", number)
                value = hashed(
                    "commit",
                    self.game,
                    u32(stage),
                    party,
                    decision,
                    bytes.fromhex(opening["nonce"]),
                    canonical(opening["value"]),
                ).hex()
                orders = [s for s in statements.values() if s["from"] == party and s["stage"] == stage]
                good = any(s["body"].get("commits", {}).get(decision) == value for s in orders)
                self.expect(good, f"stage {number}: opening of {decision} by {party}")
                self.counts["openings"] += 1

    def letters(self) -> None:
        """Check letters to everyone, and private letters that an unseal opens."""
        for path in sorted(self.root.glob("letters/*.json")):
            data, what = path.read_bytes(), f"letter {path.stem[:12]}"
            letter = json.loads(data)
            body, sender = letter["body"], letter["from"]
            self.expect(hashed("statement", data).hex() == path.stem, f"{what}: its id")
            self.expect(canonical(letter) == data, f"{what}: not canonical")
            self.expect((letter["type"], letter["game"]) == ("letter", self.game.hex()), f"{what}: its game")
            self.expect(("after" in body) == (body["n"] > 1), f"{what}: its number")
            self.signature(path.with_suffix(".sig"), data, sender, what)
            if "text" not in body:
                self.expect(
                    sorted(body["sealed"]) == body["to"] and sender not in body["to"], f"{what}: readers"
                )
                decision = f"letter/{body['n']}"
                opening = self.opened.get(path.stem, {}).get(decision, {"nonce": "", "value": None})
                fields = (self.game, u32(letter["stage"]), sender, decision, bytes.fromhex(opening["nonce"]))
                made = hashed("commit", *fields, canonical(opening["value"])).hex()
                self.expect(made == body["commit"], f"{what}: its opening")
                self.counts["openings"] += 1
            self.counts["statements"] += 1


def main() -> int:
    audit = Audit(Path(sys.argv[1]))
    audit.run()
    for fault in audit.faults:
        print("WRONG:", fault)
    print(", ".join(f"{count} {what}" for what, count in audit.counts.items()), "checked")
    return 1 if audit.faults else 0


if __name__ == "__main__":
    sys.exit(main())
