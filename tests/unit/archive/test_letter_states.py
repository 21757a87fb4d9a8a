"""Where letters go and where they stand: names, addresses of seats, and the book of sent letters."""

from __future__ import annotations

import json
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from pbem.archive.folder import seat_letters
from pbem.archive.folder.changes import Changes
from pbem.archive.letters import last_head, waiting_letters
from pbem.mail.handing_book import Ledger
from pbem.mail.returned import Returned

ANN, BOB = "ann@example.org", "bob@example.org"
HEADS = ["ab" * 32, "cd" * 32]


def a_folder(root: Path, **change: Any) -> Any:
    parties = [SimpleNamespace(id="ann", mail="Ann@example.org"), SimpleNamespace(id="bob", mail=BOB)]
    has: dict[str, Any] = {
        "root": root,
        "roster": SimpleNamespace(parties=parties),
        "terms": SimpleNamespace(arbiter="gm"),
        "stage": 3,
        "coming_in": False,
        "private": SimpleNamespace(side=root / "private"),
    }
    return SimpleNamespace(**has | change)


# (name, the highest revision of its series) in stage 3 of a game with and without a GM
AGES: dict[str, tuple[str, int, str, str]] = {
    "orders": ("outbox/stage-0003-ann-orders-rev2", 2, "over", "ready"),
    "orders of the open stage": ("outbox/stage-0004-ann-orders-rev2", 2, "ready", "ready"),
    "orders of long ago": ("outbox/stage-0002-ann-orders-rev2", 2, "over", "over"),
    "orders that were revised": ("outbox/stage-0004-ann-orders-rev2", 3, "superseded", "superseded"),
    "orders that were revised, over": ("outbox/stage-0003-ann-orders-rev2", 3, "superseded", "superseded"),
    "a link": ("outbox/stage-0003-ann-link", 0, "over", "ready"),
    "a lock": ("outbox/stage-0003-gm-lock", 0, "over", "ready"),
    "an ack": ("outbox/stage-0003-gm-ack-rev1", 1, "over", "ready"),
    "openings": ("outbox/stage-0003-ann-openings", 0, "over", "ready"),
    "a reminder": ("outbox/stage-0003-gm-reminder-north", 0, "over", "ready"),
    "an amendment": ("outbox/stage-0003-amend-ann-rev1", 1, "over", "ready"),
    "a report": ("outbox/stage-0001-gm-report-rev1", 2, "ready", "ready"),
    "a protest": ("outbox/stage-0002-ann-protest", 0, "ready", "ready"),
    "a receipt": ("outbox/receipts/stage-0003-ann-order", 0, "ready", "ready"),
    "a receipt of long ago": ("outbox/receipts/stage-0002-ann-order", 0, "over", "over"),
    "a receipt of a seat": ("private/letters/stage-0002-to-ann-received-order", 0, "over", "over"),
    "of no stage": ("outbox/roster-for-all", 0, "ready", "ready"),
    "a join": ("outbox/join-ann", 0, "ready", "ready"),
}


@pytest.mark.parametrize("gm", ["gm", None])
@pytest.mark.parametrize("case", AGES)
def test_what_the_name_of_a_letter_says(case: str, gm: str | None, tmp_path: Path) -> None:
    name, newest, with_gm, without = AGES[case]
    folder = a_folder(tmp_path, terms=SimpleNamespace(arbiter=gm))
    ledger: Any = SimpleNamespace(is_new=False)
    series = {name.rpartition("-rev")[0] or name: newest}
    state = waiting_letters._by_name(folder, ledger, f"{name}.eml", series)
    assert state == (with_gm if gm else without)
    ledger.is_new = True
    stage = name.partition("stage-")[2][:4]
    old = state == "ready" and (int(stage) < 3 if stage else True)
    assert waiting_letters._by_name(folder, ledger, f"{name}.eml", series) == ("old" if old else state)
    folder.roster, folder.stage = None, -1
    assert waiting_letters._by_name(folder, ledger, f"{name}.eml", {}) == "ready"


