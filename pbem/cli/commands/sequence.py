"""`pbem sequence`: the sequence of play as an outline."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

import click

from pbem.cli.shell.console import paged, print_json, ready, result, strong
from pbem.cli.shell.language import Command, of_rules, spoken
from pbem.cli.shell.options import directory_option, here, json_option, open_folder
from pbem.text.messages import Message

if TYPE_CHECKING:
    from pbem.engine.outline import Node
    from pbem.engine.system import System

_MARKS = {
    "each": "cli.sequence.each-player-in-turn",
    "powers": "cli.sequence.each-power-in-turn",
    "repeat": "cli.sequence.repeated",
}


@click.command(cls=Command, help="cli.sequence.help")
@click.argument("system", required=False)
@click.option("--ids", is_flag=True, help="cli.sequence.option-ids")
@json_option
@directory_option
def command(system: str | None, ids: bool, as_json: bool) -> None:
    from pbem.engine.system import find

    if system is not None:
        here()
        rules, place = find(system), ""
    else:
        folder = open_folder()
        rules, place = folder.system, folder.view().place if folder.stage >= 0 else ""
    root = rules.outline
    present = place_in(root, place)
    rows = list(_rows(root, 0, present))
    if as_json:
        print_json([{"depth": d, "id": n.id, "rule": n.rule, "text": t, "now": now} for d, n, t, now in rows])
        return
    with paged():
        if place:
            result(Message("cli.next.now", place=place))
        for depth, node, _, now in rows:
            line = f"{'->' if now else '  '} {'  ' * depth}{_words(node, rules)}"
            rule = f"[{node.rule}]" if node.rule else ""
            line = f"{line:<66} {rule:<10} {node.id if ids else ''}".rstrip()
            ready(strong(line) if now else line)


def _rows(node: Node, depth: int, present: Node | None) -> Iterator[tuple[int, Node, str, bool]]:
    """Yield depth, node, words, and whether it is the present one; nodes without words only hold others."""
    words = _words(node)
    if words:
        yield depth, node, words, node is present
    for child in (*node.steps, *node.children):
        yield from _rows(child, depth + 1 if words else depth, present)


def _words(node: Node, rules: System | None = None) -> str:
    """Return a node in words: in English, or with its rules in the reader's language."""

    def told(text: str) -> str:
        return of_rules(spoken(text), rules) if rules is not None else text

    label = node.label or (node.name.replace("_", " ") if node.kind == "leaf" and not node.steps else "")
    label = told(label).replace("{n}", "n")
    for field, whose in (
        ("{player}", Message("cli.sequence.player")),
        ("{power}", Message("cli.sequence.power")),
    ):
        label = label.replace(field, told(whose))
    marks = [told(Message(_MARKS[node.kind]))] if node.kind in _MARKS else []
    if node.when:  # the phase's own words say it all
        marks.append(told(f"if {node.when.replace('_', ' ')}"))
    if not label:
        return "; ".join(marks)
    return f"{label} ({'; '.join(marks)})" if marks else label


def place_in(root: Node, place: str) -> Node | None:
    """Return the leaf or step whose labels, outermost first, read like `place`, or None."""
    return next((leaf for leaf, words in _leaves(root, ()) if re.fullmatch(_pattern(words), place)), None)


def _leaves(node: Node, words: tuple[str, ...]) -> Iterator[tuple[Node, tuple[str, ...]]]:
    here_ = (*words, node.label) if node.label else words
    if node.kind in ("leaf", "step"):
        yield node, here_
    for child in (*node.steps, *node.children):
        yield from _leaves(child, here_)


def _pattern(words: tuple[str, ...]) -> str:
    text = re.escape(", ".join(words))
    return text.replace(r"\{n\}", "[0-9]+").replace(r"\{player\}", ".+?").replace(r"\{power\}", ".+?")
