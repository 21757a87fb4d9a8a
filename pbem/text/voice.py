"""The language of letters: below the command line everything is said in English, and what people read in a
letter is told in its writer's language, where the command line has put a voice for it.

What counts in a letter, its signed statements, is no text and has no language. The words of an order are
compared with what was signed: in every language there is, for nobody knows which its writer speaks.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

Voice = Callable[[str], str]
_VOICE: list[Voice] = []
_ALL: list[Callable[[], Iterable[Voice]]] = []


def speak_by(voice: Voice, others: Callable[[], Iterable[Voice]]) -> None:
    """From now on letters are told by this: an English line to the line as its writer says it. `others` are
    the voices of all languages, English or not, in which somebody else may have written."""
    _VOICE[:], _ALL[:] = [voice], [others]


def english(line: str) -> str:
    """The voice that says everything as it stands in the program."""
    return line


def told(line: str) -> str:
    """A line of a letter in its writer's language; English where nobody has said which that is."""
    return _VOICE[0](line) if _VOICE else line


def voices() -> list[Voice]:
    """Those of all languages in which a letter may be, English first."""
    return [english, *(voice for others in _ALL for voice in others())]
