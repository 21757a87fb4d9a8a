"""Results to build leagues of, as archives give them."""

from __future__ import annotations

import json
from pathlib import Path

from pbem.cli.league.certificate import issue
from pbem.cli.league.results import Result, Seat
from pbem.trust import records
from pbem.trust.keys import FileSigner
from pbem.trust.roster import Roster
from pbem.trust.sshsig import fingerprint

ROOT = Path(__file__).parents[3]
SAMPLE = ROOT / "sample_games/victory-sarn-strait"


def key(name: str) -> str:
    """Return a made-up fingerprint for a person."""
    return "SHA256:" + (name.encode().hex() * 43)[:43]


def game(number: int, first: str, *best: str, sides: dict[str, str] | None = None, **people: str) -> Result:
    """Return a result: who is in first place (names of people), and seats with their people.

    `people` are seat=name. Seats are sides of their own unless `sides` says otherwise.
    """
    names = (first, *best)
    seats = tuple(Seat(seat, name, key(name), (sides or {}).get(seat, seat)) for seat, name in people.items())
    return Result(
        f"games/{number}",
        game=f"{number:064x}",
        head=f"{number + 1000:064x}",
        stage=9,
        title=f"Game {number}",
        system="river",
        scenario="ford",
        seats=seats,
        best=tuple(seat.id for seat in seats if seat.name in names),
    )


def of_sample() -> Result:
    """Return the result of the published game of `victory`, as its files say it."""
    roster = Roster.parse((SAMPLE / "roster.json").read_bytes())
    last = max((SAMPLE / "stages").glob("*/record.json"))
    record = records.read(json.loads(last.read_bytes()))
    players = [party for party in roster.parties if party.role == "player"]
    return Result(
        str(SAMPLE),
        game=roster.game,
        head=record.head,
        stage=record.stage,
        title=roster.terms.title,
        system="victory",
        scenario="sarn_strait",
        seats=tuple(Seat(player.id, player.name, fingerprint(player.sign), player.id) for player in players),
        best=("blue", "green"),
        words=("Coalition decisive victory.",),
    )


def certificate() -> str:
    """Return the certificate of the published game, issued with the GM's published key."""
    signer = FileSigner.load((ROOT / "tests/data/keys/gm").read_bytes(), lambda _: "")
    return issue(SAMPLE, of_sample(), "gm", signer)
