"""7: Public knowledge beside the position: cards, events, victory, modifiers, turns to come."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from pbem.kit.effects import ALWAYS, Effect, Predicate
from pbem.rules import Board, Headed, Message

from .pieces import T, world_of
from .printed import Due
from .world import Card, World


def background(board: Board, cards_of: Iterable[str] | None = None) -> Iterator[Headed]:
    """Yield headed lists of facts. `cards_of` limits the cards to those of some factions."""
    sayer = Sayer(board)
    yield from sayer.turns()
    yield from sayer.victory()
    yield from sayer.modifiers()
    for card in sayer.world.cards.values():
        if cards_of is None or card.owner in cards_of:
            yield Headed(f"Card {card.id} {card.title} ({sayer.name(card.owner)})", tuple(sayer.card(card)))
    yield from sayer.events()


class Sayer:
    """Sentences about cards, events and conditions."""

    def __init__(self, board: Board) -> None:
        self.board = board
        self.world: World = world_of(board)
        self.t = T.of(board)
        self.names = names_of(board)

    def name(self, id: str) -> str:
        """Return the name of a faction or a country."""
        return self.names.get(id, id)

    def when(self, condition: Predicate) -> str:
        return in_words(self.world, self.names, condition.said(self.world.tables["verbs"]["when"]))

    def effect(self, effect: Effect) -> str:
        return in_words(self.world, self.names, effect.said(self.world.tables["verbs"]["effects"]))

    def _if(self, what: str, condition: Predicate) -> str:
        if condition == ALWAYS:
            return what
        return Message("totaler-krieg.background.if", what=what, condition=self.when(condition))

    def turns(self) -> Iterator[Headed]:
        """2.7, 4.15.1: Yield the turns to come with season and weather."""
        lines = []
        for turn in range(self.t.turn + 1, len(self.world.turns) + 1):
            row = self.world.row(turn)
            weather = (f"{area} {now}" for area, now in sorted(self.world.weather_of(turn).items()))
            parts = [
                *(["seasonal"] if row.seasonal else []),
                *([Message("totaler-krieg.background.game-ends")] if row.end else weather),
            ]
            lines.append(f"{turn} {row.name} ({'; '.join(parts)})")
        if lines:
            yield Headed(Message("totaler-krieg.background.turns-to-come"), tuple(lines))

    def victory(self) -> Iterator[Headed]:
        """4.1, 4.23: Yield automatic victory, final victory, and additions to the victory value."""
        wins = [
            Message(
                "totaler-krieg.background.if", what=self.name(rule.winner), condition=self.when(rule.when)
            )
            for rule in self.world.automatic
        ]
        ends = [
            self._shared(self._if(self.name(band.result), band.when), band.shared_by, band.of)
            for band in self.world.final
        ]
        adds = [
            self._if(
                Message("totaler-krieg.background.for-each-of", n=f"{row.n:+d}", markers=row.each), row.when
            )
            for row in self.world.csv_rows
        ]
        adds += (
            [Message("totaler-krieg.background.by-events", csv_modifier=f"{self.t.csv_modifier:+d}")]
            if self.t.csv_modifier
            else []
        )
        for title, rows in (
            (Message("totaler-krieg.background.victory-once"), wins),
            (Message("totaler-krieg.background.end"), ends),
            (Message("totaler-krieg.background.added-to-value"), adds),
        ):
            if rows:
                yield Headed(title, tuple(rows))

    def _shared(self, what: str, by: tuple[str, ...], of: str) -> str:
        if not by:
            return what
        who = " or ".join(map(self.name, by))
        return Message("totaler-krieg.background.shared", what=what, who=who, power=self.name(of))

    def modifiers(self) -> Iterator[Headed]:
        """4.5, 4.23: Yield the modifiers of delay and political dice, extra steps, wars to declare."""
        for which, title in (
            ("delay", Message("totaler-krieg.background.delay-modifiers")),
            ("political", Message("totaler-krieg.background.political-modifiers")),
        ):
            rows = [
                f"{self.name(faction)} {self.t.drm[faction].get(which, 0):+d}"
                for faction in self.world.factions
            ]
            yield Headed(title, tuple(rows))
        steps = [
            self._if(f"{self.name(season.faction)} {self._steps(season.steps)}", season.when)
            for season in self.world.seasons
        ]
        wars = [
            self._if(f"{self.name(faction)} on {self.name(country)}", when)
            for (faction, country), when in self.world.may_declare.items()
        ]
        for title, rows in (
            (Message("totaler-krieg.background.additional-replacements"), steps),
            (Message("totaler-krieg.background.war-may-be-declared"), wars),
        ):
            if rows:
                yield Headed(title, tuple(rows))

    def _steps(self, steps: Iterable[Due]) -> str:
        return ", ".join(f"{due.n} {self.name(due.country)} {due.kind}" for due in steps)

    def card(self, card: Card) -> Iterator[str]:
        """4.2: Yield the conditions, effects and state of a card."""
        if self.t.current.get(card.owner) == card.id:
            yield Message("totaler-krieg.background.in-play")
        else:
            turns = [played.turn for played in self.t.played.get(card.owner, ()) if played.card == card.id]
            yield from [Message("totaler-krieg.background.played-in-turn", turns=turns[-1])] if turns else []
        if card.colour != "red":
            yield Message("totaler-krieg.background.colour", colour=card.colour)
        if card.type:
            yield Message("totaler-krieg.background.type", type=card.type, once=card.no_repeat_type)
        if card.once_per_year:
            yield Message("totaler-krieg.background.once-year")
        if card.requires != ALWAYS:
            yield Message("totaler-krieg.background.requires", when=self.when(card.requires))
        yield from map(self.effect, card.actions)
        if card.replacements:
            yield Message("totaler-krieg.background.replacements", steps=self._steps(card.replacements))
        yield from (
            Message("totaler-krieg.background.political-event-each-turn", id=id)
            for id in card.political_events
        )
        yield from (
            Message("totaler-krieg.background.conditional-event", id=id) for id in card.conditional_events
        )

    def events(self) -> Iterator[Headed]:
        """4.5, 4.11: Yield political events by the face of the die, and conditional events."""
        for event in self.world.tables_of_events.values():
            faces: dict[tuple[Effect, ...], list[int]] = {}
            for face, effects in sorted(event.results.items()):
                faces.setdefault(effects, []).append(face)
            rows = [
                f"{_range(dice)}: {' and '.join(map(self.effect, effects)) or 'nothing'}"
                for effects, dice in faces.items()
            ]
            yield Headed(Message("totaler-krieg.background.political-event-d6", event=event.id), tuple(rows))
        for conditional in self.world.conditional.values():
            where = (
                [Message("totaler-krieg.background.in-box")]
                if conditional.id in self.t.boxes.get(conditional.faction, ())
                else []
            )
            rows = [*where, f"if {self.when(conditional.when)}", *map(self.effect, conditional.effects)]
            rows += ["once"] if conditional.once else []
            yield Headed(
                Message(
                    "totaler-krieg.background.conditional-event-of",
                    event=conditional.id,
                    faction=self.name(conditional.faction),
                ),
                tuple(rows),
            )


def _range(dice: list[int]) -> str:
    """Return faces of a die as a card has them, such as "1" or "2-6"."""
    whole = len(dice) > 1 and dice == list(range(dice[0], dice[-1] + 1))
    return f"{dice[0]}-{dice[-1]}" if whole else ", ".join(map(str, dice))


def names_of(board: Board) -> dict[str, str]:
    """Return the names of countries and factions by id."""
    world = world_of(board)
    called = {country.id: country.title for country in world.countries.values()}
    return called | {id: id.title() for id in (*world.factions, "allied")}


def in_words(world: World, names: Mapping[str, str], text: str) -> str:
    """Return a sentence with names of countries, factions and hexes in place of their ids."""
    return " ".join(_named(world, names, word) for word in text.split(" "))


def _named(world: World, names: Mapping[str, str], word: str) -> str:
    id = word.rstrip(",:;")
    return (names.get(id) or (world.name_of(id) if id in world.index else id)) + word[len(id) :]
