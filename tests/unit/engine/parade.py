"""A small decision with everything that an answer may be made of, for tests of answers that grow.

A parade on a road of hexes 1-9: a word of command, wagons that are loaded, units that march on to the next
hex if it is free, who keeps the rear, losses taken, and a flag.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

from pbem.board.position import Position
from pbem.rules import (
    NOTHING,
    Diagnostic,
    Draft,
    Entry,
    Game,
    Growing,
    Next,
    Part,
    Points,
    decision,
)
from tests.primer import make

LAST = 9


@dataclass(frozen=True)
class Load:
    wagon: str
    men: tuple[str, ...] = ()


@dataclass(frozen=True)
class Step:
    unit: str
    to: str


@dataclass(frozen=True)
class Orders:
    word: str
    loads: tuple[Load, ...] = ()
    steps: tuple[Step, ...] = ()
    rear: tuple[str, ...] | None = None
    pay: dict[str, int] | None = None
    with_: bool = False


def fault(code: str, message: str, *path: str | int) -> Diagnostic:
    return Diagnostic(code, message, family="illegal", rule="1", path=path)


class Marching(Draft[Part[Any]]):
    """Units step forward one by one; a wagon may be loaded before, with men one by one."""

    def __init__(self, game: Game, player: str) -> None:
        super().__init__(game, player)
        self.word = ""
        self.supposed: list[Any] = []

    def mine(self) -> list[str]:
        return [id for id, c in self.game.position.counters.items() if c["owner"] == self.player]

    def next(self, of: str | None = None) -> Iterator[Next[Part[Any]]]:
        if not self.word:
            yield Next(Part("word", "halt"), "halt")
            yield Next(Part("word", "march"), "march", complete=False)
        if self.word != "march":
            return
        yield from self.loads(of)
        yield from self.steps(of)
        if self.lacking():
            return
        if not self.taken("rear"):
            yield Next(Part("rear", NOTHING), "nobody keeps the rear")
        for id in self.mine():
            if self.concerns(of, id) and id not in self.taken("rear"):
                yield Next(Part("rear", id), f"{id} keeps the rear", Points((id,)))
            if self.concerns(of, id) and id not in self.taken("pay"):
                yield Next(Part("pay", Entry(id, 2)), f"{id} gets 2", Points((id,), cost=(("$", 2),)))
        yield Next(Part("with", True), "with music")

    def loads(self, of: str | None) -> Iterator[Next[Part[Any]]]:
        for wagon in [id for id in self.mine() if id.startswith("W") and self.concerns(of, id)]:
            if wagon not in self.taken("loads"):
                yield Next(Part("loads", Load(wagon)), f"{wagon} is made ready", Points((wagon,)))
        last = self.elements[-1]
        if last.section == "loads":
            for man in ("x", "y", "z"):
                if man not in self.men():
                    longer = replace(last.value, men=(*last.value.men, man))
                    points = Points((longer.wagon,))
                    yield Next(Part("loads", longer), f"{man} gets on {longer.wagon}", points, instead=True)

    def steps(self, of: str | None) -> Iterator[Next[Part[Any]]]:
        for id in [id for id in self.mine() if self.concerns(of, id)]:
            here = str(self.game.position.counters[id]["hex"])
            step = Part("steps", Step(id, str(int(here) + 1)))
            if not self.faults(step):
                yield Next(step, self.words(step), Points((id,), way=(step.value.to,)))

    def men(self) -> list[str]:
        return [m for part in self.elements if part.section == "loads" for m in part.value.men]

    def taken(self, section: str) -> list[Any]:
        names = {"loads": lambda v: v.wagon, "pay": lambda v: v.key}
        return [names.get(section, lambda v: v)(p.value) for p in self.elements if p.section == section]

    def faults(self, element: Part[Any]) -> list[Diagnostic]:
        if element.section == "word":
            known = element.value in ("halt", "march")
            return [] if known else [fault("no-word", f"no word '{element.value}'")]
        if self.word != "march" and "bad word" not in self.supposed:
            return [fault("not-marching", "nobody marches")]
        return list(getattr(self, f"{element.section}_faults", lambda _: ())(element.value))

    def loads_faults(self, load: Load) -> Iterator[Diagnostic]:
        for i, man in enumerate(load.men):
            if man not in ("x", "y", "z") or man in (*self.men(), *load.men[:i]):
                yield fault("no-man", f"{man} cannot get on", "men", i)

    def steps_faults(self, step: Step) -> Iterator[Diagnostic]:
        position = self.game.position
        if step.unit not in self.mine():
            yield fault("no-unit", f"{step.unit} is not yours", "unit")
            return
        here = int(str(position.hex(step.unit)))
        if step.to != str(here + 1) or here >= LAST:
            yield fault("too-far", f"{step.unit} cannot step to {step.to}", "to")
        elif position.at(step.to):
            yield fault("in-the-way", f"{position.at(step.to)[0]} is in {step.to}", "to")

    def do(self, element: Part[Any]) -> None:
        if element.section == "word":
            self.word = element.value
        if element.section == "steps":
            self.game.position.move(element.value.unit, element.value.to)

    def suppose(self, element: Part[Any]) -> None:
        self.supposed.append("bad word" if element.section == "word" else element)

    def mend(self, element: Part[Any]) -> Part[Any] | None:
        if element.section != "loads":
            return None
        bad = {one.path[1] for one in self.faults(element) if one.path}
        men = tuple(m for i, m in enumerate(element.value.men) if i not in bad)
        return replace(element, value=replace(element.value, men=men))

    def lacking(self) -> list[Diagnostic]:
        if self.word == "march" and not self.taken("loads") and not self.taken("steps"):
            return [] if self.supposed else [fault("nothing-marches", "load or march something", "word")]
        return []

    def doubts(self) -> list[Diagnostic]:
        last = [n for n, part in enumerate(self.taken("steps")) if part.to == str(LAST - 1)]
        return [
            Diagnostic("close", "the enemy is near", severity="warning", path=("steps", n, "to"))
            for n in last
        ]

    def words(self, element: Part[Any]) -> str:
        if element.section == "steps":
            here = self.game.position.hex(element.value.unit)
            return f"{element.value.unit} steps from {here} to {element.value.to}"
        return super().words(element)


@decision("parade", rule="1", answer=Orders)
class Parade(Growing[Orders]):
    """What marches, and how?"""

    player: str

    def draft(self, game: Game) -> Marching:
        return Marching(game, self.player)

    def default(self, game: Game) -> Orders:
        return Orders("halt")


class Walk(Draft[str]):
    """Towns one by one, each once, two at least."""

    def next(self, of: str | None = None) -> Iterator[Next[str]]:
        for town in ("a", "b", "c"):
            if town not in self.elements:
                yield Next(town, f"to {town}", Points(start=town), complete=bool(self.elements))

    def faults(self, element: str) -> list[Diagnostic]:
        unknown = element not in ("a", "b", "c")
        return [fault("town", f"{element} no more")] if unknown or element in self.elements else []

    def do(self, element: str) -> None:
        self.game.tracks["walked"] = [*self.game.tracks.get("walked", []), element]

    def lacking(self) -> list[Diagnostic]:
        return [] if len(self.elements) >= 2 else [fault("short", "two towns at least")]


@decision("route", rule="1", answer=tuple[str, ...])
class Route(Growing[tuple[str, ...]]):
    """A way through three towns, each once; it may be sent when it is two towns long."""

    player: str

    def draft(self, game: Game) -> Walk:
        return Walk(game, self.player)


class Leaping(Draft[str]):
    """One leap of the first unit, to any hex as far as the enemy."""

    def next(self, of: str | None = None) -> Iterator[Next[str]]:
        for hex in map(str, range(1, LAST)) if not self.elements else ():
            yield Next(hex, f"U1 leaps to {hex}", Points(("U1",), way=(hex,)))

    def faults(self, element: str) -> list[Diagnostic]:
        return [fault("leapt", "one leap is enough")] if self.elements else []

    def do(self, element: str) -> None:
        self.game.position.move("U1", element)


@decision("leap", rule="1", answer=tuple[str, ...])
class Leap(Growing[tuple[str, ...]]):
    """Where does the first unit leap?"""

    player: str

    def draft(self, game: Game) -> Leaping:
        return Leaping(game, self.player)


class Giving(Draft[Entry[int]]):
    """Points for towns."""

    def next(self, of: str | None = None) -> Iterator[Next[Entry[int]]]:
        for town in ("a", "b"):
            given = [one.key for one in self.elements]
            for points in (1, 2) if town not in given else ():
                yield Next(Entry(town, points), f"{points} to {town}", Points(start=town))

    def faults(self, element: Entry[int]) -> list[Diagnostic]:
        return [] if element.key in ("a", "b") and element.value <= 2 else [fault("no", "no such gift")]

    def do(self, element: Entry[int]) -> None:
        pass


@decision("gifts", rule="1", answer=dict[str, int])
class Gifts(Growing[dict[str, int]]):
    """How much does each town get?"""

    player: str

    def draft(self, game: Game) -> Giving:
        return Giving(game, self.player)


def game() -> Game:
    counters = {
        "U1": {"owner": "red", "hex": "1"},
        "U2": {"owner": "red", "hex": "2"},
        "U3": {"owner": "red", "hex": "4"},
        "W1": {"owner": "red", "hex": "6"},
        "W2": {"owner": "red", "hex": "7"},
        "E1": {"owner": "blue", "hex": "9"},
    }
    return Game(make("parade-test", hidden=False), {}, {}, ("red", "blue"), Position(counters))
