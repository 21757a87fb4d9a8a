"""Refusals of the rules: one shape for a fault in a part of an order, and a way to collect them all.

A fault is a `Diagnostic` of the family "illegal": its code (`E-MOV-03`), what was found and what was wanted,
the rule, and the path into the part that it was asked about. Functions say what is wrong with the part that
they look at; the caller that has the whole puts the path of that part before it:

    def spend_faults(board: Board, one: Spend) -> Iterator[Diagnostic]:
        if one.steps > room:
            yield illegal("E-PRO-05", "4.10.4", f"{one.unit} takes {room} more, not {one.steps}", "steps")

    faults = [*under(spend_faults(board, one), "spend", n)]

Rule of thumb: yield everything that is wrong, not just the first thing, unless what follows makes no sense
without what went before; and say what would be right (`help`, `unknown`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from pbem.text.diagnostics import Diagnostic, Refused
from pbem.text.messages import Message
from pbem.text.suggest import did_you_mean


def illegal(
    code: str, rule: str, message: str, *path: str | int, help: str | tuple[str, ...] = ()
) -> Diagnostic:
    """Return a refusal by the rules: `message` says what, `path` where, and `help` what to do."""
    ways = (help,) if isinstance(help, str) else help
    return Diagnostic(code, message, family="illegal", path=path, rule=rule, help=ways)


def unknown(
    code: str, rule: str, message: str, *path: str | int, name: str, names: Iterable[str]
) -> Diagnostic:
    """Return a refusal of an unknown name, with the name that was probably meant as help."""
    near = did_you_mean(name, list(names))
    return illegal(
        code, rule, message, *path, help=Message("text.suggest.did-you-mean", near=near) if near else ()
    )


def under(faults: Iterable[Diagnostic], *path: str | int) -> Iterator[Diagnostic]:
    """Yield the faults of a part as faults of the whole, with the part's path before theirs."""
    return (replace(fault, path=(*path, *fault.path)) for fault in faults)


def refuse(faults: Iterable[Diagnostic]) -> None:
    """Raise `Refused` with all faults of what was read (a scenario, say); go on where there are none."""
    if listed := list(faults):
        raise Refused(listed)


def bad_data(
    code: str, message: str, *path: str | int, name: str = "", names: Iterable[str] = ()
) -> Diagnostic:
    """Return a fault of an author's data, not of an order; `name` was not found among `names`."""
    near = did_you_mean(name, list(names)) if name else None
    return Diagnostic(
        code, message, path=path, help=(Message("text.suggest.did-you-mean", near=near),) if near else ()
    )
