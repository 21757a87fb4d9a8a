"""4.0.4, 4.6.3: Results of an entry of a reorganization list: a plan or a refusal."""

from __future__ import annotations

from fractions import Fraction

from pbem.rules import dataclass

from .entries import Way
from .paths import Path


@dataclass(frozen=True)
class Refusal:
    """The reason why an entry is illegal: a code and a sentence.

    `brief` is the entry if the sentence lacks the length of the shortest path, because many sources
    were tried. `Reorganizer.told` then adds it. With `crowds` the only fault is that the hex is
    full now. The end of the step decides (R-216).
    """

    code: str
    message: str
    brief: Way | None = None
    crowds: bool = False


@dataclass(frozen=True)
class Plan:
    """A legal entry: its cost, and what it uses."""

    payer: str
    unit: str
    via: str
    source: str
    cost: int
    path: Path | None = None
    limit: int | None = None
    oos: bool = False
    exact: Fraction = Fraction(0)
    counts: Fraction = Fraction(0)
    fuel: int = 0
    exact_fuel: Fraction = Fraction(0)
    isolated: bool = False
    repair: bool = False
    halved: bool = False

    @property
    def words(self) -> str:
        """Return method, source and path as the report prints them."""
        by = f"{self.via} {self.source}" + (" out of supply" if self.oos else "")
        if self.path is None:
            return by
        ports = f", ports {'-'.join(self.path.ports)}" if self.path.ports else ""
        return f"{by}, path {self.path.cost}/{self.limit if self.limit is not None else 'any'}{ports}"
