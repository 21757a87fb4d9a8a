"""Every kind of tampering with a finished archive is found, at its stage and with its party."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pbem.archive import layout
from pbem.archive.private import Private
from pbem.archive.verify import verify
from pbem.engine.system import System
from pbem.text import canonical
from pbem.trust import dice, groups, records, statements
from pbem.trust.chain import Chain
from tests.primer import FOG
from tests.unit.archive.conftest import Played
from tests.unit.archive.table import signer_of

Data = dict[str, Any]


class Forger:
    """Changes things in a copy of an archive, with whatever keys the forger is supposed to have."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.last = max(layout.stage_numbers(root)) - 1

    def folder(self, stage: int) -> Path:
        return self.root / layout.stage_name(stage)

    def find(self, stage: int, type_: str, sender: str | None = None) -> Path:
        """The file of a statement."""
        for path in sorted(self.folder(stage).glob("*.json")):
            if len(path.stem) == 64:
                data = json.loads(path.read_bytes())
                if data["type"] == type_ and sender in (None, data["from"]):
                    return path
        raise LookupError((stage, type_, sender))

    def stage_with(self, type_: str, sender: str, least: int = 2) -> int:
        """An early stage in which somebody said something of that type."""
        for stage in range(least, self.last + 1):
            try:
                self.find(stage, type_, sender)
            except LookupError:
                continue
            return stage
        raise LookupError((type_, sender))

    def data(self, path: Path) -> Data:
        found: Data = json.loads(path.read_bytes())
        return found

    def write(self, path: Path, data: Data, signer: str | None = None) -> Path:
        """Replace a statement by another one; signed anew if the forger has the key, else the old signature
        stays.
        """
        sig = path.with_suffix(".sig").read_bytes()
        path.unlink()
        path.with_suffix(".sig").unlink()
        raw = canonical.dumps(data)
        new = path.with_name(f"{statements.sid(raw)}.json")
        new.write_bytes(raw)
        new.with_suffix(".sig").write_bytes(signer_of(signer).sign(raw).encode() if signer else sig)
        return new

    def report(self, stage: int, change: Callable[[Data], None], signer: str = "gm") -> None:
        """The GM signs another report of a stage; derived files follow it."""
        path = self.find(stage, "report")
        data = self.data(path)
        change(data)
        self.write(path, data, signer)
        folder = self.folder(stage)
        (folder / "record.json").write_text(json.dumps(data["body"]["record"]))
        if "events" in data["body"]:
            (folder / "events.json").write_text(json.dumps(data["body"]["events"]))

    def record(self, stage: int, change: Callable[[Data], None]) -> None:
        self.report(stage, lambda data: change(data["body"]["record"]))


@dataclass(frozen=True)
class Wanted:
    """What verify must say: its code, and who is named (None: nobody has to be)."""

    code: str
    party: str | None = None


def _order_text(f: Forger, stage: int) -> None:
    path = f.find(stage, "order", "north")
    data = f.data(path)
    data["body"]["orders"] = [{"answer": "changed", "decision": "card"}]
    f.write(path, data)


def _foreign_signer(f: Forger, stage: int) -> None:
    path = f.find(stage, "order", "north")
    f.write(path, f.data(path), "mallory")


def _other_party(f: Forger, stage: int) -> None:
    path = f.find(stage, "order", "north")
    f.write(path, f.data(path), "south")


def _other_game(f: Forger, stage: int) -> None:
    path = f.find(stage, "order", "north")
    data = f.data(path)
    data["game"] = "ab" * 32
    f.write(path, data, "north")


def _other_history(f: Forger, stage: int) -> None:
    path = f.find(stage, "order", "north")
    data = f.data(path)
    data["prev"] = "ab" * 32
    f.write(path, data, "north")


def _moved_stage(f: Forger, stage: int) -> None:
    path = f.find(stage, "order", "north")
    for suffix in (".json", ".sig"):
        shutil.copy(path.with_suffix(suffix), f.folder(stage + 1) / path.with_suffix(suffix).name)


def _renamed(f: Forger, stage: int) -> None:
    path = f.find(stage, "order", "north")
    for suffix in (".json", ".sig"):
        path.with_suffix(suffix).rename(path.with_name(f"{'0' * 64}{suffix}"))


