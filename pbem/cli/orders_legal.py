"""`pbem orders legal`: what is allowed now."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import click

from pbem.cli._console import note, print_json, result, strong
from pbem.cli._options import in_folder, json_option
from pbem.cli._words import counted, safe

if TYPE_CHECKING:
    from pbem.archive.folder import Folder
    from pbem.engine.decisions import Option
    from pbem.engine.resolve import Question


@click.command()
@click.argument("what", metavar="[DECISION|UNIT]", required=False)
@click.option("--after", metavar="ANSWER", help="What may follow this much of an answer (as in the file).")
@json_option
@in_folder
def command(folder: Folder, what: str | None, after: str | None, as_json: bool) -> None:
    """List what you may answer now, each option as a line that can be pasted into the order file.

    A long answer (a turn's moves) grows: --after takes what you have of it and shows what may come next.
    With the name of a unit, only options that name it are listed.

    \b
    Example:  pbem orders legal bid
              pbem orders legal R-AR1
              pbem orders legal turn-order --after '{choice: turn}'
    """
    from pbem.archive import orders
    from pbem.archive.template import sentence

    orders.need_asked(folder)
    asked = orders.questions(folder)
    chosen = [one for one in asked if what in (None, one.key, one.kind)]
    unit = what if not chosen else None
    so_far = _parsed(after) if after is not None else None
    listed: list[dict[str, Any]] = []
    count = 0
    for question in chosen or asked:
        if not as_json:
            result(strong(f"# {safe(sentence(folder.system, question), 400)} [{question.rule}]"))
        for option in _options(folder, question, so_far, unit):
            count += 1
            if as_json:
                listed.append(_data(question, option))
            else:
                result(_line(question, option))
    if as_json:
        print_json(listed)
    elif not asked:
        note("nothing is to be decided yet: signing an order without answers says that you are ready")
    elif unit is not None and count == 0:
        kinds = ", ".join(dict.fromkeys(one.kind for one in asked))
        raise click.UsageError(f"'{unit}' is neither asked now nor a unit in any option; asked: {kinds}")
    else:
        note(counted(count, "option"))


def _options(folder: Folder, question: Question, so_far: Any, unit: str | None) -> Iterator[Option]:
    """The options, those that name the unit; where a long answer must first be begun, those one step on."""
    from pbem.archive import orders

    first = orders.options(folder, question, so_far)
    if unit is None:
        yield from first
        return
    begun = list(first)
    found = [option for option in begun if _names(option.answer, unit)]
    yield from found
    for option in begun if not found else ():
        if isinstance(option.answer, dict | list):
            further = orders.options(folder, question, option.answer)
            yield from (one for one in further if _names(one.answer, unit))


def _names(value: Any, name: str) -> bool:
    """Does a name stand anywhere in an answer?"""
    if isinstance(value, dict):
        return any(key == name or _names(item, name) for key, item in value.items())
    if isinstance(value, list):
        return any(_names(item, name) for item in value)
    return bool(value == name)


def _line(question: Question, option: Option) -> str:
    from pbem.archive.orders import compact

    more = "" if option.complete else " ... and more after it"
    return f"  {question.key}: {compact(option.answer)}   # {safe(option.text, 400)}{more}"


def _data(question: Question, option: Option) -> dict[str, Any]:
    return {
        "decision": question.key,
        "answer": option.answer,
        "text": option.text,
        "complete": option.complete,
    }


def _parsed(text: str) -> Any:
    """The answer so far, as YAML on one line."""
    from pbem.text.yaml import load

    return load(text, "--after").data
