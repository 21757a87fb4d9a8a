"""What a folder makes of odd emails: the receipt of each statement, and the files that come and go.

Each case is a block of a golden file. Ids have names, so that no key or digest decides how it reads.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from pbem.archive import handing_over
from pbem.archive.press import letter_writing
from pbem.archive.receiving.receive import receive
from pbem.text import canonical
from pbem.trust import joining, sshsig, statements
from pbem.trust.armour import Signed
from pbem.trust.keys import seal_public
from pbem.trust.roster import Party
from pbem.trust.statements import Statement
from tests.unit.archive.games_at_points import Rooms
from tests.unit.archive.table import Seat, Table, signer_of, statements_in
from tests.unit.archive.test_refusals import Block, answered, asked, idle, north

_ID = re.compile(r"(?<![0-9a-z])[0-9a-f]{8,64}(?![0-9a-z])")
EVE = signer_of("eve")
Lines = list[str]
Case = Callable[[Rooms], Lines]


@pytest.fixture(scope="module")
def rooms(tmp_path_factory: pytest.TempPathFactory, _installed: None) -> Rooms:
    return Rooms(tmp_path_factory.mktemp("rooms"))


def got(r: Rooms, reader: Seat, *signed: Signed, late: bool = False, copy: bool = True) -> Lines:
    """What a copy of a folder makes of statements."""
    seat = r.alone(reader) if copy else reader
    before = _files(seat.root)
    receipts = receive(seat.folder, signed, late=late)
    after = _files(seat.root)
    lines = [f"{one.outcome} {one.words}: {one.reason}" for one in receipts]
    lines += [f"  answered by {one.mail}" for one in receipts if one.mail]
    new = [f"  {'~' if name in before else '+'} {name}" for name in after if after[name] != before.get(name)]
    gone = [f"  - {name}" for name in before if name not in after]
    return [_ID.sub("<id>", line) for line in lines] + sorted(_ID.sub("<id>", line) for line in gone + new)


def _files(root: Path) -> dict[str, bytes]:
    return {
        path.relative_to(root).as_posix(): path.read_bytes()
        for path in sorted(root.rglob("*"))
        if path.is_file() and path.name != "lock"
    }


def signed(one: Statement, *by: Any) -> Signed:
    return Signed(one.bytes, tuple(signer.sign(one.bytes) for signer in by))


def entry(
    r: Rooms,
    id: str,
    role: Any = "player",
    sign: Any = EVE,
    salt: bytes | None = None,
) -> Signed:
    """A join that somebody made up."""
    terms = r.invitation.terms
    party = Party(
        id,
        role,
        "Eve",
        "eve@example.org",
        sign.public,
        None if role == "observer" else seal_public(b"e" * 32),
        b"a" * 32 if role == "player" else None,
    )
    return signed(joining.join(party, replace(terms, salt=salt or terms.salt)), sign)


def joined(r: Rooms, name: str) -> Signed:
    (one,) = statements_in(*sorted((r.fresh.players[name].root / "outbox").glob("join-*.pbem.txt")))
    return one


def roster(table: Table, *by: Any) -> Signed:
    return signed(table.gm.folder.signed_roster().statement, *by)


def other_roster(r: Rooms, change: Callable[[dict[str, Any]], object]) -> Signed:
    """The roster of the game with something changed, signed by who invited."""
    data = json.loads(r.half.gm.folder.signed_roster().statement.bytes)
    change(data)
    return signed(statements.build(data), r.half.gm.signer)


def invited(r: Rooms) -> Signed:
    (file,) = (r.fresh.gm.root / "outbox").glob("*.pbem-invitation")
    (one,) = statements_in(file)
    return one


def said(seat: Seat, type: str, body: dict[str, Any], by: Any = None, **outer: Any) -> Signed:
    """A statement of the current stage, as its sender's program would not write it."""
    progress = seat.folder.progress
    data = progress.own_statement(type, body, outer.pop("sender", seat.name), outer.pop("rev", 1)).data
    return signed(statements.build({**data, **outer}), by or seat.signer)


