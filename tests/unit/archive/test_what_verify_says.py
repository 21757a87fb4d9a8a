"""What `verify` says of games at various points, to various readers, and of what they left out or kept back.

Each case is a block of a golden file: the class, code, stage and party of each finding, and its words.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from pbem.archive.amending import new_rules
from pbem.archive.letters.protesting import protest
from pbem.archive.verifying.verify import verify
from pbem.text.diagnostics import Refused
from pbem.trust import statements
from pbem.trust.armour import Signed
from tests.copying import copied
from tests.unit.archive.forger import Forger
from tests.unit.archive.mailing import resigned
from tests.unit.archive.reported_games import Reported, south
from tests.unit.archive.table import Seat, Table, chooser
from tests.unit.archive.test_amendments import revised
from tests.unit.archive.test_corrections import a_bug
from tests.unit.archive.test_deputies import good
from tests.unit.archive.test_locks_received import who
from tests.unit.archive.test_refusals import Block, asked, north
from tests.unit.archive.test_reports_received import Lines, second
from tests.unit.archive.test_what_is_received import _ID

Case = Callable[[Reported], Lines]


def found(root: Path, seat: Seat | None = None, **how: Any) -> Lines:
    """What somebody is told of an archive."""
    try:
        told = verify(root, own=seat.folder.private if seat else None, **how)
    except Refused as refused:
        return [f"refused {one.code}: {one.message}" for one in refused.diagnostics]
    lines = [
        f"{one.kind} {one.code} {'-' if one.stage is None else one.stage} {one.party or '-'}: {one.text}"
        if one.code != "fork"  # which of the two is named hangs on their digests
        else f"{one.kind} {one.code} {one.stage}: {one.text}"
        for one in told.findings
    ]
    if told.note is not None:
        lines.append(f"a note up to {told.note.stage}")
    return [_ID.sub("<id>", line) for line in lines]


def own(seat: Seat) -> Lines:
    return found(seat.root, seat)


def public(r: Reported, seat: Seat) -> Path:
    """What a stranger gets: a folder without its private side."""
    return copied(seat.root, r.place() / "public", "private", "outbox", "inbox")


GAMES: dict[str, Case] = {
    "nothing is hidden, to the GM": lambda r: own(r.later.gm),
    "nothing is hidden, to a stranger": lambda r: found(public(r, r.later.gm)),
    "units are hidden, to the GM": lambda r: own(r.fog.gm),
    "units are hidden, to a player": lambda r: own(north(r.fog)),
    "units are hidden, to a stranger": lambda r: found(public(r, r.fog.gm)),
    "before the first stage": lambda r: own(r.half.gm),
    "the end, with everything opened": lambda r: own(north(r.ended)),
    "an early end": lambda r: own(north(r.kept_back)),
    "locks": lambda r: own(north(r.linked[0])),
    "a game of two": lambda r: own(north(r.pair)),
    "a game of two, to the one who has not read the last word": lambda r: own(r.last[1]),
    "a deputy who is ready": lambda r: own(r.handed.deputy),
    "GM and deputy reported the same": lambda r: own(_both(r)),
    "a stage that was corrected": lambda r: own(r.wrong[0].gm),
    "a stage that was corrected, with hidden units": lambda r: own(r.wrong_fog[0].gm),
    "a new key": lambda r: own(r.renewed[0].gm),
    "a stage that all took back": lambda r: own(r.closed[0].gm),
    "a fork": lambda r: own(who(r, "disputing")),
    "a fork that has ended": lambda r: own(r.torn[0].gm),
    "orders that wait in the open stage": lambda r: own(_has_ordered(r)),
    "orders that came too late": lambda r: own(south(r.overtaken["open"])),
    "orders that came too late, with hidden units": lambda r: own(south(r.overtaken["fog"])),
    "a protest": lambda r: own(_protested(r)),
    "a player who was skipped": lambda r: own(_skipped(r).gm),
}


def _both(r: Reported) -> Seat:
    seat = r.alone(north(r.crossed[0]))
    seat.receive_signed(*r.crossed[1], *r.crossed[2])
    return seat


def _has_ordered(r: Reported) -> Seat:
    seat = r.alone(asked(r.later))
    seat.answer_all(chooser(5))
    return seat


def _protested(r: Reported) -> Seat:
    seat = r.alone(north(r.later))
    protest(seat.folder, seat.signer, "No.\nI said no.")
    return seat


def _skipped(r: Reported) -> Table:
    table = r.fog.copy(r.place())
    late, *others = table.asked()
    for seat in others:
        seat.answer_all(chooser(3))
    good(table.post())
    table.run(forfeits=[late.name])
    return table


def changed(r: Reported, seat: Seat, change: Callable[[Forger], object], **how: Any) -> Lines:
    """What is said of a copy in which something was changed."""
    twin = r.alone(seat)
    change(Forger(twin.root))
    return found(twin.root, twin, **how)


def without(*names: str) -> Callable[[Forger], None]:
    def change(f: Forger) -> None:
        for name in names:
            (f.root / name).unlink()

    return change


def having(name: str, text: str = "x") -> Callable[[Forger], None]:
    def change(f: Forger) -> None:
        (f.root / name).parent.mkdir(parents=True, exist_ok=True)
        (f.root / name).write_text(text)

    return change


def no_view(data: dict[str, Any]) -> None:
    data["body"]["views"].pop("south")


def unknown_event(data: dict[str, Any]) -> None:
    data["body"]["events"][0]["type"] = "moonrise"


def stranger_s_order(f: Forger) -> None:
    """An order of the open stage, which follows another history."""
    path = f.find(2, "order", "north")
    data = f.data(path)
    folder = f.folder(3)
    folder.mkdir(exist_ok=True)
    raw = resigned(Signed(path.read_bytes(), ()), data["from"], lambda each: each.update(stage=3))
    sid = statements.sid(raw.data)
    (folder / f"{sid}.json").write_bytes(raw.data)
    (folder / f"{sid}.sig").write_text(raw.signatures[0])


def revision(f: Forger, change: Callable[[dict[str, Any]], object]) -> None:
    """The same order of stage 2 once more, with something changed and signed by its sender."""
    path = f.find(2, "order", "north")
    data = f.data(path)
    one = resigned(Signed(path.read_bytes(), ()), data["from"], change)
    sid = statements.sid(one.data)
    path.with_name(f"{sid}.json").write_bytes(one.data)
    path.with_name(f"{sid}.sig").write_text(one.signatures[0])


def in_another_form(f: Forger) -> None:
    """An editor has sorted the keys, and a formatter the list of files."""
    signers, lock = f.root / "allowed_signers", f.root / "module.lock"
    signers.write_text("\n\n".join(reversed(signers.read_text().splitlines())) + "\n")
    lock.write_text(json.dumps(json.loads(lock.read_text()), indent=7))


CHANGED: dict[str, Case] = {
    "files that are missing": lambda r: changed(
        r,
        r.later.gm,
        without("state.yaml", "stages/0001/events.json", "stages/0002/report.txt", "module.lock"),
    ),
    "files that have no place": lambda r: changed(
        r,
        r.later.gm,
        lambda f: [
            having(name)(f) for name in ("notes.txt", "stages/x", "stages/00003/x", "stages/0002/a.b")
        ],
    ),
    "a stage is missing": lambda r: changed(
        r, r.later.gm, lambda f: [path.unlink() for path in f.folder(1).iterdir() if path.is_file()]
    ),
    "a state file with other numbers": lambda r: changed(
        r, r.later.gm, lambda f: having("state.yaml", f"{_state(f)}\nmoon: full\n")(f)
    ),
    "a report without a view": lambda r: changed(r, r.fog.gm, lambda f: f.report(1, no_view)),
    "a report with an event that no rules have": lambda r: changed(
        r, r.later.gm, lambda f: f.report(2, unknown_event)
    ),
    "a view of one's own that is damaged": lambda r: changed(
        r, north(r.fog), having("stages/0001/views/north.bin", "x" * 900)
    ),
    "a view of one's own that is missing": lambda r: changed(
        r, north(r.fog), without("stages/0001/views/north.bin")
    ),
    "an order of the open stage that follows another history": lambda r: changed(
        r, r.later.gm, stranger_s_order
    ),
    "a second revision that was left out": lambda r: changed(r, r.later.gm, lambda f: revision(f, second)),
    "a second revision that was left out, between two": lambda r: changed(
        r, north(r.pair), lambda f: revision(f, second)
    ),
    "a roster in force where nothing was amended": lambda r: changed(
        r, r.later.gm, having("stages/0002/in-force.json", "{}")
    ),
    "keys that nobody agreed on": lambda r: changed(
        r, r.later.gm, having("allowed_signers", 'north@example.org namespaces="pbem" ssh-ed25519 AAAA\n')
    ),
    "keys and rules in another order and form": lambda r: changed(r, r.later.gm, in_another_form),
    "the newest report is missing": lambda r: changed(
        r, r.later.gm, lambda f: [f.find(2, "report").unlink(), *[]]
    ),
    "a report in the middle is missing": lambda r: changed(
        r, r.later.gm, lambda f: [f.find(1, "report").unlink(), *[]]
    ),
}


def _state(f: Forger) -> str:
    return (f.root / "state.yaml").read_text("utf-8").rstrip()


@contextmanager
def installed(table: Table, bug: bool) -> Iterator[None]:
    """While it lasts, everybody has another revision of the rules, which may give other results."""
    with pytest.MonkeyPatch.context() as patch, a_bug(table.system) if bug else nullcontext():
        revised(table, patch)
        yield


def with_rules(table: Table, *, bug: bool = False) -> Lines:
    """What is said where other files of the rules are installed."""
    with installed(table, bug):
        return own(table.gm)


def with_a_bug(seat: Seat) -> Lines:
    with a_bug(seat.folder.system):
        return own(seat)


def differences(table: Table, seat: Seat, *, bug: bool = False) -> Lines:
    """What new rules would have decided otherwise."""
    with installed(table, bug):
        return new_rules.differences(seat.folder)


def of_note(r: Reported, change: Callable[[Forger], object] = lambda f: None, **what: Any) -> Lines:
    table, note = r.noted
    return changed(r, table.gm, change, since=replace(note, **what))


RULES: dict[str, Case] = {
    "other files, the same results": lambda r: with_rules(r.later),
    "other files, the same results, with hidden units": lambda r: with_rules(r.ended),
    "other files, other results": lambda r: with_rules(r.later, bug=True),
    "the same files, other results": lambda r: with_a_bug(r.later.gm),
    "the same files, other results, with hidden units": lambda r: with_a_bug(r.ended.gm),
    "new rules since stage 3": lambda r: with_rules(r.ruled),
    "new rules since stage 3, with other results": lambda r: with_rules(r.ruled, bug=True),
    "new rules since stage 3, where the old ones are installed": lambda r: own(r.ruled.gm),
    "new rules since stage 3, where old ones give other results": lambda r: with_a_bug(r.ruled.gm),
    "what would be otherwise: nothing": lambda r: differences(r.later, r.later.gm),
    "what would be otherwise: something": lambda r: differences(r.later, r.later.gm, bug=True),
    "what would be otherwise, with hidden units": lambda r: differences(r.fog, r.fog.gm),
    "what would be otherwise, with hidden units: something": lambda r: differences(r.fog, r.fog.gm, bug=True),
    "other files, other results, with hidden units": lambda r: with_rules(r.ended, bug=True),
    "what would be otherwise, to a player": lambda r: differences(r.later, north(r.later)),
    "what would be otherwise, to a player who sees not all": lambda r: differences(r.fog, north(r.fog)),
    "what would be otherwise in a game that is false": lambda r: differences(r.later, _false(r)),
    "since a note": lambda r: of_note(r),
    "since a note, and a file has changed": lambda r: of_note(r, having("stages/0001/report.txt")),
    "since a note, and a later file has changed": lambda r: of_note(
        r, having("stages/0003/events.json", "[]")
    ),
    "since a note of another game": lambda r: of_note(r, game="ab" * 32),
    "since a note of another history": lambda r: of_note(r, head="ab" * 32),
    "since a note of other rules": lambda r: of_note(r, rules="ab" * 32),
    "since a note of a stage to come": lambda r: of_note(r, stage=7),
    "since a note of another program": lambda r: of_note(r, program="another"),
}


def _false(r: Reported) -> Seat:
    seat = r.alone(r.later.gm)
    Forger(seat.root).report(1, lambda data: data["body"]["record"].update(seed="ab" * 32))
    return seat


CASES: dict[str, dict[str, Case]] = {"games": GAMES, "changed": CHANGED, "rules": RULES}


@pytest.mark.parametrize(
    ("name", "title"), [(name, title) for name, cases in CASES.items() for title in cases]
)
def test_what_verify_says(reported: Reported, golden_block: Block, name: str, title: str) -> None:
    golden_block(f"verified-{name}.txt", list(CASES[name]), title, CASES[name][title](reported))
