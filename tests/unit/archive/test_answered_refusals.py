"""Who is told that something does not count, and with what; whose signatures under a roster are good."""

from __future__ import annotations

import email
import json
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from pbem.archive.amending import new_keys
from pbem.archive.folder.changes import Changes
from pbem.archive.folder.game_folder import Folder
from pbem.archive.letters import refusals
from pbem.archive.setting_up.roster_files import good_signatures
from pbem.trust import sshsig
from pbem.trust.armour import Signed
from pbem.trust.errors import NotAccepted
from pbem.trust.statements import make
from tests.unit.archive.table import signer_of

H0 = "0" * 64


def party(id: str, role: str = "player") -> Any:
    return SimpleNamespace(
        id=id, role=role, name=id.title(), mail=f"{id}@example.org", sign=signer_of(id).public, proxy=None
    )


def folder(**change: Any) -> Any:
    parties = [party("gm", "gm"), party("north"), party("south")]
    terms = SimpleNamespace(title="Ford", arbiter="gm", dice=change.pop("dice", "swift"))
    roster = SimpleNamespace(game=H0, active=parties, by_id={one.id: one for one in parties}, terms=terms)
    here = [("order", "a"), ("order", "b"), ("link", "c"), ("lock", "d"), ("report", "e"), ("ack", "f")]
    listed = [(SimpleNamespace(type=kind, sid=sid), Signed(sid.encode(), ())) for kind, sid in here]
    has: dict[str, Any] = {
        "me": "gm",
        "say": str,
        "acting": True,
        "stage": 2,
        "need_roster": lambda: roster,
        "progress": SimpleNamespace(open_stage=3),
        "record": lambda stage: SimpleNamespace(sids=["a"]),
        "statements": lambda stage: listed,
    }
    return SimpleNamespace(**has | change)


def answered(place: Any, code: str = "schema", sender: str = "north", **more: Any) -> Any:
    statement = make("protest", {"text": "x"}, game=H0, sender="north", stage=3, prev=H0)
    signed = Signed(statement.bytes, (signer_of(sender).sign(statement.bytes),))
    changes, name = refusals.answer(place, signed, "the order", NotAccepted(code, "because"), **more)
    assert bool(changes.files) == bool(name)
    if not name:
        return None
    assert name == f"outbox/refused-{statement.sid[:16]}-{sender}.pbem.txt" and name in changes.files
    letter = email.message_from_bytes(changes.files[name.replace(".pbem.txt", ".eml")])
    assert statement.sid[:16] in str(letter["In-Reply-To"]), "it answers what came"
    assert f"{sender}@example.org" in str(letter["To"])
    return changes.files[name].decode()


def test_the_gm_answers_everybody_but_strangers_and_himself() -> None:
    text = answered(folder())
    assert "the order" in text and "because" in text
    assert answered(folder(), sender="eve") is None
    assert answered(folder(), sender="gm") is None
    assert answered(folder(me=None)) is None
    assert len(answered(folder(), "unreadable").split("\n")) == len(text.split("\n")) + 2


def test_others_answer_only_who_follows_another_history() -> None:
    player = {"me": "south", "acting": False}
    assert answered(folder(**player)) is None
    assert answered(folder(**player), reader=True)
    assert answered(folder(**player, dice="pair"))
    assert answered(folder(**player, stage=-1), "prev")


def test_with_the_newest_report_goes_what_it_rests_on() -> None:
    data = [signed.data for signed in refusals.newest_report(folder())]
    assert data == [b"a", b"c", b"d", b"e"]
    assert refusals.newest_report(folder(stage=-1)) == []


def test_good_signatures_are_those_of_parties_under_these_bytes() -> None:
    roster: Any = SimpleNamespace(
        parties=[party("gm", "gm"), party("north"), party("south")],
        statement=SimpleNamespace(bytes=b"roster"),
    )
    gm, north, eve = (signer_of(name).sign(b"roster") for name in ("gm", "north", "eve"))
    other = signer_of("south").sign(b"other")
    assert good_signatures(roster, [north, "x", eve, other, gm]) == {"gm": gm, "north": north}


@pytest.mark.parametrize("file", [None, "~/.ssh/new"])
def test_where_a_key_to_come_lies_is_noted_and_the_key_is_not(file: str | None) -> None:
    kept: list[Changes] = []
    place: Any = SimpleNamespace(commit=kept.append)
    public = signer_of("new").public
    new_keys.remember_key(place, public, file)
    if file is None:
        assert kept == []
        return
    ((name, data),) = kept[0].files.items()
    assert name.startswith("private/") and name.endswith(".json")
    assert json.loads(data) == {"sign": sshsig.public_line(public), "key_file": file}


def test_signatures_under_the_roster_are_read_as_they_are(tmp_path: Path) -> None:
    (tmp_path / "roster.north.sig").write_text("signature")
    (tmp_path / "roster.south.sig").write_bytes(b"\xff")
    (tmp_path / "roster.json").write_text("{}")
    place: Any = SimpleNamespace(root=tmp_path)
    place.roster_signatures = lambda: Folder.roster_signatures(place)
    parties = [party("gm", "gm"), party("north"), party("south")]
    place.signed_roster = lambda: SimpleNamespace(parties=parties)
    assert place.roster_signatures() == {"north": "signature", "south": "\ufffd"}
    assert Folder.unsigned(place) == ("gm",)
