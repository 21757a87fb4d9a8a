"""`pbem orders legal`: what is allowed now."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, NoReturn

import click

from pbem.cli.post.seats import in_seat
from pbem.cli.shell.console import note, paged, print_json, ready, result, strong
from pbem.cli.shell.language import Command, code
from pbem.cli.shell.options import json_option
from pbem.cli.shell.words import safe
from pbem.cli.writing.naming import Names
from pbem.text.messages import Message, Worded

if TYPE_CHECKING:
    from pbem.archive import Folder
    from pbem.cli.writing.legal import Legal


@click.command(cls=Command, help="cli.orders-legal.help")
@click.argument("what", metavar="[DECISION|UNIT|PLACE]", required=False)
@click.argument("end", metavar="[PLACE]", required=False)
@click.option("--after", metavar="ANSWER", help="cli.orders-legal.option-after")
@json_option
@in_seat
def command(folder: Folder, what: str | None, end: str | None, after: str | None, as_json: bool) -> None:
    from pbem.archive import order_file, order_form
    from pbem.cli.writing.legal import data, described, ending, legal, lines, of_all

    order_file.need_asked(folder)
    asked = order_file.questions(folder)
    if what is not None and end is not None and Names.of(folder).find(f"{what} {end}") is not None:
        what, end = f"{what} {end}", None  # the name has two words
    chosen = [question for question in asked if what in (None, question.key, question.kind)]
    names = Names.of(folder) if what is not None and not chosen else None
    begins = (names.find(what) or what) if names is not None and what is not None else None
    so_far = _parsed(after) if after is not None else None
    listed = chosen or asked
    options_of: dict[str, Iterable[Legal]] = {
        question.key: legal(folder, question, so_far, begins) for question in listed
    }
    if begins is not None:
        assert names is not None
        ends = (names.find(end) or end) if end is not None else None
        options_of = {key: ending(options, ends) for key, options in options_of.items()}
        if not any(options_of.values()) and end is None and begins not in names.view.position.counters:
            options_of = {
                question.key: ending(of_all(folder, names, question, so_far), begins) for question in listed
            }
        if not any(options_of.values()):
            _nothing_for(folder, names, begins, ends, so_far is not None)
    if as_json:
        print_json([data(question, option) for question in listed for option in options_of[question.key]])
        return
    count = 0
    with paged():
        for line in described(names, begins):
            ready(Worded(f"# {line}"))
        for question in listed:
            sentence = safe(order_form.sentence(folder.system, question, code()), 400)
            ready(strong(Worded(f"# {sentence} [{question.rule}]")))
            if begins is None and so_far is None:
                decision = folder.system.decision(question.kind, question.party, question.fields)
                for line in order_form.beside(folder.view(), decision, code()):
                    result(safe(line, 400), before="# ")
            option_lines = list(lines(question, options_of[question.key]))
            count += sum(is_option for _, is_option in option_lines)
            if option_lines:
                ready("\n".join(line for line, _ in option_lines))
    if asked:
        note(Message("cli.orders-legal.options", count=count))
    else:
        note(Message("cli.orders-legal.nothing-to-be-decided-yet"))


def _nothing_for(folder: Folder, names: Names, begins: str, ends: str | None, given: bool) -> NoReturn:
    """Refuse an unknown unit or place, or those where no option begins and ends."""
    from pbem.archive import order_file
    from pbem.text.diagnostics import Diagnostic, Refused
    from pbem.text.suggest import did_you_mean

    named = next((word for word in (begins, ends) if word and names.find(word) is None), None)
    if named is None:
        help_ = Message("cli.orders-legal.give-what-you-have-with-after")
        help_ = Message("cli.orders-legal.may-have-moved-already") if given else help_
        end = names.called(ends) if ends is not None else None
        message = Message("cli.orders-legal.no-option-goes-there", start=names.called(begins), end=end)
        raise Refused(Diagnostic("no-option", message, help=(help_,)))
    kinds = list(dict.fromkeys(question.kind for question in order_file.questions(folder)))
    near = did_you_mean(named, kinds)
    help_s = [Message("text.suggest.did-you-mean", near=near)] if near else names.hints(named)
    message = Message("cli.orders-legal.neither-asked-nor-on-the-map", named=named, asked=tuple(kinds))
    raise Refused(Diagnostic("unknown-unit", message, help=tuple(help_s)))


def _parsed(text: str) -> Any:
    """Return the answer so far, as YAML on one line."""
    from pbem.text.yaml import load

    return load(text, "--after").data
