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
"""6 What a player may want to be asked about."""
Step = Literal["a", "b", "c", "d", "f", "g", "h", "i", "j", "k", "l", "m", "n", "o"]


# the reorganization list


@dataclass(frozen=True)
class Way:
    """One entry of a list: a unit (or `port:<hex>`), and how. Without `via` the program takes the cheapest
    legal method; without `source` the cheapest source of that method."""

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
    """An entry, or the first legal one of several, or what the standing order does with the points left."""

    first: tuple[Way, ...] = ()
    then: Literal["auto_reorg"] | None = None


@dataclass(frozen=True)
class Providers:
    """Single providers of a method: `{hq: [GE-HQ1]}`."""

    hq: tuple[Name, ...] = ()
    trs: tuple[Name, ...] = ()


Method = Literal["primary", "secondary", "limited", "at_sea", "trs", "supply_unit", "hq", "rail", "oos"]


@dataclass(frozen=True)
class AutoReorg:
    """4.6.18 Which units, by which methods, and how many points are kept. `oos` allows double cost. An entry
    of `allow` may name single providers, `{hq: [GE-HQ1]}`; `only` does so for every entry."""

    priority: tuple[Name, ...] = ()
    allow: tuple[Method | Providers, ...] = ()
    keep_rp: Annotated[int, Range(0, 999)] = 0
    only: Providers | None = None

    def allowed(self) -> Iterator[tuple[Method, tuple[str, ...]]]:
        """Yield the methods in their order, and the providers that alone may be used; none: any."""
        only = self.only or Providers()
        for one in self.allow:
            if not isinstance(one, Providers):
                yield one, only.hq if one == "hq" else only.trs if one == "trs" else ()
                continue
            if one.hq:
                yield "hq", one.hq
            if one.trs:
                yield "trs", one.trs


# steps a to o


@dataclass(frozen=True)
class Strike:
    """f, g, a: aircraft against a hex, and fighters that go with them."""

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
    """b: aircraft to a sea area."""

    aircraft: tuple[Name, ...] = ()
    area: LocationId | None = None
    if_: Condition | None = None
    label: Name | None = None


@dataclass(frozen=True)
class SeaFlights(SeaFlight):
    first: tuple[SeaFlight, ...] = ()


@dataclass(frozen=True)
class Sail:
    """c: ships to a sea area or to a port; `load` says which ship takes which land units."""

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
    """d: naval combat in a sea area."""

    area: LocationId | None = None
    if_: Condition | None = None
    label: Name | None = None


@dataclass(frozen=True)
class Searches(Search):
    first: tuple[Search, ...] = ()


@dataclass(frozen=True)
class Carry:
    """h: by rail. k: ashore in a port. l: an invasion. j: by air. One unit to one hex."""

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
    """i: a land unit along a path, its own hex not among it."""

    unit: Name | None = None
    path: tuple[LocationId, ...] = ()
    if_: Condition | None = None
    label: Name | None = None


@dataclass(frozen=True)
class Moves(Move):
    first: tuple[Move, ...] = ()


@dataclass(frozen=True)
class Drop:
    """m: a parachute unit from an air transport into a hex."""

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
    """n: units against an adjacent hex; who advances, or `none`."""

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
    """o: an aircraft to another base."""

    aircraft: Name | None = None
    to: LocationId | None = None
    if_: Condition | None = None
    label: Name | None = None


@dataclass(frozen=True)
class Rebases(Rebase):
    first: tuple[Rebase, ...] = ()


# the impulse letter


@dataclass(frozen=True)
class Play:
    """An offensive chit: its kind, the headquarters it is for, and for a naval one the ships."""

    kind: Literal["air", "naval", "land", "combined", "reorganize_units"]
    hq: Name | None = None
    ships: tuple[Name, ...] = ()
    if_: Condition | None = None


@dataclass(frozen=True)
class AirSupply:
    """p.1.2 An air transport, where it flies, whom it serves (the first for whom it can be done), escorts."""

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
    """p.1.4 Fighters that fly to a hex where the enemy has so many fighters."""

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
    """Stop before this step and ask again, where the condition holds."""

    before: Name
    if_: Condition | None = None


@dataclass(frozen=True)
class Opening:
    """I.1, I.2 What a letter begins with."""

    declare: tuple[Name, ...] = ()
    action: dict[str, str | dict[str, str]] | None = None
    by_weather: dict[str, dict[str, str]] | None = None
    chit: dict[str, Play] | None = None
    steps: Steps | None = None


@dataclass(frozen=True)
class Steps:
    """6.1 The lists of the steps `a` to `o`."""

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
    """6.1 All that a player orders for his powers in one impulse.

    `action` is a word for each power, or a word for each weather at its capital; so is `by_weather`. Sections
    `a` to `o` are the steps of the impulse, which may stand under `steps` as well; `atr` and
    `own_interceptors` are the air reorganization, `reorganize` the list of each power.
    """

    grouped: ClassVar[bool] = False
    atr: tuple[AirSupplies, ...] = ()
    own_interceptors: tuple[Guards, ...] = ()
    reorganize: dict[str, tuple[Wish, ...]] | None = None
    stop_if: Stop | None = None


def folded(letter: Letter) -> Letter:
    """Return the letter with the lists under `steps` in the sections of the steps themselves."""
    if letter.steps is None:
        return letter
    lists: dict[str, Any] = {
        field.name: (*getattr(letter.steps, field.name), *getattr(letter, field.name))
        for field in fields(Steps)
    }
    return replace(letter, steps=None, **lists)


# the turn letter


@dataclass(frozen=True)
class Return:
    """E.1 A ship or an aircraft at sea comes home, or stays."""

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
    """E.2 The final reorganization."""

    atr: tuple[AirSupplies, ...] = ()
    own_interceptors: tuple[Guards, ...] = ()
    reorganize: dict[str, tuple[Wish, ...]] | None = None


@dataclass(frozen=True)
class Buy:
    """E.3.2 A unit of the force pool by kind or id."""

    unit: str | None = None
    if_: Condition | None = None
    label: Name | None = None


@dataclass(frozen=True)
class Buys(Buy):
    first: tuple[Buy, ...] = ()


@dataclass(frozen=True)
class Spending:
    """E.3.2 What a power buys: entries of `buy`, then units of its force pool by kind or id, points, oil for
    fuel. The rest is saved, said or not."""

    build: tuple[str, ...] = ()
    rp: Annotated[int, Range(0, 9999)] = 0
    oil_to_fuel: Annotated[int, Range(0, 999)] = 0
    buy: tuple[Buys, ...] = ()
    save: Literal["rest"] | None = None


@dataclass(frozen=True)
class Place:
    """A.3 Where a unit that arrives is placed."""

    unit: Name | None = None
    to: LocationId | None = None
    if_: Condition | None = None
    label: Name | None = None


@dataclass(frozen=True)
class Places(Place):
    first: tuple[Place, ...] = ()


@dataclass(frozen=True)
class Lend:
    """B.1 A promise of build points; without `from` of the player's first power that cooperates."""

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
    """6.1 What a player says between turns: E.1, E.2, production, and the beginning of the next turn."""

    return_: tuple[Returns, ...] = ()
    final: Final | None = None
    production: dict[str, Spending] | None = None
    place: tuple[Places, ...] = ()
    placement: dict[str, LocationId] | None = None
    lend: tuple[Lends, ...] = ()
    reroll: Reroll | None = None
    order: Literal["first", "second"] | None = None
    stop_if: Stop | None = None
