"""The language of letters.

Below the command line all text is English. Letters are translated for people by the voice that the command
line sets.

What counts in a letter, its signed statements, is no text and has no language. The words of an order are
compared with what was signed: in every language there is, for nobody knows which its writer speaks.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

Voice = Callable[[str], str]
_VOICE: list[Voice] = []
_ALL: list[Callable[[], Iterable[Voice]]] = []


def speak_by(voice: Voice, others: Callable[[], Iterable[Voice]]) -> None:
    """Set the voice that translates letters.

    `others` are the voices of all languages in which somebody else may have written.
    """
    _VOICE[:], _ALL[:] = [voice], [others]


def english(line: str) -> str:
    """Return the line unchanged: the voice for English."""
    return line


def told(line: str) -> str:
    """Translate a line of an email into the sender's language.

    Default: English.
    """
    return _VOICE[0](line) if _VOICE else line


def voices() -> list[Voice]:
    """Return the voices of all languages of letters, English first."""
    return [english, *(voice for others in _ALL for voice in others())]
