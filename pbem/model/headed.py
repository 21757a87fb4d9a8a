"""A headed list of facts in words, for reports, order files and commands."""

from __future__ import annotations

from collections.abc import Callable

from pbem.text.dataclass import dataclass
from pbem.text.messages import Message


@dataclass(frozen=True)
class Headed:
    """A heading, and what is said under it. Each part is a text that a language may translate by itself."""

    title: str
    parts: tuple[str, ...] = ()

    def line(self, text: Callable[[str], str] = str) -> str:
        """Return all of it in one line, in the words that `text` gives."""
        text_of_parts = "; ".join(map(text, self.parts))
        return f"{text(self.title)}: {text_of_parts}" if text_of_parts else text(self.title)

    @property
    def message(self) -> str:
        """Return all of it as one message, which each language words part by part."""
        if not self.parts:
            return self.title
        rest = self.parts[-1]
        for part in reversed(self.parts[:-1]):
            rest = Message("model.headed.more", part=part, rest=rest)
        return Message("model.headed.line", title=self.title, said=rest)
