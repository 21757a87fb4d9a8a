"""Two records of one stage side by side, the record of a stage between two, and who is awaited."""

from __future__ import annotations

import json
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from pbem.archive.adjudicating import comparing
from pbem.archive.adjudicating.comparing import FORMAT, Computed, difference
from pbem.archive.folder import two_reports
from pbem.archive.folder.counting_reports import deadline_in, report_taken
from pbem.archive.letters import awaited
from pbem.archive.verifying import dice_rolls, results_note
from pbem.archive.verifying.findings import Finding, Notes
from pbem.archive.verifying.read_archive import Archive
from pbem.archive.verifying.record_of_two import record_of_two
from pbem.archive.verifying.sealed_stages import PROGRAM, Files, Sealed, digest_of
from pbem.text.diagnostics import Diagnostic, Refused
from pbem.trust import records
from pbem.trust.records import Record

VECTORS: dict[str, Any] = json.loads(
    (Path(__file__).parents[2] / "data/protocol-vectors.json").read_text("utf-8")
)
WORD = "ef" * 32
PLAYED: dict[str, Any] = {
    **json.loads(VECTORS["record"]["canonical"]),
    **dict.fromkeys(("seed", "events", "state"), WORD),
    "asked": {"north": ["card"]},
}
H0 = "0" * 64


def record(**change: Any) -> Record:
    return records.check({**PLAYED, **change})


def computed(by: str = "north", events: Any = (), facts: Any = None, **change: Any) -> Computed:
    return Computed(by, 1, record(**change), events, facts or {})


# --- comparing ------------------------------------------------------------------------------------------

MOVED, LOST = {"event": "moved", "to": "0101"}, {"event": "lost"}
PAIRS: dict[str, tuple[Computed, Computed, str | None, list[str]]] = {
    "the same": (computed(), computed("south"), None, []),
    "the first cause counts": (
        computed(seed="ab" * 32, state="ab" * 32),
        computed("south", state="cd" * 32),
        "seed",
        [f"north: {'ab' * 32}", f"south: {WORD}"],
    ),
    "another event": (
        computed(events=[MOVED, LOST]),
        Computed("south", 1, record(events="ab" * 32), [MOVED, MOVED]),
        "events",
        ["event 2", "north: {event: lost}", 'south: {event: moved, to: "0101"}'],
    ),
    "one event less": (
        computed(events=[MOVED]),
        Computed("south", 1, record(events="ab" * 32), []),
        "events",
        ["event 1", 'north: {event: moved, to: "0101"}', "south: nothing"],
    ),
    "events that are not there": (
        computed(),
        Computed("south", 1, record(events="ab" * 32)),
        "events",
        [f"north: {WORD}", f"south: {'ab' * 32}"],
    ),
    "another fact": (
        computed(facts={"a": 1, "b": 2, "c": 3}),
        Computed("south", 1, record(state="ab" * 32), (), {"a": 1, "c": 4}),
        "state",
        ["fact b", "north: 2", "south: nothing"],
    ),
    "facts of one alone": (
        computed(facts={"a": 1}),
        Computed("south", 1, record(state="ab" * 32)),
        "state",
        [f"north: {WORD}", f"south: {'ab' * 32}"],
    ),
    "the same facts": (
        computed(facts={"a": 1}),
        Computed("south", 1, record(state="ab" * 32), (), {"a": 1}),
        "state",
        [f"north: {WORD}", f"south: {'ab' * 32}"],
    ),
}


@pytest.mark.parametrize("case", PAIRS)
def test_the_first_difference_of_two_records(case: str) -> None:
    mine, other, member, lines = PAIRS[case]
    found = difference(mine, other)
    assert (found.member, list(found.lines)) == (member, lines)


def test_a_long_value_is_cut() -> None:
    assert comparing._claim_line("north", "x" * 300) == f"north: {'x' * 300}"
    assert comparing._claim_line("north", "x" * 301) == f"north: {'x' * 297}..."


