"""What people read in letters and files: bare reports, reminders, what is missing, what `game.yaml` says."""

from __future__ import annotations

import json
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from pbem.archive.adjudicating import publishing
from pbem.archive.folder import game_yaml
from pbem.archive.folder.changes import Changes
from pbem.archive.letters import arrivals, reminding
from pbem.archive.letters.awaited import Awaited
from pbem.archive.receiving import missing_statements, taking_links, text_beside_block
from pbem.archive.receiving.text_beside_block import Wanted
from pbem.trust.armour import Signed
from pbem.trust.errors import NotAccepted
from pbem.trust.statements import make
from tests.unit.archive.table import signer_of

H0 = "0" * 64
HEAD = "ab" * 32


def party(id: str, role: str = "player", **change: Any) -> Any:
    has = {
        "id": id,
        "role": role,
        "name": id.title(),
        "mail": f"{id}@example.org",
        "proxy": None,
        "sign": signer_of(id).public,
    }
    return SimpleNamespace(**has | change)


def roster(*parties: Any, dropped: Any = (), **terms: Any) -> Any:
    pinned = SimpleNamespace(name="primer", version="1-r1+engine8")
    has = {
        "title": 'The "Ford"',
        "arbiter": "gm",
        "dice": "swift",
        "absent": "stop",
        "module": pinned,
        "scenario": SimpleNamespace(name="ford, turns=2"),
    }
    return SimpleNamespace(
        game=HEAD,
        parties=parties,
        active=[one for one in parties if one.id not in dropped],
        dropped=frozenset(dropped),
        by_id={one.id: one for one in parties},
        terms=SimpleNamespace(**has | terms),
    )


ALL = [party("gm", "gm"), party("north"), party("south")]


# --- reports --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("asked", [{"south": ["card"], "north": []}, {}])
def test_a_report_without_sentences(asked: Any) -> None:
    events: Any = [SimpleNamespace(event={"event": "moved"}), SimpleNamespace(event={})]
    meta = {"asked": asked, "stage": 4, "head": HEAD, "title": "Ford"}
    text = publishing.plain(None, events, SimpleNamespace(place="Turn 2"), meta)  # type: ignore[arg-type]
    *lines, last, record, _ = text.split("\n")
    assert lines == ["Ford", "====", "stage 4: Turn 2", "", "- moved", "- None", ""]
    assert last.startswith("asked next: ") and record == f"record {HEAD}"
    assert last.endswith(": north, south") == bool(asked) and last != "asked next: "


def test_what_a_report_says_of_people() -> None:
    began = roster(*ALL, party("west"), dropped=["east"])
    behind = roster(
        party("gm", "gm"),
        party("north", name="Nora"),
        party("south", proxy="north"),
        party("west", name="Gone"),
        dropped=["east", "west"],
    )
    assert publishing.people(began, behind, ["south"]) == {
        "names": {"gm": "Gm", "north": "North", "south": "South", "west": "West"},
        "renamed": [["north", "North", "Nora"]],
        "left": ["west"],
        "proxies": ["south"],
        "plain": ["south"],
    }
    assert publishing.people(began, began)["plain"] == []


def test_who_wrote_plain_orders() -> None:
    def taken(sender: str, kind: str, **body: Any) -> Signed:
        return Signed(json.dumps({"type": kind, "from": sender, "body": body}).encode(), ())

    said = [
        taken("west", "order", plain="x"),
        taken("north", "standing", plain="x"),
        taken("south", "order", orders=[]),
        taken("east", "protest", plain="x"),
        taken("west", "standing", plain="x"),
    ]
    assert publishing._plain(said) == ["north", "west"]


def test_the_news_of_a_report_are_its_subject() -> None:
    def news(reader: str | None) -> str:
        return "" if reader == "south" else f"News for {reader}"

    render: Any = SimpleNamespace(news=news)
    assert publishing.news_of(render) == "News for None" and publishing.news_of(render, "north").endswith(
        "north"
    )
    assert publishing.news_of(render, "south") == publishing.news_of(None) != ""


# --- reminders ------------------------------------------------------------------------------------------


