"""What a GM answers to what came: receipts, drafts to people without a signature, and what is noted of it."""

from __future__ import annotations

import email
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from pbem.archive.folder.changes import Changes
from pbem.archive.receiving import following_up
from pbem.mail.read import Plain
from pbem.stages.receipts import Receipt
from pbem.trust.armour import Signed
from pbem.trust.statements import Statement, make

GAME, HEAD = "ab" * 32, "cd" * 32


def party(id: str, role: str = "player") -> Any:
    return SimpleNamespace(id=id, role=role, name=id.title(), mail=f"{id.title()}@example.org", proxy=None)


def folder(root: Path, **change: Any) -> Any:
    parties = [party("gm", "gm"), party("north"), party("south")]
    terms = SimpleNamespace(title="Ford", arbiter="gm", salt=bytes(32), scenario=SimpleNamespace(name="ford"))
    roster = SimpleNamespace(
        game=GAME, parties=parties, active=parties, by_id={one.id: one for one in parties}, terms=terms
    )
    has: dict[str, Any] = {
        "root": root,
        "me": "gm",
        "say": str,
        "roster": roster,
        "terms": terms,
        "need_roster": lambda: roster,
        "need_me": lambda: "gm",
        "stage": 2,
        "head": lambda stage: HEAD,
        "progress": SimpleNamespace(open_stage=3, asked={"north": ["card", "move/1", "ready"]}),
        "private": SimpleNamespace(json=lambda name: {**has, **change}["log"]),
        "log": None,
    }
    return SimpleNamespace(**has | change)


def said(kind: str = "order", stage: int = 3, sender: str = "north", **body: Any) -> Statement:
    body = body or ({"orders": [{"decision": "card", "answer": 3}]} if kind == "order" else {"text": "No."})
    return make(kind, body, game=GAME, sender=sender, stage=stage, prev=HEAD)


def answered(
    place: Any, statement: Statement, outcome: Any = "taken", beside: str = "", at: str = "10:00"
) -> tuple[str, str, list[str]]:
    """Name, subject and lines of the receipt; none is "", "", []."""
    changes = Changes()
    carried: Any = SimpleNamespace(signed=Signed(statement.bytes, ()))
    receipt = Receipt(outcome, "the statement", "because", sid=statement.sid)
    arrived = {statement.sid: at} if at else {}
    names = following_up._receipt(place, receipt, carried, beside, arrived, changes)
    assert sorted(changes.files) == names
    if not names:
        return "", "", []
    letter = email.message_from_bytes(changes.files[names[0]])
    text = letter.get_payload(decode=True)
    assert isinstance(text, bytes) and "north@example.org" in str(letter["To"]).lower()
    return names[0], str(letter["Subject"]), text.decode().replace("\r\n", "\n").split("\n")


def test_a_receipt_says_what_was_understood_and_what_is_open(tmp_path: Path) -> None:
    place, order = folder(tmp_path), said()
    name, _, lines = answered(place, order)
    assert name == f"outbox/receipts/stage-0003-north-{order.sid[:8]}-received-order.eml"
    text = "\n".join(lines)
    assert all(word in text for word in ("the statement", "because", "10:00", "card: 3", "move/1", HEAD))
    assert "ready" not in text, "nobody has to say that"
    assert not any("not answered" in line and "card" in line for line in lines)
    without = answered(place, order, at="")[2]
    assert len(without) == len(lines) - 1 and not any("10:00" in line for line in without)
    odd = answered(place, order, beside="its text says something else")[2]
    assert [line for line in odd if line not in lines] == ["Its text says something else."]
    (tmp_path / "outbox/receipts").mkdir(parents=True)
    (tmp_path / name).write_text("x")
    assert answered(place, order)[2] == []