def said(text: Any, sender: str = "south") -> Any:
    words = text if isinstance(text, str) else json.dumps(text)
    return SimpleNamespace(sender=sender, protest=SimpleNamespace(text=words))


def test_a_record_travels_as_text() -> None:
    mine = computed(events=[MOVED], facts={"a": 1})
    assert comparing._computed(said(mine.text(), "north")) == mine
    large = computed(events=[MOVED], facts={"a": "x" * (1 << 19)})
    assert len(large.text()) < 10_000
    assert comparing._computed(said(large.text(), "north")) == computed(events=[MOVED])
    assert mine.head == records.head(PLAYED).hex()


BAD: dict[str, Any] = {
    "no JSON": "Hello.",
    "another format": {"format": "pbem-record/2", "record": PLAYED},
    "no format": {"record": PLAYED},
    "no record": {"format": FORMAT},
    "a record that is none": {"format": FORMAT, "record": {}},
    "events that are none": {"format": FORMAT, "record": PLAYED, "events": {}},
    "facts that are none": {"format": FORMAT, "record": PLAYED, "facts": []},
    "a list": [FORMAT],
}


@pytest.mark.parametrize("case", BAD)
def test_what_is_no_record_disputes_nothing(case: str, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(Exception) as error:
        comparing._computed(said(BAD[case]))
    assert isinstance(error.value, records.BadRecord | ValueError | TypeError | KeyError)
    assert not disputed(monkeypatch, said(BAD[case] if case != "no JSON" else f"{FORMAT} Hello."))


def disputed(monkeypatch: pytest.MonkeyPatch, *here: Any, fork: Any = None, mine: Any = None) -> bool:
    def own(folder: Any, stage: int) -> Computed:
        if mine is None:
            return computed()
        raise mine

    monkeypatch.setattr(comparing, "own", own)
    folder: Any = SimpleNamespace(
        fork=lambda: fork,
        of=lambda stage, kind: [statement for statement in here if (stage, kind) == (1, "protest")],
        progress=SimpleNamespace(open_stage=1),
        me="north",
    )
    return comparing.disputed(folder)


def test_two_disagree_if_one_has_the_record_of_the_other(monkeypatch: pytest.MonkeyPatch) -> None:
    same, other = computed("south").text(), computed("south", state="ab" * 32).text()
    assert disputed(monkeypatch, fork="fork-0001.txt")
    assert not disputed(monkeypatch)
    assert not disputed(monkeypatch, said(same), said("I protest."))
    assert disputed(monkeypatch, said(same), said(BAD["no format"]), said(other))
    assert not disputed(monkeypatch, said(other, "north")), "one's own"
    refused = Refused(Diagnostic("no-stage", "It has no such stage."))
    assert not disputed(monkeypatch, said(other), mine=refused)


# --- the record between two -----------------------------------------------------------------------------

ROSTER: Any = SimpleNamespace(players=("north", "south"), game=H0)


def of_two(root: Path, *heads: str, **files: Any) -> tuple[Any, list[Finding]]:
    place = root / "stages/0001"
    place.mkdir(parents=True)
    for name, data in files.items():
        (place / f"{name}.json").write_text(data if isinstance(data, str) else json.dumps(data))
    links: Any = [
        SimpleNamespace(sender=sender, given_link=SimpleNamespace(head=head))
        for sender, head in zip(("north", "south"), heads, strict=False)
    ]
    notes = Notes()
    return record_of_two(root, ROSTER, 1, links, notes), notes.findings


def test_a_stage_between_two_has_the_record_that_both_signed(tmp_path: Path) -> None:
    made = record(events=records.events_hash([]).hex())
    head = made.head
    report, found = of_two(tmp_path / "good", head, head, record=made.data, events=[])
    assert found == [] and report.sender == "north" and report.report.record == made
    report, found = of_two(tmp_path / "last", H0, head, record=made.data, events=[])
    assert report.sender == "south"
    assert [(one.code, one.party) for one in found] == [("fork", "north")]
    for case, heads, files, codes in [
        ("nothing", (head,), {}, []),
        ("no events", (head,), {"record": made.data}, ["record"]),
        ("no record", (head,), {"record": "{", "events": []}, ["record"]),
        ("odd events", (head,), {"record": made.data, "events": "{"}, ["record"]),
        ("other events", (head,), {"record": made.data, "events": [{"event": "x"}]}, ["record"]),
        ("nobody's", (H0, H0), {"record": made.data, "events": []}, ["head"]),
        ("no link", (), {"record": made.data, "events": []}, ["head"]),
    ]:
        report, found = of_two(tmp_path / case, *heads, **files)
        assert (report, [one.code for one in found]) == (None, codes), case
        assert all(one.kind == "false" and one.stage == 1 for one in found)


# --- what an earlier verify found -----------------------------------------------------------------------


def test_what_was_found_of_a_stage_is_kept_and_read_again() -> None:
    plain = Sealed("ab", "cd", 3, 4)
    assert plain.to_json() == ["ab", "cd", 3, 4] and Sealed.of(plain.to_json()) == plain
    found = Finding("claimed", "left-out", "said", 3, "north")
    for full in (
        Sealed("ab", "", 3, 4, ("x", "y")),
        Sealed("ab", "", 3, 4, (), {"north": ("c1", "c2")}),
        Sealed("ab", "", 3, 4, (), {}, (found,)),
        Sealed("ab", "", 3, 4, ("x",), {"north": ("c1",)}, (found, found)),
    ):
        assert Sealed.of(json.loads(json.dumps(full.to_json()))) == full
    for odd in ([], ["a"], [1, 2, 3, 4, 5], ["a", "b", "x", 4], ["a", "b", 3, 4, [], [], []]):
        with pytest.raises((ValueError, TypeError, AttributeError)):
            Sealed.of(odd)


def test_a_stage_is_what_it_was_while_no_byte_and_no_name_has_changed(tmp_path: Path) -> None:
    place = tmp_path / "stages/0002"
    (place / "views").mkdir(parents=True)
    assert digest_of(Files(tmp_path), 2) is None
    (place / "record.json").write_text("{}")
    seen = [digest_of(Files(tmp_path), 2)]
    for name, text in [
        ("record.json", "{ }"),
        ("a.json", ""),
        ("a.json", "x"),
        ("views/north.bin", "x"),
        ("views/north.bin", "y"),
        ("north.bin", "y"),
    ]:
        (place / name).write_text(text)
        seen.append(digest_of(Files(tmp_path), 2))
    assert len(set(seen)) == len(seen) and None not in seen
    files = Files(tmp_path)
    assert files.read("stages/0002/a.json", 10) == b"x" and digest_of(files, 2) == seen[-1]
    (place / "a.json").write_text("changed since it was read")
    assert digest_of(files, 2) == seen[-1] != digest_of(Files(tmp_path), 2)
    assert files.read("stages/0002/none.json", 10) is None and "stages/0002/none.json" not in files.digests
    (place / "link.json").symlink_to(place / "a.json")
    assert digest_of(Files(tmp_path), 2) is None
    (place / "link.json").unlink()
    (place / "record.json").unlink()
    assert digest_of(Files(tmp_path), 2) is None


# --- reports that count ---------------------------------------------------------------------------------


def test_of_several_reports_the_last_with_the_record_of_here_counts() -> None:
    def report(sender: str, rev: int, head: str = H0, sid: str = "") -> Any:
        said = SimpleNamespace(record=SimpleNamespace(head=head), by=f"{sender}{rev}")
        return SimpleNamespace(
            type="report", sender=sender, rev=rev, report=said, sid=sid or f"{sender}{rev}"
        )

    def taken(*reports: Any, stage: int = 3) -> str:
        folder: Any = SimpleNamespace(stage=3, head=lambda stage: H0, of=lambda stage, kind: list(reports))
        return deadline_in(report_taken(folder, stage))

    one, two, other = report("gm", 1), report("gm", 2), report("gm", 3, "f" * 64)
    assert taken(one) == "gm1"
    assert taken(one, two) == taken(two, one) == taken(other, two, one) == "gm2"
    assert taken() == taken(other) == ""
    assert taken(one, stage=4) == taken(one, stage=-1) == "" and taken(one, stage=0) == "gm1"
    assert taken(two, report("dora", 2)) in ("gm2", "dora2"), "of GM and deputy they are one report"
    assert taken(two, report("gm", 2, sid="twice")) == "", "nobody can say which one"
    assert taken(two, report("dora", 1)) == "gm2" and taken(one, report("dora", 2)) == "dora2"


# --- who is awaited -------------------------------------------------------------------------------------


def test_what_an_order_leaves_open() -> None:
    def order(*answered: str) -> Any:
        return SimpleNamespace(order=SimpleNamespace(answered=set(answered)))

    asked = ["card", "move/1", "move/2", "ready"]
    assert awaited.unanswered(asked, None) == tuple(asked)
    assert awaited.unanswered(asked, order()) == ("card", "move/1", "move/2")
    assert awaited.unanswered(asked, order("move/1", "bid")) == ("card", "move/2")
    assert awaited.unanswered(asked, order("move")) == ("card",)
    assert awaited.unanswered(asked, order("card", "move/1", "move/2")) == ()


def test_since_when_nothing_of_a_party_counts() -> None:
    def since(*accepted: Any) -> int:
        """`accepted` in stages 1, 2 and so on: an order, None if it was left out, "-" if it was not asked."""

        def of(stage: int) -> Any:
            one = accepted[stage - 1]
            return SimpleNamespace(closed=one == "x", accepted={} if one == "-" else {"north": one})

        folder: Any = SimpleNamespace(progress=SimpleNamespace(open_stage=len(accepted) + 1), record=of)
        return awaited._since(folder, "north")

    assert since() == 1
    assert since("sid") == 2
    assert since(None) == 1
    assert since("sid", None) == 2
    assert since("sid", "-", None, "-") == 3
    assert since(None, "sid", "x", None, None) == 4
    assert since("-", "x") == 3


# --- rolls in words -------------------------------------------------------------------------------------


def test_what_a_roll_takes_and_how_it_is_made_again() -> None:
    dice: Any = {"dice": "2d6", "label": ["a", 1], "result": [1, 2]}
    shuffle: Any = {"shuffle": ["a", "b", "c"], "label": ["b"], "result": []}
    draw: Any = {"from": ["a", "b"], "draw": 1, "label": ["b"], "result": []}
    assert [dice_rolls._numbers(roll) for roll in (dice, shuffle, draw)] == [2, 3, 2]
    assert dice_rolls._what(dice) == "2d6"
    assert "3" in dice_rolls._what(shuffle) and all(n in dice_rolls._what(draw) for n in "12")
    assert dice_rolls._label(dice) == ["a", 1]
    for sides, limit in [("1d6", "252"), ("1d10", "250"), ("1d256", "256"), ("1d300", "65400")]:
        assert limit in dice_rolls._how({"dice": sides})
    assert dice_rolls._how(shuffle) == dice_rolls._how(draw) != dice_rolls._how(dice)
    command, _ = dice_rolls.dice_recipe({**dice, "dice": "99d6"}, bytes(32))
    assert command.endswith("-xoflen 396")


def look(**has: Any) -> awaited._Look:
    """A look at a stage without a folder."""
    made = object.__new__(awaited._Look)
    terms = SimpleNamespace(dice="swift", arbiter="gm", absent="stop", scenario=SimpleNamespace(name="ford"))
    roster = SimpleNamespace(terms=terms)
    progress = SimpleNamespace(open_stage=3, roster=roster, asked={"north": ["card"]}, head=H0, fresh=False)
    plain = {
        "folder": SimpleNamespace(knows_all=False),
        "progress": progress,
        "acting": True,
        "orders": {},
        "links": {},
        "lock": None,
        "acks": [],
        "aside": [],
        "dice": "swift",
        "turn": None,
        "open": [],
    }
    for name, value in {**plain, **has}.items():
        setattr(made, name, value)
    return made


def an_order(sid: str = "s", link: Any = None) -> Any:
    return [SimpleNamespace(sid=sid, rev=1, said=SimpleNamespace(link=link))]


def aside(party: str, kind: str, reason: str, rev: int = 1) -> Any:
    said = SimpleNamespace(sender=party, type=kind, rev=rev, sid=reason, prev=H0)
    return SimpleNamespace(statement=said, reason=reason)


def test_how_far_a_party_is_with_a_gm() -> None:
    ack = SimpleNamespace(ack=SimpleNamespace(unreadable={"s"}))
    bad = [
        aside("north", "order", "first"),
        aside("north", "order", "second", 2),
        aside("south", "order", "x"),
    ]
    assert look().state("north") == ("nothing", "")
    assert look(orders={"north": an_order()}).state("north") == ("sent", "")
    state, reason = look(orders={"north": an_order()}, acks=[ack]).state("north")
    assert state == "opened-wrong" and reason
    assert look(orders={"north": an_order("t")}, acks=[ack]).state("north") == ("sent", "")
    assert look(aside=bad).state("north") == ("invalid", "second")
    assert look(aside=[aside("north", "link", "x")]).state("north") == ("nothing", "")
    locked = {"dice": "locked", "lock": "lock"}
    assert look(**locked).state("north") == ("not-opened", "")
    assert look(**locked, links={"north": 1}).state("north") == ("done", "")
    assert look(**locked, aside=[aside("north", "link", "why")]).state("north") == ("opened-wrong", "why")
    assert [look(**locked).has_part("south"), look(dice="locked").has_part("south")] == [True, False]
    assert [look().has_part("north"), look().has_part("south"), look(dice="pair").has_part("south")] == [
        True,
        False,
        True,
    ]


def test_how_far_a_party_is_between_two() -> None:
    def state(to_write: str, answered: Any, party: str, **has: Any) -> Any:
        turn = SimpleNamespace(to_write=to_write, answered=answered, last="south")
        return look(dice="pair", turn=turn, **has).state(party)

    first = {"orders": {"north": an_order()}}
    bad = [aside("south", "link", "why"), aside("south", "order", "no")]
    assert state("north", None, "north") == ("nothing", "")
    assert state("north", None, "south") == ("waits", "")
    assert state("south", None, "north", **first) == ("sent", "")
    assert state("south", None, "south", **first) == ("nothing", "")
    assert state("south", 1, "south", **first) == ("not-opened", "")
    assert state("south", 1, "south", **first, aside=bad) == ("opened-wrong", "why")
    assert state("south", None, "south", **first, aside=bad) == ("invalid", "no")
    assert state("south", 1, "north", orders={"north": an_order(link="x")}) == ("done", "")
    assert state("south", 1, "south", links={"south": 1}) == ("done", "")


def test_what_may_be_done_about_a_party() -> None:
    def steps(state: Any, party: str = "north", **has: Any) -> list[str]:
        return [step.command or step.what for step in look(**has).steps(party, state)]

    assert steps("sent") == steps("done") == steps("waits") == []
    all_ = ["wait", "pbem remind north", "pbem adjudicate --forfeit north", "pbem amend drop north"]
    assert steps("nothing") == [step for step in all_ if "forfeit" not in step], "absence stops this game"
    assert steps("nothing", acting=False) == ["wait", "pbem amend drop north"]
    assert steps("not-opened", lock=1, dice="locked") == [all_[0], all_[1], all_[3]]
    assert steps("report", "gm", acting=False) == ["wait", "pbem amend takeover gm"]
    skip = look().progress
    skip.roster.terms.absent = "skip"  # type: ignore[misc]
    assert steps("nothing", progress=skip) == all_
    assert steps("nothing", progress=skip, lock=1) == [all_[0], all_[1], all_[3]]
    assert "pbem adjudicate --forfeit west" not in steps("nothing", "west", progress=skip)
    skip.roster.terms.dice = "pair"  # type: ignore[misc]
    assert steps("nothing", progress=skip, acting=False) == ["wait"]


def test_what_a_later_verify_may_take_over_of_a_stage(tmp_path: Path) -> None:
    place = tmp_path / "stages/0002"
    place.mkdir(parents=True)
    report: Any = SimpleNamespace(sid="ab")

    def sealed(opened: Any = (), sids: Any = ("ab",), known: Any = None) -> Sealed | None:
        evidence = SimpleNamespace(of=lambda kind: opened, statements=dict.fromkeys(sids))
        archive: Any = SimpleNamespace(
            sealed={2: known} if known else {},
            evidence={2: evidence},
            reports={2: report},
            files=Files(tmp_path),
            rolls=lambda stage: 5,
            superseded={2: {"y", "x"}},
            commits=lambda stage: {"north": ("c",)},
            said={},
        )
        return Archive.seal(archive, 2)

    assert sealed() is None, "there is no record to go on from"
    (place / "record.json").write_text("{}")
    digest = digest_of(Files(tmp_path), 2)
    assert digest is not None
    assert sealed() == Sealed(digest, "ab", 1, 5, ("x", "y"), {"north": ("c",)})
    assert sealed(sids=("cd", "ef")) == Sealed(digest, "", 2, 5, ("x", "y"), {"north": ("c",)})
    assert sealed(opened=["an unseal"]) is None
    known = Sealed("?", "?", 0, 0)
    assert sealed(known=known) is known


def test_the_link_in_dispute_is_that_of_this_stage_and_this_history(monkeypatch: pytest.MonkeyPatch) -> None:
    def link(stage: int, prev: str) -> Any:
        return SimpleNamespace(statement=SimpleNamespace(stage=stage, prev=prev))

    def disputed_link(*kept: Any, fork: Any = "fork") -> Any:
        monkeypatch.setattr(comparing, "kept_aside", lambda folder, containing: iter(kept))
        progress = SimpleNamespace(open_stage=3, head=H0)
        folder: Any = SimpleNamespace(fork=lambda: fork, progress=progress)
        return comparing._disputed(folder)

    right, earlier, other = link(3, H0), link(2, H0), link(3, "a" * 64)
    assert disputed_link(earlier, other, right) is right.statement
    assert disputed_link(earlier, other) is None
    assert disputed_link(right, fork=None) is None


def test_amendments_go_on_from_before_the_stage_in_dispute() -> None:
    def going_on(fork: str | None, arbiter: Any = "gm") -> Any:
        folder: Any = SimpleNamespace(
            fork=lambda: fork,
            stage=5,
            terms=SimpleNamespace(arbiter=arbiter),
            progress="now",
            progress_at=lambda last: last,
        )
        return two_reports.to_amend(folder)

    assert going_on("fork-0005.txt") == 4
    assert going_on("fork-0006.txt") == 5
    for fork in (None, "fork-0004.txt", "fork-0007.txt", "fork-0000.txt", "fork-x.txt", "false-0005.txt"):
        assert going_on(fork) == "now", fork
    assert going_on("fork-0005.txt", None) == "now", "two compare their records"


@pytest.mark.parametrize("texts", [True, False])
def test_the_note_of_a_run_says_what_was_compared(texts: bool) -> None:
    run: Any = SimpleNamespace(record=SimpleNamespace(stage=4), head="cd", state="state", kept={})
    sealed = Sealed("ab", "cd", 3, 4)
    note = results_note.of_run("game", "rules", run, iter([sealed]), texts=texts)
    assert (note.game, note.stage, note.head, note.rules) == ("game", 4, "cd", "rules")
    assert (note.state, note.kept, note.sealed, note.texts) == ("state", {}, (sealed,), texts)
    assert note.program == PROGRAM
