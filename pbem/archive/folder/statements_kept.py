"""The statements of the stages that are in a folder: each is read once."""

from __future__ import annotations

from pathlib import Path

from pbem.archive.folder import layout
from pbem.archive.folder.layout import GM_LIMIT, SIG_LIMIT
from pbem.trust import statements
from pbem.trust.armour import Signed
from pbem.trust.statements import Statement


class StatementsKept:
    """The statements that came in time. Their signatures were checked when they came."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self._read: dict[tuple[int, str], tuple[Statement, Signed]] = {}

    def forget_statements(self, stage: int | None = None, sid: str = "") -> None:
        """Forget one statement of a stage, or all, so that they are read again."""
        for key in ((stage, sid),) if stage is not None else tuple(self._read):
            self._read.pop(key, None)

    def statement(self, stage: int, sid: str) -> tuple[Statement, Signed] | None:
        """Return a statement that came in time, with its signature, or None."""
        known = self._read.get((stage, sid))
        if known is not None:
            return known
        data = layout.read(self.root, layout.statement_name(stage, sid), GM_LIMIT)
        sig = layout.read(self.root, layout.signature_name(stage, sid), SIG_LIMIT)
        if data is None or sig is None:
            return None
        parsed = statements.parse(data), Signed(data, (sig.decode("ascii", "replace"),))
        self._read[stage, sid] = parsed
        return parsed

    def find(self, stage: int, sid: str) -> Statement | None:
        """Return a statement without its signature, which was checked when it came."""
        statement = self.statement(stage, sid)
        return statement[0] if statement else None

    def signatures(self, stage: int, sid: str) -> tuple[str, ...]:
        """Return all signatures beside a statement, that of its sender first."""
        return layout.signatures(self.root, stage, sid)

    def of(self, stage: int, type_: str) -> list[Statement]:
        """Return the statements of one type that came in time for a stage, in order of sid."""
        return [statement for statement, _ in self.statements(stage) if statement.type == type_]

    def statements(self, stage: int) -> list[tuple[Statement, Signed]]:
        """Return all statements of a stage that came in time, in order of sid."""
        kept = (self.statement(stage, sid) for sid in layout.stage_files(self.root, stage).statements)
        return [pair for pair in kept if pair is not None]