def test_what_became_of_a_statement_is_said_in_its_receipt(tmp_path: Path) -> None:
    place, order, earlier = folder(tmp_path), said(), said(stage=2)
    texts = {outcome: answered(place, order, outcome) for outcome in ("taken", "early", "late", "duplicate")}
    assert len({texts[outcome][2][2] for outcome in ("taken", "early", "late")}) == 3
    assert texts["late"][0] == f"outbox/receipts/too-late-{order.sid[:16]}-north.eml"
    assert texts["late"][1] != texts["taken"][1] == texts["early"][1]
    assert texts["late"][2][-6:] != texts["taken"][2][-6:]
    assert answered(place, earlier, "duplicate")[2] == [], "of the open stage alone"
    assert not any("move/1" in line for line in answered(place, earlier, "late")[2])
    protest = answered(place, said("protest"))
    assert "received-protest" in protest[0] and not any("move/1" in line for line in protest[2])


def test_some_get_no_receipt(tmp_path: Path) -> None:
    place = folder(tmp_path)
    for sender in ("gm", "eve"):
        assert answered(place, said("protest", sender=sender))[2] == []
    odd: Any = SimpleNamespace(signed=Signed(b"{}", ()))
    receipt = Receipt("taken", "it", "", sid="ab" * 32)
    assert following_up._receipt(place, receipt, odd, "", {}, Changes()) == []


@pytest.mark.parametrize("kind", ["_draft", "_damaged"])
def test_who_seems_to_have_written_gets_a_draft(tmp_path: Path, kind: str) -> None:
    place, changes = folder(tmp_path), Changes()
    write: Any = getattr(following_up, kind)
    digest = "12" * 32

    def plain(sender: str) -> Plain:
        reply: Any = SimpleNamespace(sender=sender, digest=digest)
        return reply

    assert write(place, plain("eve@example.org"), changes) == []
    assert write(place, plain("gm@example.org"), changes) == [] and not changes
    (name,) = write(place, plain("north@example.org"), changes)
    begins = "unsigned" if kind == "_draft" else "damaged"
    assert name == f"outbox/drafts/{begins}-north-{digest[:12]}.eml"
    letter = email.message_from_bytes(changes.files[name])
    assert "North@example.org" in str(letter["To"]) and digest[:24] in str(letter["Message-ID"])
    assert digest not in str(letter["In-Reply-To"])


def test_when_a_statement_came_first_is_kept() -> None:
    def noted(log: Any, *receipts: Receipt) -> tuple[dict[str, str], Changes]:
        changes = Changes()
        place = folder(Path(), log=log)
        return following_up._arrived(place, receipts, "12:00", changes), changes

    new, old = Receipt("taken", "", "", sid="ab"), Receipt("duplicate", "", "", sid="cd")
    nobody, unsigned = Receipt("refused", "", "", sid=""), Receipt("unsigned", "", "", sid="ef")
    known, changes = noted({"arrived": {"cd": "10:00"}, "more": 1}, new, old, nobody, unsigned)
    assert known == {"cd": "10:00", "ab": "12:00"}
    (text,) = changes.files.values()
    assert b'"more": 1' in text and b'"ab": "12:00"' in text and b'"cd": "10:00"' in text
    known, changes = noted({"arrived": {"cd": "10:00"}}, old, nobody)
    assert known == {"cd": "10:00"} and not changes


OTHERS: list[tuple[bytes, bool]] = [
    (b'{"game": "%s"}' % GAME.encode(), False),
    (b'{"game": "%s"}' % HEAD.encode(), True),
    (b'{"salt": "%s"}' % (b"00" * 32), False),
    (b'{"salt": "%s", "game": "x"}' % (b"01" * 32), True),
    (b'{"game": 3}', False),
    (b"[]", False),
    (b"{", False),
    (b"[" * 100_000, False),
    (b"{}", False),
]


@pytest.mark.parametrize(("data", "other"), OTHERS, ids=range(len(OTHERS)))
def test_several_games_may_share_a_mailbox(data: bytes, other: bool) -> None:
    place = folder(Path())
    assert following_up.of_another_game(place, data) == other
    place.roster = None
    assert following_up.of_another_game(place, data) == (other and b"salt" in data)
