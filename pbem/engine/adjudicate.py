"""The pure core: (state, answers, dice) -> (new state, events, questions).

It reads and writes no files.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from pbem.board.position import Position
from pbem.engine import powers
from pbem.engine.ahead import Queue, Tried, expires
from pbem.engine.answers import DefaultTaken, Inputs, Source, StageSource, Use
from pbem.engine.cursor import ENDED, PLACES_ARE_DATA, Cursor, Place
from pbem.engine.game import Game
from pbem.engine.leaf import LeafRun, StageNotes
from pbem.engine.resolve import Question
from pbem.engine.system import System
from pbem.model.events import Told, numbered
from pbem.model.facts import GM_ONLY, PUBLIC, Fact, audience_of
from pbem.model.state import GameState, Open
from pbem.model.whereabouts import ENDED as OVER
from pbem.text.canonical import Json
from pbem.text.dataclass import dataclass
from pbem.text.diagnostics import Diagnostic, PbemError
from pbem.text.messages import Message

MOST_LEAVES = 100_000


class Runaway(PbemError):
    """A sequence of play that loops without ever asking anybody."""


@dataclass(frozen=True)
class Outcome:
    """The result of a run.

    `position` is the interim one (in the middle of a leaf) if `state.open` is set.
    """

    state: GameState
    position: Position
    told: tuple[Told, ...]
    pending: tuple[Question, ...]
    used: tuple[Use, ...]
    diagnostics: tuple[tuple[str, Diagnostic], ...]
    here: Place | None
    defaults: tuple[DefaultTaken, ...] = ()
    ahead: tuple[Tried, ...] = ()

    @property
    def place(self) -> str:
        """Return where in the sequence of play the run stopped, in words."""
        return self.here.text if self.here is not None else ""

    @property
    def finished(self) -> bool:
        """Return True if the sequence of play has ended."""
        return self.state.at == ENDED


def start(system: System, scenario: str, chosen: Mapping[str, Any] | None = None) -> GameState:
    """Return a game before its first leaf.

    `chosen` are the options that differ from the scenario's.
    """
    data = system.scenario(scenario)
    options = system.options(data, chosen or {})
    world = system.world(scenario, options)
    position = system.set_up(world, data, options)
    powers.put_up(data, system.players(data), position)
    rules: dict[str, Json] = {
        "system": system.name,
        "edition": system.edition,
        "revision": system.revision,
        "digest": system.digest,
    }
    state = GameState(rules, scenario, dict(options), system.players(data), [], position)
    game = game_of(system, state)
    cursor = Cursor(system, system.outline, [])
    cursor.start(game)
    return replace(state, at=list(cursor.frames))


def game_of(system: System, state: GameState, position: Position | None = None, *, stage: int = 0) -> Game:
    """Return the whole truth of a state as rules see it.

    `position` replaces the state's for an interim one.
    """
    data = system.scenario(state.scenario)
    here = position if position is not None else state.position.copy()
    played = system.as_played(state.options)
    world = played.world(state.scenario, state.options)
    return Game(played, data, state.options, state.players, here, world=world, stage=stage)


def view_of(system: System, state_meta: GameState, facts: Mapping[str, Json], player: str) -> Game:
    """Return the game as one player sees it, made from the facts that the player may know."""
    data = system.scenario(state_meta.scenario)
    system = system.as_played(state_meta.options)
    world = system.world(state_meta.scenario, state_meta.options)
    position = system.view_position(facts, player, world)
    if isinstance(seats := facts.get(f"track/{powers.TRACK}"), dict):
        position.tracks.setdefault(powers.TRACK, dict(seats))
    return Game(system, data, state_meta.options, state_meta.players, position, world=world, viewer=player)


def adjudicate(system: System, state: GameState, inputs: Inputs, *, most: int | None = None) -> Outcome:
    """Run the sequence of play as far as these inputs allow, over `most` leaves before a question.

    Raises Divergence if the journal does not match.
    """
    standing = {party: list(orders) for party, orders in inputs.standing.items() if orders}
    return run(system, replace(state, standing=standing), StageSource(inputs), most or MOST_LEAVES)


def run(system: System, state: GameState, source: Source, most: int = MOST_LEAVES) -> Outcome:
    """Run the game from `state`, with answers and dice from `source`."""
    notes = StageNotes(ahead=Queue.of(state.spent))
    game = game_of(system, state, stage=source.stage)
    cursor = Cursor(system, system.outline, state.at)
    told: list[Told] = []
    before = state.open
    kept = tuple(state.kept)
    pending: tuple[Question, ...] = ()
    left: Open | None = None
    checkpoint = game.position.copy()
    stood: Place | None = None
    expiring = [party for party in game.players if any(map(expires, source.standing(party)))]
    for _ in range(most):
        if cursor.ended:
            break
        here = cursor.place(game.scenario)
        end = LeafRun(game, here, before, source, notes, kept).run()
        stood = game.here
        told += numbered(end.told, told)
        before = None
        if end.open is not None:
            left, pending = end.open, end.pending
            break
        kept = end.kept
        within = cursor.within() if expiring else {}
        cursor.advance(game)
        for party in expiring:
            notes.ahead.left(party, source.standing(party), within, cursor.within())
        checkpoint = game.position.copy()
    else:
        raise Runaway(f"{system.name}: {most} leaves without a question at {game.place}")
    new = replace(
        state,
        at=list(cursor.frames),
        position=checkpoint,
        open=left,
        kept=list(kept),
        standing=notes.ahead.remaining(state.standing),
        spent=notes.ahead.remembered(),
        previous=state.digest(),
    )
    return Outcome(
        new,
        game.position,
        tuple(told),
        pending,
        tuple(notes.used),
        tuple(notes.diagnostics),
        stood,
        tuple(notes.defaults),
        tuple(notes.ahead.tried),
    )


def facts(system: System, outcome: Outcome) -> list[Fact]:
    """Return every fact at the end of a stage with its audience.

    That is the position, the place, questions, standing orders and private events.
    """
    state = outcome.state
    system = system.as_played(state.options)
    game = game_of(system, state, outcome.position)
    listed = system.facts(game)
    key = f"track/{powers.TRACK}"
    if powers.TRACK in game.tracks and all(fact.key != key for fact in listed):
        listed.append(Fact(key, dict(game.tracks[powers.TRACK]), PUBLIC))
    listed.append(Fact("game/place", _place(outcome, system.engine)))
    for question in outcome.pending:
        audience = audience_of(*game.friends(question.party)) if system.hidden else PUBLIC
        listed.append(Fact(f"asked/{question.party}/{question.key}", question.to_json(), audience))
    for party, orders in sorted(state.standing.items()):
        listed.append(Fact(f"standing/{party}", list(orders), (party,) if system.hidden else PUBLIC))
    for number, ruling in enumerate(state.rulings, 1):
        listed.append(Fact(f"ruling/{number:03}", dict(ruling)))
    counts: dict[str, int] = {}
    for party, fault in outcome.diagnostics:
        count = counts[party] = counts.get(party, 0) + 1
        audience = (party,) if system.hidden else PUBLIC
        value: Json = {"code": fault.code, "message": fault.message, "rule": fault.rule or ""}
        listed.append(Fact(f"refused/{party}/{count:03}", value, audience))
    return [*listed, *_defaults(system, outcome), *_ahead(system, outcome), *_private_events(outcome)]


def _place(outcome: Outcome, engine: int) -> Json:
    """Return where the game is now, as a game with this revision of the engine records it."""
    if outcome.finished:
        return OVER if engine >= PLACES_ARE_DATA else str(Message("engine.adjudicate.game-over"))
    return outcome.here.recorded(engine) if outcome.here is not None else ""


def _ahead(system: System, outcome: Outcome) -> list[Fact]:
    """Return what became of advance orders, for their owner, who alone knows them if units are hidden."""
    counts: dict[str, int] = {}
    listed: list[Fact] = []
    for used in outcome.ahead:
        counts[used.party] = counts.get(used.party, 0) + 1
        audience = (used.party,) if system.hidden else PUBLIC
        listed.append(Fact(f"ahead/{used.party}/{counts[used.party]:03}", used.to_json(), audience))
    return listed


def _defaults(system: System, outcome: Outcome) -> list[Fact]:
    """Return every default that replaced the answer of a player who was waited for.

    So nobody is penalised silently. The question may be secret, so in a game with hidden units only its
    player sees this.
    """
    counts: dict[str, int] = {}
    listed: list[Fact] = []
    for default in outcome.defaults:
        value: Json = {
            "decision": default.kind,
            "key": default.key,
            "rule": default.rule,
            "fields": dict(default.fields),
            "answer": default.answer,
        }
        counts[default.party] = counts.get(default.party, 0) + 1
        audience = (default.party,) if system.hidden else PUBLIC
        listed.append(Fact(f"default/{default.party}/{counts[default.party]:03}", value, audience))
    return listed


def _private_events(outcome: Outcome) -> list[Fact]:
    """Return the events that are not public, numbered per audience.

    So the numbers tell nobody about events of others.
    """
    counts: dict[tuple[str, ...], int] = {}
    listed: list[Fact] = []
    for entry in outcome.told:
        if entry.audience == PUBLIC:
            continue
        counts[entry.audience] = counts.get(entry.audience, 0) + 1
        name = ".".join(entry.audience) if entry.audience != GM_ONLY else "gm"
        key = f"event/{name}/{counts[entry.audience]:04}"
        listed.append(Fact(key, {"after": entry.after, "event": entry.event}, entry.audience))
    return listed
