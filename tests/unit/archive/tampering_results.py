"""Ways to tamper with dice, openings, reports and files."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable, Mapping

from pbem.archive.folder import layout
from pbem.text import canonical
from pbem.trust import dice, records, statements
from pbem.trust.chain import Chain
from tests.unit.archive.forger import (
    Data,
    Forger,
    stage_with_events,
    stage_with_opening,
    stage_with_roll,
)
from tests.unit.archive.table import signer_of
from tests.unit.archive.tampering_said import Wanted


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


def _other_die(f: Forger, stage: int) -> None:
    def change(data: Data) -> None:
        roll = next(r for r in dice.rolls_in(data["body"]["events"]) if "dice" in r)
        roll["result"][0] = roll["result"][0] % 6 + 1
        data["body"]["record"]["events"] = records.events_hash(data["body"]["events"]).hex()

    f.report(stage_with_roll(f), change)


def _other_label(f: Forger, stage: int) -> None:
    def change(data: Data) -> None:
        roll = next(dice.rolls_in(data["body"]["events"]))
        label, seed = roll["label"], bytes.fromhex(data["body"]["record"]["seed"])
        for number in range(99):  # one that does not give the same dice by chance
            roll["label"] = [*label, number]
            if dice.recompute(roll, seed) != roll["result"]:
                break
        data["body"]["record"]["events"] = records.events_hash(data["body"]["events"]).hex()

    f.report(stage_with_roll(f), change)


def _roll_of_the_future(f: Forger, stage: int) -> None:
    def change(data: Data) -> None:
        next(dice.rolls_in(data["body"]["events"]))["stage"] = 999
        data["body"]["record"]["events"] = records.events_hash(data["body"]["events"]).hex()

    f.report(stage_with_roll(f), change)


def _events_beside_hash(f: Forger, stage: int) -> None:
    f.report(stage_with_events(f), lambda data: data["body"]["events"].pop())


def _other_bid(f: Forger, stage: int) -> None:
    where, party, decision = stage_with_opening(f)
    f.record(where, lambda r: r["openings"][party][decision].__setitem__("value", "another value"))


def _other_nonce(f: Forger, stage: int) -> None:
    where, party, decision = stage_with_opening(f)
    f.record(where, lambda r: r["openings"][party][decision].__setitem__("nonce", "ab" * 32))


def _opening_never_committed(f: Forger, stage: int) -> None:
    where, party, _ = stage_with_opening(f)
    entry = {"nonce": "ab" * 32, "value": 1}
    f.record(where, lambda r: r["openings"][party].__setitem__("made-up", entry))


def _opening_dropped(f: Forger, stage: int) -> None:
    def change(record: Data) -> None:
        del record["openings"]

    f.record(stage_with_opening(f)[0], change)


def _two_reports(f: Forger, stage: int) -> None:
    path = f.find(stage, "report")
    data = f.data(path)
    data["body"]["record"]["state"] = "ab" * 32
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


RESULTS: Mapping[str, tuple[Callable[[Forger, int], None], Wanted]] = {
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