SAID: dict[str, list[tuple[str, list[str], dict[str, str]]]] = {
    "ready": [],
    "unsure": [("begun", [ANN, BOB], {})],
    "ready after a failure": [("begun", [ANN, BOB], {}), ("failed", [], {})],
    "sent": [("begun", [ANN, BOB], {}), ("sent", [ANN, BOB], {})],
    "one is missing": [("sent", [ANN], {})],
    "one refused for good": [("sent", [ANN], {BOB: "550 no"})],
    "one may still get it": [("sent", [ANN], {BOB: "451 later"})],
    "both refused": [("sent", [], {ANN: "550 no", BOB: "450 busy"})],
    "settled": [("begun", [ANN], {}), ("settled", [], {})],
    "came back": [("sent", [ANN, BOB], {}), ("returned", [], {ANN: "no such box"})],
    "went elsewhere": [("sent", [ANN, "new@example.org"], {BOB: "550 no"})],
    "once more": [("sent", [ANN, BOB], {}), ("again", [], {})],
}
STATES = {
    "ready": ("ready", [ANN, BOB], True),
    "unsure": ("unsure", [ANN, BOB], True),
    "ready after a failure": ("ready", [ANN, BOB], True),
    "sent": ("sent", [], False),
    "one is missing": ("ready", [BOB], True),
    "one refused for good": ("partly", [], False),
    "one may still get it": ("ready", [BOB], True),
    "both refused": ("ready", [BOB], True),
    "settled": ("sent", [BOB], False),
    "came back": ("partly", [], False),
    "went elsewhere": ("sent", [], False),
    "once more": ("ready", [ANN, BOB], True),
}


@pytest.mark.parametrize("case", SAID)
def test_where_a_letter_stands(case: str, tmp_path: Path) -> None:
    folder = a_folder(tmp_path)
    name = "outbox/stage-0004-ann-orders-rev1.eml"
    (tmp_path / "outbox").mkdir()
    (tmp_path / name).write_text(f"From: gm@example.org\nTo: {ANN}\nCc: {BOB}\nSubject: Orders\n\nBody.\n")
    ledger = waiting_letters.book(folder)
    (letter,) = waiting_letters.letters(folder, ledger)
    for what, to, refused in SAID[case]:
        ledger.write(what, name, letter.digest, "10:00", to, refused)  # type: ignore[arg-type]
    for known in (ledger, Ledger(ledger.path)):
        (letter,) = waiting_letters.letters(folder, known)
        assert (letter.state, list(letter.missing), letter.goes) == STATES[case]
        assert letter.subject == "Orders" and letter.to == (ANN, BOB)
    assert bool(letter.why) == any(refused for *_, refused in SAID[case][-1:])
    assert [who for who, _ in letter.refused] == [
        who for *_, refused in SAID[case] for who, why in refused.items() if not why.startswith("4")
    ]


def test_letters_that_wait_are_found_in_four_places(tmp_path: Path) -> None:
    folder = a_folder(tmp_path)
    names = [
        "outbox/stage-0004-gm-ack-rev1.eml",
        "outbox/stage-0004-gm-note.eml",
        "private/letters/stage-0004-to-ann-report.eml",
        "outbox/receipts/stage-0004-ann-order.eml",
        "outbox/drafts/stage-0004-gm-reminder-ann.eml",
    ]
    for name in [*names, "outbox/note.txt", "inbox/stage-0004-x.eml"]:
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("Subject: x\n\n" if "note" in name else f"To: {ANN}\n\n")
    (tmp_path / "outbox/link.eml").symlink_to(tmp_path / names[0])
    (tmp_path / "outbox/folder.eml").mkdir()
    ledger = waiting_letters.book(folder)
    ledger.is_new = False
    found = waiting_letters.letters(folder, ledger)
    assert [letter.name for letter in found] == names
    assert [letter.state for letter in found] == ["ready", "nobody", "ready", "ready", "draft"]
    assert waiting_letters.letters(folder, ledger, since=5) == []
    assert len(waiting_letters.letters(folder, ledger, since=4)) == 5
    chosen, unknown = waiting_letters.named(
        found,
        [
            "stage-0004-gm-ack-rev1",
            str(tmp_path / "outbox/stage-0004-gm-note.pbem.txt"),
            "letters/stage-0004-to-ann-report.eml",
            "stage-0004-gm-ack",
        ],
        tmp_path,
    )
    assert [letter.name for letter in chosen] == names[:3]
    assert unknown == ["stage-0004-gm-ack"]


