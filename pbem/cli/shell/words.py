"""Words for the terminal: harmless text by others, places, counts."""

from __future__ import annotations

from collections.abc import Sequence

from pbem.text.messages import Message

SECRECY = {
    "open": "cli.words.answered-in-the-open",
    "together": "cli.words.opened-when-all-have-answered",
    "sealed": "cli.words.sealed-to-the-game-master",
    "kept": "cli.words.kept-until-it-is-called-for",
    "readers": "cli.words.for-the-readers-it-names",
}
"""How a question is answered, by what the rules say of it: ids of messages."""


def safe(text: object, length: int = 200) -> str:
    """Return text by others on one line, without anything that a terminal would act on."""
    if isinstance(text, Message) and text.isprintable() and len(text) <= length:
        return text  # with its id
    shown = "".join(c if c.isprintable() else "?" for c in str(text))
    return shown if len(shown) <= length else shown[: length - 1] + "…"


def listed(words: Sequence[str]) -> str:
    """Return `red, green and blue`."""
    if len(words) < 2:
        return words[0] if words else ""
    return Message("cli.words.and", first=tuple(words[:-1]), last=words[-1])
