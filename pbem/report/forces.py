"""The order of battle as text: whose counters stand where, as far as the view tells it."""

from __future__ import annotations

from collections.abc import Iterable

from pbem.report.muster import Force, PlaceLine, Stack, held
from pbem.report.plain import capital, cut, padded, safe, wrapped
from pbem.report.reader import View
from pbem.report.wording import Wording


def force_lines(found: Iterable[Force], words: Wording) -> list[str]:
    """Return a section per owner, the reader first, with a line per hex and the counters there."""
    lines: list[str] = []
    for force in found:
        who = capital(safe(words.text(force.owner))) or words.say("nobodys")
        lines += wrapped(words.say("own-force" if force.own else "force", who=who, count=force.count))
        for stack in force.stacks:
            where = _where(stack, words)
            lines += wrapped(
                stack.told(own=force.own), f"  {padded(where if stack.box else cut(where, 22), 22)} "
            )
    return lines


def _where(stack: Stack, words: Wording) -> str:
    if not stack.hex:
        return words.say("off-map")
    return stack.name if stack.box else f"{safe(stack.hex)} {stack.name}".rstrip()


def places(view: View) -> list[str]:
    """Return the places of the map that have words, with their holders, by kind and hex."""
    return place_lines(held(view))


def place_lines(found: Iterable[PlaceLine]) -> list[str]:
    """Return lines of places, each with its hex."""
    return [line for place in found for line in wrapped(place.text, f"  {place.hex} ")]