def test_a_delivery_report_is_told_once(tmp_path: Path) -> None:
    folder = a_folder(tmp_path)
    (tmp_path / "outbox").mkdir()
    name = "outbox/stage-0004-gm-report-rev1.eml"
    (tmp_path / name).write_text(f"To: Ann@Example.org, {BOB}\nMessage-ID: <a1@pbem.invalid>\n\n")
    late = Returned("x", "<a1@pbem.invalid>", ANN, "busy", late=True)
    strange = [
        Returned("x", "<b2@pbem.invalid>", ANN, "no"),
        Returned("x", "<a1@pbem.invalid>", "eve@example.org", "no"),
    ]
    gone = Returned("x", "<a1@pbem.invalid>", ANN, "no such box")
    assert waiting_letters.came_back(folder, strange, "10:00") == []
    (line,) = waiting_letters.came_back(folder, [late], "10:00")
    assert "yet" in line and not waiting_letters.book(folder).path.exists()
    (line,) = waiting_letters.came_back(folder, [gone], "10:01")
    assert all(word in line for word in ("stage-0004-gm-report-rev1", "Ann@Example.org", "no such box"))
    assert waiting_letters.came_back(folder, [gone], "10:02") == []
    (letter,) = waiting_letters.letters(folder, waiting_letters.book(folder))
    assert [who for who, _ in letter.refused] == ["Ann@Example.org"] and letter.missing == (BOB,)


# --- the addresses of seats -----------------------------------------------------------------------------

MAIL = (
    "From: north <seat@pbem>\r\nTo: gm <gm@example.org>\r\n"
    'Cc: "south" <s@pbem>,\r\n west <w@pbem>, Olga <olga@example.org>\r\nSubject: x\r\n\r\nTo: body\r\n'
)
PLAYERS = ["north", "south", "west"]


def heads(changes: Changes, name: str) -> list[str]:
    return changes.files[name].decode().split("\r\n")


def test_a_player_of_a_game_with_pseudonyms_writes_to_the_gm_alone() -> None:
    changes = Changes({"outbox/a.eml": MAIL.encode(), "outbox/a.txt": b"x", "inbox/b.eml": b"y"}, {"gone"})
    made = seat_letters.by_seat(changes, PLAYERS, "north", "gm@example.org", {"north": "n@example.org"})
    assert heads(made, "outbox/a.eml") == [
        "From: n@example.org",
        "To: gm@example.org",
        "Subject: x",
        "",
        "To: body",
        "",
    ]
    assert (
        made.files["outbox/a.txt"] == b"x" and made.files["inbox/b.eml"] == b"y" and made.removed == {"gone"}
    )
    unknown = seat_letters.by_seat(changes, PLAYERS, "north", "gm@example.org", {})
    assert heads(unknown, "outbox/a.eml")[0] == "To: gm@example.org", "who does not say an address has none"


