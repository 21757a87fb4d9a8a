"""5.14, R-111: Effect verbs and predicates of cards and events."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, ClassVar, Literal

from pbem.kit.decks import Deck
from pbem.kit.effects import Effect, Predicate, Vocabulary, effect, predicate
from pbem.kit.faults import bad_data
from pbem.rules import Diagnostic, Game, LocationId, Message, Name, dataclass

from .events.politics import EffectApplied
from .ground import Ground
from .pieces import T, maybe_piece, send, world_of
from .politics import activate, conquer, eliminate_steps, liberate, resolve, set_posture
from .printed import FIRST_DIE
from .victory import final
from .world import WAR_STATES

if TYPE_CHECKING:
    from .world import World

WORDS = Vocabulary()
RULE = "5.14"
Pile = Literal["to_hand", "out_of_game"]
StatusName = Literal["active", "neutral", "conquered"]
PostureName = Literal["war", "policy", "truce"]
WarState = Literal["pre_war", "limited", "total"]


def _known(name: str | None, known: Iterable[str], what: str, *path: str) -> Iterator[Diagnostic]:
    names = list(known)
    if name is not None and name not in names:
        yield bad_data(
            "unknown-name",
            Message("totaler-krieg.verbs.unknown-name", what=what, name=name),
            *path,
            name=name,
            names=names,
        )


def _faction(world: World, name: str, *path: str) -> Iterator[Diagnostic]:
    return _known(name, world.factions, "faction", *(path or ("faction",)))


def _country(world: World, name: str | None, *path: str) -> Iterator[Diagnostic]:
    return _known(name, world.countries, "country", *(path or ("country",)))


def _tell(game: Game, verb: str, what: str, changed: bool = True) -> None:
    game.emit(EffectApplied(verb.replace("_", " "), what, changed))


def _join(game: Game, verb: str, faction: str, ids: Iterable[str], spot: Literal["pool", "delay"]) -> None:
    moved = []
    for id in ids:
        counter = maybe_piece(game, id)
        if counter is not None and counter.spot in ("out", "country"):
            counter.owner = faction
            send(counter, spot)
            moved.append(id)
    where = "Force Pool" if spot == "pool" else "Delay Box"
    _tell(
        game,
        verb,
        Message(
            "totaler-krieg.verbs.into", moved=", ".join(moved) or "nothing", where=where, faction=faction
        ),
        bool(moved),
    )


@dataclass(frozen=True)
class Joining(Effect):
    """Counters out of the game that join a faction."""

    faction: Name
    counters: tuple[Name, ...]
    spot: ClassVar[Literal["pool", "delay"]]

    def faults(self, world: World) -> Iterator[Diagnostic]:
        yield from _faction(world, self.faction)
        for n, id in enumerate(self.counters):
            yield from _known(id, world.prints, "counter", "counters", str(n))

    async def run(self, game: Game) -> None:
        _join(game, self.verb, self.faction, self.counters, self.spot)


@effect(WORDS, "force_pool_add", rule=RULE)
class ForcePoolAdd(Joining):
    """Counters out of the game that come into a Force Pool."""

    spot = "pool"


@effect(WORDS, "delay_box_add", rule=RULE)
class DelayBoxAdd(Joining):
    """Counters out of the game that come into a Delay Box."""

    spot = "delay"


@effect(WORDS, "track_add", rule=RULE)
class TrackAdd(Effect):
    """A counter out of the game that is put on the turn track, some turns ahead."""

    counter: Name
    turns_ahead: int

    def faults(self, world: World) -> Iterator[Diagnostic]:
        return _known(self.counter, world.prints, "counter", "counter")

    async def run(self, game: Game) -> None:
        counter = maybe_piece(game, self.counter)
        changed = counter is not None and counter.spot in ("out", "country")
        due = T.of(game).turn + self.turns_ahead
        if counter is not None and changed:
            send(counter, "track", due)
        _tell(
            game,
            self.verb,
            Message("totaler-krieg.verbs.returns-in-turn", counter=self.counter, due=due),
            changed,
        )


@effect(WORDS, "replacement_steps", rule=RULE)
class ReplacementSteps(Effect):
    """Replacement steps for this 1.3, or for the faction's next."""

    country: Name
    kind: Literal["infantry", "armor", "any"]
    n: int

    def faults(self, world: World) -> Iterator[Diagnostic]:
        return _country(world, self.country)

    async def run(self, game: Game) -> None:
        t = T.of(game)
        faction = t.countries[self.country].alignment or t.acting
        t.added_steps[faction] = (*t.added_steps.get(faction, ()), (self.country, self.kind, self.n))
        _tell(
            game,
            self.verb,
            Message("totaler-krieg.verbs.steps", n=self.n, kind=self.kind, country=self.country),
        )


