"""Letters while people change: new keys, takeovers, players who left, observers, two without a GM."""

from __future__ import annotations

import base64
from pathlib import Path
from typing import Any

import pytest

from pbem.archive.press import letters_kept as kept
from pbem.archive.setting_up import before_the_game
from pbem.cli.games.backup import pack, unpack
from pbem.engine.system import find
from pbem.stages.agreements import Agreement
from pbem.stages.press import Press
from pbem.text.diagnostics import Refused
from pbem.trust import sshsig
from tests.primer import FOG, SYSTEM
from tests.unit.archive.table import Seat, Table, begun, chooser, signer_of
from tests.unit.archive.test_amendments import co_sign, good, propose
from tests.unit.archive.test_letters import letter as posted
from tests.unit.archive.test_letters import texts
from tests.unit.archive.test_setup import invitation_of
from tests.unit.archive.test_takeovers import newcomer, taken_over


@pytest.fixture
def running(tmp_path: Path) -> Table:
    return begun(tmp_path, FOG, by=(3, 3, 3))


def letter(seat: Seat, to: list[str] | None, text: str, **how: Any) -> Path:
    """Write a letter whose email is not sent to everybody by `Table.post`."""
    file = posted(seat, to, text, **how)
    seat.seen.add(file)
    return file


def odd(seat: Seat) -> set[str]:
    folder = seat.folder
    return {one.code for each in kept.doubts_of(folder, kept.letters(folder)).values() for one in each}


def numbers(seat: Seat, sender: str) -> list[int]:
    found = (letter.statement for letter in kept.letters(seat.folder))
    return sorted(one.letter.n for one in found if one.sender == sender)


def test_a_letter_under_a_key_that_was_replaced_is_read_and_says_so(running: Table) -> None:
    north, south, new = running.players["north"], running.players["south"], signer_of("north, later")
    early = letter(north, ["south"], "under the old key")
    op = {"op": "key", "party": "north", "sign": sshsig.public_line(new.public)}
    propose(north, op, extra=[new])
    good(running.post())
    running.play_stage(chooser(1))
    (receipt,) = south.receive(early)
    assert receipt.outcome == "taken" and "a key that is no longer valid" in receipt.reason
    old, north.signer = north.signer, new
    south.receive(letter(north, ["south"], "under the new key"))
    assert numbers(south, "north") == [1, 2], "a new key is no new person"
    assert odd(south) == {"letter-key"}
    north.signer = old
    with pytest.raises(Refused):
        letter(north, ["south"], "the old key again")


def test_the_old_key_writes_no_letter_of_a_later_stage(running: Table) -> None:
    north, south, new = running.players["north"], running.players["south"], signer_of("north, later")
    op = {"op": "key", "party": "north", "sign": sshsig.public_line(new.public)}
    propose(north, op, extra=[new])
    good(running.post())
    running.play_stage(chooser(1))
    from pbem.archive.press import letter_writing as writing
    from pbem.archive.receiving.receive import receive
    from pbem.trust.armour import Signed
    from pbem.trust.letters import Content

    made, _ = writing.made(north.folder, [], "north", ("south",), Content("too late"))
    (receipt,) = receive(south.folder, [Signed.by(signer_of("north"), made.bytes)])
    assert receipt.outcome == "unsigned" and texts(south) == []


def test_a_successor_counts_anew_and_reads_nothing_of_before(running: Table) -> None:
    north, south = running.players["north"], running.players["south"]
    south.receive(letter(north, ["south"], "I am the first."))
    to_the_first = letter(south, ["north"], "To you alone.")
    new = newcomer(running, "north")
    taken_over(running, new, [running.gm, south])
    running.run()
    running.players["north"] = running.players.pop("new")
    (receipt,) = new.receive(to_the_first)
    assert receipt.outcome == "refused" and "a key that you don't have" in receipt.reason and receipt.mail
    south.receive(letter(new, ["south"], "I am the second."))
    assert numbers(south, "north") == [1, 1]
    assert odd(south) <= {"letter-key"}
    second = letter(south, ["north"], "Well met.")
    (receipt,) = new.receive(second)
    assert receipt.outcome == "taken"
    assert "letter-gap" not in odd(new), "what was sent before one's own entry is no gap"


def test_who_left_the_game_neither_writes_nor_reads(running: Table) -> None:
    north, south = running.players["north"], running.players["south"]
    before = letter(north, ["south"], "while I was there")
    made = propose(running.gm, {"op": "drop", "party": "north"})
    good(running.post())
    co_sign(south, made)
    good(running.post())
    running.run()
    (receipt,) = south.receive(before)
    assert receipt.outcome == "taken"
    with pytest.raises(Refused) as caught:
        letter(north, ["south"], "afterwards")
    assert caught.value.diagnostics[0].code == "dropped"
    with pytest.raises(Refused):
        letter(south, ["north"], "are you there?")


