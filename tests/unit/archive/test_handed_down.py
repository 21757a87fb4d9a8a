"""What one GM hands on to the next: the secrets of all before, and how the game stands."""

from __future__ import annotations

import json
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from pbem.archive.amending import joining_late
from pbem.archive.deputies import handing_over
from pbem.archive.folder import private_side
from pbem.stages.handovers import Handover
from pbem.text.diagnostics import Refused
from pbem.trust.armour import Signed
from pbem.trust.chain import Chain
from pbem.trust.keys import FileSigner, seal_file
from pbem.trust.statements import make

SALT, LENGTH, H0 = bytes(range(32)), 5, "0" * 64
SIGNER = FileSigner.from_seed(bytes(32))
TERMS = SimpleNamespace(
    salt=SALT, chain_length=LENGTH, title="Ford", scenario=SimpleNamespace(name="ford"), dice="swift"
)


def key(n: int) -> bytes:
    return bytes([n]) * 32


def former(side: Path, stage: int, n: int, *, gm: bool = True) -> None:
    """The private side of a GM who left after a stage; or of a player, who had no secret."""
    place = side / f"former/{stage:04d}"
    place.mkdir(parents=True)
    secrets = {"party": "gm", "chain": key(n).hex(), **({"gm": key(n + 1).hex()} if gm else {})}
    (place / "secrets.json").write_text(json.dumps(secrets))
    (place / "seal.pem").write_bytes(seal_file(key(n + 2)))


def folder(side: Path, ops: Any = (), **rulings: Any) -> Any:
    here = [SimpleNamespace(sid=f"s{n}", amendment=SimpleNamespace(ops=[op])) for n, op in enumerate(ops)]
    anchor = Chain(SALT, "gm", key(40), LENGTH).anchor
    gm = SimpleNamespace(id="gm", role="gm", anchor=anchor)
    roster = SimpleNamespace(terms=TERMS, by_id={"gm": gm}, deputy=SimpleNamespace(id="dora"))
    private = SimpleNamespace(
        side=side,
        chain=lambda length, anchor: SimpleNamespace(start=key(40)),
        gm_secret=key(41),
        seal_key=key(42),
        ruling=rulings.get,
        json=lambda name: rulings.get("noted"),
    )
    return SimpleNamespace(
        need_roster=lambda: roster,
        need_me=lambda *roles: "gm",
        private=private,
        progress=SimpleNamespace(open_stage=3),
        of=lambda stage, kind: here if stage == 2 else [],
    )


def test_a_gm_hands_on_what_those_before_had(tmp_path: Path) -> None:
    alone = handing_over.contents(folder(tmp_path))
    anchor = Chain(SALT, "gm", key(40), LENGTH).anchor
    assert alone == Handover(anchor, key(40), key(41), (key(42),))
    former(tmp_path, 7, 20)
    former(tmp_path, 3, 10)
    former(tmp_path, 5, 30, gm=False)
    made = handing_over.contents(folder(tmp_path))
    last, first = made.former, made.former and made.former.former
    assert last is not None and first is not None and first.former is None
    assert (last.chain, last.secret, last.seal) == (key(20), key(21), (key(22),))
    assert (first.chain, first.secret, first.seal) == (key(10), key(11), (key(12),))
    assert last.anchor == Chain(SALT, "gm", key(20), LENGTH).anchor != first.anchor
    assert Handover.of(made.data()) == made


def test_a_gm_hands_on_the_rulings_that_were_committed_to(tmp_path: Path) -> None:
    ops = [{"op": "ruling", "commit": "x"}, {"op": "ruling"}, {"op": "ruling", "commit": "y"}]
    made = handing_over.contents(folder(tmp_path, ops, s0="first", s1="not committed"))
    assert made.openings == {"s0": "first"}


@pytest.mark.parametrize(
    ("noted", "before"), [(None, False), ({"to": "dora"}, True), ({"to": "emil"}, False)]
)
def test_a_gm_knows_whether_the_deputy_has_everything(tmp_path: Path, noted: Any, before: bool) -> None:
    place = folder(tmp_path, noted=noted)
    assert handing_over.handed_before(place) == before
    place.need_roster().deputy = None
    assert not handing_over.handed_before(place)


def test_handovers_are_kept_with_the_newest_last(tmp_path: Path) -> None:
    place: Any = SimpleNamespace(private=SimpleNamespace(side=tmp_path))
    made = [
        make("order", {"orders": []}, game=H0, sender="gm", stage=stage, prev=H0, rev=rev)
        for stage, rev in ((4, 1), (3, 2), (3, 1))
    ]
    for statement in made:
        signed = Signed(statement.bytes, (SIGNER.sign(statement.bytes),))
        for name, data in handing_over.keep(statement, signed).files.items():
            path = tmp_path / name.removeprefix("private/")
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(data)
    side = tmp_path / private_side.HANDOVERS.removeprefix("private/")
    (side / f"{'a' * 64}.json").write_text("{}")
    (side / f"{'a' * 64}.sig").write_text("x")
    (side / f"{'b' * 64}.json").write_bytes(made[0].bytes)
    (side / "note.json").write_text("{}")
    assert handing_over.kept(place) == made[::-1]
    assert [statement.sid for statement, _ in handing_over.kept_signed(place)] == sorted(
        one.sid for one in made
    )
    (side / f"{made[1].sid}.sig").unlink()
    assert handing_over.kept(place) == [made[2], made[0]]


def handed(side: Path, stage: int = 7) -> None:
    """What the GM before kept."""
    (side / "past").mkdir(parents=True)
    for name in (
        "state.yaml",
        "kept.json",
        "secrets.json",
        "seal.pem",
        "past/0001.z",
        "past/0002.z",
        "note.txt",
    ):
        (side / name).write_text(name)
    (side / "facts.json").write_text(json.dumps({"stage": stage}))


def test_a_new_gm_takes_what_the_old_one_kept(tmp_path: Path) -> None:
    handed(tmp_path)
    made = {name: data.decode() for name, data in joining_late._handed_over(tmp_path, 7).files.items()}
    former = f"{private_side.FORMER}/0007"
    assert (
        made.pop(f"{former}/secrets.json") == "secrets.json" and made.pop(f"{former}/seal.pem") == "seal.pem"
    )
    assert made.pop(private_side.FACTS) == '{"stage": 7}'
    assert {name.removeprefix("private/"): text for name, text in made.items()} == {
        name: name for name in ("state.yaml", "kept.json", "past/0001.z", "past/0002.z")
    }


@pytest.mark.parametrize(
    ("lost", "code"),
    [("secrets.json", "no-secret"), ("seal.pem", "no-secret"), ("facts.json", "no-state"), ("", "no-state")],
)
def test_what_the_old_one_lacks_is_no_use(tmp_path: Path, lost: str, code: str) -> None:
    handed(tmp_path, 7 if lost else 6)
    (tmp_path / (lost or "kept.json")).unlink()
    with pytest.raises(Refused) as error:
        joining_late._handed_over(tmp_path, 7)
    assert error.value.diagnostics[0].code == code
