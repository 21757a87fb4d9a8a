"""The steps of `pbem league` between reading archives and telling the table."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from pbem.cli.league import organizer
from pbem.cli.league.organizer import League
from pbem.cli.league.pairing import Round, round_robin, swiss
from pbem.cli.league.results import Result
from pbem.cli.league.standings import Standing, Table, players_of
from pbem.cli.shell.console import note
from pbem.text.diagnostics import Diagnostic, Refused
from pbem.text.messages import Message


def each_once(results: list[Result]) -> list[Result]:
    """Return each game once, that with a result first: several folders may hold one game."""
    by_game: dict[str, Result] = {}
    for result in results:
        key = result.game or result.archive
        if key not in by_game or (result.counts and not by_game[key].counts):
            by_game[key] = result
    return list(by_game.values())


def list_at(path: Path | None, *, new: bool, name: str | None) -> League | None:
    """Return the list in a file; for --sign a new one where there is none yet."""
    if path is None:
        return None
    if path.exists() or not new:
        league = organizer.read(path)
        return replace(league, title=name) if name and new else league
    return organizer.League(name or path.stem, {}, ())


def sign_list(path: Path, league: League, judged: Sequence[Result], key_file: str | None) -> League:
    """Add the finished games to the list, sign it, and return it as it now is."""
    from pbem.cli.shell.keys import usual_key

    results = [result for result in judged if result.counts]
    key = usual_key(key_file)
    fuller = organizer.with_games(league, results, players_of(results, league.names))
    for file in organizer.write(path, fuller, key.signer):
        note(Message("cli.league.written", file=file))
    return organizer.read(path)


def rounds_for(pair: str | None, standings: Table, league: League | None) -> list[Round]:
    """Return the pairings that were asked for, for the seats of the newest game."""
    if pair is None:
        return []
    if not standings.results:
        raise Refused(Diagnostic("nothing-to-pair", Message("cli.league.nothing-to-pair")))
    seats = [seat.id for seat in standings.results[-1].seats]
    known = {standing.name for standing in standings.standings}
    new = [Standing(name) for name in (league.players if league else ()) if name not in known]
    everybody = [*standings.standings, *new]
    if len(everybody) < len(seats):
        raise Refused(Diagnostic("nothing-to-pair", Message("cli.league.too-few", count=len(seats))))
    if pair == "swiss":
        return [swiss(everybody, standings.meetings, seats)]
    if len(seats) != 2:
        raise Refused(
            Diagnostic("not-two-seats", Message("cli.league.round-robin-is-for-two", count=len(seats)))
        )
    held = {player.name: dict(player.seats) for player in everybody}
    return round_robin([party.name for party in everybody], seats, held)
