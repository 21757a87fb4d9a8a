"""Orders in plain words: `- R-AR2 march Haska` for an element, `turn-order: pass` for a short answer.

What they mean is looked up among what may come at that place; words that fit nothing, or several things, are
not guessed at: the file is refused, with the lines that may have been meant.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any

from pbem.archive import order_file
from pbem.model.codec import schema_of
from pbem.model.elements import Part
from pbem.text.diagnostics import Refused
from pbem.text.flow import flow

if TYPE_CHECKING:
    from pbem.archive import Folder
    from pbem.cli.writing.naming import Names
    from pbem.engine.decisions import Decision
    from pbem.engine.drafting import Drafting
    from pbem.engine.growing import Next
    from pbem.engine.system import System

    Drafted = Callable[..., Drafting[Any] | None]

_SMALL = frozenset(
    {"a", "an", "and", "at", "auf", "aus", "battle", "bei", "by", "for", "from", "gefecht", "in", "into"}
    | {"nach", "of", "on", "the", "to", "und", "via", "von", "with", "zu", "über"}
)
"""Words that say nothing about which option is meant, in the languages that there are."""
_SHOWN = 4  # candidates to show


class Plain:
    """A reader of lines in plain words.

    `read` has what was understood, `several` the candidates for an unclear line.
    """

    def __init__(self, folder: Folder, names: Names, choices: dict[str, str]) -> None:
        self.folder, self.names, self.choices = folder, names, choices
        self.read: dict[str, str] = {}
        self.several: dict[str, list[str]] = {}
        self.by_rules = False
        """True if the rules read a line themselves: then they also report its faults."""

    def answers(self, given: Any) -> Any:
        """Return the answers of a file, with plain words written in full."""
        if not isinstance(given, dict):
            return given
        return {
            name: self._answer(self._drafted(name), value) if _has_words(value) else value
            for name, value in given.items()
        }

    def entries(self, given: Any) -> Any:
        """Return a list of advance or standing orders with plain words in full.

        `turn-order pass` is an entry, or words are the `answer` of one. A later question uses the present
        board.
        """
        return [self._entry(entry) for entry in given] if isinstance(given, list) else given

    def _entry(self, given: Any) -> Any:
        if isinstance(given, str):
            kind, _, rest = given.strip().partition(" ")
            kind = kind.rstrip(":")
            if kind not in self.folder.system.registry.decisions or not rest.strip():
                return given
            entry = {"decision": kind, "answer": int(rest) if rest.strip().isdigit() else rest.strip()}
            done = self._entry(entry)
            self.read[given] = flow(done)
            return done
        named = given.get("decision") if isinstance(given, dict) else None
        if isinstance(named, str) and _has_words(given.get("answer")):
            drafted = self._drafted(named)
            answer = self._answer(drafted, given["answer"])
            return given | {"answer": self._chosen(drafted, answer) if isinstance(answer, str) else answer}
        return given

    def _chosen(self, drafted: Drafted, word: str) -> Any:
        """Return an answer for a word that is no option now, but that the rules know there.

        Unlike nonsense it is not rejected.
        """
        drafting = drafted()
        if drafting is None:
            return word
        form = schema_of(drafting.decision.answer)
        part = next(iter(form.get("required", ())), "")
        if form.get("properties", {}).get(part, {}).get("type") != "string":
            return word
        known, other = (
            {fault.code for fault in drafting.draft.faults(Part(part, chosen))} for chosen in (word, "-")
        )
        if known == other:
            return word
        self.several.pop(word, None)
        return {part: word}

    def _drafted(self, name: str) -> Drafted:
        """Return a maker of drafts of an answer, by the question's key or kind.

        The question is asked, or comes next, or is any of its kind.
        """
        from pbem.archive import next_questions

        asked = order_file.questions(self.folder)
        for question in asked:
            if name in (question.key, question.kind):
                return lambda so_far=None: order_file.drafting(self.folder, question, so_far)
        kind = name.partition("/")[0]
        registry, view = self.folder.system.registry.decisions, self.folder.view()
        if kind not in registry:
            return lambda so_far=None: None
        coming = (
            coming_question.decision
            for coming_question in next_questions.next_questions(self.folder, asked, {})
            if coming_question.decision.kind == kind
        )
        decision = next(coming, None) or _plainest(view.system, kind, self.folder.need_me())
        return lambda so_far=None: order_file.drafting_of(view, decision, so_far) if decision else None

    def element(self, drafting: Drafting[Any], line: str) -> list[Next[Any]]:
        """Return the options that a line in plain words may mean: one, if it is clear."""
        options_read = self._shorthand(drafting, line)
        if options_read and not drafting.draft.faults(options_read[0].element):
            return options_read
        return self._fitting(drafting, drafting.next(self._first_id(line)), line)

    def _answer(self, drafted: Drafted, value: Any) -> Any:
        try:
            drafting = drafted()
            if drafting is None:
                return value
            if isinstance(value, str):
                return self._whole(drafting, value)
            if isinstance(value, list):
                return self._list(drafted, value, lambda before: before)
            so_far: dict[str, Any] = {}
            for key, part in value.items():
                if isinstance(part, list):
                    part = self._list(drafted, part, _under(dict(so_far), key))
                so_far[key] = part
            return so_far
        except Refused:  # an earlier line is illegal: report that first
            return value

    def _whole(self, drafting: Drafting[Any], word: str) -> Any:
        meant = self._meant(drafting, drafting.next(), word)
        return word if meant is None else drafting.json_with(meant)

    def _list(self, drafted: Drafted, items: Sequence[Any], whole: Any) -> list[Any]:
        done: list[Any] = []
        drafting: Drafting[Any] | None = None
        for item in items:
            if not isinstance(item, str):
                done.append(item)
                drafting = None
                continue
            drafting = drafting or drafted(whole(done))
            assert drafting is not None
            meant = self._meant(drafting, drafting.next(self._first_id(item)), item)
            if meant is None:
                done.append(item)
                continue
            written = drafting.written(meant.element)
            done.append(written.value)
            self.read[item] = flow(written.value)
            drafting.add(meant)
        return done

    def _first_id(self, line: str) -> str | None:
        for word in self._words(line):
            if self.names.find(word) is not None:
                return word
        return None

    def _words(self, line: str) -> list[str]:
        """Return the words of a line as the game has them: ids, places, words of the rules."""
        words = []
        for word in re.split(r"[\s,;:>()\u2192]+", line.strip(" .-")):
            parts = [word] if self._known(word) else re.split(r"[-\u2010-\u2015]", word)
            for part in parts if all(self._known(part) for part in parts) else [word]:
                if part and part.casefold() not in _SMALL:
                    words.append(self._known(part) or part)
        return words

    def _known(self, word: str) -> str | None:
        return self.names.find(word) or self.choices.get(plainly(word))

    def _meant(self, drafting: Drafting[Any], options: Iterable[Next[Any]], line: str) -> Next[Any] | None:
        """Return the one option that a line means; several are noted."""
        options_read = self._shorthand(drafting, line)
        self.by_rules = self.by_rules or bool(options_read)
        meant = options_read or self._fitting(drafting, options, line)
        if len(meant) == 1:
            return meant[0]
        self.several[line] = [flow(drafting.written(option.element).value) for option in meant[:_SHOWN]]
        return None

    def _shorthand(self, drafting: Drafting[Any], line: str) -> list[Next[Any]]:
        """Return the elements that the rules read in a line's words; they are checked like other orders."""
        words = [self.verbs.get(plainly(word), word) for word in self._words(line)]
        return self.folder.system.shorthand(drafting.draft, words)

    @cached_property
    def verbs(self) -> dict[str, str]:
        """Return words of people for words of the rules, in English and in the reader's language."""
        from pbem.cli.shell.language import code

        system = self.folder.system
        sections = (system.wording, system.wording_in(code()))
        return {
            plainly(written): word
            for section in sections
            for word, others in section.get("shorthand", {}).items()
            for written in others.split()
        }

    def _fitting(self, drafting: Drafting[Any], options: Iterable[Next[Any]], line: str) -> list[Next[Any]]:
        """Return the shortest options that have all words of a line, in order, and end where they end."""
        wanted = self._words(line)
        if not wanted:
            return []
        fitting: list[tuple[int, int, Next[Any]]] = []
        for n, option in enumerate(options):
            texts = list(_texts(drafting.written(option.element).value))
            if not option.instead and _within(wanted, texts) and texts[-1] == wanted[-1]:
                fitting.append((len(texts) - len(wanted), n, option))
        fitting.sort(key=lambda pair: pair[:2])
        least = [element for more, _, element in fitting if more == fitting[0][0]]
        return least[:1] if least and fitting[0][0] == 0 else least


def _plainest(system: System, kind: str, me: str) -> Decision[Any] | None:
    """Return a question of a kind without a subject, or None if it needs one."""
    try:
        return system.decision(kind, me, {})
    except (Refused, TypeError, KeyError):
        return None


def plainly(word: str) -> str:
    """Return a word without differences in case, blanks and hyphens."""
    return re.sub(r"[\s_-]+", "", word).casefold()


def _under(before: dict[str, Any], key: str) -> Any:
    return lambda done: {**before, **({key: list(done)} if done else {})}


def _has_words(value: Any) -> bool:
    """Return True if it is a bare word, or has a list with bare words."""
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
    """Return True if the words occur among the texts in their order."""
    rest = iter(texts)
    return all(word in rest for word in wanted)