def _no_signature(f: Forger, stage: int) -> None:
    f.find(stage, "order", "north").with_suffix(".sig").unlink()


def _no_statement(f: Forger, stage: int) -> None:
    f.find(stage, "order", "north").unlink()


def _gone(f: Forger, stage: int) -> None:
    path = f.find(stage, "order", "north")
    path.unlink()
    path.with_suffix(".sig").unlink()


def _not_canonical(f: Forger, stage: int) -> None:
    path = f.find(stage, "order", "north")
    raw = path.read_bytes().replace(b'"body":', b'"body" :', 1)
    path.write_bytes(raw)
    path.with_suffix(".sig").write_text(signer_of("north").sign(raw))


def _unknown_member(f: Forger, stage: int) -> None:
    path = f.find(stage, "order", "north")
    data = f.data(path)
    data["body"]["extra"] = 1
    f.write(path, data, "north")


def _damaged_signature(f: Forger, stage: int) -> None:
    sig = f.find(stage, "order", "north").with_suffix(".sig")
    lines = sig.read_text().split("\n")
    lines[-4] = lines[-4][:-6] + ("AAAAAA" if not lines[-4].endswith("AAAAAA") else "BBBBBB")
    sig.write_text("\n".join(lines))


def _swapped_order(f: Forger, stage: int) -> None:
    """The player himself replaces an order that the record has accepted."""
    path = f.find(stage, "order", "north")
    data = f.data(path)
    data["body"]["standing"] = [{"decision": "card", "answer": "calm"}]
    f.write(path, data, "north")


def _second_revision(f: Forger, stage: int) -> None:
    """The GM throws away the order a record names and puts in another one the player did sign."""
    path = f.find(stage, "order", "north")
    data = f.data(path)
    data["rev"] = 7
    new = f.write(path, data, "north")
    f.record(stage, lambda record: record["accepted"].__setitem__("north", new.stem))


def _invented_order(f: Forger, stage: int) -> None:
    """The GM makes up an order and signs it himself."""
    path = f.find(stage, "order", "north")
    new = f.write(path, f.data(path), "gm")
    f.record(stage, lambda record: record["accepted"].__setitem__("north", new.stem))


def _left_out(f: Forger, stage: int) -> None:
    def change(record: Data) -> None:
        record["accepted"]["north"] = None
        record["forfeits"] = ["north"]
        record["links"].pop("north", None)

    f.record(stage, change)


def _wrong_link(f: Forger, stage: int) -> None:
    f.record(stage, lambda record: record["links"].__setitem__("gm", "cd" * 32))


def _link_of_another_stage(f: Forger, stage: int) -> None:
    secrets = json.loads((f.root / "private/secrets.json").read_bytes())
    chain = Chain(bytes.fromhex(secrets["salt"]), "gm", bytes.fromhex(secrets["chain"]), 64)
    f.record(stage, lambda record: record["links"].__setitem__("gm", chain.link(stage + 1).hex()))


def _link_too_many(f: Forger, stage: int) -> None:
    def change(record: Data) -> None:
        absent = next(p for p in ("north", "south") if p not in record["links"])
        record["links"][absent] = "cd" * 32

    f.record(next(s for s in range(2, f.last) if _lonely(f, s)), change)


def _lonely(f: Forger, stage: int) -> bool:
    return len(f.data(f.find(stage, "report"))["body"]["record"]["links"]) < 3


def _link_missing(f: Forger, stage: int) -> None:
    f.record(stage, lambda record: record["links"].pop("gm"))


def _wrong_seed(f: Forger, stage: int) -> None:
    f.record(stage, lambda record: record.__setitem__("seed", "ab" * 32))


def _stage_with_roll(f: Forger) -> int:
    for stage in range(1, f.last + 1):
        if list(dice.rolls_in(f.data(f.find(stage, "report"))["body"]["events"])):
            return stage
    raise LookupError("no roll")


def _other_die(f: Forger, stage: int) -> None:
    def change(data: Data) -> None:
        roll = next(r for r in dice.rolls_in(data["body"]["events"]) if "dice" in r)
        roll["result"][0] = roll["result"][0] % 6 + 1
        data["body"]["record"]["events"] = records.events_hash(data["body"]["events"]).hex()

    f.report(_stage_with_roll(f), change)


