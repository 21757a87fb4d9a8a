"""A long campaign of `wif` with 3,000 counters, played stage by stage by mail, committed by `pbem archive`.

It takes an hour and more and is run by hand, never with the other benchmarks:

    nice python -m tests.benchmarks.long_wif_campaign DIR --stages 300

It tells at some stages how large the repository is when it is packed, what `pbem verify` and `--since last`
cost, how large the mails are, and by which powers they grow with the stages. Every impulse has a letter of
some hundred orders: moves, attacks, reorganization. What the players' folders would work out once more, the
GM's stage, is taken from the GM: nothing of it is in the repository.
"""

from __future__ import annotations

import os
import random
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import islice
from pathlib import Path
from typing import Any

import click

from pbem.archive import GM
from pbem.archive.adjudicating import gm_stage
from pbem.archive.receiving import taking_reports
from pbem.cli.games.table import KEY, Seat, Table
from pbem.rules import Decision, Drafting, Entry, Game, Json, Part
from pbem.systems.wif.bot.play_well import play_well
from pbem.systems.wif.rules.decisions.impulse_letter import ImpulseLetter
from pbem.systems.wif.rules.entries import Attacks, Moves, Wish
from pbem.systems.wif.rules.pieces import side_units, units
from pbem.systems.wif.rules.plans import Plan
from pbem.text.writing import thrown_away
from pbem.trust.keys import FileSigner
from tests.benchmarks.big_wif import LARGE, SMALL, Size, command, installed
from tests.benchmarks.timing import growth

MOVES, ATTACKS, REORGANIZED = 50, 10, 40
MARKS = (10, 25, 50, 100, 200, 300, 400, 500)
ASKED = 2000
PEOPLE = {"user.name": "campaign", "user.email": "campaign@example.invalid"}


def brain(game: Game, decision: Decision[Any], rng: random.Random) -> Json:
    """Letters of some hundred orders, elsewhere what the sensible player says."""
    if not isinstance(decision, ImpulseLetter):
        return play_well(game, decision, rng.choice)
    drafting: Drafting[Any] = Drafting(decision, game)
    draft: Any = drafting.draft
    for power in draft.powers:
        drafting.offer(Part("action", Entry(power, "land")))
    able = [
        u
        for u in side_units(draft.game, draft.side)
        if u.owner in draft.powers and u.print.arm == "land" and not u.at_sea and not u.down
    ]
    for u in rng.sample(able, min(MOVES, len(able))):
        ways = [path for path, _ in draft.steps.impulse.land.ways(u)]
        if ways:
            drafting.offer(Part("i", Moves(u.id, rng.choice(ways))))
    fights = [one.element.value for one in islice(draft.steps.next("n", None), ATTACKS * 4)]
    for one in rng.sample(fights, min(ATTACKS, len(fights))):
        drafting.offer(Part("n", Attacks(one.hex, one.units)))
    for power in draft.powers:
        down = [u for u in units(draft.game, power) if u.down]
        rng.shuffle(down)
        wishes: list[Wish] = []
        for u in down:
            if len(wishes) < REORGANIZED // len(draft.powers) and isinstance(
                draft.books().judge(power, Wish(u.id)), Plan
            ):
                wishes.append(Wish(u.id))
        drafting.offer(Part("reorganize", Entry(power, tuple(wishes))))
    return drafting.json()


@contextmanager
def once_for_all() -> Iterator[None]:
    """The players' folders take the GM's stage for theirs instead of working it out again."""
    runs: dict[str, Any] = {}
    run, again = gm_stage.running.run, taking_reports.rerun

    def kept(*args: Any, **named: Any) -> Any:
        done = run(*args, **named)
        runs.clear()
        runs[done.record.head] = done
        return done

    gm_stage.running.run = kept
    taking_reports.rerun = lambda folder, line, record: runs.get(record.head) or again(folder, line, record)
    try:
        yield
    finally:
        gm_stage.running.run, taking_reports.rerun = run, again


