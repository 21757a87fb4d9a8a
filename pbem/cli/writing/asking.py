"""Questions to a player on a terminal: a number, a choice, or a long answer element by element.

Answers are written into the order file, which is the only thing checked and signed.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import islice
from typing import TYPE_CHECKING, Any

import click

from pbem.cli.shell.console import note, strong
from pbem.cli.shell.language import code, spoken
from pbem.cli.shell.words import safe
from pbem.text.messages import Message, Worded

if TYPE_CHECKING:
    from pbem.archive import Folder
    from pbem.engine.drafting import Drafting
    from pbem.engine.growing import Next
    from pbem.engine.resolve import Question

SHOWN = 24
_KEYS = ("cli.asking.what-names-and-numbers-do", "cli.asking.what-letters-do")


class InEditor(Exception):
    """The player's wish to write the answer in an editor."""


class NothingMore(Exception):
    """The player's wish to do nothing more in this part of the turn."""


def ask(
    folder: Folder,
    question: Question,
    so_far: Any = None,
    keep: Callable[[Any], None] = lambda part: None,
    nothing: Message | None = None,
) -> Any:
    """Return the player's answer as in an order file.

    Raises InEditor if the player wants the file, and NothingMore if that is offered (`nothing` says of what)
    and taken; Abort leaves everything.

    A long answer begins with what is legal of `so_far`; `keep` gets it as it grows.
    """
    from pbem.archive import order_form

    note("")
    asked = safe(order_form.sentence(folder.system, question, code()), 400)
    note(strong(Worded(f"{asked} [{question.rule}]")))
    drafting = _drafting(folder, question, so_far)
    if drafting is not None:
        return _Growing(folder, drafting, keep, nothing).ask()
    return _one_of(folder, question)


def _drafting(folder: Folder, question: Question, so_far: Any) -> Drafting[Any] | None:
    from pbem.archive import order_file
    from pbem.text.diagnostics import Refused

    try:
        return order_file.drafting(folder, question, so_far)
    except Refused:  # not of this kind
        return order_file.drafting(folder, question)


def _one_of(folder: Folder, question: Question) -> Any:
    """Return one of the options, by its number; what is a number itself, as it is."""
    from pbem.archive import order_file
    from pbem.text.flow import flow

    options = list(islice(order_file.options(folder, question), SHOWN + 1))
    plain = all(type(option.answer) is int for option in options) and len(options) <= SHOWN
    if not options or len(options) > SHOWN or not all(option.complete for option in options):
        note(Message("cli.asking.answer-is-written-in-the-file"))
        raise InEditor
    for number, option in enumerate(options, 1):
        label = flow(option.answer) if plain else str(number)
        note(f"  {label:>3}  {safe(option.points.after(option.text), 400)}")
    by_label = {
        flow(choice.answer) if plain else str(n): choice.answer for n, choice in enumerate(options, 1)
    }
    while True:
        typed = _typed(Message("cli.asking.your-answer"))
        if typed in by_label:
            return by_label[typed]
        note(Message("cli.asking.one-of-these", labels=tuple(by_label)))


def _typed(words: str) -> str:
    text: str = click.prompt(spoken(words), default="", show_default=False, err=True, prompt_suffix=" > ")
    text = text.strip()
    if text.lower() in ("e", "edit", "editor"):
        raise InEditor
    if text.lower() in ("q", "quit", "exit"):
        raise click.Abort
    return text