def _other_label(f: Forger, stage: int) -> None:
    def change(data: Data) -> None:
        roll = next(dice.rolls_in(data["body"]["events"]))
        label, seed = roll["label"], bytes.fromhex(data["body"]["record"]["seed"])
        for number in range(99):  # one that does not give the same dice by chance
            roll["label"] = [*label, number]
            if dice.recompute(roll, seed) != roll["result"]:
                break
        data["body"]["record"]["events"] = records.events_hash(data["body"]["events"]).hex()

    f.report(_stage_with_roll(f), change)


def _roll_of_the_future(f: Forger, stage: int) -> None:
    def change(data: Data) -> None:
        next(dice.rolls_in(data["body"]["events"]))["stage"] = 999
        data["body"]["record"]["events"] = records.events_hash(data["body"]["events"]).hex()

    f.report(_stage_with_roll(f), change)


def _event_left_out(f: Forger, stage: int) -> None:
    def change(data: Data) -> None:
        data["body"]["events"] = []
        data["body"]["record"]["events"] = records.events_hash([]).hex()

    f.report(_stage_with_events(f), change)


def _stage_with_events(f: Forger) -> int:
    for stage in range(1, f.last + 1):
        if f.data(f.find(stage, "report"))["body"]["events"]:
            return stage
    raise LookupError("no events")


def _events_beside_hash(f: Forger, stage: int) -> None:
    f.report(_stage_with_events(f), lambda data: data["body"]["events"].pop())


def _stage_with_opening(f: Forger) -> tuple[int, str, str]:
    for stage in range(1, f.last + 1):
        for party, each in f.data(f.find(stage, "report"))["body"]["record"].get("openings", {}).items():
            for decision, entry in each.items():
                if "stage" not in entry:
                    return stage, party, decision
    raise LookupError("no opening")


def _other_bid(f: Forger, stage: int) -> None:
    where, party, decision = _stage_with_opening(f)
    f.record(where, lambda r: r["openings"][party][decision].__setitem__("value", "another value"))


def _other_nonce(f: Forger, stage: int) -> None:
    where, party, decision = _stage_with_opening(f)
    f.record(where, lambda r: r["openings"][party][decision].__setitem__("nonce", "ab" * 32))


def _opening_never_committed(f: Forger, stage: int) -> None:
    where, party, _ = _stage_with_opening(f)
    entry = {"nonce": "ab" * 32, "value": 1}
    f.record(where, lambda r: r["openings"][party].__setitem__("made-up", entry))


def _opening_dropped(f: Forger, stage: int) -> None:
    def change(record: Data) -> None:
        del record["openings"]

    f.record(_stage_with_opening(f)[0], change)


def _other_state(f: Forger, stage: int) -> None:
    f.record(stage, lambda record: record.__setitem__("state", "ab" * 32))


def _other_group(f: Forger, stage: int) -> None:
    f.record(stage, lambda record: record["groups"][0].__setitem__(1, "ab" * 32))


def _others_asked(f: Forger, stage: int) -> None:
    """Somebody who should be asked next is left out, and the history after it follows."""
    f.record(f.last, lambda record: record.__setitem__("asked", {"north": ["card"]}))


def _two_reports(f: Forger, stage: int) -> None:
    path = f.find(stage, "report")
    data = f.data(path)
    data["body"]["next"] = {"by": "tomorrow"}
    raw = canonical.dumps(data)
    other = path.with_name(f"{statements.sid(raw)}.json")
    other.write_bytes(raw)
    other.with_suffix(".sig").write_text(signer_of("gm").sign(raw))


def _report_by_player(f: Forger, stage: int) -> None:
    path = f.find(stage, "report")
    f.write(path, f.data(path), "north")


def _no_report(f: Forger, stage: int) -> None:
    path = f.find(stage, "report")
    path.unlink()
    path.with_suffix(".sig").unlink()


def _stage_gone(f: Forger, stage: int) -> None:
    shutil.rmtree(f.folder(stage))


def _record_file(f: Forger, stage: int) -> None:
    path = f.folder(stage) / "record.json"
    data = json.loads(path.read_text())
    data["seed"] = "ab" * 32
    path.write_text(json.dumps(data))