BEFORE: dict[str, Case] = {
    "a join once more": lambda r: got(r, r.fresh.gm, joined(r, "north")),
    "a join for a seat that is taken": lambda r: got(r, r.fresh.gm, entry(r, "north")),
    "a join for a seat that is none": lambda r: got(r, r.fresh.gm, entry(r, "moon")),
    "a join that somebody else has signed": lambda r: got(
        r, r.fresh.gm, Signed(joined(r, "north").data, (EVE.sign(joined(r, "north").data),))
    ),
    "a join that answers another invitation": lambda r: got(r, r.fresh.gm, entry(r, "moon", salt=b"s" * 32)),
    "a join that nobody has signed": lambda r: got(r, r.fresh.gm, Signed(joined(r, "north").data, ())),
    "an observer": lambda r: got(r, r.fresh.gm, entry(r, "olga", "observer")),
    "a deputy": lambda r: got(r, r.fresh.gm, entry(r, "dora", "deputy")),
    "an observer in a seat": lambda r: got(r, r.fresh.gm, entry(r, "south", "observer")),
    "a deputy in a seat": lambda r: got(r, r.fresh.gm, entry(r, "south", "deputy")),
    "a join with the key of another": lambda r: got(
        r, r.fresh.gm, entry(r, "olga", "observer", north(r.fresh).signer)
    ),
    "the last seat": lambda r: _without_south(r, joined(r, "south")),
    "the first seat of two": lambda r: _without_south(r, joined(r, "north"), "north"),
    "an observer who has the id of a free seat": lambda r: _without_south(r, entry(r, "south", "observer")),
    "a join to a player": lambda r: got(r, north(r.fresh), joined(r, "south")),
    "a join when the roster is made": lambda r: got(r, r.half.gm, entry(r, "olga", "observer")),
    "an invitation": lambda r: got(r, north(r.fresh), invited(r)),
    "a roster": lambda r: got(r, north(r.fresh), roster(r.half, r.half.gm.signer)),
    "a roster of another game": lambda r: got(r, north(r.fresh), roster(r.open, r.open.gm.signer)),
    "a roster to who makes it": lambda r: got(r, r.fresh.gm, roster(r.half, r.half.gm.signer)),
    "a roster that the GM has not signed": lambda r: got(
        r, north(r.fresh), roster(r.half, r.half.players["south"].signer)
    ),
    "a roster with a signature more": lambda r: got(
        r, north(r.half), roster(r.half, r.half.players["south"].signer, EVE)
    ),
    "a roster with the signatures of all": lambda r: got(
        r, north(r.half), roster(r.half, *(seat.signer for seat in r.half.players.values()))
    ),
    "a roster once more": lambda r: got(r, north(r.half), roster(r.half, r.half.gm.signer)),
    "another roster": lambda r: got(
        r, north(r.half), other_roster(r, lambda data: data["parties"][2].update(name="Sue"))
    ),
    "a roster without a seat": lambda r: got(
        r, north(r.fresh), other_roster(r, lambda data: data["parties"].pop())
    ),
    "a roster with another GM": lambda r: got(
        r,
        north(r.fresh),
        other_roster(r, lambda data: data["parties"][0].update(sign=sshsig.public_line(EVE.public))),
    ),
    "orders before there is a roster": lambda r: got(
        r, north(r.fresh), said(north(r.open), "order", {"orders": []})
    ),
    "orders before all have signed": lambda r: got(
        r,
        north(r.half),
        signed(_early(r), r.half.gm.signer),
        said(north(r.open), "order", {"orders": []}),
    ),
}


def _without_south(r: Rooms, one: Signed, also: str = "") -> Lines:
    twin = r.alone(r.fresh.gm)
    for name in ("south", also):
        for path in (twin.root / "inbox/joins").glob(f"{name}.*"):
            path.unlink()
    return got(r, twin, one, copy=False)


def _early(r: Rooms) -> Statement:
    game = r.half.gm.folder.signed_roster().game
    body: Any = {"text": "hello"}
    return statements.make("protest", body, game=game, sender="gm", stage=1, prev=game)


def letter(seat: Seat, body: dict[str, Any], by: Any = None, **outer: Any) -> Signed:
    return said(seat, "letter", {"n": 1, **body}, by, **outer)


def private(seat: Seat, *to: str, text: str = "psst") -> Signed:
    """A letter to these readers, as somebody's program writes it."""
    twin = seat
    written = letter_writing.write(twin.folder, twin.signer, text, to)
    (one,) = statements_in(*(path for path in written.files if path.name.endswith(".pbem.txt")))
    return one


