"""`pbem orders legal`: what is allowed now."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, NoReturn

import click

from pbem.cli._console import note, paged, print_json, ready, result, strong
from pbem.cli._language import code, spoken_file
from pbem.cli._naming import Names
from pbem.cli._options import in_folder, json_option
from pbem.cli._words import counted, safe

if TYPE_CHECKING:
    from pbem.archive import Folder
    from pbem.cli._legal import Legal


@click.command()
@click.argument("what", metavar="[DECISION|UNIT|PLACE]", required=False)
@click.argument("end", metavar="[PLACE]", required=False)
@click.option("--after", metavar="ANSWER", help="What may follow this much of an answer (as in the file).")
@json_option
@in_folder
def command(folder: Folder, what: str | None, end: str | None, after: str | None, as_json: bool) -> None:
    """List what you may answer now, each option as a line that can be pasted into the order file.

    A long answer (a turn's moves) grows: --after takes what you have of it and shows what may come next,
    one element a line. With the name of a unit or a place (its id in any case, or the name on the map), only
    what begins there is listed, with a second place only what ends there; of a place where nothing begins
    what ends there. What an option costs or risks stands behind it in brackets.

    \b
    Example:  pbem orders legal bid
              pbem orders legal R-AR1
              pbem orders legal 0405
              pbem orders legal R-AR1 Haska
              pbem orders legal turn-order --after '{choice: turn}'
    """
    from pbem.archive import order_file, order_form
    from pbem.cli._legal import data, described, ending, legal, lines, of_all

    order_file.need_asked(folder)
    asked = order_file.questions(folder)
    if what is not None and end is not None and Names.of(folder).find(f"{what} {end}") is not None:
        what, end = f"{what} {end}", None  # a name of two words
    chosen = [one for one in asked if what in (None, one.key, one.kind)]
    names = Names.of(folder) if what is not None and not chosen else None
    begins = (names.find(what) or what) if names is not None and what is not None else None
    so_far = _parsed(after) if after is not None else None
    listed = chosen or asked
    found: dict[str, Iterable[Legal]] = {one.key: legal(folder, one, so_far, begins) for one in listed}
    if begins is not None:
        assert names is not None
        ends = (names.find(end) or end) if end is not None else None
        found = {key: ending(options, ends) for key, options in found.items()}
        if not any(found.values()) and end is None and begins not in names.view.position.counters:
            found = {one.key: ending(of_all(folder, names, one, so_far), begins) for one in listed}
        if not any(found.values()):
            _nothing_for(folder, names, begins if ends is None else ends, so_far is not None)
    if as_json:
        print_json([data(one, option) for one in listed for option in found[one.key]])
        return
    count = 0
    with paged():
        for line in described(names, begins):
            result(f"# {line}")
        for question in listed:
            asked_in_words = safe(order_form.sentence(folder.system, question, code()), 400)
            result(strong(f"# {asked_in_words} [{question.rule}]"))
            if begins is None and so_far is None:
                decision = folder.system.decision(question.kind, question.party, question.fields)
                for line in order_form.beside(folder.view(), decision, code()):
                    result(f"# {safe(line, 400)}")
            told = list(lines(question, found[question.key]))
            count += sum(is_option for _, is_option in told)
            if told:
                ready(spoken_file("\n".join(line for line, _ in told), folder))
    if asked:
        note(counted(count, "option"))
    else:
        note("nothing is to be decided yet: signing an order without answers says that you are ready")


def _nothing_for(folder: Folder, names: Names, named: str, given: bool) -> NoReturn:
    """Refused: there is no such unit or place, or no option begins there."""
    from pbem.archive import order_file
    from pbem.text.diagnostics import Diagnostic, Refused
    from pbem.text.suggest import did_you_mean

    if names.find(named) is not None:
        help_ = "a long answer may have to be further on: give what you have of it with --after"
        help_ = "it may have moved already, or what you gave with --after does not let it" if given else help_
        message = f"no option that is open now begins with {names.called(named)}"
        raise Refused(Diagnostic("no-option", message, help=(help_,)))
    kinds = list(dict.fromkeys(one.kind for one in order_file.questions(folder)))
    near = did_you_mean(named, kinds)
    help_s = [f"did you mean '{near}'?"] if near else names.hints(named)
    listed = ", ".join(kinds) or "nothing"
    message = f"'{named}' is neither asked now nor a unit or place on the map; asked: {listed}"
    raise Refused(Diagnostic("unknown-unit", message, help=tuple(help_s)))


def _parsed(text: str) -> Any:
    """The answer so far, as YAML on one line."""
    from pbem.text.yaml import load

    return load(text, "--after").data
