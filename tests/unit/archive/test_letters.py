"""Letters between players: who gets them, who can read them, and what is said about odd ones."""

from __future__ import annotations

import base64
import json
import re
import stat
from pathlib import Path
from typing import Any

import pytest

from pbem.archive.git.merging import merge
from pbem.archive.press import letter_writing as writing
from pbem.archive.press import letters_kept as kept
from pbem.archive.receiving.receive import receive
from pbem.mail.read import read
from pbem.stages.agreements import Agreement
from pbem.stages.press import Press
from pbem.text.diagnostics import Refused
from pbem.trust import statements
from pbem.trust.armour import Signed
from pbem.trust.letters import Content
from tests.primer import FOG, SYSTEM
from tests.unit.archive.table import Seat, Table, begun, chooser, signer_of, statements_in

SECRET = "Leave 0713 and I leave 0612. Quorvelzyxandria."
WORD = b"Quorvelzyxandria"


@pytest.fixture(params=[SYSTEM, FOG], ids=["open", "fog"])
def table(tmp_path: Path, request: pytest.FixtureRequest) -> Table:
    return begun(tmp_path, request.param)


def letter(seat: Seat, to: list[str] | None, text: str = SECRET, **how: Any) -> Path:
    """Write a letter; gives the file that goes to its readers."""
    written = writing.write(seat.folder, seat.signer, text, to, **how)
    (file,) = [path for path in written.files if path.name.endswith(".pbem.txt")]
    return file


def texts(seat: Seat) -> list[str]:
    return [letter.text for letter in kept.letters(seat.folder)]


def holding(seat: Seat, word: bytes = WORD) -> set[str]:
    """The files of a folder in which a word stands, in clear or as base64."""
    plain = [word, *(base64.b64encode(b"x" * n + word)[4 if n else 0 : -4] for n in range(3))]
    files = (path for path in seat.root.rglob("*") if path.is_file())
    return {
        str(path.relative_to(seat.root)) for path in files if any(one in path.read_bytes() for one in plain)
    }


def test_a_private_letter_reaches_its_reader_and_nobody_else(table: Table) -> None:
    north, south = table.players["north"], table.players["south"]
    mail = letter(north, ["south"])
    eml = mail.with_name(mail.name.replace(".pbem.txt", ".eml")).read_text("utf-8")
    assert "south@example.org" in eml and "gm@example.org" not in eml
    assert "attachment" not in eml and eml.count("BEGIN PBEM STATEMENT") == 1
    assert [(r.outcome, r.reason) for r in south.receive(mail)] == [("taken", "")]
    assert texts(south) == texts(north) == [SECRET]
    (refused,) = table.gm.receive(mail)
    assert (refused.outcome, refused.mail) == ("refused", "")
    assert texts(table.gm) == [] and holding(table.gm) == set()
    for seat in (north, south):
        found = holding(seat)
        assert found and all(name.startswith("private/press/") for name in found), found
        for name in found:
            assert stat.S_IMODE((seat.root / name).stat().st_mode) == 0o600
    assert WORD not in mail.read_bytes()
    (again,) = south.receive(mail)
    assert again.outcome == "duplicate" and texts(south) == [SECRET]


def test_a_letter_takes_no_stage_and_changes_no_record(table: Table, tmp_path: Path) -> None:
    twin = table.copy(tmp_path / "twin")
    letter(table.players["north"], ["south"])
    letter(table.players["south"], None, "To all: the ridge is ours.")
    table.post()
    heads = []
    for each in (table, twin):
        each.play_stage(chooser(3))
        heads.append((each.gm.folder.stage, sorted(each.gm.folder.progress.asked)))
    assert heads[0] == heads[1]


def test_a_letter_to_all_lies_in_the_archive_with_its_text_behind_the_armour(table: Table) -> None:
    mail = letter(table.players["north"], None, "To all: the ridge is ours.\n--- North ---")
    text = mail.read_text("utf-8")
    assert text.rstrip().endswith("| To all: the ridge is ours.\n| - North -")
    table.post()
    sids = set()
    for seat in table.everybody:
        assert texts(seat) == ["To all: the ridge is ours.\n--- North ---"]
        sids |= {path.name for path in (seat.root / "letters").iterdir()}
    assert len(sids) == 2


