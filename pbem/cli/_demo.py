"""What `pbem demo` tells: the story as it goes, and at the end what to open and what to try."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from pbem.cli._console import strong

if TYPE_CHECKING:
    from pbem.archive.adjudicating.gm_stage import StageResult
    from pbem.cli._table import Table


def story(table: Table, done: StageResult) -> list[str]:
    """What everybody saw in a stage, in a few words."""
    from pbem.cli._telling import report_of
    from pbem.report.plain import wrapped

    folder = table.gm.folder
    view = folder.view(public=True)
    lines = report_of(folder, None, view).summary
    return wrapped("; ".join(lines) or f"({view.place})", f"stage {done.stage:>3}  ")


class BestPage:
    """A page to look at: of all stages the one with the most dice and news, as the first player saw it."""

    def __init__(self) -> None:
        self.path: Path | None = None
        self.worth = -1

    def look(self, table: Table) -> None:
        """Make the page of the newest stage if more happened in it than in those before."""
        from pbem.cli._telling import stage_report
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
    """What came of it, the archives of the GM and of the first player verified."""
    from pbem.archive.adjudicating.publishing import report_name
    from pbem.archive.verifying.verify import verify

    folder, first = table.gm.folder, table.players[0]
    others = table.players[:1] if table.dice != "pair" else table.players[1:]
    checks = {seat.id: verify(seat.root, folder.need_roster().game) for seat in (table.gm, *others)}
    report = first.root / report_name(folder.stage, first.id)
    if not report.exists():
        report = first.root / f"stages/{folder.stage:04d}/report.txt"
    return {
        "title": title,
        "over": over,
        "place": folder.view(public=True).place,
        "players": [seat.id for seat in table.players],
        "stages": folder.stage,
        "mails": table.mails,
        "verified": {party: check.ok for party, check in checks.items()},
        "head": checks[table.gm.id].head,
        "host": table.gm.id,
        "folder": str(table.root),
        "report": str(report),
        "page": str(page.path),
        "first": str(first.root),
    }


def closing(told: dict[str, Any]) -> list[str]:
    from pbem.report.plain import listed

    ok = all(told["verified"].values())
    checked = "their archives verify" if ok else "BUT their archives do not verify: please report this"
    now = "the game is over" if told["over"] else told["place"]
    me = told["first"]
    return [
        "",
        f"{told['title']}: {listed(told['players'])} played {told['stages']} stages",
        f"they wrote {told['mails']} mails; {checked}",
        f"now: {now}",
        "",
        f"folder  {told['folder']}  (a folder for each party, and all mails)",
        f"report  {told['report']}  (the last one)",
        f"page    {told['page']}  (open it in a browser: the stage in which most happened)",
        "",
        strong("try next"),
        f"  pbem -C {me} status",
        f"  pbem -C {me} {'map' if told['over'] else 'orders new'}",
        f"  pbem -C {told['folder']}/{told['host']} verify",
    ]
