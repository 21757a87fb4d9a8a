"""Reports: the newest one and all earlier ones; before the game what is signed first."""

from __future__ import annotations

import bottle

from pbem.cli.web.rooms import Room, Route


class AtReport(Room):
    """The pages of reports, stage by stage."""

    def routes(self) -> list[Route]:
        return [
            ("GET", "/g/<name>/", self.report),
            ("GET", "/g/<name>/report/<stage:int>", self.report),
            ("POST", "/g/<name>/read", self.read),
        ]

    def report(self, name: str, stage: int | None = None) -> str:
        """Return a report: the newest one, or that of a stage; before the game its preparation."""
        from pbem.cli.games.telling import stage_report
        from pbem.report.html import context

        folder = self.place.open(name)
        if folder.stage < 0:
            return self._before(name)
        shown = folder.stage if stage is None else stage
        made = stage_report(folder, shown, folder.reader, self.lang)
        return self.page("report_at_table.html.j2", name, folder, **context(made, screen=True), shown=shown)

    def _before(self, name: str) -> str:
        """Return who has joined and signed, and the roster to read before signing."""
        from pbem.archive import build_roster, joined, seats
        from pbem.cli.games.game_id import shown

        folder = self.place.open(name)
        if folder.roster is not None:
            wanted, lines = folder.me in folder.unsigned(), shown(folder.roster)
        else:
            wanted = folder.initiates and not set(seats(folder)) - set(joined(folder))
            lines = shown(build_roster(folder)) if wanted else []
        return self.page("waiting.html.j2", name, folder, roster=lines, wanted=wanted)

    def read(self, name: str) -> None:
        """Note that the newest report was looked at."""
        folder = self.place.open(name)
        self.place.memory.remember(folder.root, read=folder.stage)
        raise bottle.HTTPResponse(status=204)
