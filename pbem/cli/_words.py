"""Words for the terminal: text by others made harmless, places, counts."""

from __future__ import annotations

from collections.abc import Sequence

SECRECY = {
    "open": "answered in the open",
    "together": "opened when all have answered",
    "sealed": "sealed to the game master",
    "kept": "kept until it is called for",
}
"""How a question is answered, by what the rules say of it."""


def safe(text: object, length: int = 200) -> str:
    """Text by others on one line, with nothing in it that a terminal would act on."""
    shown = "".join(c if c.isprintable() else "?" for c in str(text))
    return shown if len(shown) <= length else shown[: length - 1] + "…"


def counted(number: int, one: str, many: str = "") -> str:
    """`1 order`, `3 orders`."""
    return f"{number} {one if number == 1 else many or one + 's'}"


def listed(words: Sequence[str]) -> str:
    """`red, green and blue`."""
    return ", ".join(words[:-1]) + " and " + words[-1] if len(words) > 1 else "".join(words)