def test_the_gm_writes_to_each_player_alone() -> None:
    name = "outbox/stage-0004-gm-report-rev2.eml"
    known = {"south": "s@example.org", "west": "w@example.org", "west.ab": "new@example.org"}
    changes = Changes({name: MAIL.encode()})
    made = seat_letters.by_seat(changes, PLAYERS, "gm", "gm@example.org", known)
    alone = [f"private/letters/stage-0004-to-{seat}-gm-report-rev2.eml" for seat in ("south", "west")]
    assert sorted(made.files) == sorted([name, *alone]) and not made.removed - {name}
    all_others = "gm <gm@example.org>, Olga <olga@example.org>"
    for file, address in zip([*alone, name], ["s@example.org", "w@example.org", all_others], strict=True):
        assert heads(made, file)[0] == f"To: {address}", file
        assert heads(made, file)[1] == "From: north <seat@pbem>", file
    only = MAIL.replace("gm <gm@example.org>", "west <w@pbem>").replace(", Olga <olga@example.org>", "")
    made = seat_letters.by_seat(Changes({name: only.encode()}), PLAYERS, "gm", "gm@example.org", known)
    coming = "private/letters/stage-0004-to-west.ab-gm-report-rev2.eml"
    assert sorted(made.files) == sorted([*alone, coming]) and made.removed == {name}
    assert heads(made, coming)[0] == "To: new@example.org"
    other = seat_letters.by_seat(Changes({"outbox/roster.eml": only.encode()}), ["south"], "gm", "", {})
    assert sorted(other.files) == ["outbox/roster.eml", "private/letters/roster-to-south.eml"]
    assert heads(other, "private/letters/roster-to-south.eml")[0] == "From: north <seat@pbem>"


def test_a_newcomer_has_an_address_once_the_seat_is_theirs() -> None:
    name = seat_letters.newcomer("west", "key of the newcomer")
    known = {"south": "s@example.org", "west": "w@example.org", name: "new@example.org"}
    assert seat_letters.of_seats(known) == {"south": "s@example.org", "west": "w@example.org"}

    def roster(sign: str) -> bytes:
        return json.dumps({"roster": {"parties": [{"id": "west", "sign": sign}]}}).encode()

    assert not seat_letters.settled_file(known, roster("the old key"))
    made = seat_letters.settled_file(known, roster("key of the newcomer"))
    assert json.loads(made.files[seat_letters.ADDRESSES]) == {
        "south": "s@example.org",
        "west": "new@example.org",
    }


# --- heads in the text of a letter ----------------------------------------------------------------------


def test_heads_are_found_in_any_text() -> None:
    head = HEADS[0]
    assert last_head.said([f"stage 3:\n> {head}", f"4: {'AB' * 32}", f"5:{head}0", f"f6: {head}", head]) == {
        (3, head)
    }
    assert last_head.said(last_head.lines(7, head)) == set(), "a line each"
    assert last_head.said(["\n".join(last_head.lines(7, head))]) == {(7, head)}


def test_a_head_that_differs_is_told() -> None:
    report = SimpleNamespace(report=SimpleNamespace(record=SimpleNamespace(head=HEADS[1])))
    folder: Any = SimpleNamespace(stage=4, head=lambda stage: HEADS[0], of=lambda stage, kind: [])

    def text(stage: int, head: str) -> list[str]:
        return [f"stage {stage}: {head}"]

    assert last_head.compared(folder, text(4, HEADS[0])) == ""
    odd = last_head.compared(folder, text(2, HEADS[1]) + text(5, HEADS[1]))
    assert all(word in odd for word in ("2", HEADS[0][:16], HEADS[1][:16]))
    assert HEADS[0][:17] not in odd and HEADS[1][:17] not in odd
    folder.of = lambda stage, kind: [report]
    assert last_head.compared(folder, text(2, HEADS[1])) == "", "it is that of a report that was replaced"
    newer = last_head.compared(folder, text(5, HEADS[1]))
    assert "5" in newer and "4" in newer
    folder.stage = -1
    assert "5" in last_head.compared(folder, text(5, HEADS[1])) and last_head.of_folder(folder) == []
    assert last_head.compared(folder, text(5, HEADS[1])) != newer
