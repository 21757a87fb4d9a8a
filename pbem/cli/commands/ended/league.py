"""`pbem league`: standings, ratings and pairings from verified archives."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from pbem.cli.shell.console import note, print_json, progress, result
from pbem.cli.shell.language import Command
from pbem.cli.shell.options import cluster_option, jobs_option, json_option, key_option
from pbem.text.messages import Message

if TYPE_CHECKING:
    from collections.abc import Sequence

FOLDER = click.Path(exists=True, file_okay=False, path_type=Path)
FILE = click.Path(dir_okay=False, path_type=Path)


@click.command(cls=Command, help="cli.league.help")
@click.argument("folders", metavar="DIR...", nargs=-1, required=True, type=FOLDER)
@click.option("--list", "listed", metavar="FILE", type=FILE, help="cli.league.option-list")
@click.option("--sign", "signed", metavar="FILE", type=FILE, help="cli.league.option-sign")
@click.option("--name", metavar="TEXT", help="cli.league.option-name")
@click.option("--pair", type=click.Choice(["round-robin", "swiss"]), help="cli.league.option-pair")
@click.option("--page", metavar="FILE", type=FILE, help="cli.league.option-page")
@jobs_option
@cluster_option
@key_option
@json_option
def command(
    folders: Sequence[Path],
    listed: Path | None,
    signed: Path | None,
    name: str | None,
    pair: str | None,
    page: Path | None,
    jobs: int | None,
    cluster: str | None,
    key_file: str | None,
    as_json: bool,
) -> None:
    from pbem.cli.league import organizer
    from pbem.cli.league.results import archives_below, judge_all
    from pbem.cli.league.standings import players_of, table
    from pbem.cli.league.steps import each_once, list_at, rounds_for, sign_list
    from pbem.cli.league.telling import as_data, as_page, as_text, rounds_as_text
    from pbem.text.diagnostics import Diagnostic, Refused
    from pbem.text.writing import write_all

    if listed is not None and signed is not None:
        raise click.UsageError(Message("cli.league.list-excludes-sign"))
    archives = archives_below(folders)
    if not archives:
        raise Refused(Diagnostic("no-archive", Message("cli.league.no-archives")))
    league = list_at(listed or signed, new=signed is not None, name=name)
    with progress(Message("cli.league.verifying")) as step:
        judged = each_once(judge_all(archives, jobs, cluster, step))
    if signed is not None and league is not None:
        league = sign_list(signed, league, judged, key_file)
    results, others = (
        [result for result in judged if result.counts],
        [result for result in judged if not result.counts],
    )
    if league is not None:
        results, others = organizer.in_order(league, judged)
    standings = table(results, players_of(results, league.names if league else {}))
    rounds = rounds_for(pair, standings, league)
    if page is not None:
        write_all({page: as_page(standings, others, league, rounds).encode()})
        note(Message("cli.league.page-written", page=page))
    if as_json:
        print_json(as_data(standings, others, league, rounds))
        return
    for line in [*as_text(standings, others, league), *([""] if rounds else []), *rounds_as_text(rounds)]:
        result(line)
