"""A league of many games as text, as data and as a page, lists with something twice, and rounds to play."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

from pbem.cli.league import organizer
from pbem.cli.league.organizer import Ended, League
from pbem.cli.league.pairing import round_robin, swiss
from pbem.cli.league.standings import players_of, table
from pbem.cli.league.telling import as_data, as_page, as_text, rounds_as_text
from pbem.text.diagnostics import Refused
from pbem.text.messages import Message
from pbem.text.render import concise
from pbem.trust.keys import FileSigner
from tests.golden.digests import page
from tests.unit.league.games import game, key

GAMES = [
    game(1, "Ann", red="Ann", blue="Bob"),
    game(2, "Ann", "Bob", red="Bob", blue="Ann"),
    game(3, "Bob", red="Ann", blue="Bob"),
    game(4, "Ann", "Cem", red="Ann", blue="Cem", green="Dot"),
    game(5, "Ann", "Bob", "Cem", red="Ann", blue="Bob", green="Cem"),
    game(6, "Dot", "Eve", west="Dot", east="Eve", axis="Ann", sides={"west": "a", "east": "a", "axis": "b"}),
    replace(game(7, "Fay", red="Fay", blue="A player of a very long name"), by="host b"),
    replace(game(9, "Dot", red="Dot", blue="Ann"), by="host a"),
]
OTHERS = [
    replace(game(10, "Ann", red="Ann", blue="Bob"), why=Message("cli.league.not-listed"), by="host a"),
    replace(
        game(11, "Ann", red="Ann", blue="Bob"),
        why=Message("cli.league.no-archive-here"),
        title="",
        archive="",
    ),
]
SEATS = ("red", "blue")


def told() -> Iterator[str]:
    found = table(GAMES, players_of(GAMES, {key("Eve"): "Ann"}))
    signed = League("The cup", {}, (), "SHA256:abc")
    names = [one.name for one in found.standings]
    held = {one.name: one.seats for one in found.standings}
    rounds = [*round_robin(names[:3], SEATS, held), swiss(found.standings, found.meetings, SEATS)]
    for league in (None, signed, replace(signed, signed_by="")):
        yield from map(str, as_text(found, OTHERS if league else [], league))
        data: dict[str, Any] = as_data(found, OTHERS, league, rounds)
        data["standings"] = [{**one, "rating": 0, "deviation": 0} for one in data["standings"]]
        yield json.dumps(data)
        yield from page(as_page(found, OTHERS, league, rounds))
    yield from map(str, rounds_as_text(rounds, 4))


def lists(root: Path) -> Iterator[str]:
    path = root / "league.yaml"
    signer = FileSigner.from_seed(b"s" * 32)
    league = League(
        '"The" cup',
        {"Bob": (key("b"),), "Ann": (key("a"), key("c"))},
        (Ended("a" * 64, "b" * 64, "x"),),
    )
    more = organizer.with_games(league, GAMES[:2], {key(name): name for name in ("Ann", "Bob")})
    for one in (league, more, League("none", {}, ())):
        organizer.write(path, one, signer)
        yield path.read_text("utf-8")
        yield str(organizer.read(path) == replace(one, signed_by=organizer.read(path).signed_by))
        yield str(organizer.read(path).names)
    ended = tuple(Ended(one.game, one.head, one.title) for one in GAMES[:3])
    twice = (
        replace(league, games=(*ended, ended[1])),
        replace(league, games=(*ended, *ended[:2])),
        replace(league, players={"Ann": (key("a"),), "Bob": (key("a"), key("b")), "Cem": (key("b"),)}),
    )
    for one in twice:
        organizer.write(path, one, signer)
        try:
            yield str(organizer.read(path).games)
        except Refused as refused:
            yield concise(refused.diagnostics)
    organizer.signature_of(path).unlink()
    (root / "other.yaml").write_bytes(path.read_bytes())
    wanted = replace(
        league, games=(ended[2], Ended("9" * 64, "8" * 64, "gone"), replace(ended[0], head="7" * 64))
    )
    listed, others = organizer.in_order(wanted, [*GAMES[:4], *OTHERS])
    yield from (f"{one.game[:4]} {one.title}" for one in listed)
    yield from (f"{one.game[:4]} {one.title}: {one.why}" for one in others)


def test_a_league_is_told_as_it_was(golden: Callable[[str, str], None]) -> None:
    golden("league-told.txt", "".join(f"{line}\n" for line in told()))


def test_lists_are_read_and_written_as_they_were(tmp_path: Path, golden: Callable[[str, str], None]) -> None:
    golden("league-lists.txt", "".join(f"{line}\n" for line in lists(tmp_path)).replace(str(tmp_path), ""))