def _events_file(f: Forger, stage: int) -> None:
    (f.folder(stage) / "events.json").write_text('[{"event": "victory"}]')


def _record_file_garbage(f: Forger, stage: int) -> None:
    (f.folder(stage) / "record.json").write_text("[" * 100_000)


def _linked_statement(f: Forger, stage: int) -> None:
    path = f.find(stage, "order", "north")
    elsewhere = f.root.parent / "elsewhere.json"
    path.rename(elsewhere)
    path.symlink_to(elsewhere)


def _linked_record(f: Forger, stage: int) -> None:
    path = f.folder(stage) / "record.json"
    path.unlink()
    path.symlink_to("/etc/passwd")


def _huge_statement(f: Forger, stage: int) -> None:
    with (f.folder(stage) / f"{'1' * 64}.json").open("wb") as file:
        file.truncate(layout.GM_LIMIT + 10)
    (f.folder(stage) / f"{'1' * 64}.sig").write_text("x")


def _pipe(f: Forger, stage: int) -> None:
    path = f.folder(stage) / "events.json"
    path.unlink()
    os.mkfifo(path)


BY_STAGE: Mapping[str, tuple[Callable[[Forger, int], None], Wanted]] = {
    "an order is changed after it was signed": (_order_text, Wanted("signature", "north")),
    "an order is signed by a stranger": (_foreign_signer, Wanted("signer", "north")),
    "an order is signed by another player": (_other_party, Wanted("sender", "north")),
    "an order is for another game": (_other_game, Wanted("game", "north")),
    "an order answers another history": (_other_history, Wanted("missing", "north")),
    "an order is copied into another stage": (_moved_stage, Wanted("other-stage", "north")),
    "a statement has another name than its id": (_renamed, Wanted("other-name", "north")),
    "a signature is taken away": (_no_signature, Wanted("no-signature")),
    "a statement is taken away and its signature left": (_no_statement, Wanted("no-statement")),
    "an order is taken away": (_gone, Wanted("missing", "north")),
    "an order is not canonical": (_not_canonical, Wanted("canonical")),
    "an order has an unknown member": (_unknown_member, Wanted("schema")),
    "a signature is damaged": (_damaged_signature, Wanted("signature", "north")),
    "a player replaces the order that counts": (_swapped_order, Wanted("missing", "north")),
    "the GM takes another revision": (_second_revision, Wanted("prev")),
    "the GM makes up an order": (_invented_order, Wanted("sender", "north")),
    "the GM leaves out an order": (_left_out, Wanted("seed")),
    "the GM's link is wrong": (_wrong_link, Wanted("link", "gm")),
    "the GM's link is of another stage": (_link_of_another_stage, Wanted("link", "gm")),
    "a link stands there of somebody who was not asked": (_link_too_many, Wanted("links")),
    "the GM's link is missing": (_link_missing, Wanted("links", "gm")),
    "the seed is chosen": (_wrong_seed, Wanted("seed")),
    "a die is turned": (_other_die, Wanted("roll")),
    "a roll has another label": (_other_label, Wanted("roll")),
    "a roll is of a stage that never was": (_roll_of_the_future, Wanted("roll")),
    "the events are not those of the record": (_events_beside_hash, Wanted("schema")),
    "a bid is changed when it is opened": (_other_bid, Wanted("opening")),
    "a nonce is changed": (_other_nonce, Wanted("opening")),
    "an opening is of nothing that was committed": (_opening_never_committed, Wanted("opening")),
    "an opening is left out": (_opening_dropped, Wanted("kept")),
    "two reports of one stage": (_two_reports, Wanted("fork", "gm")),
    "a player signs the report": (_report_by_player, Wanted("sender", "gm")),
    "a report is taken away": (_no_report, Wanted("no-report", "gm")),
    "a stage is taken away": (_stage_gone, Wanted("gap")),
    "record.json says something else": (_record_file, Wanted("derived")),
    "events.json says something else": (_events_file, Wanted("derived")),
    "record.json is a million brackets": (_record_file_garbage, Wanted("derived")),
    "a statement is a link": (_linked_statement, Wanted("odd-file")),
    "record.json is a link to somewhere else": (_linked_record, Wanted("odd-file")),
    "a statement is huge": (_huge_statement, Wanted("odd-file")),
    "a file is a pipe that never ends": (_pipe, Wanted("odd-file")),
}