def test_a_reminder_says_what_is_owed_and_why() -> None:
    folder: Any = SimpleNamespace(stage=6, progress=SimpleNamespace(open_stage=7))

    def lines(state: Any, **more: Any) -> list[str]:
        since = more.pop("since", 7)
        return reminding._lines(folder, Awaited("north", state, since, **more), "noon")

    plain = lines("nothing")
    assert "north" in plain[0] and "7" in plain[0] and "6" in plain[-1]
    assert plain.count("") == 4 and any("noon" in line for line in plain)
    since = [line for line in lines("nothing", since=5) if line not in plain]
    assert len(since) == 1 and "5" in since[0]
    reason = [line for line in lines("invalid", reason="no such hex") if line not in plain]
    assert "  no such hex" in reason and len(reason) == 2
    owes = [line for line in lines("nothing", owes=("card", "bid")) if line not in plain]
    assert owes[1:] == ["  card", "  bid"]
    commands = {
        state: next(line for line in lines(state) if line.startswith("    ")) for state in reminding._COMMANDS
    }
    assert commands["nothing"] == commands["invalid"] and len(set(commands.values())) == 3


# --- what is missing ------------------------------------------------------------------------------------


def protests(*said: tuple[int, str]) -> list[Any]:
    return [
        make("protest", {"text": f"{n}"}, game=H0, sender=sender, stage=stage, prev=H0)
        for n, (stage, sender) in enumerate(said)
    ]


def waiting(root: Path, statements: list[Any], **terms: Any) -> Any:
    place = root / "inbox/early"
    place.mkdir(parents=True, exist_ok=True)
    for statement in statements:
        (place / f"{statement.sid}.json").write_bytes(statement.bytes)
    progress = SimpleNamespace(roster=roster(*ALL, **terms), open_stage=3)
    return SimpleNamespace(root=root, roster=progress.roster, unsigned=tuple, progress=progress, me="north")


def test_what_came_too_early_names_who_has_the_report(tmp_path: Path) -> None:
    folder = waiting(tmp_path, protests((5, "south"), (4, "north"), (3, "south")))
    (tmp_path / "inbox/early/odd.json").write_text("{}")
    (tmp_path / "inbox/early/note.txt").write_text("x")
    (tmp_path / "inbox/early/link.json").symlink_to(tmp_path / "inbox/early/odd.json")
    (line,) = missing_statements.lost(folder)
    assert all(word in line for word in ("north", "stage 3", "gm (Gm <gm@example.org>)", "south (South"))
    assert "north (North" not in line, "nobody is sent to themselves"
    assert line.index("gm (Gm") < line.index("south (South")
    (one,) = missing_statements.lost(waiting(tmp_path / "one", protests((4, "south"))))
    assert "1" not in one.replace("stage", "")
    pair = waiting(tmp_path / "pair", protests((4, "south")), arbiter=None, dice="pair")
    (of_two,) = missing_statements.lost(pair)
    assert "gm (" not in of_two and of_two != one
    assert missing_statements.lost(waiting(tmp_path / "now", protests((3, "south"), (2, "gm")))) == []
    folder.unsigned = lambda: ("south",)
    assert missing_statements.lost(folder) == []
    folder.unsigned, folder.roster = tuple, None
    assert missing_statements.lost(folder) == []


def test_of_many_the_first_is_named() -> None:
    first, second, third = protests((4, "south"), (5, "gm"), (4, "north"))
    named = missing_statements._named([first, second, third])
    assert "north" in named and "2" in named and "south" not in named
    assert "north" in missing_statements._named([third])


# --- texts beside a block -------------------------------------------------------------------------------

BEGIN, END = "-----BEGIN PBEM STATEMENT-----", "-----END SSH SIGNATURE-----"


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        (f"a{BEGIN}x{END}b", "a-----\n-----b"),
        (f"a{BEGIN}x{BEGIN}y{END}b{END}c", "a-----\n-----c"),
        (f"a{BEGIN}x", "a-----\n"),
        ("a> BEGIN PBEM\n> STATEMENT x", "a> \n"),
        ("nothing signed", "nothing signed"),
        (f"{END}b", "-----b"),
    ],
)
def test_people_read_what_is_outside_the_armour(text: str, kept: str) -> None:
    assert text_beside_block._without_blocks(text) == kept


REPORT = "North marches on the ford at dawn.\nSouth holds the ridge above.\nThe river has risen again.\nOK"


