"""6.1: Format of orders: the reorganization list (4.6.3), orders of each step (6.2), the letters."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields, replace
from typing import Annotated, Any, ClassVar, Literal

from pbem.rules import LocationId, Name, Pattern, Range, dataclass

Via = Literal["hq", "limited", "primary", "rail", "secondary", "supply_unit", "trs", "at_sea"]
Target = Annotated[str, Pattern(r"[A-Za-z0-9_./:-]{1,100}", "a unit, or a port such as port:0705")]
Condition = Annotated[str, Pattern(r".{1,200}", "a condition such as face(GE-A1) = down")]
Reroll = Annotated[
    str,
    Pattern(
        r"never|always|if_(?:lost|won)(?:_by<=[0-9]{1,2})?",
        "never, always, if_lost, if_won, or one of the last two with _by<=n",
    ),
]
Point = Annotated[
    str,
    Pattern(
        r"[A-E]\.[1-9](?:\.[1-3])?|I\.[1-4]|I\.3[a-o]|p\.1\.[0-8]|p\.D|advance|losses|retreat|naval hits",
        "a point such as p.1.1, I.3e, E.2, retreat, losses, advance or naval hits",
    ),
]
"""6: A point at which a player may want to be asked."""
Step = Literal["a", "b", "c", "d", "f", "g", "h", "i", "j", "k", "l", "m", "n", "o"]


@dataclass(frozen=True)
class Way:
    """An entry of a list: a unit (or `port:<hex>`) and the method.

    Without `via` the program takes the cheapest legal method, without `source` its cheapest source.
    """

    unit: Target | None = None
    via: Via | None = None
    source: Name | None = None
    oos: bool = False
    ports: tuple[Name, ...] = ()
    activate: Name | None = None
    hq: Name | None = None
    if_: Condition | None = None
    label: Name | None = None


@dataclass(frozen=True)
class Wish(Way):
    """An entry, the first legal one of several, or what the standing order does with the rest."""

    first: tuple[Way, ...] = ()
    then: Literal["auto_reorg"] | None = None


@dataclass(frozen=True)
class Providers:
    """Single providers of a method, such as `{hq: [GE-HQ1]}`."""

    hq: tuple[Name, ...] = ()
    trs: tuple[Name, ...] = ()


Method = Literal["primary", "secondary", "limited", "at_sea", "trs", "supply_unit", "hq", "rail", "oos"]


@dataclass(frozen=True)
class AutoReorg:
    """4.6.18: The units to serve, the methods allowed, and the points to keep.

    `oos` allows double cost. An entry of `allow` may name single providers, `{hq: [GE-HQ1]}`.
    `only` does so for every entry.
    """

    priority: tuple[Name, ...] = ()
    allow: tuple[Method | Providers, ...] = ()
    keep_rp: Annotated[int, Range(0, 999)] = 0
    only: Providers | None = None

    def allowed(self) -> Iterator[tuple[Method, tuple[str, ...]]]:
        """Yield the methods in order, each with the only providers allowed, or none for any."""
        only = self.only or Providers()
        for method in self.allow:
            if not isinstance(method, Providers):
                yield method, only.hq if method == "hq" else only.trs if method == "trs" else ()
                continue
            if method.hq:
                yield "hq", method.hq
            if method.trs:
                yield "trs", method.trs


@dataclass(frozen=True)
class Strike:
    """Aircraft against a hex, and their escorts (steps a, f, g)."""

    aircraft: tuple[Name, ...] = ()
    hex: LocationId | None = None
    escorts: tuple[Name, ...] = ()
    target: Literal["factories", "port"] = "factories"
    if_: Condition | None = None
    label: Name | None = None


@dataclass(frozen=True)
class Strikes(Strike):
    first: tuple[Strike, ...] = ()


@dataclass(frozen=True)
class SeaFlight:
    """Aircraft to a sea area (step b)."""

    aircraft: tuple[Name, ...] = ()
    area: LocationId | None = None
    if_: Condition | None = None
    label: Name | None = None


@dataclass(frozen=True)
class SeaFlights(SeaFlight):
    first: tuple[SeaFlight, ...] = ()


@dataclass(frozen=True)
class Sail:
    """Ships to a sea area or a port (step c). `load` lists the land units that each ship takes."""

    ships: tuple[Name, ...] = ()
    to: LocationId | None = None
    box: Annotated[int, Range(0, 4)] | None = None
    load: dict[str, tuple[Name, ...]] | None = None
    if_: Condition | None = None
    label: Name | None = None


@dataclass(frozen=True)
class Sails(Sail):
    first: tuple[Sail, ...] = ()


@dataclass(frozen=True)
class Search:
    """Naval combat in a sea area (step d)."""

    area: LocationId | None = None
    if_: Condition | None = None
    label: Name | None = None


@dataclass(frozen=True)
class Searches(Search):
    first: tuple[Search, ...] = ()


@dataclass(frozen=True)
class Carry:
    """One unit to one hex: by rail (h), by air (j), ashore in a port (k), by invasion (l)."""

    unit: Name | None = None
    to: LocationId | None = None
    ship: Name | None = None
    atr: Name | None = None
    if_: Condition | None = None
    label: Name | None = None


@dataclass(frozen=True)
class Carries(Carry):
    first: tuple[Carry, ...] = ()


@dataclass(frozen=True)
class Move:
    """A land unit along a path without its own hex (step i)."""

    unit: Name | None = None
    path: tuple[LocationId, ...] = ()
    if_: Condition | None = None
    label: Name | None = None


@dataclass(frozen=True)
class Moves(Move):
    first: tuple[Move, ...] = ()


@dataclass(frozen=True)
class Drop:
    """A parachute unit from an air transport into a hex (step m)."""

    atr: Name | None = None
    unit: Name | None = None
    hex: LocationId | None = None
    escorts: tuple[Name, ...] = ()
    if_: Condition | None = None
    label: Name | None = None


@dataclass(frozen=True)
class Drops(Drop):
    first: tuple[Drop, ...] = ()


@dataclass(frozen=True)
class Attack:
    """Units against an adjacent hex, and the one that advances, or `none` (step n)."""

    hex: LocationId | None = None
    units: tuple[Name, ...] = ()
    advance: Name | None = None
    if_: Condition | None = None
    label: Name | None = None


@dataclass(frozen=True)
class Attacks(Attack):
    first: tuple[Attack, ...] = ()


@dataclass(frozen=True)
class Rebase:
    """An aircraft to another base (step o)."""

    aircraft: Name | None = None
    to: LocationId | None = None
    if_: Condition | None = None
    label: Name | None = None


@dataclass(frozen=True)
class Rebases(Rebase):
    first: tuple[Rebase, ...] = ()


@dataclass(frozen=True)
class Play:
    """An offensive chit: its kind, its headquarters, and the ships for a naval one."""

    kind: Literal["air", "naval", "land", "combined", "reorganize_units"]
    hq: Name | None = None
    ships: tuple[Name, ...] = ()
    if_: Condition | None = None


@dataclass(frozen=True)
class AirSupply:
    """p.1.2: An air transport, its destination, the units it may serve, its escorts.

    It serves the first units for which this is legal.
    """

    atr: Name | None = None
    hex: LocationId | None = None
    reorganize: tuple[Name, ...] = ()
    escorts: tuple[Name, ...] = ()
    if_: Condition | None = None
    label: Name | None = None


@dataclass(frozen=True)
class AirSupplies(AirSupply):
    first: tuple[AirSupply, ...] = ()


@dataclass(frozen=True)
class Guard:
    """p.1.4: Fighters for a hex, sent if enough enemy fighters are there."""

    hex: LocationId | None = None
    fighters: tuple[Name, ...] = ()
    if_enemy_at_least: Annotated[int, Range(0, 99)] = 1
    if_: Condition | None = None
    label: Name | None = None


@dataclass(frozen=True)
class Guards(Guard):
    first: tuple[Guard, ...] = ()


@dataclass(frozen=True)
class Stop:
    """A stop before a step, to be asked again there if the condition holds."""

    before: Name
    if_: Condition | None = None


@dataclass(frozen=True)
class Opening:
    """I.1, I.2: The first sections of a letter."""

    declare: tuple[Name, ...] = ()
    action: dict[str, str | dict[str, str]] | None = None
    by_weather: dict[str, dict[str, str]] | None = None
    chit: dict[str, Play] | None = None
    steps: Steps | None = None


@dataclass(frozen=True)
class Steps:
    """6.1: The lists of the steps `a` to `o`."""

    grouped: ClassVar[bool] = True
    a: tuple[Strikes, ...] = ()
    b: tuple[SeaFlights, ...] = ()
    c: tuple[Sails, ...] = ()
    d: tuple[Searches, ...] = ()
    f: tuple[Strikes, ...] = ()
    g: tuple[Strikes, ...] = ()
    h: tuple[Carries, ...] = ()
    i: tuple[Moves, ...] = ()
    j: tuple[Carries, ...] = ()
    k: tuple[Carries, ...] = ()
    l: tuple[Carries, ...] = ()  # noqa: E741  the step's letter
    m: tuple[Drops, ...] = ()
    n: tuple[Attacks, ...] = ()
    o: tuple[Rebases, ...] = ()


@dataclass(frozen=True)
class Letter(Steps, Opening):
    """6.1: All orders of a player for their powers in one impulse.

    `action` is one for each power, or one for each weather at its capital, and so is `by_weather`.
    Sections `a` to `o` are the steps of the impulse. They may also be written under `steps`. `atr`
    and `own_interceptors` are the air reorganization, `reorganize` the list of each power.
    """

    grouped: ClassVar[bool] = False
    atr: tuple[AirSupplies, ...] = ()
    own_interceptors: tuple[Guards, ...] = ()
    reorganize: dict[str, tuple[Wish, ...]] | None = None
    stop_if: Stop | None = None


def folded(letter: Letter) -> Letter:
    """Return the letter with the lists under `steps` moved to the sections of the steps."""
    if letter.steps is None:
        return letter
    lists: dict[str, Any] = {
        field.name: (*getattr(letter.steps, field.name), *getattr(letter, field.name))
        for field in fields(Steps)
    }
    return replace(letter, steps=None, **lists)


@dataclass(frozen=True)
class Return:
    """E.1: A ship or an aircraft at sea that comes home or stays."""

    unit: Name | None = None
    ship: Name | None = None
    to: LocationId | Literal["stay"] | None = None
    if_: Condition | None = None
    label: Name | None = None


@dataclass(frozen=True)
class Returns(Return):
    first: tuple[Return, ...] = ()


@dataclass(frozen=True)
class Final:
    """E.2: The final reorganization."""

    atr: tuple[AirSupplies, ...] = ()
    own_interceptors: tuple[Guards, ...] = ()
    reorganize: dict[str, tuple[Wish, ...]] | None = None


@dataclass(frozen=True)
class Buy:
    """E.3.2: A unit of the force pool, by kind or id."""

    unit: str | None = None
    if_: Condition | None = None
    label: Name | None = None


@dataclass(frozen=True)
class Buys(Buy):
    first: tuple[Buy, ...] = ()


@dataclass(frozen=True)
class Spending:
    """E.3.2: A power's purchases.

    They are entries of `buy`, then units of its force pool by kind or id, points, oil for fuel. The
    rest is saved, with or without `save`.
    """

    build: tuple[str, ...] = ()
    rp: Annotated[int, Range(0, 9999)] = 0
    oil_to_fuel: Annotated[int, Range(0, 999)] = 0
    buy: tuple[Buys, ...] = ()
    save: Literal["rest"] | None = None


@dataclass(frozen=True)
class Place:
    """A.3: The place of a unit that arrives."""

    unit: Name | None = None
    to: LocationId | None = None
    if_: Condition | None = None
    label: Name | None = None


@dataclass(frozen=True)
class Places(Place):
    first: tuple[Place, ...] = ()


@dataclass(frozen=True)
class Lend:
    """B.1: A promise of build points.

    Without `from` it is that of the player's first power that cooperates.
    """

    from_: Name | None = None
    to: Name | None = None
    bp: Annotated[int, Range(0, 9999)] = 0
    if_: Condition | None = None
    label: Name | None = None


@dataclass(frozen=True)
class Lends(Lend):
    first: tuple[Lend, ...] = ()


@dataclass(frozen=True)
class TurnLetter:
    """6.1: A player's decisions between turns: E.1, E.2, production, the start of the next turn."""

    return_: tuple[Returns, ...] = ()
    final: Final | None = None
    production: dict[str, Spending] | None = None
    place: tuple[Places, ...] = ()
    placement: dict[str, LocationId] | None = None
    lend: tuple[Lends, ...] = ()
    reroll: Reroll | None = None
    order: Literal["first", "second"] | None = None
    stop_if: Stop | None = None
