"""The organizer's list: the order of the games and the players' keys, signed.

Archives prove no time, so nothing but this list says which game ended first. The signature beside it is an
OpenSSH one over the bytes of the file: `ssh-keygen -Y check-novalidate -n pbem-v1 -s league.yaml.sig`.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from pbem.cli.league.results import Result
from pbem.text.dataclass import dataclass
from pbem.text.diagnostics import Diagnostic, Refused
from pbem.text.messages import Message

if TYPE_CHECKING:
    from pbem.trust.keys import Signer

_LIMIT = 4 << 20


@dataclass(frozen=True)
class Ended:
    """A game on the list: its id, its last head and its title."""

    game: str
    head: str
    title: str = ""


@dataclass(frozen=True)
class League:
    """The list: title, keys by player, games in the order in which they ended.

    `signed_by` is the fingerprint of the key under it, "" if there is no signature.
    """

    title: str
    players: Mapping[str, Sequence[str]]
    games: tuple[Ended, ...]
    signed_by: str = ""

    @property
    def names(self) -> dict[str, str]:
        """Return the name of each listed key."""
        return {key: name for name, keys in self.players.items() for key in keys}


def signature_of(path: Path) -> Path:
    """Return where the signature of a list is."""
    return path.with_name(path.name + ".sig")


def read(path: Path) -> League:
    """Read a list and check its signature; Refused with all faults."""
    from pbem.text.schema import find, load_checked

    source = _bytes(path)
    document = load_checked(source, str(path), find("league"))
    data = document.data
    games = tuple(Ended(game["game"], game["head"], game.get("title", "")) for game in data["games"])
    players: dict[str, Sequence[str]] = {
        name: tuple(keys) for name, keys in (data.get("players") or {}).items()
    }
    faults = [
        Diagnostic("key-twice", Message("cli.league.key-twice", path=path, key=key))
        for key in sorted(key for keys in players.values() for key in keys)
        if sum(key in keys for keys in players.values()) > 1
    ]
    ids = [game.game for game in games]
    faults += [
        Diagnostic("game-twice", Message("cli.league.game-twice", path=path, game=game))
        for game in dict.fromkeys(ids)
        if ids.count(game) > 1
    ]
    if faults:
        raise Refused(list(dict.fromkeys(faults)))
    return League(data["league"], players, games, _signer(path, source))


def _bytes(path: Path) -> bytes:
    with path.open("rb") as source:
        return source.read(_LIMIT)


def _signer(path: Path, data: bytes) -> str:
    from pbem.trust import sshsig
    from pbem.trust.errors import TrustError

    file = signature_of(path)
    if not file.exists():
        return ""
    armour = file.read_text("ascii", "replace")[:8192]
    try:
        public, _ = sshsig.decode(armour)
        sshsig.verify(public, armour, data)
    except TrustError as fault:
        message = Message("cli.league.bad-signature", path=file, fault=fault)
        help_ = (Message("cli.league.sign-it-again"),)
        raise Refused(Diagnostic("bad-signature", message, help=help_)) from None
    return sshsig.fingerprint(public)


def with_games(league: League, results: Sequence[Result], names: Mapping[str, str]) -> League:
    """Return the list with more results after its own, in their order, and with their players."""
    known = {game.game for game in league.games}
    more = tuple(
        Ended(result.game, result.head, result.title) for result in results if result.game not in known
    )
    players = {name: tuple(keys) for name, keys in league.players.items()}
    for result in results:
        for seat in result.seats:
            name = names[seat.key]
            if seat.key not in players.get(name, ()):
                players[name] = (*players.get(name, ()), seat.key)
    return replace(league, games=(*league.games, *more), players=players)


def write(path: Path, league: League, signer: Signer) -> list[Path]:
    """Write a list and its signature, both or none."""
    from pbem.text.writing import write_all

    lines = [f"league: {_quoted(league.title)}", "players:" if league.players else "players: {}"]
    lines += [
        f"  {_quoted(name)}: [{', '.join(map(_quoted, keys))}]"
        for name, keys in sorted(league.players.items())
    ]
    lines.append("games:" if league.games else "games: []")
    lines += [
        f'  - {{game: "{game.game}", head: "{game.head}", title: {_quoted(game.title)}}}'
        for game in league.games
    ]
    data = ("\n".join(lines) + "\n").encode()
    write_all({path: data, signature_of(path): signer.sign(data).encode()})
    return [path, signature_of(path)]


def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)


def in_order(league: League, results: Sequence[Result]) -> tuple[list[Result], list[Result]]:
    """Return the results in the order of the list, and those that do not count, each with its reason.

    A game without an archive here, another last head, and an archive that is not listed do not count.
    """
    by_game = {result.game: result for result in results if result.counts}
    listed, others = list[Result](), [result for result in results if not result.counts]
    for ended in league.games:
        result = by_game.pop(ended.game, None)
        if result is None:
            if not any(other.game == ended.game for other in others):
                why = Message("cli.league.no-archive-here")
                others.append(Result("", why, ended.game, ended.head, title=ended.title))
        elif result.head != ended.head:
            others.append(replace(result, why=Message("cli.league.other-head", head=ended.head[:16])))
        else:
            listed.append(result)
    others += [replace(result, why=Message("cli.league.not-listed")) for result in by_game.values()]
    return listed, others
