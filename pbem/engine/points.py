"""The places and counters of an option, so that a map can show it without knowing the rules system."""

from __future__ import annotations

from typing import Literal, get_args

from pbem.text.canonical import Json
from pbem.text.dataclass import dataclass

Kind = Literal["move", "attack", "other"]
KINDS: tuple[Kind, ...] = get_args(Kind)


@dataclass(frozen=True)
class Points:
    """The kind of an option, who takes part, its start, path and end, its cost and its risk.

    `counters` are those it begins with; `start` is the location it begins at where no counter says so; `way`
    are the locations entered, in order, the start not among them; `end` is where it ends if that is not the
    last of the way. `cost` names units as the system prints them: `(("MP", 3), ("SP", 1))`; `risk` says in
    words what may go wrong: `"3:1, column 7"`.

    `kind` is "attack" for what begins a fight or joins one, "move" for what takes a unit elsewhere, else
    "other"; without it an option with a way is a move. `units` are all that take part, where the option
    begins with fewer of them. `coast` is the part of the last location where it ends, if that has several.
    """

    counters: tuple[str, ...] = ()
    start: str | None = None
    way: tuple[str, ...] = ()
    end: str | None = None
    cost: tuple[tuple[str, int], ...] = ()
    risk: str = ""
    kind: Kind | None = None
    units: tuple[str, ...] = ()
    coast: str = ""

    @property
    def sort(self) -> Kind:
        """Return the kind of the option: as its system says, else a move where it has a way."""
        return self.kind or ("move" if self.way else "other")

    @property
    def taking(self) -> tuple[str, ...]:
        """Return all units that take part."""
        return self.units or self.counters

    @property
    def last(self) -> str | None:
        """Return the location at which the option ends."""
        return self.end if self.end is not None else (self.way[-1] if self.way else None)

    @property
    def price(self) -> str:
        """Return the cost in words: "3 MP, 1 SP"."""
        return ", ".join(f"{count} {_one(unit) if count == 1 else unit}" for unit, count in self.cost)

    @property
    def text(self) -> str:
        """Return cost and risk on one line, "3 MP, 1 SP; 3:1, column 7"; empty where there is
        neither.
        """
        return "; ".join(part for part in (self.price, self.risk) if part)

    def after(self, text: str) -> str:
        """Return the words of an option with cost and risk in brackets; without these a message stays one."""
        return f"{text} ({self.text})" if self.text else text

    def faults(self) -> list[str]:
        """Return what is wrong with what an option says of itself, for the tests of a system."""
        faults = []
        if self.kind is not None and self.kind not in KINDS:
            faults.append(f"the kind {self.kind!r} is none of {', '.join(KINDS)}")
        if self.sort != "other" and self.last is None and self.start is None:
            faults.append(f"it is of kind {self.sort} and says no place where it ends or begins")
        if self.sort == "attack" and not self.taking and self.start is None:
            faults.append("it is of kind attack and names no unit that takes part")
        if self.units and not {*self.counters} <= {*self.units}:
            faults.append("the counters it begins with are not among its units")
        return faults

    def to_json(self) -> dict[str, Json]:
        """Return the fields that have a value; `end` wherever the option has one."""
        listed: dict[str, Json] = {
            "kind": self.sort,
            "counters": list(self.counters),
            "start": self.start,
            "way": list(self.way),
            "end": self.last,
            "cost": dict(self.cost),
            "risk": self.risk,
            "units": list(self.taking),
            "coast": self.coast,
        }
        return {name: value for name, value in listed.items() if value}


def _one(unit: str) -> str:
    """Return the singular of a unit of measure: hexes, a hex.

    Capitals (MP) have none.
    """
    if not unit.islower() or not unit.endswith("s"):
        return unit
    return unit.removesuffix("es") if unit.endswith("xes") else unit.removesuffix("s")


NOWHERE = Points()
"""The places of an option that is about nothing on the map."""