def test_a_letter_to_all_comes_with_another_archive(table: Table) -> None:
    table.gm.receive(letter(table.players["north"], None, "To all: the ridge is ours."))
    south = table.players["south"]
    assert merge(south.folder, table.gm.root).taken
    assert texts(south) == ["To all: the ridge is ours."]


def test_letters_are_numbered_by_conversation(table: Table) -> None:
    north, south = table.players["north"], table.players["south"]
    mails = [
        letter(north, ["south"], "one"),
        letter(north, ["gm", "south"], "both"),
        letter(north, ["south"], "two"),
        letter(north, None, "all"),
    ]
    numbers = [(letter.to, letter.statement.letter.n) for letter in kept.letters(north.folder)]
    assert numbers == [(("south",), 1), (("gm", "south"), 1), (("south",), 2), (None, 1)]
    receipts = south.receive(*reversed(mails))
    assert {receipt.outcome for receipt in receipts} == {"taken"}
    assert kept.doubts_of(south.folder, kept.letters(south.folder)) == {}


def test_a_gap_is_shown_and_the_letter_is_read(table: Table) -> None:
    north, south = table.players["north"], table.players["south"]
    first, second = letter(north, ["south"], "one"), letter(north, ["south"], "two")
    (receipt,) = south.receive(second)
    assert (
        receipt.outcome == "taken" and "north's letters to these readers have a gap: no. 1" in receipt.reason
    )
    assert texts(south) == ["two"]
    south.receive(first)
    assert kept.doubts_of(south.folder, kept.letters(south.folder)) == {}


def test_a_gap_of_two_billion_letters_names_twenty_numbers(table: Table) -> None:
    """A player who signs the largest number that there is must not keep others' programs busy for hours."""
    roster, head = table.gm.folder.need_roster(), table.gm.folder.head(0)
    body: dict[str, Any] = {"n": 2**31 - 1, "text": "late", "after": "ab" * 32}
    said = statements.make("letter", body, game=roster.game, sender="north", stage=1, prev=head)
    (receipt,) = receive(table.players["south"].folder, [Signed.by(signer_of("north"), said.bytes)])
    assert receipt.outcome == "taken"
    assert [int(word) for word in re.findall(r"[0-9]+", receipt.reason)] == [*range(1, 21)]


def test_two_letters_with_one_number_are_kept_and_proved_against_their_sender(
    table: Table, tmp_path: Path
) -> None:
    north, south = table.players["north"], table.players["south"]
    twin = north.copy(tmp_path / "other")
    first, other = letter(north, ["south"], "I come."), letter(twin, ["south"], "I stay.")
    after = letter(twin, ["south"], "As I said.")
    south.receive(first)
    (receipt,) = south.receive(other)
    assert receipt.outcome == "taken" and "proved against north" in receipt.reason
    assert sorted(texts(south)) == ["I come.", "I stay."]
    assert south.receive(after)[0].outcome == "taken"


def test_what_a_later_letter_names_brings_a_variant_to_light(table: Table, tmp_path: Path) -> None:
    north, south = table.players["north"], table.players["south"]
    twin = north.copy(tmp_path / "other")
    first = letter(north, ["south"], "I come.")
    letter(twin, ["south"], "I stay.")
    after = letter(twin, ["south"], "As I said.")
    south.receive(first)
    (receipt,) = south.receive(after)
    assert "names another letter 1" in receipt.reason


def test_a_letter_that_follows_another_head_is_read_and_the_heads_are_shown(table: Table) -> None:
    north, south = table.players["north"], table.players["south"]
    roster = north.folder.need_roster()
    body: dict[str, Any] = {"n": 1, "text": "My report is another."}
    said = statements.make("letter", body, game=roster.game, sender="north", stage=1, prev="ab" * 32)
    (receipt,) = receive(south.folder, [Signed.by(signer_of("north"), said.bytes)])
    assert receipt.outcome == "taken" and "Compare the heads" in receipt.reason


def test_letters_may_be_written_before_stage_0_and_name_any_stage(tmp_path: Path) -> None:
    table = Table(tmp_path, SYSTEM, "ford", ["north", "south"], chain_length=64)
    table.post()
    from pbem.archive.setting_up import before_the_game

    for seat in table.everybody:
        before_the_game.sign_roster(seat.folder, seat.signer)
        if seat is not table.everybody[-1]:
            with pytest.raises(Refused) as caught:
                letter(seat, ["south" if seat.name != "south" else "north"])
            assert caught.value.diagnostics[0].code in ("not-started", "no-roster")
        table.post()
    early = letter(table.players["south"], None, "Good luck to all.")
    (one,) = kept.letters(table.players["south"].folder)
    assert (one.statement.stage, one.statement.prev) == (0, one.statement.game)
    table.run()
    table.play_stage(chooser(1))
    late = letter(table.players["south"], ["north"], "Well met.")
    (second,) = table.players["north"].receive(late)
    assert second.outcome == "taken"
    assert table.gm.receive(early)[0].outcome in ("taken", "duplicate")