@effect(WORDS, "csv_modifier", rule=RULE)
class CsvModifier(Effect):
    """An addition to the victory value for the rest of the game."""

    n: int

    async def run(self, game: Game) -> None:
        T.of(game).csv_modifier += self.n
        _tell(game, self.verb, Message("totaler-krieg.verbs.victory-value", n=f"{self.n:+d}"))


@effect(WORDS, "drm", rule=RULE)
class Drm(Effect):
    """A faction's modifier of delay or political dice, until it is set again."""

    faction: Name
    which: Literal["delay", "political"]
    n: int

    def faults(self, world: World) -> Iterator[Diagnostic]:
        return _faction(world, self.faction)

    async def run(self, game: Game) -> None:
        t = T.of(game)
        changed = t.drm[self.faction][self.which] != self.n
        t.drm[self.faction] = {**t.drm[self.faction], self.which: self.n}
        _tell(
            game,
            self.verb,
            Message("totaler-krieg.verbs.modifier", which=self.which, faction=self.faction, n=self.n),
            changed,
        )


@effect(WORDS, "set_posture", rule=RULE)
class SetPosture(Effect):
    """A country's posture toward a faction."""

    country: Name
    faction: Name
    posture: PostureName

    def faults(self, world: World) -> Iterator[Diagnostic]:
        yield from _country(world, self.country)
        yield from _faction(world, self.faction)

    async def run(self, game: Game) -> None:
        changed = set_posture(game, self.country, self.faction, self.posture)
        _tell(game, self.verb, f"{self.country} toward {self.faction}: {self.posture}", changed)


@effect(WORDS, "activate", rule="4.15.3")
class Activate(Effect):
    """A neutral country that joins a faction and mobilizes."""

    country: Name
    faction: Name

    def faults(self, world: World) -> Iterator[Diagnostic]:
        yield from _country(world, self.country)
        yield from _faction(world, self.faction)

    async def run(self, game: Game) -> None:
        changed = T.of(game).countries[self.country].status == "neutral"
        _tell(game, self.verb, f"{self.country} joins {self.faction}", changed)
        if changed:
            await activate(game, self.country, self.faction)


@effect(WORDS, "conquer", rule=RULE)
class Conquer(Effect):
    """A country that is conquered. Its ground units and partisan bases leave the game."""

    country: Name
    by: Name

    def faults(self, world: World) -> Iterator[Diagnostic]:
        yield from _country(world, self.country)
        yield from _faction(world, self.by, "by")

    async def run(self, game: Game) -> None:
        _tell(game, self.verb, f"{self.country} by {self.by}", conquer(game, self.country, self.by))


@effect(WORDS, "liberate", rule=RULE)
class Liberate(Effect):
    """A country that is active with a faction again. Its units go to that faction's Force Pool."""

    country: Name
    faction: Name

    def faults(self, world: World) -> Iterator[Diagnostic]:
        yield from _country(world, self.country)
        yield from _faction(world, self.faction)

    async def run(self, game: Game) -> None:
        changed = liberate(game, self.country, self.faction)
        _tell(game, self.verb, f"{self.country} for {self.faction}", changed)


@effect(WORDS, "set_war_state", rule=RULE)
class SetWarState(Effect):
    """The state of the war."""

    state: WarState

    async def run(self, game: Game) -> None:
        t = T.of(game)
        changed = t.war_state != self.state
        t.war_state = self.state
        _tell(game, self.verb, self.state, changed)


