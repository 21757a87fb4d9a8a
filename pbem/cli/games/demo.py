"""The output of `pbem demo`: the story, and at the end what to open and what to try."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from pbem.cli.shell.console import print_json, progress, ready, result, strong
from pbem.cli.shell.language import code, of_game, spoken
from pbem.text.messages import Message

if TYPE_CHECKING:
    from pbem.archive import StageResult
    from pbem.cli.games.table import Table
    from pbem.engine.system import System

NO_LIMIT = 1000  # game turns
DAYS = 3
"""How long everybody has for an answer."""


def story(table: Table, done: StageResult) -> list[str]:
    """Return the public events of a stage, in a few words."""
    from pbem.cli.games.telling import report_of
    from pbem.report.plain import wrapped

    folder = table.gm.folder
    view = folder.view(public=True)
    report = report_of(folder, None, view, code())
    head = spoken(Message("cli.demo.stage", stage=f"{done.stage:>3}"))
    return wrapped("; ".join(report.summary) or f"({report.place})", f"{head}  ")


class BestPage:
    """The page to look at: the stage with the most dice and news, as the first player saw it."""

    def __init__(self) -> None:
        self.path: Path | None = None
        self.worth = -1

    def look(self, table: Table) -> None:
        """Make the page of the newest stage if more happened in it than in those before."""
        from pbem.cli.games.telling import stage_report
        from pbem.report.html import render
        from pbem.text.writing import write_all

        first = table.players[0]
        folder = first.folder
        report = stage_report(folder, folder.stage, first.id)
        worth = len(report.dice) + 3 * len(report.summary) + len(report.mine)
        if worth <= self.worth:
            return
        old, self.worth = self.path, worth
        self.path = first.root / "private" / "reports" / f"{folder.stage:04d}-{first.id}.html"
        write_all({self.path: render(report).encode()}, private=(self.path,))
        if old is not None:
            old.unlink()


def outcome(table: Table, title: str, over: bool, page: BestPage) -> dict[str, Any]:
    """Return the result, with the archives of the GM and of the first player verified."""
    from pbem.archive import report_name, verify
    from pbem.cli.games.standing import place_in_words

    folder, first = table.gm.folder, table.players[0]
    others = table.players[:1] if table.dice != "pair" else table.players[1:]
    checks = {seat.id: verify(seat.root, folder.need_roster().game) for seat in (table.gm, *others)}
    return {
        "title": title,
        "over": over,
        "place": place_in_words(folder, folder.view(public=True).place),
        "players": [seat.id for seat in table.players],
        "stages": folder.stage,
        "mails": table.mails,
        "letters": letters(table.root / "mails", [seat.id for seat in table.players]),
        "verified": {party: check.ok for party, check in checks.items()},
        "head": checks[table.gm.id].head,
        "host": table.gm.id,
        "folder": str(table.root),
        "report": str(first.root / report_name(folder.stage, first.id)),
        "page": str(page.path),
        "first": str(first.root),
    }


def letters(mails: Path, players: list[str]) -> dict[str, int]:
    """Return how many emails with orders each player has sent."""
    names = [path.name for path in sorted(mails.iterdir())]
    return {player: sum(f"-{player}-orders-" in name for name in names) for player in players}


def closing(played: dict[str, Any]) -> list[str]:
    from pbem.cli.shell.words import listed

    ok = all(played["verified"].values())
    now = Message("cli.demo.game-is-over") if played["over"] else played["place"]
    me = played["first"]
    return [
        "",
        Message(
            "cli.demo.played",
            title=played["title"],
            players=listed(played["players"]),
            stages=played["stages"],
        ),
        Message("cli.demo.wrote-mails", mails=played["mails"], verified=ok),
        Message(
            "cli.demo.mails-with-orders",
            counts=tuple(f"{player} {count}" for player, count in played["letters"].items()),
        ),
        Message("cli.next.now", place=now),
        "",
        Message("cli.demo.folder-of-the-game", folder=played["folder"]),
        Message("cli.demo.last-report", file=played["report"]),
        Message("cli.demo.page-to-open", file=played["page"]),
        "",
        strong(Message("cli.demo.try-next")),
        f"  pbem -C {me} status",
        f"  pbem -C {me} {'map' if played['over'] else 'orders new'}",
        f"  pbem -C {played['folder']}/{played['host']} verify",
    ]


def show(system: System, scenario: str, out: str | None, turns: int | None, dice: str, as_json: bool) -> None:
    """Play a game in which the computer plays everybody."""
    from pbem.cli.games.table import Table
    from pbem.text.writing import thrown_away

    name = system.name
    length = turns or int(system.scenario(scenario).get("last_turn", NO_LIMIT))
    title = str(system.scenario(scenario).get("title") or system.title or name)
    root = _root(out, name)
    page = BestPage()
    with progress(Message("cli.demo.playing")) as step, thrown_away():
        table = Table(root, system, scenario, dice=dice, days=DAYS)
        table.sit_down(title)
        for seat in table.players:
            seat.standing = system.standing_well(seat.id)

        def watch(done: StageResult, turn: int) -> None:
            step(min(turn - 1, length), length)
            page.look(table)
            if not as_json:
                for line in story(table, done):
                    ready(line)

        over = table.play(turns or NO_LIMIT, watch)
        if over:
            table.unseal()
    played = outcome(table, title, over, page)
    if as_json:
        print_json(played)
        return
    of_game(table.gm.folder)
    for line in closing(played):
        result(line)


def _root(out: str | None, name: str) -> Path:
    """Return the folder to play in: new, or empty."""
    from pbem.text.diagnostics import Diagnostic, Refused

    if out is None:
        import tempfile

        return Path(tempfile.mkdtemp(prefix=f"pbem-demo-{name}-"))
    root = Path(out).absolute()
    if root.exists() and any(root.iterdir()):
        help_ = (Message("cli.demo.name-a-new-folder-or-none"),)
        raise Refused(
            Diagnostic("folder-in-use", Message("cli.demo.folder-is-not-empty", root=root), help=help_)
        )
    root.mkdir(parents=True, exist_ok=True)
    return root