@pytest.mark.parametrize(
    ("press", "to", "allowed"),
    [
        ("none", ["gm"], True),
        ("none", ["south"], False),
        ("none", None, False),
        ("public", None, True),
        ("public", ["south"], False),
        ("public", ["gm"], True),
        ("private", ["south"], True),
        ("private", None, True),
        (None, ["gm", "south"], True),
    ],
)
def test_what_the_press_allows(tmp_path: Path, press: Any, to: list[str] | None, allowed: bool) -> None:
    table = begun(tmp_path, SYSTEM, agreed=Agreement(press=Press(press)))
    north = table.players["north"]
    if allowed:
        mail = letter(north, to)
        readers = ["gm", "south"] if to is None else to
        for reader in readers:
            seat = table.gm if reader == "gm" else table.players[reader]
            assert seat.receive(mail)[0].outcome == "taken"
        return
    with pytest.raises(Refused) as caught:
        letter(north, to)
    assert caught.value.diagnostics[0].code == "press"
    free = begun(tmp_path / "free", SYSTEM)  # a program that does not care
    folder = north.folder
    with folder.working():
        content = Content(SECRET)
        said, _ = writing.made(folder, [], "north", None if to is None else tuple(to), content)
    (receipt,) = receive(table.players["south"].folder, [Signed.by(north.signer, said.bytes)])
    assert receipt.outcome == "refused" and f"press={press}" in receipt.reason
    assert free and texts(table.players["south"]) == []
    if to is not None:
        assert not list((table.players["south"].root / "inbox").glob(f"*{said.sid}*"))
        assert receipt.mail


def test_the_gm_writes_whatever_the_press(tmp_path: Path) -> None:
    table = begun(tmp_path, SYSTEM, agreed=Agreement(press=Press("none")))
    mails = [letter(table.gm, ["north"]), letter(table.gm, None, "The next report is late.")]
    assert [receipt.outcome for receipt in table.players["north"].receive(*mails)] == ["taken", "taken"]


@pytest.mark.parametrize(
    ("to", "code"),
    [
        (["north"], "unknown-party"),
        (["west"], "unknown-party"),
        (["gm", "nobody"], "unknown-party"),
        ([], "no-reader"),
    ],
)
def test_a_letter_goes_to_those_who_can_read_it(table: Table, to: list[str], code: str) -> None:
    with pytest.raises(Refused) as caught:
        letter(table.players["north"], to)
    assert caught.value.diagnostics[0].code == code
    assert texts(table.players["north"]) == []


@pytest.mark.parametrize("text", ["", " \n ", "a\x00b", "turn \u202e around", "x" * 17000, "é" * 9000])
def test_what_is_no_letter_is_not_signed(table: Table, text: str) -> None:
    for to in (None, ["south"]):
        with pytest.raises(Refused) as caught:
            letter(table.players["north"], to, text)
        assert caught.value.diagnostics[0].code in ("no-text", "bad-text", "too-long")
    assert not (table.players["north"].root / "letters").exists()


def forged(table: Table, **change: Any) -> Signed:
    """A private letter of north to south, altered before it is signed."""
    folder = table.players["north"].folder
    said, _ = writing.made(folder, [], "north", ("south",), Content(SECRET))
    data = json.loads(said.bytes)
    data["body"] |= change
    return Signed.by(signer_of("north"), statements.build(data).bytes)


def test_a_seal_that_does_not_open_is_answered(table: Table) -> None:
    south = table.players["south"]
    blob = base64.b64encode(bytes(1072)).decode()
    (receipt,) = receive(south.folder, [forged(table, sealed={"south": blob})])
    assert (receipt.outcome, bool(receipt.mail)) == ("refused", True)
    assert "a key that you don't have" in receipt.reason
    answer = (south.root / receipt.mail).read_text("utf-8")
    assert "north" in answer and "BEGIN PBEM" not in answer
    assert texts(south) == [] and not any(south.root.glob("inbox/*.json"))