@pytest.mark.parametrize(
    ("beside", "changed"),
    [
        (REPORT, False),
        (f"Hello,\n\n> {REPORT.replace(chr(10), f'{chr(10)}> ')}\n", False),
        (REPORT.upper(), False),
        (REPORT.replace("dawn", "night"), False),
        (REPORT.replace("OK", "South has lost."), True),
        ("Something else.", False),
        ("", False),
        (REPORT.replace(" ", "=20"), False),
        (REPORT.replace("OK", "No").replace(" ", "=20"), True),
    ],
)
def test_a_text_that_was_changed_is_told_from_one_that_is_not_there(beside: str, changed: bool) -> None:
    assert text_beside_block._changed(beside, [Wanted(REPORT)]) == changed


def test_an_order_is_known_by_its_head() -> None:
    order = Wanted("Orders of north\ncard: 3", "ordersofnorth")
    assert not text_beside_block._changed("orders of North: card: 3", [order])
    assert text_beside_block._changed("orders of North\ncard: 4", [order])
    assert not text_beside_block._changed("card: 4", [order])
    two = [order, Wanted("Befehle von north\ncard: 3", "befehlevonnorth")]
    assert not text_beside_block._changed("Befehle von north card: 3", two)
    assert text_beside_block._changed("Befehle von north card: 5", two)
    assert not text_beside_block._changed("x", [])


def test_letters_that_a_charset_lacks_are_passed_over() -> None:
    assert not text_beside_block._is_there("uber die Brucke", "über die Brücke")
    assert text_beside_block._is_there("ber die Br?cke", "über die Brücke")
    assert not text_beside_block._is_there("ber die Br?cke ü", "über die Brücke")


def test_a_report_in_other_words_names_them() -> None:
    other, ours = f"words en-{'ab' * 32}", f"words de-{'cd' * 32}"
    assert text_beside_block._other_words(other, [ours])
    assert not text_beside_block._other_words(ours, [other, ours])
    assert not text_beside_block._other_words("no words", [ours])


# --- files ----------------------------------------------------------------------------------------------


def test_what_stands_in_game_yaml() -> None:
    text = game_yaml.with_roster(roster(*ALL[:2]))
    lines = [line.partition("   #")[0] for line in text.splitlines() if not line.startswith("#")]
    assert lines[:6] == [
        'title: "The \\"Ford\\""',
        'system: "primer"',
        'scenario: "ford, turns=2"',
        "dice: swift",
        "absent: stop",
        f'game: "{HEAD}"',
    ]
    people = [line.strip().partition("SHA256")[0] for line in lines[7:]]
    assert people == [
        '- id: "gm"',
        "role: gm",
        'name: "Gm"',
        'mail: "gm@example.org"',
        'key: "',
        '- id: "north"',
        "role: player",
        'name: "North"',
        'mail: "north@example.org"',
        'key: "',
    ]
    early = game_yaml.before_roster(roster().terms)
    assert early.splitlines()[:7] == text.splitlines()[:7] and "parties: []" in early
    assert "game: " not in early and text.endswith("\n")


def test_when_statements_came() -> None:
    def folder(data: Any) -> Any:
        return SimpleNamespace(private=SimpleNamespace(json=lambda name: data))

    full = {"arrived": {"ab": "10:00", "cd": 3}, "more": 1}
    assert arrivals.arrivals(folder(full)) == {"ab": "10:00", "cd": "3"}
    assert arrivals.noted(folder(full)) == full
    for odd in (None, [], "x", {}, {"arrived": []}):
        assert arrivals.arrivals(folder(odd)) == {}
        assert arrivals.noted(folder(odd)) == (odd if isinstance(odd, dict) else {})
    changes = Changes()
    arrivals.book(changes, full)
    (data,) = changes.files.values()
    assert json.loads(data) == full


def test_an_order_opens_only_what_its_sender_committed() -> None:
    shelf: Any = SimpleNamespace(find=lambda stage, sid: None)
    progress: Any = SimpleNamespace(open_stage=3, roster=roster(*ALL))
    entry = SimpleNamespace(stage=3, nonce="ab" * 32, value=1)
    nothing: Any = SimpleNamespace(sender="north", said=SimpleNamespace(openings={}))
    taking_links.check_openings(progress, nothing, shelf)
    something: Any = SimpleNamespace(sender="north", said=SimpleNamespace(openings={"card": entry}))
    with pytest.raises(NotAccepted) as error:
        taking_links.check_openings(progress, something, shelf)
    assert error.value.code == "opening"