def spoilt(one: Signed, signer: Any, change: Callable[[dict[str, Any]], object]) -> Signed:
    data = json.loads(one.data)
    change(data)
    raw = canonical.dumps(data)
    return Signed(raw, (signer.sign(raw),))


def many(r: Rooms, count: int) -> Lines:
    """As many letters of a sender in one email; what happens to the last three."""
    south = r.open.players["south"]
    before: dict[str, Any] = {"after": "ab" * 32}
    bodies = [{"n": n, "text": str(n), **(before if n > 1 else {})} for n in range(1, count)]
    lines = got(r, north(r.open), *(said(south, "letter", body) for body in bodies))
    taken = [line for line in lines if line.startswith("taken")]
    return [f"{len(taken)} are taken", *(line for line in lines[: count - 1] if line not in taken)]


def seal_of_another(data: dict[str, Any]) -> None:
    sealed = data["body"]["sealed"]
    data["body"]["sealed"] = {
        name: ("AAAA" if blob[:4] != "AAAA" else "BBBB") + blob[4:] for name, blob in sealed.items()
    }


LETTERS: dict[str, Case] = {
    "a letter to all": lambda r: got(r, north(r.open), letter(r.open.gm, {"text": "hello"})),
    "a letter to all, twice": lambda r: got(
        r, north(r.open), letter(r.open.gm, {"text": "hello"}), letter(r.open.gm, {"text": "hello"})
    ),
    "a letter for another game": lambda r: got(
        r, north(r.open), letter(r.open.gm, {"text": "hello"}, game="ab" * 32)
    ),
    "a letter of a stranger": lambda r: got(r, north(r.open), letter(r.open.gm, {"text": "hello"}, EVE)),
    "a letter in another's name": lambda r: got(
        r, north(r.open), letter(r.open.gm, {"text": "hello"}, r.open.players["south"].signer)
    ),
    "a letter of a later stage": lambda r: got(r, north(r.open), letter(r.open.gm, {"text": "yes"}, stage=9)),
    "a letter of an earlier stage": lambda r: got(
        r, north(r.later), letter(r.later.gm, {"text": "then"}, stage=1)
    ),
    "a letter that is too long": lambda r: got(r, north(r.open), letter(r.open.gm, {"text": "x" * 17_000})),
    "a private letter": lambda r: got(r, north(r.open), private(r.alone(r.open.gm), "north")),
    "a private letter to others": lambda r: got(r, r.open.gm, private(r.alone(north(r.open)), "south")),
    "a private letter whose seal is damaged": lambda r: got(
        r,
        north(r.open),
        spoilt(private(r.alone(r.open.gm), "north"), r.open.gm.signer, seal_of_another),
    ),
    "a private letter with another commitment": lambda r: got(
        r,
        north(r.open),
        spoilt(
            private(r.alone(r.open.gm), "north"),
            r.open.gm.signer,
            lambda data: data["body"].update(commit="ab" * 32),
        ),
    ),
    "a private letter where only public ones were agreed": lambda r: got(
        r, r.public.players["south"], said(north(r.public), "letter", private_body(r))
    ),
    "a private letter of the GM where only public ones were agreed": lambda r: got(
        r, north(r.public), private(r.alone(r.public.gm), "north")
    ),
    "a letter sent on by a player": lambda r: got(
        r, r.open.gm, letter(north(r.open), {"text": "psst", "grey": "ab" * 32})
    ),
    "a letter sent on where that was not agreed": lambda r: got(
        r, north(r.open), letter(r.open.gm, {"text": "psst", "grey": "ab" * 32})
    ),
    "a private letter to somebody who left": lambda r: got(
        r,
        north(r.open),
        letter(r.open.gm, {"to": ["east"], "commit": "ab" * 32, "sealed": {"east": "AAAA" * 100}}),
    ),
    "a hundred letters": lambda r: many(r, 101),
    "a hundred and two letters": lambda r: many(r, 103),
}


def private_body(r: Rooms) -> dict[str, Any]:
    """The body of a private letter, as no program writes it where only public ones were agreed."""
    body: dict[str, Any] = json.loads(private(r.alone(north(r.open)), "south").data)["body"]
    return body


ALL = ["north", "south"]
SEALED: dict[str, Any] = {"orders": [], "sealed": {"gm": "AAAA" * 400}}


def secret_of(table: Table) -> dict[str, Any]:
    return {"secret": table.gm.folder.private.gm_secret.hex()}