def test_an_opening_that_is_not_what_was_committed_to_is_refused(table: Table) -> None:
    (receipt,) = receive(table.players["south"].folder, [forged(table, commit="ab" * 32)])
    assert receipt.outcome == "refused" and "committed to" in receipt.reason
    assert texts(table.players["south"]) == []


def test_a_letter_by_a_stranger_or_under_another_name_is_not_kept(table: Table) -> None:
    south = table.players["south"]
    good = forged(table)
    (receipt,) = receive(south.folder, [Signed.by(signer_of("stranger"), good.data)])
    assert receipt.outcome == "unsigned"
    (receipt,) = receive(south.folder, [Signed.by(signer_of("gm"), good.data)])
    assert receipt.outcome == "refused"
    assert texts(south) == [] and not any(south.root.glob("inbox/*.json"))


def test_no_more_than_a_hundred_letters_of_a_sender_name_one_stage(table: Table) -> None:
    roster, head = table.gm.folder.need_roster(), table.gm.folder.head(0)
    after, many = None, []
    for n in range(1, 104):
        body: dict[str, Any] = {"n": n, "text": f"letter {n}"} | ({"after": after} if after else {})
        said = statements.make("letter", body, game=roster.game, sender="north", stage=1, prev=head)
        many.append(Signed.by(signer_of("north"), said.bytes))
        after = said.sid
    receipts = receive(table.players["south"].folder, many)
    assert [receipt.outcome for receipt in receipts[98:]] == ["taken", "taken", "refused", "noted", "noted"]
    assert len(texts(table.players["south"])) == 100


def test_what_waits_goes_with_the_next_email_but_for_the_31st_letter_of_a_day(table: Table) -> None:
    north = table.players["north"]
    for n in range(29):
        letter(north, ["gm"], f"{n}", day="2026-11-24")
    folder = north.folder
    listed = [writing.checked(folder, ("south",), f"waits {n}") for n in range(3)]
    with folder.working():
        folder.commit(kept.waiting(listed))
    sent = writing.write_waiting(north.folder, north.signer, "2026-11-24")
    assert [path.suffix for path in sent].count(".eml") == 1
    assert [letter.text for letter in kept.unsent(north.folder)] == ["waits 1", "waits 2"]
    sent = writing.write_waiting(north.folder, north.signer, "2026-11-25")
    assert [path.suffix for path in sent].count(".eml") == 2
    assert kept.unsent(north.folder) == []


def test_a_signature_that_is_cut_short_signs_no_waiting_letter_twice(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    north = table.players["north"]
    folder = north.folder
    listed = [writing.checked(folder, ("south",), f"waits {n}") for n in range(3)]
    with folder.working():
        folder.commit(kept.waiting(listed))
    really, written = writing.write, list[str]()

    def killed_at_the_second(folder: Any, signer: Any, text: str, *rest: Any, **how: Any) -> Any:
        if written:
            raise KeyboardInterrupt
        written.append(text)
        return really(folder, signer, text, *rest, **how)

    monkeypatch.setattr(writing, "write", killed_at_the_second)
    with pytest.raises(KeyboardInterrupt):
        writing.write_waiting(folder, north.signer)
    assert written == texts(north) == ["waits 0"]
    assert [letter.text for letter in kept.unsent(north.folder)] == ["waits 1", "waits 2"]


def test_armour_in_a_letter_opens_no_block(table: Table) -> None:
    """A signed order of somebody, put into a letter as text, is not read as an order."""
    table.play_stage(chooser(2))
    inner = table.sent[-1].read_text("utf-8")
    hostile = f"{inner}\n<b>&#45;&#45;BEGIN PBEM STATEMENT--</b>\n=2D=2DBEGIN PBEM STATEMENT=2D=2D\n> {inner}"
    hostile = "".join(one for one in hostile if one == "\n" or one.isprintable())[:9000]
    mail = letter(table.players["north"], None, hostile)
    signed_parts = statements_in(mail)
    assert [json.loads(one.data)["type"] for one in signed_parts] == ["letter"]
    (receipt,) = table.players["south"].receive(mail)
    assert receipt.outcome == "taken" and texts(table.players["south"]) == [writing.cleaned(hostile)]
    eml = mail.with_name(mail.name.replace(".pbem.txt", ".eml"))
    signed = [json.loads(part.signed.data)["type"] for part in read(eml.read_bytes()).statements]
    assert signed == ["letter"]