@pytest.mark.parametrize("name", BY_STAGE)
def test_tampering_is_named_at_its_stage(archive: Path, name: str) -> None:
    change, wanted = BY_STAGE[name]
    forger = Forger(archive)
    stage = forger.stage_with("order", "north")
    before = _tree(archive)
    change(forger, stage)
    touched = min(_stages_of(before, _tree(archive)), default=stage)
    found = verify(archive)
    assert not found.ok
    bad = found.first_bad
    assert bad is not None
    at_stage = [one for one in found.of("false") if one.stage == bad.stage]
    assert wanted.code in {one.code for one in at_stage}, [str(one) for one in found.of("false")]
    assert bad.stage in (touched, touched + 1), (bad, touched)
    if wanted.party:
        named = {one.party for one in at_stage if one.code == wanted.code}
        assert wanted.party in named


def _group_and_state(f: Forger, stage: int) -> None:
    """A false group under a state hash that fits it: nothing but the rules or a view can show it."""

    def change(record: Data) -> None:
        record["groups"][-1][1] = "ab" * 32
        game = json.loads((f.root / "state.yaml").read_text())["game"]["id"]
        record["state"] = groups.state_hash(bytes.fromhex(game), stage, record["groups"]).hex()

    f.record(stage, change)


def _stranger_asked(f: Forger, stage: int) -> None:
    f.record(f.last, lambda record: record.__setitem__("asked", {"gm": ["card"]}))


def _stranger_sees(f: Forger, stage: int) -> None:
    def change(record: Data) -> None:
        record["groups"].append([["zoe"], "ab" * 32])
        game = json.loads((f.root / "state.yaml").read_text())["game"]["id"]
        record["state"] = groups.state_hash(bytes.fromhex(game), stage, record["groups"]).hex()

    f.record(stage, change)


LAST: Mapping[str, tuple[Callable[[Forger, int], None], str, str | None]] = {
    "the GM changes the state hash": (_other_state, "state", "state"),
    "the GM changes a group": (_other_group, "state", "state"),
    "the GM changes a group and the state hash": (_group_and_state, "results", None),
    "the GM asks somebody else": (_others_asked, "results", None),
    "the GM asks somebody who does not play": (_stranger_asked, "asked", "asked"),
    "the GM lets a stranger see": (_stranger_sees, "groups", "groups"),
}


@pytest.mark.parametrize("name", LAST)
def test_a_wrong_last_report_is_found(archive: Path, name: str, system: System) -> None:
    """Nobody has counter-signed the last report, so only what it says and the rules can show that it is
    wrong.

    With fog the proof by the rules waits for the unseal.
    """
    change, if_open, if_hidden = LAST[name]
    forger = Forger(archive)
    _drop_unseal(forger)
    change(forger, forger.last)
    found = verify(archive)
    wanted = if_hidden if system.hidden else if_open
    if wanted is None:
        assert found.ok and found.of("consistent")
    else:
        assert {(one.code, one.stage) for one in found.of("false")} == {(wanted, forger.last)}


def test_a_player_sees_in_his_own_views_what_others_cannot_see_yet(tmp_path: Path, played: Played) -> None:
    """The group of north is not what north was shown: his own archive says so before the unseal."""
    root = tmp_path / "north"
    shutil.copytree(played(FOG).players["north"].root, root)
    forger = Forger(root)
    _drop_unseal(forger)
    assert verify(root, own=Private(root)).ok

    def change(record: Data) -> None:
        next(group for group in record["groups"] if group[0] == ["gm", "north"])[1] = "ab" * 32
        game = json.loads((root / "state.yaml").read_text())["game"]["id"]
        record["state"] = groups.state_hash(bytes.fromhex(game), forger.last, record["groups"]).hex()

    forger.record(forger.last, change)
    assert verify(root).ok
    found = verify(root, own=Private(root))
    assert found.first_bad is not None
    assert (found.first_bad.code, found.first_bad.stage) == ("view", forger.last)


