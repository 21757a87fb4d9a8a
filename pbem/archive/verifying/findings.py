"""Findings of `verify` in four classes, collected while an archive is read (protocol 15)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import field
from typing import Literal

from pbem.text.dataclass import dataclass
from pbem.text.messages import Message

Class = Literal["proved", "consistent", "claimed", "false"]
"""proved; consistent so far (proved at `unseal`); claimed (rests on somebody's word); false."""


@dataclass(frozen=True)
class Finding:
    """One finding, in words.

    `code` is a word for programs; stage and party where it is about one.
    """

    kind: Class
    code: str
    text: str
    stage: int | None = None
    party: str | None = None

    def __str__(self) -> str:
        return f"{self.kind}: {self.in_place}"

    @property
    def in_place(self) -> str:
        """Return the text of the finding with its stage before it."""
        if self.stage is None:
            return self.text
        return Message("archive.verifying.in-stage", stage=self.stage, text=self.text)


@dataclass
class Notes:
    """A collector of findings while an archive is read."""

    findings: list[Finding] = field(default_factory=list)
    _seen: int = 0
    _bad: bool = False

    def false(self, code: str, text: str, stage: int | None = None, party: str | None = None) -> None:
        """Add a fault."""
        self.findings.append(Finding("false", code, text, stage, party))

    def claimed(self, code: str, text: str, stage: int | None = None, party: str | None = None) -> None:
        """Add a finding that rests on somebody's claim."""
        self.findings.append(Finding("claimed", code, text, stage, party))

    def consistent(self, code: str, text: str) -> None:
        """Add a finding that is consistent so far and is proved when the game is unsealed."""
        self.findings.append(Finding("consistent", code, text))

    def proved(self, code: str, text: str, stage: int | None = None, party: str | None = None) -> None:
        """Add a proof."""
        self.findings.append(Finding("proved", code, text, stage, party))

    def any_false(self) -> bool:
        """Return True if something was false."""
        new = self.findings[self._seen :]
        self._seen = len(self.findings)
        self._bad = self._bad or any(finding.kind == "false" for finding in new)
        return self._bad


_FEW = 5


def few(names: Sequence[str]) -> str:
    """Return the first of many names from a stranger, and how many more there are."""
    listed = ", ".join(shown(name) for name in names[:_FEW])
    if len(names) <= _FEW:
        return listed
    return Message("archive.verifying.and-more", names=listed, count=len(names) - _FEW)


def shown(name: str) -> str:
    """Return a name from a stranger, fit to print."""
    text = ascii(name)
    return text if len(text) <= 80 else text[:77] + "..."
