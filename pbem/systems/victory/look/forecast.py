"""4.6: Forecasts of battles to their end, from a player's view, and accounts of their ends."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any

from pbem.kit.fights import expect, first_of, why
from pbem.rules import End, Forecast, Fought, Game, Message, dataclass

from ..rules.blocks import Block, units
from ..rules.decisions.air_response import may_join
from ..rules.moves import Mover
from ..rules.sides import Side
from ..rules.state import State
from ..rules.world import UnitType, world_of
from .rounds import Rounds, Weights


@dataclass(frozen=True)
class StandIn:
    """A stand-in for blocks that nobody has seen: a type on land, one at sea, and a strength."""

    ground: str
    naval: str
    cv: int


USUAL, OTHERS = StandIn("IN", "CR", 3), (StandIn("IN", "CR", 1), StandIn("AR", "BB", 4))
RESPONSE = ("F", 3)
"""An aircraft that may come in response, where nobody has seen it."""


def forecasts(game: Game, place: str | None, attackers: Collection[str]) -> Iterator[Forecast]:
    """4.6: Yield the battles of this Player Turn that are still to be fought, or the one in a place.

    `attackers` move to the place first, as many as have room. Blocks that the reader has not seen are
    taken for infantry or cruisers; the other cases take them for weaker and for stronger ones. If enemy
    aircraft may still respond, another case says what one of them changes. What a doctrine may bring, nobody
    else knows: all forecasts take for granted that nobody retreats early.
    """
    tracks = State.of(game)
    for hex in [place] if place is not None else tracks.battles:
        copy = game.copy()
        coming = [Block(copy, id) for id in sorted(attackers) if id in copy.position.counters]
        active = coming[0].owner if coming else tracks.active
        chosen = any(block.activated for block in units(game, active))
        for block in coming:
            if block.hex == hex or not block.known or Side(copy, block.owner).room(hex, block.type):
                _bring(copy, block, hex)
        here = units(copy, hex=hex)
        for block in here:  # aircraft that a carrier brought along unchosen do not fire
            if block.owner == active and not (chosen and block.known):
                block.activated = True
        sides = sorted({block.owner for block in here}, key=lambda side: side != active)
        if len(sides) > 1 and sides[0] == active:
            yield _with_cases(copy, active, hex, here)


def _bring(game: Game, block: Block, hex: str) -> None:
    """4.4: Move a block into the battle by the first legal way, else straight there."""
    if block.hex == hex:
        return
    block.activated, block.moved, block.revealed = True, False, False
    mover = Mover(game, block.owner)
    way = next((way for way in mover.ways(block) if way.end == hex), None) if block.known else None
    if way is not None:
        mover.make(way)
        return
    near = mover.world.neighbours(hex)
    block.entry_from = block.hex if block.hex in near else near[0]
    block.entry_kind = {"air": "mission", "naval": "sail"}.get(block.cls, "march")
    block.go(hex)


def _with_cases(game: Game, attacker: str, hex: str, here: list[Block]) -> Forecast:
    unseen = sum(1 for block in here if not block.known)
    assumed = _unseen(game, here, USUAL, alone=False) if unseen else Message("victory.forecast.fought-out")
    main = replace(_forecast(game, attacker, hex, USUAL), case=assumed)
    others: list[Forecast] = []
    if unseen:
        cases = [(_unseen(game, here, unseen_case), unseen_case) for unseen_case in OTHERS]
        others = [replace(_forecast(game, attacker, hex, weighed), case=case) for case, weighed in cases]
    aircraft = _may_respond(game, attacker, hex)
    if aircraft is not None:
        copy = game.copy()
        who, type, cv = aircraft
        name = world_of(game).types[type].name
        case = Message("victory.forecast.responds", who=who, type=name, cv=cv)
        Block.add(copy, "~", owner=who, type=type, cv=cv, hex=hex, entry_from=None, entry_kind="response")
        others.append(replace(_forecast(copy, attacker, hex, USUAL), case=case))
    return replace(main, others=tuple(others))


def _unseen(game: Game, here: Sequence[Block], stand_in: StandIn, *, alone: bool = True) -> Message:
    count, sea = sum(1 for u in here if not u.known), world_of(game).is_sea(here[0].hex)
    type = stand_in.naval if sea else stand_in.ground
    name = world_of(game).types[type].name
    return Message("victory.forecast.unseen", count=count, type=name, cv=stand_in.cv, alone=alone)


def _may_respond(game: Game, attacker: str, hex: str) -> tuple[str, str, int] | None:
    """4.5: Return an aircraft that may join the defenders, as far as the reader knows."""
    world, fields = world_of(game), {hex, *State.of(game).battles}
    near = {*world.within(hex, world.numbers.air_response)} - fields
    for unit in units(game):
        if unit.hex not in near or not may_join(game, unit.owner, attacker, hex, (hex,)):
            continue
        type, cv = (unit.type, unit.cv) if unit.known else RESPONSE
        side = Side(game, unit.owner)
        ready = not unit.responded and not unit.revealed and side.room(hex, type)
        flies = side.based(unit) and unit.cls == "air" if unit.known else unit.hex in world.bases
        if ready and flies:
            return unit.owner, type, cv
    return None


def _forecast(game: Game, attacker: str, hex: str, stand_in: StandIn) -> Forecast:
    copy, sea = game.copy(), world_of(game).is_sea(hex)
    for unit in units(copy, hex=hex):
        if not unit.known:
            unit.type, unit.cv = (stand_in.naval if sea else stand_in.ground), stand_in.cv
    return replace(_by_rounds(Rounds(copy, attacker, hex)), sides=_sides(attacker, units(game, hex=hex)))


def _by_rounds(rounds: Rounds) -> Forecast:
    by_round = rounds.ends()
    ends, losses = expect(_outcomes(rounds, by_round))
    weights = [sum(states.values()) for states in by_round]
    over = [(number, Fraction(weight, sum(weights))) for number, weight in enumerate(weights, 1)]
    table = [(Message("victory.forecast.round", number=number), chance) for number, chance in over if chance]
    sides = _sides(rounds.attacker, list(rounds.blocks.values()))
    return Forecast(rounds.hex, sides, chances=tuple(table), ends=ends, losses=losses, unit="steps")


def outlook(game: Game, events: Sequence[Mapping[str, Any]]) -> Forecast | None:
    """4.6.2: Return the forecast of a battle that began, by the blocks that were turned face up.

    Every block that had to leave could do so.
    """
    event = first_of(events, "battle-began")
    if event is None:
        return None
    hex, attacker, known = str(event["hex"]), str(event["attacker"]), world_of(game).outlooks
    lines = tuple(map(str, event["attacking"])), tuple(map(str, event["defending"]))
    waited = _waited(events, {_named(line)[0] for line in lines[0]})
    key = hex, attacker, *lines, waited
    if key not in known:
        known[key] = _by_lines(game, hex, attacker, lines, waited)
    forecast: Forecast = known[key]
    return forecast


def _waited(events: Sequence[Mapping[str, Any]], attackers: Collection[str]) -> tuple[str, ...]:
    """4.6.6: Return the attackers who were there for a second round and had not fired in the first.

    On land they came from the sea.
    """
    acted = set[str]()
    for event in events:
        if event["event"] == "battle-round-began" and event["round"] > 1:
            return tuple(sorted({*attackers} - acted))
        if event["event"] in ("block-fired", "block-eliminated"):
            acted.add(str(event["block"]))
    return ()


def _by_lines(
    game: Game, hex: str, attacker: str, lines: tuple[tuple[str, ...], ...], waited: Collection[str]
) -> Forecast:
    copy = game.copy()
    for unit in units(copy, hex=hex):
        unit.remove()
    for n, line in enumerate((*lines[0], *lines[1])):
        name, cv = _named(line)
        owner, type, _ = name.split(" ")
        new = Block.add(copy, f"~{n}", owner=owner, type=type, cv=cv, hex=hex, revealed=True)
        landed = name in waited and new.cls == "ground"
        new.activated, new.entry_kind = owner == attacker, "assault" if landed else None
    rounds = _by_rounds(Rounds(copy, attacker, hex, leaving=False))
    return replace(rounds, case=Message("victory.forecast.on-card"))


def _sides(attacker: str, here: Sequence[Block]) -> tuple[tuple[str, str], ...]:
    mine = [block for block in here if block.owner == attacker]
    theirs = [block for block in here if block.owner != attacker]
    return (attacker, _strength(mine)), (theirs[0].owner, _strength(theirs))


def _strength(blocks: Sequence[Block]) -> str:
    """Return blocks in words, `armour (CV 3), infantry (CV 2)`; those that nobody has seen are counted."""
    known = [block for block in blocks if block.known]
    words = [Message("victory.forecast.block", type=block.kind.name, cv=block.cv) for block in known]
    hidden = len(blocks) - len(known)
    more = [Message("victory.forecast.hidden", count=hidden)] if hidden else []
    return Message("victory.forecast.blocks", blocks=(*words, *more))


def _outcomes(rounds: Rounds, by_round: Sequence[Weights]) -> Iterator[tuple[Fraction, End, tuple[int, int]]]:
    """4.6.10: Yield each way in which the battle may end, with its chance and the steps that both lost."""
    states = Weights()
    for weights in by_round:
        for key, weight in weights.items():
            states[key] = states.get(key, 0) + weight
    states = rounds.pursued(states)
    known: dict[tuple[tuple[str, ...], ...], tuple[str, tuple[str, ...], bool]] = {}
    ends: dict[tuple[End, int, int], int] = {}
    for key, weight in states.items():
        state = rounds.state(key)
        alive = rounds.alive_ids(state)
        if alive not in known:
            known[alive] = rounds.aftermath(rounds.strengths(state))
        holds, trapped, stays = known[alive]
        lost = {True: rounds.lost(state, "attacker"), False: rounds.lost(state, "defender")}
        strengths = rounds.strengths(state) if trapped else {}
        for id in trapped:
            block = rounds.blocks[id]
            lost[block.owner == rounds.attacker] += _steps(block.kind, strengths[id], 0)
        if holds == "attacker":
            end: End = "taken" if stays else "cleared"
        else:
            left = [rounds.blocks[id] for ids in alive for id in ids if id not in trapped]
            end = _not_taken(u.cls for u in left if u.owner == rounds.attacker)
        outcome = end, lost[True], lost[False]
        ends[outcome] = ends.get(outcome, 0) + weight
    total = sum(ends.values())
    for (end, mine, theirs), weight in ends.items():
        yield Fraction(weight, total), end, (mine, theirs)


def _steps(kind: UnitType, before: int, now: int) -> int:
    """Return how many steps are between two strengths."""
    return (kind.steps.index(now) if now else len(kind.steps)) - kind.steps.index(before)


def _not_taken(left: Iterable[str]) -> End:
    """Return what became of attackers of these classes who did not take the hex: aircraft only fly home."""
    classes = {*left}
    if not classes:
        return "eliminated"
    return "held" if classes == {"air"} else "repelled"


# what was fought


def fought(game: Game, events: Sequence[Mapping[str, Any]]) -> Fought | None:
    """4.6: Return how a battle ended, from its events."""
    began = next((event for event in events if event["event"] == "battle-began"), None)
    held = next((event for event in events if event["event"] == "hex-held"), None)
    if began is None or held is None or not any(event["event"] == "battle-ended" for event in events):
        return None
    story = _Story(game, began)
    for event in events:
        story.add(event)
    left = [name for name, cv in story.cv.items() if cv]
    stays = any(name in story.attacking and not story.gone.get(name) for name in left)
    if held["role"] == "attacker":
        end: End = "taken" if stays else "cleared"
    else:
        end = _not_taken(story.kind(name).class_ for name in left if name in story.attacking)
    out = [name for name in story.cv if name not in story.attacking]
    reason = why(
        end,
        stayed=sum(1 for name in out if story.cv[name] and not story.gone.get(name)),
        retreated=any(story.gone.get(name) for name in out),
        eliminated=any(not story.cv[name] for name in out),
    )
    sides = (str(began["attacker"]),), tuple(map(str, began["defenders"]))
    return Fought(str(began["hex"]), *sides, end, (story.lost(True), story.lost(False)), "steps", reason)


class _Story:
    """The strength of each block by its public name as the events of a battle tell it."""

    def __init__(self, game: Game, began: Mapping[str, Any]) -> None:
        self.types = world_of(game).types
        self.attacking: dict[str, int] = dict(map(_named, began["attacking"]))
        self.start = {**self.attacking, **dict(map(_named, began["defending"]))}
        self.cv, self.gone = dict(self.start), dict[str, bool]()

    def add(self, event: Mapping[str, Any]) -> None:
        """Take in an event."""
        name = str(event.get("block", ""))
        match event["event"]:
            case "block-lost-step":
                self.cv[name] = int(event["after"])
            case "block-eliminated" | "block-overrun" | "block-trapped":
                self.cv[name] = 0
            case "block-retreated" | "block-withdrew" | "block-rebased" if (
                event["destination"] != event["hex"]
            ):
                self.gone[name] = True

    def kind(self, name: str) -> UnitType:
        """Return the type of a block: the second word of its name."""
        return self.types[name.split(" ")[1]]

    def lost(self, attacking: bool) -> int:
        """Return how many steps a side lost."""
        lost_cv = 0
        for name, cv in self.start.items():
            if (name in self.attacking) == attacking:
                lost_cv += _steps(self.kind(name), cv, self.cv[name])
        return lost_cv


def _named(line: str) -> tuple[str, int]:
    name, _, cv = line.rpartition(" CV ")
    return name, int(cv)