def test_a_report_without_a_view_for_somebody_is_found(tmp_path: Path, played: Played) -> None:
    root = tmp_path / "copy"
    shutil.copytree(played(FOG).gm.root, root)
    forger = Forger(root)
    _drop_unseal(forger)
    (forger.folder(forger.last) / "views/south.bin").unlink()
    assert verify(root).ok
    forger.report(forger.last, lambda data: data["body"]["views"].pop("south"))
    found = verify(root)
    assert [(one.code, one.stage) for one in found.of("false")] == [("view", forger.last)]


def _drop_unseal(f: Forger) -> None:
    shutil.rmtree(f.folder(f.last + 1))


def test_an_event_left_out_of_the_last_report_is_found(archive: Path, system: System) -> None:
    forger = Forger(archive)
    where = _stage_with_events(forger)
    for stage in range(where + 1, forger.last + 2):
        shutil.rmtree(forger.folder(stage))
    _event_left_out(forger, where)
    found = verify(archive)
    if system.hidden:
        assert found.ok and found.of("consistent")
    else:
        assert found.first_bad is not None and (found.first_bad.code, found.first_bad.stage) == (
            "results",
            where,
        )


def _roster_text(root: Path) -> None:
    data = json.loads((root / "roster.json").read_bytes())
    data["title"] = "Another title"
    (root / "roster.json").write_bytes(canonical.dumps(data))


def _roster_signature(root: Path) -> None:
    shutil.copy(root / "roster.south.sig", root / "roster.north.sig")


def _roster_unsigned(root: Path) -> None:
    (root / "roster.north.sig").unlink()


def _roster_gone(root: Path) -> None:
    (root / "roster.json").unlink()


def _weak_key(root: Path) -> None:
    data = json.loads((root / "roster.json").read_bytes())
    blob = "AAAAC3NzaC1lZDI1NTE5AAAAIAEAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
    data["parties"][1]["sign"] = f"ssh-ed25519 {blob}"
    (root / "roster.json").write_bytes(canonical.dumps(data))


def _signers(root: Path) -> None:
    text = (root / "allowed_signers").read_text().replace("north@", "south@", 1)
    (root / "allowed_signers").write_text(text)


def _module_lock(root: Path) -> None:
    (root / "module.lock").write_text('[["rules.py", "' + "ab" * 32 + '"]]')


def _state(root: Path) -> None:
    text = (root / "state.yaml").read_text()
    (root / "state.yaml").write_text(text.replace('"turn": 1', '"turn": 3'))


def _roster_link(root: Path) -> None:
    (root / "roster.json").rename(root.parent / "roster.json")
    (root / "roster.json").symlink_to(root.parent / "roster.json")


def _stages_link(root: Path) -> None:
    (root / "stages").rename(root.parent / "stages")
    (root / "stages").symlink_to(root.parent / "stages")


ROSTER: Mapping[str, tuple[Callable[[Path], None], str, str | None]] = {
    "the roster is changed": (_roster_text, "signature", "gm"),
    "a signature under the roster is another's": (_roster_signature, "signature", "north"),
    "a signature under the roster is missing": (_roster_unsigned, "unsigned", "north"),
    "there is no roster": (_roster_gone, "no-roster", None),
    "a key in the roster verifies anything": (_weak_key, "roster", None),
    "allowed_signers has another key": (_signers, "derived", None),
    "module.lock is another list": (_module_lock, "derived", None),
    "state.yaml was edited": (_state, "derived", None),
    "the roster is a link": (_roster_link, "odd-file", None),
    "the stages are a link": (_stages_link, "odd-file", None),
}


@pytest.mark.parametrize("name", ROSTER)
def test_tampering_outside_the_stages_is_named(archive: Path, name: str) -> None:
    change, code, party = ROSTER[name]
    change(archive)
    found = verify(archive)
    assert not found.ok
    assert (code, party) in {(one.code, one.party) for one in found.of("false")}


def test_untouched_archives_verify(archive: Path) -> None:
    found = verify(archive)
    assert found.ok, [str(one) for one in found.of("false")]
    assert found.head


def test_a_shortened_archive_is_a_valid_one_and_names_its_head(archive: Path) -> None:
    forger = Forger(archive)
    for stage in range(forger.last, forger.last + 2):
        shutil.rmtree(forger.folder(stage))
    (archive / "state.yaml").unlink()
    found = verify(archive)
    assert found.ok, [str(one) for one in found.of("false")]
    assert found.stage == forger.last - 1


