"""The order of battle as text: whose counters stand where, as far as the view tells it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from pbem.report.muster import Force, PlaceLine, Stack
from pbem.report.plain import capital, cut, padded, safe, wrapped
from pbem.report.wording import Wording


def force_lines(forces: Iterable[Force], words: Wording) -> list[str]:
    """Return a part per owner, the reader first; in it a line per hex with the counters there."""
    lines: list[str] = []
    for force in forces:
        lines += wrapped(title(force, words))
        for stack in force.stacks:
            where = place(stack, words)
            lines += wrapped(
                stack.told(own=force.own), f"  {padded(where if stack.box else cut(where, 22), 22)} "
            )
    return lines


def title(force: Force, words: Wording) -> str:
    """Return whose force it is, and of how many counters."""
    owner = capital(safe(words.text(force.owner))) or words.say("nobodys")
    return words.say("own-force" if force.own else "force", who=owner, count=force.count)


def place(stack: Stack, words: Wording) -> str:
    """Return where a stack is: `0606 Haska`, a box by its name alone."""
    if not stack.hex:
        return words.say("off-map")
    return stack.name if stack.box else f"{safe(stack.hex)} {stack.name}".rstrip()


def place_lines(places: Iterable[PlaceLine]) -> list[str]:
    """Return a line per hex with all that is there and who holds it."""
    return [line for hex, text in by_hex(places) for line in wrapped(text, f"  {hex} ")]


def by_hex(places: Iterable[PlaceLine]) -> Iterator[tuple[str, str]]:
    """Return each hex with its places in words: `city, held by West; port of South Sea, held by West`."""
    here: dict[str, list[str]] = {}
    for place in places:
        here.setdefault(place.hex, []).append(place.text)
    return ((hex, "; ".join(texts)) for hex, texts in here.items())