def test_an_observer_reads_what_all_read_and_writes_nothing(tmp_path: Path) -> None:
    table = Table(tmp_path, SYSTEM, "ford", ["north", "south"], chain_length=64)
    watcher = Seat(tmp_path / "eve", "eve")
    before_the_game.join(watcher.root, invitation_of(table), "eve", watcher.person, role="observer")
    table.players["eve"] = watcher
    table.start()
    (receipt,) = watcher.receive(letter(table.players["north"], None, "To all."))
    assert receipt.outcome == "taken" and texts(watcher) == ["To all."]
    for to in (["gm"], None):
        with pytest.raises(Refused):
            letter(watcher, to, "me too")
    with pytest.raises(Refused):
        letter(table.players["north"], ["eve"], "psst")


def test_two_without_a_gm_write_to_each_other(tmp_path: Path) -> None:
    table = begun(tmp_path, SYSTEM, dice="pair")
    north, south = table.players["north"], table.players["south"]
    south.receive(letter(north, ["south"], "Your turn."))
    north.receive(letter(south, ["north"], "It is yours."))
    assert texts(north) == texts(south) == ["Your turn.", "It is yours."]
    table.play_stage(chooser(1))
    assert odd(north) == odd(south) == set()


def test_the_press_changes_from_the_next_stage_on(running: Table) -> None:
    north, south = running.players["north"], running.players["south"]
    allowed = letter(north, ["south"], "while it was allowed")
    made = propose(running.gm, {"op": "option", "name": "press", "value": "public"})
    good(running.post())
    for seat in (north, south):
        co_sign(seat, made, aware=True)
        good(running.post())
    running.play_stage(chooser(1))
    with pytest.raises(Refused):
        letter(north, ["south"], "now it is not")
    letter(north, None, "but this is")
    (receipt,) = south.receive(allowed)
    assert receipt.outcome == "taken", "it names a stage in which it was allowed"


@pytest.mark.parametrize("value", ["loud", "grey", ""])
def test_a_press_that_cannot_be_is_not_agreed_on(running: Table, value: str) -> None:
    op = {"op": "option", "name": "press", "value": value}
    try:
        made = propose(running.gm, op)
    except Refused:
        return
    assert made.proposal.fault is not None


def test_a_backup_of_keys_has_the_letters(running: Table) -> None:
    north = running.players["north"]
    letter(north, ["south"], "keep this")
    data = pack(north.folder)
    for path in (north.root / "private/press").iterdir():
        path.unlink()
    assert texts(north) == []
    unpack(north.folder, data, True)
    assert texts(north) == ["keep this"]


def spread(seat: Seat, word: str) -> set[str]:
    """The files of a folder in which a word stands, in clear or as base64 at any place."""
    raw = word.encode()
    wanted = [raw, *(base64.b64encode(b"x" * n + raw)[4 if n else 0 : -4] for n in range(3))]
    files = (path for path in seat.root.rglob("*") if path.is_file())
    return {
        str(path.relative_to(seat.root))
        for path in files
        if any(one in path.read_bytes() or one in path.read_bytes().replace(b"\n", b"") for one in wanted)
    }


def test_no_folder_but_the_readers_holds_a_private_word(tmp_path: Path) -> None:
    """Seven letters, three stages and every email to everybody: each word is where it belongs."""
    agreed_on: dict[str, Any] = {"agreed": Agreement(press=Press("grey"))}
    table = begun(tmp_path, find("victory"), "sarn_strait", ["red", "blue", "green"], **agreed_on)
    seats = {seat.name: seat for seat in table.everybody}
    words: dict[str, set[str]] = {}
    for n, (sender, to, grey) in enumerate(
        [
            ("red", ["blue"], False),
            ("red", ["blue", "green"], False),
            ("blue", ["gm"], False),
            ("green", ["blue", "gm"], False),
            ("gm", ["red"], False),
            ("red", ["green"], True),
            ("blue", ["green", "red"], False),
        ]
    ):
        word = f"Quorvelzyxandria{n}mopane"
        posted(seats[sender], to, f"Psst: {word}!", grey=grey)
        words[word] = {sender, *to, *(["gm"] if grey else [])}
    from pbem.archive.press.grey_letters import pass_on

    table.post()
    pass_on(table.gm.folder, table.gm.signer)
    table.post()
    for seed in range(3):
        for seat in table.asked():
            seat.answer_all(chooser(seed))
        table.post()
        from pbem.archive.adjudicating import gm_stage

        gm_stage.adjudicate(table.gm.folder, table.gm.signer, render=table.gm.render)
        table.post()
    for word, readers in words.items():
        for name, seat in seats.items():
            files = spread(seat, word)
            assert bool(files) == (name in readers), (word, name, files)
            assert all(file.startswith("private/press/") for file in files), (word, name, files)
