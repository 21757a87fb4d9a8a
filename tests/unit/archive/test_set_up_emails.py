"""The emails before a game: who gets what from which address, and what they say above the signed block."""

from __future__ import annotations

import email
import re
from email import policy
from pathlib import Path
from typing import Any

import pytest

from pbem.archive.setting_up import before_the_game
from pbem.stages.agreements import Agreement
from tests.primer import SYSTEM
from tests.unit.archive.table import Seat, Table
from tests.unit.archive.test_refusals import Block
from tests.unit.archive.test_what_is_received import _ID

_KEY = re.compile(r"SHA256:[A-Za-z0-9+/]+")
GAMES: dict[str, dict[str, Any]] = {
    "a game with a GM": {},
    "a game of two": {"dice": "pair"},
    "a game under pseudonyms": {"agreed": Agreement(gunboat=True)},
    "a player whose keys the GM holds": {"proxy": "north"},
}


def told(root: Path) -> list[str]:
    """What each email in an outbox says, up to its block."""
    lines = []
    for file in sorted((root / "outbox").glob("*.eml")):
        mail = email.message_from_bytes(file.read_bytes(), policy=policy.default)
        body = mail.get_body(("plain",))
        assert body is not None
        text = str(body.get_content()).split("-----BEGIN")[0]
        lines += [
            f"{root.name}/{file.name}",
            *(f"{name}: {mail[name]}" for name in ("From", "To", "Subject")),
        ]
        lines += [f"| {line}".rstrip() for line in text.splitlines()]
    return [
        _ID.sub("<id>", re.sub(r"([0-9a-f]{4} ?){8,}", "<id>", _KEY.sub("<key>", line))) for line in lines
    ]


@pytest.mark.parametrize("title", GAMES)
def test_what_is_written_before_a_game(tmp_path: Path, golden_block: Block, title: str) -> None:
    terms = dict(GAMES[title])
    held = terms.pop("proxy", None)
    table = Table(
        tmp_path, SYSTEM, "ford", ["south"] if held else ["north", "south"], chain_length=64, **terms
    )
    if held:
        (invitation,) = (table.gm.root / "outbox").glob("*.pbem-invitation")
        table.players[held] = seat = Seat(tmp_path / held, held)
        read = before_the_game.read_invitation(invitation.read_bytes())
        before_the_game.join(seat.root, read, held, seat.person, proxy=True)
    table.post()
    for seat in table.everybody:
        before_the_game.sign_roster(seat.folder, seat.signer)
        table.post()
    lines = [line for seat in table.everybody for line in told(seat.root)]
    golden_block("set-up-emails.txt", list(GAMES), title, lines)