def two_in_one(r: Rooms) -> Lines:
    seat = asked(r.later)
    return got(
        r,
        r.later.gm,
        said(seat, "protest", {"text": "no"}),
        said(seat, "protest", {"text": "no"}),
        said(seat, "protest", {"text": "yes"}),
    )


def after_the_end(r: Rooms) -> Lines:
    seat = north(r.ended)
    return got(
        r,
        r.ended.gm,
        said(seat, "protest", {"text": "no"}),
        said(seat, "standing", {"commits": {"standing/later": "ab" * 32}, "sealed": {"gm": "AAAA" * 400}}),
    )


STAGE: dict[str, Case] = {
    "a protest twice, and another": two_in_one,
    "a protest after the end": after_the_end,
    "an order of somebody who is not asked": lambda r: got(
        r, r.later.gm, said(idle(r.later), "order", SEALED)
    ),
    "an order of a closed stage": lambda r: got(
        r, r.later.gm, said(asked(r.later), "order", SEALED, stage=2)
    ),
    "an order of the next stage": lambda r: got(
        r, r.later.gm, said(asked(r.later), "order", SEALED, stage=4)
    ),
    "an order of a stage that is far": lambda r: got(
        r, r.later.gm, said(asked(r.later), "order", SEALED, stage=9)
    ),
    "an order of another history": lambda r: got(
        r,
        r.later.gm,
        said(asked(r.later), "order", SEALED, prev="ab" * 32),
    ),
    "an order of another history to a player": lambda r: got(
        r,
        r.later.players["north" if asked(r.later).name == "south" else "south"],
        said(asked(r.later), "order", SEALED, prev="ab" * 32),
    ),
    "an order with a seal that does not open": lambda r: got(
        r, r.later.gm, said(asked(r.later), "order", SEALED)
    ),
    "an acknowledgement by a player": lambda r: got(
        r, r.later.gm, said(asked(r.later), "ack", {"have": ["ab" * 32]})
    ),
    "an acknowledgement": lambda r: got(r, north(r.later), said(r.later.gm, "ack", {"have": ["ab" * 32]})),
    "a charge where there is no deputy": lambda r: got(
        r, north(r.later), said(r.later.gm, "charge", {"to": "north"})
    ),
    "a charge of another history": lambda r: got(
        r, north(r.later), said(r.later.gm, "charge", {"to": "north"}, prev="ab" * 32)
    ),
    "a lock where there are none": lambda r: got(
        r, north(r.later), said(r.later.gm, "lock", {"accepted": {}, "forfeits": []})
    ),
    "the GM's own lock": lambda r: got(
        r,
        r.locked.gm,
        said(
            r.locked.gm,
            "lock",
            {"accepted": dict.fromkeys(r.locked.progress.asked), "forfeits": sorted(r.locked.progress.asked)},
        ),
    ),
    "an unseal with another secret": lambda r: got(
        r, north(r.fog), said(r.fog.gm, "unseal", {"secret": "ab" * 32})
    ),
    "an unseal of another history": lambda r: got(
        r,
        north(r.fog),
        said(r.fog.gm, "unseal", {"secret": r.fog.gm.folder.private.gm_secret.hex()}, prev="ab" * 32),
    ),
    "an amendment that cannot be": lambda r: got(
        r, north(r.later), said(r.later.gm, "amend", {"ops": [{"op": "option", "name": "turns", "value": 9}]})
    ),
    "an amendment, and with a signature more": lambda r: _amended(r),
    "a statement of another game": lambda r: got(r, r.later.gm, said(r.fog.gm, "protest", {"text": "no"})),
    "a statement of a stranger": lambda r: got(
        r, r.later.gm, said(r.later.gm, "protest", {"text": "no"}, EVE)
    ),
    "the second order of two comes first": lambda r: _of_two(r),
}


def _amended(r: Rooms) -> Lines:
    ops = {"ops": [{"op": "option", "name": "turns", "value": 1}]}
    reader = r.alone(north(r.later))
    by_gm = said(r.later.gm, "amend", ops)
    both = Signed(by_gm.data, (*by_gm.signatures, r.later.players["south"].signer.sign(by_gm.data)))
    return [line for one in (by_gm, by_gm, both) for line in got(r, reader, one, copy=False)]