@effect(WORDS, "card", rule=RULE)
class CardMoves(Effect):
    """A card that goes to its faction's hand or out of the game, from wherever it is."""

    faction: Name
    move: Pile
    id: Name

    def faults(self, world: World) -> Iterator[Diagnostic]:
        yield from _faction(world, self.faction)
        cards = world.scenario.get("decks", {}).get(self.faction, {})
        yield from _known(self.id, cards, "card", "id")

    async def run(self, game: Game) -> None:
        t = T.of(game)
        deck = Deck(t.decks, self.faction)
        before = deck.where(self.id)
        if t.current.get(self.faction) == self.id:
            t.last_type[self.faction] = (
                world_of(game).cards[self.id].type
            )  # so the next card has it as the card before
            del t.current[self.faction]
            before = "current"
        if self.move == "to_hand":
            deck.to_hand(self.faction, self.id)
        else:
            deck.take_out(self.id)
        where = "hand" if self.move == "to_hand" else Message("totaler-krieg.verbs.out-of-game")
        _tell(game, self.verb, f"{self.id} of {self.faction}: {where}", deck.where(self.id) != before)


@effect(WORDS, "conditional_event", rule=RULE)
class ConditionalEvent(Effect):
    """An event that is put into or taken out of a faction's conditional event box."""

    faction: Name
    add: Name | None = None
    remove: Name | None = None

    def faults(self, world: World) -> Iterator[Diagnostic]:
        yield from _faction(world, self.faction)
        known = world.scenario.get("conditional_events", {})
        yield from _known(self.add, known, Message("totaler-krieg.verbs.conditional-event"), "add")
        yield from _known(self.remove, known, Message("totaler-krieg.verbs.conditional-event"), "remove")
        if (self.add is None) == (self.remove is None):
            yield bad_data("bad-arguments", Message("totaler-krieg.verbs.either-add-or-remove"))

    def said(self, sentences: Mapping[str, str]) -> str:
        verb = f"{self.verb}_{'remove' if self.add is None else 'add'}"
        return sentences[verb].format(faction=self.faction, add=self.add, remove=self.remove)

    async def run(self, game: Game) -> None:
        t = T.of(game)
        box = t.boxes.get(self.faction, ())
        then = tuple(id for id in box if id != self.remove)
        if self.add is not None and self.add not in then:
            then = (*then, self.add)
        t.boxes[self.faction] = then
        _tell(
            game,
            self.verb,
            Message(
                "totaler-krieg.verbs.conditional-event-box",
                add=self.add,
                remove=self.remove,
                faction=self.faction,
            ),
            then != box,
        )


@effect(WORDS, "eliminate_steps", rule=RULE)
class EliminateSteps(Effect):
    """Steps that a faction loses from a country's units on the map, as the owner chooses."""

    faction: Name
    country: Name
    n: int

    def faults(self, world: World) -> Iterator[Diagnostic]:
        yield from _faction(world, self.faction)
        yield from _country(world, self.country)

    async def run(self, game: Game) -> None:
        _tell(
            game,
            self.verb,
            Message("totaler-krieg.verbs.steps-of-of", n=self.n, country=self.country, faction=self.faction),
        )
        await eliminate_steps(game, self.faction, self.country, self.n)


@effect(WORDS, "roll_table", rule="4.5")
class RollTable(Effect):
    """Another roll, on another table with the same modifier."""

    table: Name

    def faults(self, world: World) -> Iterator[Diagnostic]:
        return _known(self.table, world.scenario.get("political_events", {}), "table", "table")

    async def run(self, game: Game) -> None:
        await resolve(game, self.table)


@effect(WORDS, "end_game", rule=RULE)
class EndGame(Effect):
    """The end of the game. The final bands give the result."""

    async def run(self, game: Game) -> None:
        _tell(game, self.verb, Message("totaler-krieg.background.game-ends"))
        final(game)


