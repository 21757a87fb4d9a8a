"""Grey letters, letters in an archive, and letters that are published after the game."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from pbem.archive.adjudicating.unsealing import unseal
from pbem.archive.git.commits import is_published, published
from pbem.archive.git.merging import merge
from pbem.archive.press import letter_writing as writing
from pbem.archive.press import letters_kept as kept
from pbem.archive.press.grey_letters import pass_on, pending
from pbem.archive.press.published_letters import publish
from pbem.archive.receiving.receive import receive
from pbem.archive.verifying.public_evidence import public_evidence
from pbem.archive.verifying.verify import verify
from pbem.engine.system import find
from pbem.stages.agreements import Agreement
from pbem.stages.press import Press
from pbem.text.diagnostics import Refused
from pbem.trust import statements
from pbem.trust.armour import Signed
from pbem.trust.letters import Content
from tests.browser.auditing import audited
from tests.primer import SYSTEM
from tests.tools.independent_audit import Audit
from tests.unit.archive.table import Table, begun, signer_of
from tests.unit.archive.test_letters import holding, letter, texts

GREY = "South will break his word. Quorvelzyxandria."


@pytest.fixture
def three(tmp_path: Path) -> Table:
    """A game of a GM and three players with grey letters."""
    seats = ["red", "blue", "green"]
    agreed = Agreement(press=Press("grey"))
    return begun(tmp_path, find("victory"), "sarn_strait", seats, agreed=agreed)


def said(folder: Path) -> dict[str, list[str]]:
    """What `verify` says of letters, by code."""
    found: dict[str, list[str]] = {}
    for one in verify(folder).findings:
        if one.code.startswith("letter"):
            found.setdefault(one.code, []).append(f"{one.kind}: {one.text}")
    return found


# --- grey -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("to", [None, ["blue"], ["blue", "green"]])
def test_a_grey_letter_reaches_its_readers_without_its_author(three: Table, to: list[str] | None) -> None:
    red = three.players["red"]
    mail = letter(red, to, GREY, grey=True)
    eml = mail.with_name(mail.name.replace(".pbem.txt", ".eml")).read_text("utf-8")
    assert "gm@example.org" in eml and "blue@example.org" not in eml
    assert three.gm.receive(mail)[0].outcome == "taken"
    assert len(pending(three.gm.folder)) == 1
    done = pass_on(three.gm.folder, three.gm.signer)
    assert done.count == 1 and pending(three.gm.folder) == []
    assert pass_on(three.gm.folder, three.gm.signer).files == []
    (sent,) = [path for path in done.files if path.name.endswith(".pbem.txt")]
    for name in ("red", "blue", "green"):
        reads = to is None or name in to
        seat = three.players[name]
        (receipt,) = seat.receive(sent)
        assert receipt.outcome == ("taken" if reads else "refused")
        if reads and name != "red":
            (one,) = kept.letters(seat.folder)
            assert (one.text, one.statement.sender) == (GREY, "gm") and one.statement.letter.grey
            for path in seat.root.rglob("*"):
                assert not path.is_file() or b"red@" not in path.read_bytes() or path.name != sent.name
    if to == ["blue"]:
        assert holding(three.players["green"]) == set()


@pytest.mark.parametrize("readers", [["blue", "red"], ["blue", "gm"], ["nobody"]])
def test_the_gm_sends_nothing_on_to_the_author_or_to_strangers(three: Table, readers: list[str]) -> None:
    red = three.players["red"]
    with pytest.raises(Refused):
        letter(red, readers, GREY, grey=True)
    content = Content(GREY, grey=tuple(sorted(readers)))
    made, _ = writing.made(red.folder, [], "red", ("gm",), content)
    (receipt,) = receive(three.gm.folder, [Signed.by(red.signer, made.bytes)])
    assert receipt.outcome == "refused" and receipt.mail
    assert pending(three.gm.folder) == []


def test_nobody_but_the_gm_passes_letters_on_and_the_gm_writes_none(three: Table) -> None:
    with pytest.raises(Refused):
        letter(three.gm, ["red"], GREY, grey=True)
    red = three.players["red"]
    made, _ = writing.made(red.folder, [], "red", ("blue",), Content(GREY), "ab" * 32)
    (receipt,) = receive(three.players["blue"].folder, [Signed.by(red.signer, made.bytes)])
    assert receipt.outcome == "refused"


def test_grey_letters_want_a_gm_and_three_players(tmp_path: Path) -> None:
    agreed = Agreement(press=Press("grey"))
    for terms in ({}, {"dice": "pair"}):
        with pytest.raises(Refused) as caught:
            Table(tmp_path / str(len(terms)), SYSTEM, "ford", ["north", "south"], agreed=agreed, **terms)
        assert caught.value.diagnostics[0].code == "bad-option"


# --- in an archive --------------------------------------------------------------------------------------


@pytest.fixture
def open_game(tmp_path: Path) -> Table:
    return begun(tmp_path, SYSTEM)


def test_letters_in_an_archive_are_counted_and_change_nothing_else(open_game: Table) -> None:
    gm = open_game.gm
    before = [str(one) for one in verify(gm.root).findings]
    assert said(gm.root) == {}
    letter(open_game.players["north"], None, "To all.")
    letter(open_game.players["north"], ["south"])
    open_game.post()
    found = verify(gm.root)
    assert found.ok
    assert [str(one) for one in found.findings if one.code != "letters"] == before
    assert said(gm.root)["letters"][0].startswith("proved: 1 letter, signed by its author")


def public(table: Table, count: int = 1, head: str = "") -> list[Signed]:
    """Letters of north to all, in order."""
    folder, after, made = table.gm.folder, "", []
    for n in range(1, count + 1):
        body: dict[str, Any] = {"n": n, "text": f"number {n}"} | ({"after": after} if after else {})
        one = statements.make(
            "letter",
            body,
            game=folder.need_roster().game,
            sender="north",
            stage=1,
            prev=head or folder.head(0),
        )
        made.append(Signed.by(signer_of("north"), one.bytes))
        after = one.sid
    return made


def test_gaps_second_versions_and_other_heads_are_said(open_game: Table) -> None:
    gm = open_game.gm
    first, second, third = public(open_game, 3)
    receive(gm.folder, [first, third])
    assert "numbers" not in said(gm.root) and "a gap: no. 2" in said(gm.root)["letter-gap"][0]
    receive(gm.folder, [second])
    assert "letter-gap" not in said(gm.root)
    receive(gm.folder, public(open_game, 1, "ab" * 32))
    found = said(gm.root)
    assert all(one.startswith("proved") for one in found["letter-twice"]) and len(found["letter-twice"]) == 2
    assert found["letter-head"][0].startswith("claimed")
    assert verify(gm.root).ok


def spoil(table: Table, how: str) -> None:
    """Put something into letters/ that has no place there."""
    folder = table.gm.root / "letters"
    north, signer = table.players["north"], signer_of("north")
    (one,) = public(table)
    if how == "signature":
        one = Signed(one.data, (signer.sign(b"other bytes"),))
    elif how == "stranger":
        one = Signed.by(signer_of("stranger"), one.data)
    elif how == "schema":
        data = one.data.replace(b'"n":1', b'"n":0')
        one = Signed.by(signer, data)
    elif how == "private":
        made, _ = writing.made(north.folder, [], "north", ("south",), Content("psst"))
        one = Signed.by(signer, made.bytes)
    elif how == "kind":
        said = north.folder.progress.own_statement("protest", {"text": "no"}, "north")
        one = Signed.by(signer, said.bytes)
    sid = statements.sid(one.data)
    folder.mkdir()
    (folder / f"{sid if how != 'name' else 'ab' * 32}.json").write_bytes(one.data)
    if how != "no-signature":
        (folder / f"{sid if how != 'name' else 'ab' * 32}.sig").write_text(one.signatures[0])
    if how == "stage":
        stage = table.gm.root / "stages/0001"
        stage.mkdir(exist_ok=True)
        (folder / f"{sid}.json").rename(stage / f"{sid}.json")
        (folder / f"{sid}.sig").rename(stage / f"{sid}.sig")
    if how == "link":
        (folder / f"{sid}.json").rename(table.gm.root / "private/elsewhere.json")
        (folder / f"{sid}.json").symlink_to(table.gm.root / "private/elsewhere.json")


@pytest.mark.parametrize(
    "how",
    ["signature", "stranger", "schema", "private", "kind", "name", "no-signature", "stage", "link"],
)
def test_what_is_no_letter_makes_an_archive_false(open_game: Table, how: str) -> None:
    spoil(open_game, how)
    found = verify(open_game.gm.root)
    assert not found.ok
    assert "letter" in {one.code for one in found.of("false")}, [str(one) for one in found.of("false")]


@pytest.mark.parametrize("how", ["signature", "stranger", "private", "name", "nothing"])
def test_another_program_finds_the_same_letters_false(open_game: Table, how: str) -> None:
    spoil(open_game, how)
    audit = Audit(open_game.gm.root)
    audit.run()
    assert bool(audit.faults) == (how != "nothing"), audit.faults


def test_letters_against_the_press_make_an_archive_false(tmp_path: Path) -> None:
    table = begun(tmp_path, SYSTEM, agreed=Agreement(press=Press("none")))
    spoil(table, "nothing")
    assert "press=none" in str(verify(table.gm.root).of("false")[0])


def test_an_archive_has_letters_to_all_and_no_private_file(open_game: Table) -> None:
    letter(open_game.players["north"], None, "To all.")
    letter(open_game.players["north"], ["south"])
    open_game.post()
    for seat in open_game.everybody:
        names = published(seat.folder)
        assert sum(name.startswith("letters/") for name in names) == 2
        assert not any(name.startswith("private/") for name in names)
    assert not is_published("private/press/book.json")


def test_merging_two_archives_unites_their_letters(open_game: Table, tmp_path: Path) -> None:
    south = open_game.players["south"]
    receive(south.folder, public(open_game, 2))
    done = merge(open_game.gm.folder, south.root)
    assert len([name for name in done.taken if name.startswith("letters/")]) == 2
    assert len(texts(open_game.gm)) == 2
    assert merge(open_game.gm.folder, south.root).taken == []


# --- after the game -------------------------------------------------------------------------------------


def over(tmp_path: Path, opened: bool) -> Table:
    agreed = Agreement(press=Press(None, opened))
    return begun(tmp_path, SYSTEM, over=4, absent="skip", options={"turns": 1}, agreed=agreed)


def test_letters_are_published_after_the_game_where_that_was_agreed(tmp_path: Path) -> None:
    table = over(tmp_path, True)
    north, south = table.players["north"], table.players["south"]
    letter(north, ["south"], "Psst. Quorvelzyxandria.")
    letter(south, ["gm"], "For the GM alone.")
    table.post()
    files = publish(north.folder, north.signer)
    assert files and publish(north.folder, north.signer) == []
    receipts = table.post()
    assert {one.outcome for one in receipts} <= {"taken", "duplicate", "noted"}, receipts
    assert "Psst. Quorvelzyxandria." in texts(table.gm)
    assert "For the GM alone." in texts(table.gm)
    unseal(table.gm.folder, table.gm.signer)
    table.post()
    for seat in table.everybody:
        found = verify(seat.root)
        assert found.ok, [str(one) for one in found.findings]
        audit = Audit(seat.root)
        audit.run()
        assert audit.faults == []
        assert "1 of them private" in said(seat.root)["letters"][0]
    (page,) = audited([public_evidence(table.gm.root)], tmp_path)
    assert page["wrong"] == []
    assert publish(table.gm.folder, table.gm.signer, received=True) == [], "it was to the GM alone"


def test_a_reader_publishes_what_the_author_does_not(tmp_path: Path) -> None:
    table = over(tmp_path, True)
    north, south = table.players["north"], table.players["south"]
    letter(north, ["south"], "Psst. Quorvelzyxandria.")
    table.post()
    assert publish(south.folder, south.signer) == []
    assert publish(south.folder, south.signer, received=True)
    table.post()
    assert "Psst. Quorvelzyxandria." in texts(table.gm)
    unseal(table.gm.folder, table.gm.signer)
    assert verify(table.gm.root).ok


def test_no_letter_is_published_where_nothing_was_agreed_or_the_game_goes_on(
    tmp_path: Path, open_game: Table
) -> None:
    table = over(tmp_path / "over", False)
    for each in (table, open_game):
        north = each.players["north"]
        letter(north, ["south"])
        assert publish(north.folder, north.signer) == []
    unseal(table.gm.folder, table.gm.signer)
    table.post()
    assert holding(table.gm) == set()


def test_an_unseal_opens_no_letter_where_that_was_not_agreed(tmp_path: Path) -> None:
    table = over(tmp_path, False)
    north = table.players["north"]
    letter(north, ["south"])
    folder = north.folder
    (one,) = kept.letters(folder)
    sid = one.statement.sid
    shown, by = kept.opening(folder, sid), kept.signed(folder, sid)
    assert shown is not None and by is not None
    made = folder.progress.own_statement("unseal", {"openings": {sid: {"letter/1": shown.data()}}}, "north")
    sent = [by, Signed.by(north.signer, made.bytes)]
    receive(table.gm.folder, sent)
    assert texts(table.gm) == [] and not (table.gm.root / "letters").exists()
    south = table.players["south"]  # who has the letter already keeps it to himself
    assert [one.outcome for one in receive(south.folder, sent)] == ["taken", "refused"]
    assert not (south.root / "letters").exists() and verify(south.root).ok
    shutil.copytree(north.root / "private/press", table.gm.root / "letters")
    assert not verify(table.gm.root).ok


def test_the_grey_letter_of_an_author_is_opened_by_no_tool(three: Table) -> None:
    red = three.players["red"]
    letter(red, None, GREY, grey=True)
    assert json.loads((red.root / "private/press/book.json").read_text())
    from pbem.archive.press.published_letters import to_publish

    assert to_publish(red.folder) == []
