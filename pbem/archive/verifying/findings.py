"""What `verify` says: findings of four classes, in order, and where the archive ends (protocol 15)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import field
from typing import TYPE_CHECKING, Literal

from pbem.text.dataclass import dataclass

if TYPE_CHECKING:
    from pbem.archive.verifying.results_note import Verified

Class = Literal["proved", "consistent", "claimed", "false"]
"""proved; consistent so far (proved at `unseal`); claimed (rests on somebody's word); false."""


@dataclass(frozen=True)
class Finding:
    """One thing that was found, in words.

    `code` is a word for programs; stage and party where it is about one.
    """

    kind: Class
    code: str
    text: str
    stage: int | None = None
    party: str | None = None

    def __str__(self) -> str:
        where = f"stage {self.stage}: " if self.stage is not None else ""
        return f"{self.kind}: {where}{self.text}"


@dataclass(frozen=True)
class Verification:
    """The result: all findings, and the last head, because a shortened archive is a valid one (12.3).

    `note` is what an own folder may keep, so that a later verify need not play all of it again.
    """

    findings: Sequence[Finding]
    game: str | None = None
    stage: int = -1
    head: str | None = None
    note: Verified | None = None

    @property
    def ok(self) -> bool:
        """Nothing was found to be false."""
        return self.first_bad is None

    @property
    def first_bad(self) -> Finding | None:
        """The first thing that is false: in the earliest stage, or before all stages."""
        bad = [one for one in self.findings if one.kind == "false"]
        return min(bad, key=lambda one: -1 if one.stage is None else one.stage, default=None)

    def of(self, kind: Class) -> list[Finding]:
        """The findings of one class."""
        return [one for one in self.findings if one.kind == kind]


@dataclass
class Notes:
    """Collects findings while an archive is read."""

    findings: list[Finding] = field(default_factory=list)
    _seen: int = 0
    _bad: bool = False

    def false(self, code: str, text: str, stage: int | None = None, party: str | None = None) -> None:
        """Something is wrong."""
        self.findings.append(Finding("false", code, text, stage, party))

    def claimed(self, code: str, text: str, stage: int | None = None, party: str | None = None) -> None:
        """Something rests on somebody's word."""
        self.findings.append(Finding("claimed", code, text, stage, party))

    def consistent(self, code: str, text: str, stage: int | None = None) -> None:
        """Something fits so far and will be proved when the game is unsealed."""
        self.findings.append(Finding("consistent", code, text, stage))

    def proved(self, code: str, text: str, stage: int | None = None, party: str | None = None) -> None:
        """Something is proved."""
        self.findings.append(Finding("proved", code, text, stage, party))

    def any_false(self) -> bool:
        """Whether something was false."""
        new = self.findings[self._seen :]
        self._seen = len(self.findings)
        self._bad = self._bad or any(one.kind == "false" for one in new)
        return self._bad


_FEW = 5


def few(names: Sequence[str]) -> str:
    """The first of many names from a stranger, and how many more there are."""
    listed = ", ".join(shown(name) for name in names[:_FEW])
    return listed if len(names) <= _FEW else f"{listed} and {len(names) - _FEW} more"


def shown(name: str) -> str:
    """A name from a stranger, fit to print."""
    text = ascii(name)
    return text if len(text) <= 80 else text[:77] + "..."
