"""The language of letters: below the command line everything is said in English, and what people read in a
letter is told in its writer's language, where the command line has put a voice for it.

What counts in a letter, its signed statements, is no text and has no language; nor have the words of an
order, which are compared with what was signed.
"""

from __future__ import annotations

from collections.abc import Callable

_VOICE: list[Callable[[str], str]] = []


def speak_by(voice: Callable[[str], str]) -> None:
    """From now on letters are told by this: an English line to the line as its writer says it."""
    _VOICE[:] = [voice]


def told(line: str) -> str:
    """A line of a letter in its writer's language; English where nobody has said which that is."""
    return _VOICE[0](line) if _VOICE else line