def _of_two(r: Rooms) -> Lines:
    """North's answer comes to somebody who has not read what it answers, then that, then both at once."""
    table = r.pair.copy(r.place())
    first, second = table.players["south"], table.players["north"]
    away, watcher = first.copy(r.place() / "away"), first.copy(r.place() / "watcher")
    order = statements_in(*answered(first).mails())[-1]
    second.receive_signed(order)
    reply = statements_in(*answered(second).mails())[-1]
    lines = got(r, watcher, reply, copy=False)
    return [*lines, *got(r, watcher, order, copy=False), *got(r, away, reply, order)]


def handover(r: Rooms, **change: Any) -> Signed:
    """A handover in which something is wrong."""
    table = r.named
    twin = r.alone(table.gm)
    with pytest.MonkeyPatch.context() as patch:
        right = handing_over.contents(twin.folder)
        patch.setattr(handing_over, "contents", lambda folder: replace(right, **change))
        written = handing_over.hand_over(twin.folder, twin.signer)
    (one,) = statements_in(*(path for path in written if path.name.endswith(".pbem.txt")))
    return one


KEYS = {"chain": "ab" * 32, "seal": "cd" * 32, "sign": "ef" * 32}

DEPUTIES: dict[str, Case] = {
    "a handover": lambda r: got(r, r.named.deputy, handover(r)),
    "a handover twice": lambda r: _twice(r),
    "a handover to a player": lambda r: got(r, north(r.named), handover(r)),
    "a handover with another anchor": lambda r: got(r, r.named.deputy, handover(r, anchor=b"a" * 32)),
    "a handover with another chain": lambda r: got(r, r.named.deputy, handover(r, chain=b"a" * 32)),
    "a handover with another seal key": lambda r: got(r, r.named.deputy, handover(r, seal=(b"a" * 32,))),
    "a handover with another secret": lambda r: got(r, r.named.deputy, handover(r, secret=b"a" * 32)),
    "a handover of another history": lambda r: got(
        r, r.named.deputy, spoilt(handover(r), r.named.gm.signer, lambda data: data.update(prev="ab" * 32))
    ),
    "a handover for another game": lambda r: got(
        r, r.named.deputy, spoilt(handover(r), r.named.gm.signer, lambda data: data.update(game="ab" * 32))
    ),
    "a handover of a later stage": lambda r: got(
        r, r.named.deputy, spoilt(handover(r), r.named.gm.signer, lambda data: data.update(stage=4))
    ),
    "a handover whose seal is damaged": lambda r: got(
        r, r.named.deputy, spoilt(handover(r), r.named.gm.signer, seal_of_another)
    ),
    "a handover that somebody else has signed": lambda r: got(
        r, r.named.deputy, spoilt(handover(r), EVE, lambda data: None)
    ),
    "a charge": lambda r: got(r, north(r.handed), said(r.handed.gm, "charge", {"to": "dora"})),
    "a charge of the deputy, who may not": lambda r: got(
        r, north(r.handed), said(r.handed.deputy, "charge", {"to": "dora"})
    ),
    "a charge of a player to herself": lambda r: got(
        r, r.handed.gm, said(north(r.handed), "charge", {"to": "north"})
    ),
    "an acknowledgement of the deputy without a charge": lambda r: got(
        r, north(r.handed), said(r.handed.deputy, "ack", {"have": ["ab" * 32, "cd" * 32]})
    ),
    "a charge and an acknowledgement on it": lambda r: got(
        r,
        north(r.handed),
        said(r.handed.deputy, "ack", {"have": ["ab" * 32, "cd" * 32]}),
        said(r.handed.gm, "charge", {"to": "dora"}),
    ),
}


def _twice(r: Rooms) -> Lines:
    reader, one = r.alone(r.named.deputy), handover(r)
    return [*got(r, reader, one, copy=False), *got(r, reader, one, copy=False)]


CASES = {"before": BEFORE, "letters": LETTERS, "stage": STAGE, "deputies": DEPUTIES}


@pytest.mark.parametrize(
    ("name", "title"), [(name, title) for name, cases in CASES.items() for title in cases]
)
def test_what_comes_gets_its_receipt_and_its_place(
    rooms: Rooms, golden_block: Block, name: str, title: str
) -> None:
    golden_block(f"received-{name}.txt", list(CASES[name]), title, CASES[name][title](rooms))