class _Growing:
    """A long answer, element by element."""

    def __init__(
        self,
        folder: Folder,
        drafting: Drafting[Any],
        keep: Callable[[Any], None],
        nothing: Message | None,
    ) -> None:
        from pbem.cli.writing.naming import Names

        self.nothing = nothing
        self.folder = folder
        self.drafting = drafting
        self.keep = keep
        self.names = Names.of(folder)
        self.listed: list[Next[Any]] = []
        self.room: dict[int, int] = {}  # listed line -> index of the element it goes before

    def ask(self) -> Any:
        self._help()
        if self.drafting.elements:
            note(Message("cli.asking.so-far"))
            self._so_far()
        else:
            self._list(None)
        while True:
            typed = _typed(Message("cli.asking.your-order"))
            small = typed.lower()
            if small.isdigit() and 0 < int(small) <= len(self.listed):
                self._take(int(small) - 1)
            elif small in ("?", "help", "h"):
                self._help()
                self._list(None)
            elif small in ("u", "units"):
                self._units()
            elif small in ("=", "so far", "show"):
                self._so_far()
            elif small in ("b", "back", "undo"):
                self.drafting.back()
                self.keep(self.drafting.json())
                self._so_far()
            elif small == "n" and self.nothing is not None and not self.drafting.elements:
                raise NothingMore
            elif small in ("d", "done", "end"):
                if self._done():
                    return self.drafting.json()
            elif typed:
                self._begin(typed)
            else:
                note(Message("cli.asking.what-you-may-type"))

    def _help(self) -> None:
        for id in _KEYS:
            note(Message(id))
        if self.nothing is not None:
            note(Message("cli.asking.what-n-does", nothing=self.nothing))

    def _done(self) -> bool:
        lacking = self.drafting.lacking
        for fault in lacking:
            note(Message("cli.asking.not-yet", message=safe(fault.message, 400)))
        return not lacking

    def _units(self) -> None:
        """Show my units with what they may do now."""
        from pbem.cli.writing.units import ASKED, able_units, my_units, what, where

        units = my_units(self.folder, self.names)[:ASKED]
        for id, unit in able_units(self.drafting, units):
            note(f"  {id:<10}  {where(self.names, id)}: {what(unit)}")

    def _begin(self, typed: str) -> None:
        """Show the options of a unit, at a place, or to a second place; or add an order in plain words.

        `R-AR2 march Haska` is one.
        """
        if self._line(typed):
            return
        words = [typed] if self.names.find(typed) is not None else typed.split(maxsplit=1)
        ids = [self.names.find(word) for word in words]
        if None in ids and ids[0] is not None and self._add_in_words(typed):
            return
        for word, id in zip(words, ids, strict=True):
            if id is None:
                note(Message("cli.asking.no-such-unit-or-place", word=safe(word)))
                for hint in self.names.hints(word):
                    note(f"  {hint}")
                return
        self._list(ids[0], ids[1] if len(ids) > 1 else None)

    def _line(self, typed: str) -> bool:
        """Add an order in the game's notation, or say what is wrong; return True if it is such a line."""
        hook = self.folder.system.line_hook
        element = hook(self.drafting.draft, typed) if hook and self.names.find(typed) is None else None
        if element is None:
            return False
        faults = self.drafting.offer(element.element)
        for fault in faults:
            note(Message("cli.asking.not-added", message=safe(fault.message, 400)))
            for hint in fault.help:
                note(hint, before="  ")
        if not faults:
            self.drafting.back()
            self._add(element)
        return True

    def _add_in_words(self, typed: str) -> bool:
        """Add an element in plain words, or list those that may be meant; return True if it is one."""
        from pbem.cli.writing.plain import Plain
        from pbem.cli.writing.spelling import choices

        plain = Plain(self.folder, self.names, choices(self.folder, self.names))
        meant = plain.element(self.drafting, typed)
        if (
            not meant
            and not self.drafting.elements
            and self._opened(lambda: plain.element(self.drafting, typed))
        ):
            meant = plain.element(self.drafting, typed)
        if len(meant) == 1:
            self._add(meant[0])
        elif meant:
            self._show(meant)
        return bool(meant)

    def _list(self, of: str | None, end: str | None = None) -> None:
        one_step = self._found(self.drafting, of, end)
        if not one_step and of is not None and not self.drafting.elements:
            one_step = self._one_step_on(of, end)
        if of is not None:
            from pbem.cli.writing.legal import described

            place = self.names.place(of) if of in self.names.view.position.counters else ""
            plain = Message("cli.asking.unit-and-place", unit=safe(self.names.called(of)), place=place)
            lines: list[Message | Worded] = [*map(Worded, described(self.names, of))]
            for line in lines or [plain]:
                note(line)
        self._show(one_step)
        if not one_step and (of is None or not self._before(of)):
            note(Message("cli.asking.nothing-may-come-next", there=of is not None), before="  ")

    def _show(self, options: list[Next[Any]]) -> None:
        # what no unit begins (a vote) is listed below what units may do
        self.listed, self.room = sorted(options[:SHOWN], key=_begins_nowhere), {}
        for number, option in enumerate(self.listed, 1):
            note(f"  {number:>3}  {safe(option.points.after(option.text), 400)}")
        if len(options) > SHOWN:
            note(Message("cli.asking.there-are-more"), before="       ")

    def _before(self, of: str) -> bool:
        """Show what must come before something there may act; return True if anything helps.

        That is a next element, or one of an earlier part of the answer.
        """
        from pbem.cli.writing.earlier import enabling

        needed = enabling(self.drafting, of)
        if not needed:
            return False
        note(Message("cli.asking.begins-there-after-one-of-these"), before="  ")
        self._show([option for option, _ in needed])
        self.room = {n: at for n, (_, at) in enumerate(needed)}
        return True

    def _found(self, drafting: Drafting[Any], of: str | None, end: str | None) -> list[Next[Any]]:
        options = drafting.next(of)
        return list(islice((option for option in options if end in (None, option.points.last)), SHOWN + 1))

    def _one_step_on(self, of: str, end: str | None) -> list[Next[Any]]:
        """Return the options there once the answer is begun in the one way that allows them."""
        self._opened(lambda: self._found(self.drafting, of, end))
        return self._found(self.drafting, of, end)

    def _opened(self, works: Callable[[], Any]) -> bool:
        """Begin the answer in the one way in which something works; as it was, where none does."""
        from pbem.cli.writing.legal import openers

        for opener in openers(self.drafting):
            self.drafting.add(opener)
            if works():
                note(Message("cli.asking.begun-with", text=safe(opener.text)))
                return True
            self.drafting.back()
        return False

    def _take(self, number: int) -> None:
        """Add a line of the list, where it has its place."""
        option, at = self.listed[number], self.room.get(number)
        if at is None or at == len(self.drafting.elements):
            self._add(option)
            return
        from pbem.cli.writing.earlier import inserted

        self.drafting = inserted(self.drafting, option, at)
        self.listed, self.room = [], {}
        self.keep(self.drafting.json())
        note(Message("cli.asking.added-before-the-rest", text=safe(option.text, 400)))

    def _add(self, option: Next[Any]) -> None:
        self.drafting.add(option)
        self.keep(self.drafting.json())
        self.listed, self.room = [], {}
        note(Message("cli.asking.added", text=safe(option.text, 400)))
        follow = list(islice(self.drafting.next(), SHOWN + 1))
        longer = [further for further in follow if further.instead]
        if longer and len(follow) <= SHOWN:
            self._list(None)

    def _so_far(self) -> None:
        from pbem.model.elements import lines_of

        drafting = self.drafting
        if not drafting.elements:
            note(Message("cli.asking.nothing-so-far"))
            return
        for line in lines_of(drafting.decision.answer, drafting.json()):
            note(f"  {safe(line, 400)}")
        note(Message("cli.asking.elements", count=len(drafting.elements)))


def _begins_nowhere(option: Next[Any]) -> bool:
    return not option.points.counters and option.points.start is None
