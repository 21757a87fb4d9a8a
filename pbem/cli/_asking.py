"""Asking a player for his answers on a terminal: a number, a choice from a list, or a long answer that grows
element by element. What he answers is written into his order file, which stays the one thing that is
checked and signed."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING, Any

import click

from pbem.cli._console import note, strong
from pbem.cli._language import code, spoken
from pbem.cli._words import counted, safe

if TYPE_CHECKING:
    from pbem.archive import Folder
    from pbem.engine.drafting import Drafting
    from pbem.engine.growing import Next
    from pbem.engine.resolve import Question

SHOWN = 24
_KEYS = (
    "NUMBER adds that line; a unit or place (R-AR1, 0405, a name) shows what may begin there; "
    "with a place behind it (R-AR1 0606) what ends there; u your units; ? all that may come next; "
    "= so far; b takes the last back; d done; e in the editor"
)


class InEditor(Exception):
    """He would rather write it himself."""


def ask(folder: Folder, question: Question) -> Any:
    """His answer, as it stands in an order file. InEditor if he wants the file; Abort leaves everything."""
    from pbem.archive import order_file, order_form

    note("")
    note(strong(f"{safe(order_form.sentence(folder.system, question, code()), 400)} [{question.rule}]"))
    drafting = order_file.drafting(folder, question)
    if drafting is not None:
        return _Growing(folder, drafting).ask()
    return _one_of(folder, question)


def _one_of(folder: Folder, question: Question) -> Any:
    """One of the options, by its number; what is a number itself, as it is."""
    from pbem.archive import order_file
    from pbem.text.flow import flow

    found = list(islice(order_file.options(folder, question), SHOWN + 1))
    plain = all(type(option.answer) is int for option in found) and len(found) <= SHOWN
    if not found or len(found) > SHOWN or not all(option.complete for option in found):
        note("this answer is written in the order file")
        raise InEditor
    for number, option in enumerate(found, 1):
        cost = f" ({option.points.text})" if option.points.text else ""
        label = flow(option.answer) if plain else str(number)
        note(f"  {label:>3}  {safe(option.text + cost, 400)}")
    by_label = {flow(one.answer) if plain else str(n): one.answer for n, one in enumerate(found, 1)}
    while True:
        typed = _typed("your answer (e: in the editor)")
        if typed in by_label:
            return by_label[typed]
        note(f"one of: {', '.join(by_label)}")


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

    def __init__(self, folder: Folder, drafting: Drafting[Any]) -> None:
        from pbem.cli._naming import Names

        self.folder = folder
        self.drafting = drafting
        self.names = Names.of(folder)
        self.listed: list[Next[Any]] = []

    def ask(self) -> Any:
        note(_KEYS)
        self._list(None)
        while True:
            typed = _typed("add")
            small = typed.lower()
            if small.isdigit() and 0 < int(small) <= len(self.listed):
                self._add(self.listed[int(small) - 1])
            elif small in ("?", "help", "h"):
                note(_KEYS)
                self._list(None)
            elif small in ("u", "units"):
                self._units()
            elif small in ("=", "so far", "show"):
                self._so_far()
            elif small in ("b", "back", "undo"):
                self.drafting.back()
                self._so_far()
            elif small in ("d", "done", "end"):
                if self._done():
                    return self.drafting.json()
            elif typed:
                self._begin(typed)

    def _done(self) -> bool:
        lacking = self.drafting.lacking
        for fault in lacking:
            note(f"not yet: {safe(fault.message, 400)}")
        return not lacking

    def _units(self) -> None:
        """My units with what they may do now."""
        from pbem.cli._units import ASKED, able_units, my_units, what, where

        units = my_units(self.folder, self.names)[:ASKED]
        for id, found in able_units(self.drafting, units):
            note(f"  {id:<10}  {where(self.names, id)}: {what(found)}")

    def _begin(self, typed: str) -> None:
        """Show what may begin with a unit or at a place, or of that what ends at a second place."""
        words = [typed] if self.names.find(typed) is not None else typed.split(maxsplit=1)
        ids = [self.names.find(word) for word in words]
        for word, id in zip(words, ids, strict=True):
            if id is None:
                note(f"there is no unit or place '{safe(word)}'")
                for hint in self.names.hints(word):
                    note(f"  {hint}")
                return
        self._list(ids[0], ids[1] if len(ids) > 1 else None)

    def _list(self, of: str | None, end: str | None = None) -> None:
        found = self._found(self.drafting, of, end)
        if not found and of is not None and not self.drafting.elements:
            found = self._one_step_on(of, end)
        self.listed = found[:SHOWN]
        if of is not None:
            where = self._where(of)
            note(f"{safe(self.names.called(of))}{f', {where}' if where else ''}")
        for number, one in enumerate(self.listed, 1):
            cost = f" ({one.points.text})" if one.points.text else ""
            note(f"  {number:>3}  {safe(one.text + cost, 400)}")
        if len(found) > SHOWN:
            note("       ... and more: name a unit or a place, or look with `pbem orders legal`")
        if not found:
            note("  nothing that may come next" + ("" if of is None else " begins there"))

    def _found(self, drafting: Drafting[Any], of: str | None, end: str | None) -> list[Next[Any]]:
        found = drafting.next(of)
        return list(islice((one for one in found if end in (None, one.points.last)), SHOWN + 1))

    def _where(self, id: str) -> str:
        return f"in {self.names.place(id)}" if id in self.names.view.position.counters else ""

    def _one_step_on(self, of: str, end: str | None) -> list[Next[Any]]:
        """What begins there once the answer is begun in the one way that lets it."""
        from pbem.cli._legal import openers

        for one in openers(self.drafting):
            self.drafting.add(one)
            found = self._found(self.drafting, of, end)
            if found:
                note(f"(with: {safe(one.text)})")
                return found
            self.drafting.back()
        return []

    def _add(self, one: Next[Any]) -> None:
        self.drafting.add(one)
        self.listed = []
        note(f"added: {safe(one.text, 400)}")
        follow = list(islice(self.drafting.next(), SHOWN + 1))
        longer = [each for each in follow if each.instead]
        if longer and len(follow) <= SHOWN:
            self._list(None)

    def _so_far(self) -> None:
        from pbem.model.elements import lines_of

        drafting = self.drafting
        if not drafting.elements:
            note("nothing so far")
            return
        for line in lines_of(drafting.decision.answer, drafting.json()):
            note(f"  {safe(line, 400)}")
        note(counted(len(drafting.elements), "element"))
