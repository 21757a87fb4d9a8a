"""Emails with orders and letters: what stands in them for people, whose letters are published, what waits."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from pbem.archive.ordering import signing
from pbem.archive.press import letter_writing, letters_kept, published_letters
from pbem.archive.press.letters_kept import Noted, Unsent
from pbem.stages.letters import Came
from pbem.text.diagnostics import Diagnostic, Refused
from pbem.text.messages import in_language
from pbem.trust.armour import Signed
from pbem.trust.keys import FileSigner
from pbem.trust.letters import Content
from pbem.trust.statements import Statement, make

H0, HASH = "0" * 64, "ab" * 32
VOICES = [str, lambda text: in_language(text, "de", str)]
OPEN = Content("x")
SIGNER = FileSigner.from_seed(bytes(32))


def said(kind: str, body: Any, stage: int = 3, rev: int = 1, sender: str = "north") -> Statement:
    return make(kind, body, game=H0, sender=sender, stage=stage, prev=H0, rev=rev)


# --- orders ---------------------------------------------------------------------------------------------

BODIES: dict[str, tuple[str, Any, list[str]]] = {
    "open answers": (
        "order",
        {"orders": [{"decision": "z", "answer": ["a", 1]}, {"decision": "a", "answer": 2}]},
        ["z: [a, 1]", "a: 2"],
    ),
    "standing orders": (
        "order",
        {"orders": [], "standing": [{"a": 1}, {"b": 2}]},
        ["2", "  {a: 1}", "  {b: 2}"],
    ),
    "commitments": ("order", {"orders": [], "commits": {"z": HASH, "a": HASH}}, ["a: ", "z: "]),
    "sealed": ("order", {"orders": [], "commits": {"z": HASH}, "sealed": {"gm": "YQ=="}}, ["z: "]),
    "nothing": ("order", {"orders": []}, [""]),
    "a list by itself": ("standing", {"standing": [{"a": 1}]}, ["1", "  {a: 1}"]),
}


@pytest.mark.parametrize("case", BODIES)
def test_what_people_read_of_an_order(case: str) -> None:
    kind, body, wanted = BODIES[case]
    order = said(kind, body, rev=12)
    heads = set()
    for say in VOICES:
        head, empty, *lines = signing.public_part(order, say)
        assert empty == "" and len(lines) == len(wanted)
        assert all(want in line for want, line in zip(wanted, lines, strict=True))
        assert [line for line in lines if line.startswith(" ")] == [
            line for line in wanted if line.startswith(" ")
        ]
        assert all(word in head for word in ("north", "3", "12"))
        begun = signing.beginning(order, say)
        assert head.startswith(begun) and "3" in begun + head[len(begun) :][:2] and "12" not in begun
        heads.add(head)
    assert len(heads) == 2


def test_what_is_sealed_is_told_from_what_is_only_committed() -> None:
    body = {"orders": [], "commits": {"z": HASH}}
    *_, committed = signing.public_part(said("order", body), str)
    *_, sealed = signing.public_part(said("order", {**body, "sealed": {"gm": "YQ=="}}), str)
    *_, standing = signing.public_part(
        said("standing", {"commits": {"standing/later": HASH}, "sealed": {"gm": "YQ=="}}), str
    )
    assert committed.removeprefix("z: ") != sealed.removeprefix("z: ") == standing.partition(": ")[2]


def test_between_two_the_last_link_goes_with_the_next_order() -> None:
    link: Any = SimpleNamespace(type="link", sender="north")
    others: Any = [
        SimpleNamespace(type="link", sender="south"),
        SimpleNamespace(type="order", sender="north"),
    ]
    asked: list[int] = []

    def at(stage: int) -> Any:
        asked.append(stage)
        return [(others[0], "theirs"), (link, "mine"), (others[1], "order")]

    def links(dice: str, stage: int) -> Any:
        roster = SimpleNamespace(terms=SimpleNamespace(dice=dice))
        folder: Any = SimpleNamespace(progress=SimpleNamespace(roster=roster), statements=at)
        return signing._last_link(folder, said("order", {"orders": []}, stage))

    assert links("pair", 3) == ["mine"] and asked == [2]
    assert links("pair", 2) == ["mine"] and links("pair", 1) == links("swift", 3) == []


def test_orders_are_signed_for_the_stage_that_they_were_checked_for() -> None:
    folder: Any = SimpleNamespace(progress=SimpleNamespace(open_stage=3))
    for stage in (None, 3):
        signing._need_same_stage(folder, SimpleNamespace(stage=stage))  # type: ignore[arg-type]
    for stage in (2, 4):
        with pytest.raises(Refused):
            signing._need_same_stage(folder, SimpleNamespace(stage=stage))  # type: ignore[arg-type]


def test_an_order_answers_the_report_of_the_stage_before() -> None:
    reports: Any = [
        (SimpleNamespace(sid=sid, type=kind), None) for sid, kind in (("a", "order"), ("b", "report"))
    ]
    folder: Any = SimpleNamespace(statements=lambda stage: reports if stage == 2 else [])
    assert (signing._report_sid(folder, 2), signing._report_sid(folder, 1)) == ("b", "")


# --- letters --------------------------------------------------------------------------------------------


def party(id: str, **change: Any) -> Any:
    return SimpleNamespace(
        **{"id": id, "role": "player", "name": id.title(), "mail": f"{id}@x.y", "proxy": None} | change
    )


ROSTER: Any = SimpleNamespace(
    game=H0,
    active=[party("gm", role="gm"), party("north"), party("south", proxy=True), party("west")],
    terms=SimpleNamespace(title="Ford", arbiter="gm"),
)
ROSTER.by_id = {one.id: one for one in ROSTER.active}


def written(to: list[str] | None = None, sender: str = "north", **more: Any) -> Statement:
    body: dict[str, Any] = {"n": 1, **more}
    body |= {"text": "To all."} if to is None else {}
    if to is not None:
        body |= {"to": to, "commit": HASH, "sealed": dict.fromkeys(to, "YQ==")}
    return said("letter", body, sender=sender)


def test_a_letter_goes_to_its_readers_and_to_nobody_else() -> None:
    by = Signed(b'{"game": "x"}', ("",))
    to_all = letter_writing.letter(ROSTER, written(), by, Content("Hello --- all."))
    assert [one.id for one in to_all.others] == ["gm", "north", "south", "west"]
    assert to_all.behind.startswith("| Hello") and to_all.once and to_all.items == [by]
    private = letter_writing.letter(ROSTER, written(["gm", "south"]), by, Content("Secret."))
    assert [one.id for one in private.others] == ["gm", "south"]
    assert private.behind == "" and "Secret" not in private.text(str)
    assert private.sender.id == "north" and private.name.startswith("stage-0003-north-letter-")
    assert private.readable != to_all.readable and private.subject != to_all.subject


def test_an_author_is_told_who_else_reads() -> None:
    mine: Any = SimpleNamespace(statement=SimpleNamespace(sender="north"))
    theirs: Any = SimpleNamespace(statement=SimpleNamespace(sender="south"))
    assert letter_writing._notes(ROSTER, [mine], "north", ("west",)) == ()
    assert letter_writing._notes(ROSTER, [mine], "north", None) == ()
    (proof,) = letter_writing._notes(ROSTER, [theirs], "north", ("west",))
    (read,) = letter_writing._notes(ROSTER, [mine], "north", ("west", "south"))
    assert "south" in read and read != proof
    assert letter_writing._notes(ROSTER, [], "north", ("south",)) == (proof, read)


def test_what_waits_is_signed_in_order_and_what_cannot_go_stays(monkeypatch: pytest.MonkeyPatch) -> None:
    listed = [Unsent(None, text) for text in ("one", "bad", "two", "three")]
    gone: list[tuple[str, list[str]]] = []

    def write(folder: Any, signer: Any, text: str, to: Any, *, day: str, also: Any) -> Any:
        if text == "bad":
            raise Refused(Diagnostic("press", "It cannot go."))
        gone.append((text, also))
        return SimpleNamespace(files=[Path(text)])

    count = {"today": 0}
    monkeypatch.setattr(letters_kept, "unsent", lambda folder: listed)
    monkeypatch.setattr(letters_kept, "waiting", lambda left: [one.text for one in left])
    monkeypatch.setattr(letter_writing, "write", write)
    monkeypatch.setattr(letter_writing, "written_today", lambda folder, day: count["today"] + len(gone))
    folder: Any = SimpleNamespace()
    assert letter_writing.write_waiting(folder, SIGNER) == [Path("one"), Path("two"), Path("three")]
    assert gone == [("one", ["bad", "two", "three"]), ("two", ["bad", "three"]), ("three", ["bad"])]
    gone.clear()
    count["today"] = letter_writing.letters.MOST_A_DAY - 1
    assert letter_writing.write_waiting(folder, SIGNER, "2026-02-02") == [Path("one")]
    gone.clear()
    assert len(letter_writing.write_waiting(folder, SIGNER)) == 3, "without a day nobody counts"


def test_letters_of_a_day_are_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    noted = {
        "a": Noted(1, day="2026-02-02"),
        "b": Noted(2, day="2026-02-01"),
        "c": Noted(3, day="2026-02-02"),
    }
    monkeypatch.setattr(letters_kept, "book", lambda folder: noted)
    assert letter_writing.written_today(SimpleNamespace(), "2026-02-02") == 2  # type: ignore[arg-type]


def test_whose_letters_are_published(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def came(sender: str, to: list[str] | None, content: Any = OPEN, n: int = 1) -> Came:
        after = {"after": H0} if n > 1 else {}
        return Came(written(to, sender, n=n, **after), SIGNER.public, content)

    mine, theirs, to_gm = came("north", ["south"]), came("south", ["north"]), came("south", ["gm"], n=2)
    public, shut, grey = (
        came("north", None, n=2),
        came("north", ["west"], None, n=3),
        came("north", ["west"], Content("x", None, ("west",)), n=4),
    )
    here = came("north", ["west"], n=5)
    (tmp_path / "letters").mkdir()
    (tmp_path / f"letters/{here.statement.sid}.json").write_text("{}")
    opened = {"now": True, "then": True}
    monkeypatch.setattr(
        letters_kept, "letters", lambda folder: [mine, theirs, to_gm, public, shut, grey, here]
    )
    monkeypatch.setattr(letters_kept, "roster_at", lambda folder, stage: SimpleNamespace(terms="then"))
    monkeypatch.setattr(
        published_letters.press,
        "of",
        lambda terms: SimpleNamespace(opened=opened["then" if terms == "then" else "now"]),
    )
    has: dict[str, Any] = {
        "me": "north",
        "root": tmp_path,
        "need_roster": lambda: ROSTER,
        "progress": SimpleNamespace(over=True),
    }

    def listed(received: bool = False, **change: Any) -> list[Came]:
        folder: Any = SimpleNamespace(**has | change)
        return published_letters.to_publish(folder, received=received)

    assert listed() == [mine] and listed(received=True) == [mine, theirs]
    assert listed(me="gm") == [] and listed(me=None) == []
    assert listed(progress=SimpleNamespace(over=False)) == []
    opened["then"] = False
    assert listed(received=True) == [], "it was not agreed when they were written"
    opened.update(now=False, then=True)
    assert listed() == []