def packed(root: Path) -> float:
    """Megabytes of the repository when git has packed it as it does by itself."""
    subprocess.run(["git", "gc", "--prune=now", "--quiet"], cwd=root, check=True)
    return sum(path.stat().st_size for path in (root / ".git").rglob("*") if path.is_file()) / 1e6


def measured(size: Size, table: Table, stages: int, slow: bool) -> dict[str, float]:
    """The figures of so many stages, printed."""
    root = table.gm.root
    found = {"repository": packed(root)}
    text = f"  {stages} stages: repository packed {found['repository']:.2f} MB"
    if slow:
        found["verify"] = command(size, root, "verify")
        found["since"] = command(size, root, "verify", "--since", "last")
        text += f", verify {found['verify']:.1f} s of processor, --since last {found['since']:.2f} s"
    mails = [path.stat().st_size for path in (table.root / "mails").iterdir()]
    print(f"{text}; largest of {len(mails)} mails {max(mails) / 1000:.0f} kB", flush=True)
    return found


def told(figures: dict[int, dict[str, float]]) -> None:
    """By which powers the figures grow, and the repository of the campaign that is asked for."""
    for name in ("repository", "verify", "since"):
        points = [(float(n), one[name]) for n, one in figures.items() if name in one]
        if len(points) > 1:
            print(f"  {name} grows with the stages to the power of {growth(points):.2f}")
    (one, small), (two, large) = list(figures.items())[-2:]
    each = (large["repository"] - small["repository"]) / (two - one)
    all_of_it = large["repository"] + each * (ASKED - two)
    print(f"  a stage more: {each * 1000:.1f} kB; {ASKED} stages: {all_of_it:.0f} MB")


@click.command()
@click.argument("place", type=click.Path(path_type=Path))
@click.option("--stages", default=300)
@click.option(
    "--verify", "verified", multiple=True, type=int, help="Stages at which it is verified; the last."
)
@click.option("--smoke", is_flag=True)
def main(place: Path, stages: int, verified: tuple[int, ...], smoke: bool) -> None:
    """Play a campaign in a new directory PLACE, or go on with the one that was begun there."""
    size = SMALL if smoke else LARGE
    os.environ.update({f"GIT_{who}_{what}": PEOPLE[f"user.{what.lower()}"] for who in ("AUTHOR", "COMMITTER")
                       for what in ("NAME", "EMAIL")})  # fmt: skip
    figures: dict[int, dict[str, float]] = {}
    with installed(size) as system, once_for_all():
        table = Table(place, system, "big", seed="campaign", ahead=False)
        with thrown_away():
            take_up(table) if place.exists() else table.sit_down("Campaign")
        for seat in table.players:
            seat.brain = brain
        root = table.gm.root
        while (stage := table.gm.folder.stage) < stages:
            with thrown_away():
                table.play_stage()
            archived(root)
            if stage + 1 in MARKS or stage + 1 == stages:
                slow = stage + 1 in verified or stage + 1 == stages
                figures[stage + 1] = measured(size, table, stage + 1, slow)
    told(figures)


def take_up(table: Table) -> None:
    """Sit down again where a campaign stopped; a mail of the stage that was broken off may be sent again."""
    for party in (GM, *table.system.players(table.system.scenario(table.scenario))):
        root = table.root / party
        key = FileSigner.load((root / KEY).read_bytes())
        table.seats[party] = Seat(party, party.capitalize(), root, key, filed=True)
    table.mails = len(list((table.root / "mails").iterdir()))
    if not table.gm.folder.progress.asked:
        table.adjudicate()


def archived(root: Path) -> None:
    """`pbem archive` in this process."""
    from click.testing import CliRunner

    from pbem.cli.main import cli

    done = CliRunner().invoke(cli, ["-C", str(root), "archive"])
    assert done.exit_code == 0, done.output


if __name__ == "__main__":
    main()
