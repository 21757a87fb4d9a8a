"""A headed list of facts in words, for reports, order files and commands."""

from __future__ import annotations

from collections.abc import Callable

from pbem.text.dataclass import dataclass


@dataclass(frozen=True)
class Headed:
    """A heading, and what is said under it. Each part is a text that a language may translate by itself."""

    title: str
    parts: tuple[str, ...] = ()

    def line(self, text: Callable[[str], str] = str) -> str:
        """Return all of it in one line, in the words that `text` gives."""
        said = "; ".join(map(text, self.parts))
        return f"{text(self.title)}: {said}" if said else text(self.title)
