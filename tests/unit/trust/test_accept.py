"""Which signed statements may count: each check of protocol 5.3 that needs no history, in its order."""

from __future__ import annotations

import base64
from types import SimpleNamespace
from typing import Any

import pytest

from pbem.trust.accept import accept, check_mode, signer
from pbem.trust.errors import NotAccepted
from pbem.trust.keys import FileSigner, make_key
from pbem.trust.roster import Party, Roster
from pbem.trust.statements import MAX_FROM_GM, MAX_FROM_PLAYER, make

BLOB = base64.b64encode(bytes(304)).decode()
H0 = "0" * 64
OPENED: Any = {"attack/1": {"nonce": H0, "value": 1}}
SEALED: Any = {"orders": [], "sealed": {"gm": BLOB}}


@pytest.fixture
def say(game: SimpleNamespace, signers: dict[str, FileSigner]) -> Any:
    def made(type: str, body: Any, sender: str = "north", by: str | None = None, **change: Any) -> Any:
        envelope = {"game": game.game, "stage": game.stage, "prev": game.prev, **change}
        statement = make(type, body, sender=sender, **envelope)
        return statement.bytes, signers[by or sender].sign(statement.bytes)

    return made


@pytest.fixture
def check(roster: Roster) -> Any:
    def run(data: bytes, armour: str) -> Any:
        return accept(data, armour, parties=roster.parties, game=roster.game, dice="swift")

    return run


def code(check: Any, data: bytes, armour: str) -> str:
    with pytest.raises(NotAccepted) as caught:
        check(data, armour)
    assert str(caught.value)
    return caught.value.code


def test_the_orders_of_the_vectors_are_accepted(vectors: dict[str, Any], check: Any) -> None:
    north = check(vectors["statement_canonical"].encode(), vectors["statement"]["signature"])
    assert (north.sid, north.sender) == (vectors["statement"]["sid"], "north")
    south = vectors["statement_south"]
    assert check(south["canonical"].encode(), south["signature"]).sender == "south"
    amend = vectors["amend"]
    assert check(amend["canonical"].encode(), amend["signatures"]["north"]).type == "amend"


def test_each_check_has_its_word(
    check: Any, say: Any, signers: dict[str, FileSigner], roster: Roster
) -> None:
    north, gm = signers["north"], signers["gm"]
    data, armour = say("order", SEALED)
    assert check(data, armour).type == "order"
    stranger = FileSigner.load(make_key())
    assert code(check, data, stranger.sign(data)) == "signer"
    assert code(check, data + b" ", armour) == "signature"
    assert code(check, data, "nonsense") == "signature"
    assert code(check, *say("order", SEALED, by="south")) == "sender"
    assert code(check, *say("order", SEALED, game=H0)) == "game"
    twin = roster.game[:-1] + ("0" if roster.game[-1] != "0" else "1")  # alike where people see it
    assert code(check, *say("order", SEALED, game=twin)) == "game"
    assert code(check, *say("ack", {})) == "role"
    assert code(check, *say("order", SEALED, sender="gm")) == "role"
    assert code(check, *say("link", {"answers": H0, "link": H0})) == "role"
    for raw, word in ((b"{}\n", "canonical"), (b"{}", "schema"), (b"\xff", "canonical")):
        assert code(check, raw, north.sign(raw)) == word
    long = b" " * (MAX_FROM_PLAYER + 1)
    assert code(check, long, north.sign(long)) == "size"
    assert code(check, long[1:], north.sign(long[1:])) == "canonical"
    assert code(check, long, gm.sign(long)) == "canonical"
    assert code(check, b" " * (MAX_FROM_GM + 1), armour) == "size"


def test_the_signature_comes_before_any_parsing(roster: Roster, signers: dict[str, FileSigner]) -> None:
    with pytest.raises(NotAccepted, match="other bytes were signed") as caught:
        signer(b"[" * 100_000, signers["north"].sign(b"x"), roster.parties)
    assert caught.value.code == "signature"
    assert signer(b"[" * 100_000, signers["north"].sign(b"[" * 100_000), roster.parties).id == "north"


