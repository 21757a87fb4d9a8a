"""Orders in plain words, as a person writes them: `- R-AR2 march Haska` in place of an element of a long
answer, `turn-order: pass` in place of a short one.

What they mean is looked up among what may come at that place; words that fit nothing, or several things, are
not guessed at: the file is refused, with the lines that may have been meant.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

from pbem.archive import order_file
from pbem.text.diagnostics import Refused
from pbem.text.flow import flow

if TYPE_CHECKING:
    from pbem.archive import Folder
    from pbem.cli._naming import Names
    from pbem.engine.drafting import Drafting
    from pbem.engine.growing import Next
    from pbem.engine.resolve import Question

_SMALL = frozenset(
    {"a", "an", "and", "at", "auf", "aus", "battle", "bei", "by", "for", "from", "gefecht", "in", "into"}
    | {"nach", "of", "on", "the", "to", "und", "via", "von", "with", "zu", "über"}
)
"""Words that say nothing about which option is meant, in the languages that there are."""
_SHOWN = 4  # of several that may be meant


class Plain:
    """Reads lines in plain words. `read` has what was understood, `several` what may have been meant by a
    line that was not."""

    def __init__(self, folder: Folder, names: Names, choices: dict[str, str]) -> None:
        self.folder, self.names, self.choices = folder, names, choices
        self.read: dict[str, str] = {}
        self.several: dict[str, list[str]] = {}

    def answers(self, given: Any) -> Any:
        """The answers of a file, those in plain words as they are written in full."""
        if not isinstance(given, dict):
            return given
        asked = {one.kind: one for one in order_file.questions(self.folder)}
        asked |= {one.key: one for one in order_file.questions(self.folder)}
        return {
            name: self._answer(asked[name], value) if name in asked and _has_words(value) else value
            for name, value in given.items()
        }

    def _answer(self, question: Question, value: Any) -> Any:
        try:
            drafting = order_file.drafting(self.folder, question)
            if drafting is None:
                return value
            if isinstance(value, str):
                return self._whole(drafting, value)
            if isinstance(value, list):
                return self._list(question, value, lambda before: before)
            so_far: dict[str, Any] = {}
            for key, part in value.items():
                if isinstance(part, list):
                    part = self._list(question, part, _under(dict(so_far), key))
                so_far[key] = part
            return so_far
        except Refused:  # what stands before is not legal: that is told first
            return value

    def _whole(self, drafting: Drafting[Any], word: str) -> Any:
        found = self._meant(drafting, drafting.next(), word)
        return word if found is None else drafting.json_with(found)

    def _list(self, question: Question, items: Sequence[Any], whole: Any) -> list[Any]:
        done: list[Any] = []
        drafting: Drafting[Any] | None = None
        for item in items:
            if not isinstance(item, str):
                done.append(item)
                drafting = None
                continue
            drafting = drafting or order_file.drafting(self.folder, question, whole(done))
            assert drafting is not None
            found = self._meant(drafting, drafting.next(self._first_id(item)), item)
            if found is None:
                done.append(item)
                continue
            written = drafting.written(found.element)
            done.append(written.value)
            self.read[item] = flow(written.value)
            drafting.add(found)
        return done

    def _first_id(self, line: str) -> str | None:
        for word in self._words(line):
            if self.names.find(word) is not None:
                return word
        return None

    def _words(self, line: str) -> list[str]:
        """The words of a line as the game has them: ids, places, words of the rules."""
        found = []
        for word in re.split(r"[\s,;:>()\u2192]+", line.strip(" .-")):
            parts = [word] if self._known(word) else re.split(r"[-\u2010-\u2015]", word)
            for part in parts if all(self._known(part) for part in parts) else [word]:
                if part and part.casefold() not in _SMALL:
                    found.append(self._known(part) or part)
        return found

    def _known(self, word: str) -> str | None:
        return self.names.find(word) or self.choices.get(plainly(word))

    def _meant(self, drafting: Drafting[Any], options: Iterable[Next[Any]], line: str) -> Next[Any] | None:
        """The one option that has all words of a line, in order, and ends where they end."""
        wanted = self._words(line)
        if not wanted:
            return None
        fitting: list[tuple[int, int, Next[Any]]] = []
        for n, one in enumerate(options):
            texts = list(_texts(drafting.written(one.element).value))
            if not one.instead and _within(wanted, texts) and texts[-1] == wanted[-1]:
                fitting.append((len(texts) - len(wanted), n, one))
        fitting.sort(key=lambda found: found[:2])
        least = [one for more, _, one in fitting if more == fitting[0][0]]
        if len(least) == 1 or (least and fitting[0][0] == 0):
            return least[0]
        self.several[line] = [flow(drafting.written(one.element).value) for one in least[:_SHOWN]]
        return None


def plainly(word: str) -> str:
    """A word without what people write in different ways: case, blanks, strokes."""
    return re.sub(r"[\s_-]+", "", word).casefold()


def _under(before: dict[str, Any], key: str) -> Any:
    return lambda done: {**before, **({key: list(done)} if done else {})}


def _has_words(value: Any) -> bool:
    """Is it a bare word, or has it a list with bare words?"""
    if isinstance(value, str):
        return True
    parts: Iterable[Any] = value.values() if isinstance(value, dict) else [value]
    return any(isinstance(part, list) and any(isinstance(item, str) for item in part) for part in parts)


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, dict | list):
        for item in value.values() if isinstance(value, dict) else value:
            yield from _texts(item)
    else:
        yield str(value)


def _within(wanted: Sequence[str], texts: Sequence[str]) -> bool:
    """Do the words stand among the texts in their order?"""
    rest = iter(texts)
    return all(word in rest for word in wanted)