def within(value: int, least: int | None, most: int | None) -> bool:
    return (least is None or value >= least) and (most is None or value <= most)


@predicate(WORDS, "controls", rule=RULE)
class Controls(Predicate):
    """The test whether a faction controls a hex."""

    faction: Name
    hex: LocationId

    def faults(self, world: World) -> Iterator[Diagnostic]:
        yield from _faction(world, self.faction)
        yield from _known(self.hex, world.index, "hex", "hex")

    def holds(self, game: Game) -> bool:
        return Ground(game).control(self.hex) == self.faction


@predicate(WORDS, "has_unit", rule=RULE)
class HasUnit(Predicate):
    """The test whether a faction or country has a ground unit in a hex or country."""

    in_: Name
    faction: Name | None = None
    country: Name | None = None

    def faults(self, world: World) -> Iterator[Diagnostic]:
        if (self.faction is None) == (self.country is None):
            yield bad_data("bad-arguments", Message("totaler-krieg.verbs.either-faction-or-country"))
        yield from _known(self.faction, world.factions, "faction", "faction")
        yield from _country(world, self.country)
        yield from _known(
            self.in_, [*world.index, *world.countries], Message("totaler-krieg.verbs.hex-or-country"), "in"
        )

    def holds(self, game: Game) -> bool:
        ground = Ground(game)
        return any(
            (self.in_ in (hex, ground.world.country_of(hex)))
            and any(
                self.faction in (None, unit.owner) and self.country in (None, unit.country) for unit in units
            )
            for hex, units in ground.by_role.get("ground", {}).items()
            if ground.world.kind(hex) == "hex"
        )


@predicate(WORDS, "country_status", rule=RULE)
class CountryStatus(Predicate):
    """The test of a country's status."""

    country: Name
    is_: StatusName

    def faults(self, world: World) -> Iterator[Diagnostic]:
        return _country(world, self.country)

    def holds(self, game: Game) -> bool:
        return T.of(game).countries[self.country].status == self.is_


@predicate(WORDS, "war_state", rule=RULE)
class WarStateIs(Predicate):
    """The test of the state of the war, at least this one."""

    at_least: WarState

    def holds(self, game: Game) -> bool:
        return WAR_STATES.index(T.of(game).war_state) >= WAR_STATES.index(self.at_least)


@dataclass(frozen=True)
class Ranged(Predicate):
    """The test of a number between bounds, of which one may be missing."""

    at_least: int | None = None
    at_most: int | None = None

    def said(self, sentences: Mapping[str, str]) -> str:
        ends = {(True, False): "at_least", (False, True): "at_most"}
        end = ends.get((self.at_least is not None, self.at_most is not None), "between")
        return sentences[f"{self.verb}_{end}"].format(at_least=self.at_least, at_most=self.at_most)


@predicate(WORDS, "turn", rule=RULE)
class Turn(Ranged):
    """The test of the turn."""

    def faults(self, world: World) -> Iterator[Diagnostic]:
        if self.at_least is not None and self.at_least < FIRST_DIE:
            yield bad_data("bad-arguments", Message("totaler-krieg.verbs.turns-count-from-1"), "at_least")

    def holds(self, game: Game) -> bool:
        return within(T.of(game).turn, self.at_least, self.at_most)


@predicate(WORDS, "csv", rule=RULE)
class Csv(Ranged):
    """The test of the victory value at the last check."""

    def holds(self, game: Game) -> bool:
        return within(T.of(game).csv, self.at_least, self.at_most)


@predicate(WORDS, "card_played", rule=RULE)
class CardPlayed(Predicate):
    """The test whether a card is or was its faction's current card."""

    faction: Name
    id: Name

    def faults(self, world: World) -> Iterator[Diagnostic]:
        yield from _faction(world, self.faction)
        cards = world.scenario.get("decks", {}).get(self.faction, {})
        yield from _known(self.id, cards, "card", "id")

    def holds(self, game: Game) -> bool:
        t = T.of(game)
        return t.current.get(self.faction) == self.id or any(
            played.card == self.id for played in t.played.get(self.faction, ())
        )