def test_another_game_id_than_the_one_expected_is_refused(archive: Path) -> None:
    found = verify(archive, "ab" * 32)
    assert [one.code for one in found.of("false")] == ["other-game"]
    known = json.loads((archive / "state.yaml").read_text())["game"]["id"]
    assert verify(archive, known).ok
    short = verify(archive, known[:12])
    assert short.ok and "game-id" in {one.code for one in short.of("claimed")}


def test_odd_names_are_listed_and_not_read(archive: Path) -> None:
    (archive / "stages/0001/\x1b[2Jboo.json").write_text("{}")
    (archive / "stages/évil").mkdir()
    found = verify(archive)
    assert found.ok
    texts = [one.text for one in found.of("claimed") if one.code == "strange-file"]
    assert len(texts) == 2 and all(text.isascii() and text.isprintable() for text in texts)


def test_verify_changes_nothing(archive: Path) -> None:
    before = _tree(archive)
    verify(archive)
    assert _tree(archive) == before


def test_other_rules_than_the_pinned_ones_make_the_results_a_claim(
    archive: Path, monkeypatch: pytest.MonkeyPatch, system: System
) -> None:
    monkeypatch.setitem(system.__dict__, "digest", "ab" * 32)
    found = verify(archive)
    assert found.ok
    assert "not-readjudicated" in {one.code for one in found.of("claimed")}


def test_progress_goes_up_to_the_end(archive: Path) -> None:
    steps: list[tuple[int, int]] = []
    verify(archive, progress=lambda done, of: steps.append((done, of)))
    assert steps == sorted(steps) and steps[-1][0] == steps[-1][1]


def _tree(root: Path) -> dict[str, bytes]:
    """Every file below a folder, links as what they point to."""
    found: dict[str, bytes] = {}
    for path in sorted(root.rglob("*")):
        if path.is_symlink():
            found[str(path.relative_to(root))] = b"-> " + os.readlink(path).encode()
        elif path.is_file():
            found[str(path.relative_to(root))] = path.read_bytes()[:100_000]
    return found


def _stages_of(before: Mapping[str, bytes], after: Mapping[str, bytes]) -> list[int]:
    """The stages whose files changed."""
    names = {name for name in {*before, *after} if before.get(name) != after.get(name)}
    return [int(name.split("/")[1]) for name in names if name.startswith("stages/")]


def test_the_table_has_at_least_thirty_kinds() -> None:
    assert len(BY_STAGE) + len(LAST) + len(ROSTER) >= 30


@pytest.fixture(scope="module")
def scratch(tmp_path_factory: pytest.TempPathFactory, played: Played) -> Path:
    """One copy that is damaged and mended again and again."""
    root = tmp_path_factory.mktemp("flips") / "copy"
    shutil.copytree(played(FOG).gm.root, root)
    return root


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_no_byte_of_the_evidence_can_be_changed(scratch: Path, data: st.DataObject) -> None:
    names = [p for p in sorted(scratch.rglob("*")) if p.is_file() and _is_evidence(p.relative_to(scratch))]
    path = data.draw(st.sampled_from(names), label="file")
    raw = path.read_bytes()
    at = data.draw(st.integers(0, len(raw) - 1), label="offset")
    bit = data.draw(st.integers(0, 7), label="bit")
    path.write_bytes(raw[:at] + bytes([raw[at] ^ (1 << bit)]) + raw[at + 1 :])
    try:
        assert not verify(scratch).ok
    finally:
        path.write_bytes(raw)


def _is_evidence(path: Path) -> bool:
    if path.parts[0] == "stages":
        return len(path.stem) == 64 or path.suffix == ".bin"
    return path.name == "roster.json" or (path.name.startswith("roster.") and path.suffix == ".sig")


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(garbage=st.binary(max_size=200), name=st.sampled_from(["roster.json", "roster.gm.sig", "module.lock"]))
def test_garbage_is_a_finding_and_never_a_crash(scratch: Path, garbage: bytes, name: str) -> None:
    raw = (scratch / name).read_bytes()
    (scratch / name).write_bytes(garbage)
    try:
        assert not verify(scratch).ok
    finally:
        (scratch / name).write_bytes(raw)