def test_roster_and_joins_do_not_belong_into_a_running_game(
    check: Any, roster: Roster, signers: dict[str, FileSigner]
) -> None:
    raw = roster.statement.bytes
    assert code(check, raw, signers["north"].sign(raw)) == "role"


def test_an_observer_may_only_protest(say: Any, roster: Roster, game: SimpleNamespace) -> None:
    watcher = FileSigner.load(make_key())
    parties = (*roster.parties, Party("west", "observer", "West", "w@example.org", watcher.public))

    def run(type: str, body: Any) -> str:
        made = make(type, body, game=game.game, sender="west", stage=1, prev=game.prev)
        return accept(
            made.bytes, watcher.sign(made.bytes), parties=parties, game=game.game, dice="swift"
        ).type

    assert run("protest", {"text": "foul"}) == "protest"
    for type, body in (("order", SEALED), ("amend", {"ops": [{"op": "rewind", "to": 0}]})):
        with pytest.raises(NotAccepted, match="west is observer"):
            run(type, body)


@pytest.mark.parametrize(
    ("dice", "type", "body", "why"),
    [
        ("swift", "order", {"orders": []}, "need a link sealed"),
        (
            "swift",
            "order",
            {"orders": [], "sealed": {"south": BLOB}},
            "but only sealing for the GM is possible",
        ),
        (
            "swift",
            "order",
            {"orders": [], "sealed": {"gm": BLOB, "south": BLOB}},
            "but only sealing for the GM is possible",
        ),
        ("swift", "order", {**SEALED, "link": H0}, "orders can't have link"),
        ("swift", "order", {**SEALED, "answers": H0}, "orders can't have answers"),
        ("swift", "order", {**SEALED, "openings": OPENED}, "the GM already has them"),
        ("swift", "lock", {"accepted": {}, "forfeits": []}, "dice swift have no statement"),
        ("locked", "order", SEALED, "only standing orders are sealed"),
        ("locked", "order", {"orders": [], "link": H0}, "orders can't have link"),
        ("pair", "ack", {}, "dice pair have no statement"),
    ],
)
def test_each_dice_mode_has_its_own_members(
    dice: Any, type: str, body: Any, why: str, roster: Roster
) -> None:
    statement = make(type, body, game=H0, sender="north", stage=1, prev=H0)
    with pytest.raises(NotAccepted, match=why) as caught:
        check_mode(statement, roster.parties, dice)
    assert caught.value.code == "role"


@pytest.mark.parametrize(
    ("dice", "type", "body"),
    [
        ("locked", "order", {"orders": [], "commits": {"bid": H0}}),
        ("locked", "order", {"orders": [], "commits": {"standing": H0}, "sealed": {"gm": BLOB}}),
        ("locked", "link", {"answers": H0, "link": H0, "sealed": {"gm": BLOB}}),
        ("swift", "standing", {"commits": {"standing/later": H0}, "sealed": {"gm": BLOB}}),
        ("swift", "protest", {"text": "x"}),
    ],
)
def test_what_a_dice_mode_knows_passes(dice: Any, type: str, body: Any, roster: Roster) -> None:
    check_mode(make(type, body, game=H0, sender="north", stage=1, prev=H0), roster.parties, dice)


def test_without_a_gm_nothing_is_sealed(roster: Roster) -> None:
    players = [party for party in roster.parties if party.role == "player"]
    plain = make(
        "order", {"orders": [], "link": H0, "answers": H0}, game=H0, sender="north", stage=1, prev=H0
    )
    check_mode(plain, players, "pair")
    with pytest.raises(NotAccepted, match="only sealing for the GM is possible"):
        check_mode(make("order", SEALED, game=H0, sender="north", stage=1, prev=H0), players, "pair")
