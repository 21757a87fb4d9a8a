"""The places and counters of an option, so that a map can show it without knowing the rules system."""

from __future__ import annotations

from pbem.text.canonical import Json
from pbem.text.dataclass import dataclass


@dataclass(frozen=True)
class Points:
    """The start of an option, its path, its end, its cost and its risk.

    `counters` are those it begins with; `start` is the location it begins at where no counter says so; `way`
    are the locations entered, in order, the start not among them; `end` is where it ends if that is not the
    last of the way. `cost` names units as the system prints them: `(("MP", 3), ("SP", 1))`; `risk` says in
    words what may go wrong: `"3:1, column 7"`.
    """

    counters: tuple[str, ...] = ()
    start: str | None = None
    way: tuple[str, ...] = ()
    end: str | None = None
    cost: tuple[tuple[str, int], ...] = ()
    risk: str = ""

    @property
    def last(self) -> str | None:
        """Return the location at which the option ends."""
        return self.end if self.end is not None else (self.way[-1] if self.way else None)

    @property
    def text(self) -> str:
        """Cost and risk on one line: "3 MP, 1 SP; 3:1, column 7". Empty where there is neither."""
        cost = ", ".join(f"{count} {_one(unit) if count == 1 else unit}" for unit, count in self.cost)
        return "; ".join(part for part in (cost, self.risk) if part)

    def to_json(self) -> dict[str, Json]:
        """Return the fields that have a value; `end` wherever the option has one."""
        listed: dict[str, Json] = {
            "counters": list(self.counters),
            "start": self.start,
            "way": list(self.way),
            "end": self.last,
            "cost": dict(self.cost),
            "risk": self.risk,
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
"""What an option points at that is about nothing on the map."""
