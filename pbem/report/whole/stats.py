"""The figures of a whole game for one reader: emails and stops by game turn, losses, territory, luck.

Made from what the reader was told of each stage (`Seen`), so they tell no more than the reader's reports do.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import field
from fractions import Fraction
from math import lcm

from pbem.model.events import Told
from pbem.model.facts import PUBLIC
from pbem.model.whereabouts import Stop as Part
from pbem.report.losses import Losses, losses
from pbem.report.reader import View
from pbem.report.throwers import rolled
from pbem.report.whole import ledger
from pbem.text.dataclass import dataclass


@dataclass(frozen=True)
class Asking:
    """A decision that a stage waited for, and its answer as YAML (None if unknown).

    `forms` are examples of standing orders that could have answered. `why` it cost an email: "nothing" was
    sent ahead for it, the "conditions" of what was did not hold, it was "illegal" by then, had "expired", or
    its owner was "attacked"; None if that is not known.
    """

    party: str
    kind: str
    forms: tuple[str, ...] = ()
    answer: str | None = None
    why: str | None = None


WHY = ("nothing", "conditions", "illegal", "attacked", "expired")
"""Why a question cost an email, as figures list it."""


@dataclass(frozen=True)
class Seen:
    """One stage as far as the reader may know it.

    `asked` is what the stage before had asked and this one waited for, `sent` how many emails each party sent
    for it, `standing` how many decisions of each party a standing order answered (None if not known),
    `came` the days (as ordinals) on which its emails came in here, as far as that was noted.
    """

    stage: int
    told: Sequence[Told]
    view: View
    asked: Sequence[Asking] = ()
    sent: Mapping[str, int] = field(default_factory=dict)
    standing: Mapping[str, int] | None = None
    came: Sequence[int] = ()


@dataclass(frozen=True)
class Holding:
    """The holdings of a player at the end of a game turn: places, their worth, counters on the map."""

    player: str
    places: int
    worth: int | None
    counters: int


@dataclass(frozen=True)
class Turn:
    """One game turn.

    `name` is in the reader's language; `counted` tells it from a set-up; `stages` are its first and last.
    `days` are those from its first email to its last, both counted, None if unknown. `luck` gives each
    player's chance that fair dice do as well or better.
    """

    name: str
    counted: bool
    stages: tuple[int, int]
    mails: Mapping[str, int]
    standing: Mapping[str, int] | None
    losses: tuple[Losses, ...]
    holdings: tuple[Holding, ...]
    dice: ledger.Sums
    days: int | None = None
    luck: Mapping[str, Fraction] = field(default_factory=dict)

    @property
    def count(self) -> int:
        """Return how many stages it took."""
        return self.stages[1] - self.stages[0] + 1


@dataclass(frozen=True)
class Stop:
    """A kind of decision of one party that the game waited for: how often, and how often for it alone.

    `forms` are the standing orders that could have answered; `usual` is the answer that was given most often,
    with its number, where answers are known and one came twice. `again`: how often the party was asked right
    after an email of its own, alone both times. `why`: the reasons why it cost an email, with their numbers.
    """

    party: str
    kind: str
    times: int
    alone: int
    forms: tuple[str, ...]
    usual: tuple[str, int] | None = None
    again: int = 0
    why: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True)
class Wait:
    """The stages in which a player who owed nothing waited for another."""

    player: str
    whom: str
    stages: int


@dataclass(frozen=True)
class Luck:
    """A player's dice. `chance`: fair dice do as well or better; None if nothing says what is good.

    `sums` are of exactly the dice that `chance` is of (of all where it is None), `others` of those that it is
    not of. `high` and `low` are the sums of those that are good so, `tried` of those that hit or miss.
    """

    player: str
    sums: ledger.Sums
    chance: Fraction | None
    others: ledger.Sums | None = None
    high: ledger.Sums | None = None
    low: ledger.Sums | None = None
    tried: ledger.Sums | None = None


@dataclass(frozen=True)
class Stats:
    """All figures of a game.

    `players` are the powers, or the seats, in their order, `stages` the number of all. `nobody` has the sums
    of the dice that no player threw.
    """

    players: tuple[str, ...]
    parties: tuple[str, ...]
    stages: int
    turns: tuple[Turn, ...]
    stops: tuple[Stop, ...]
    waits: tuple[Wait, ...]
    losses: tuple[Losses, ...]
    luck: tuple[Luck, ...]
    nobody: ledger.Sums | None = None

    @property
    def judged(self) -> tuple[str, ...]:
        """Return whose dice are ranked: powers, and seats for rolls for all their powers."""
        return tuple(luck.player for luck in self.luck if luck.chance is not None)

    @property
    def mails(self) -> dict[str, int]:
        """Return the emails of each party in the whole game."""
        return {party: sum(turn.mails.get(party, 0) for turn in self.turns) for party in self.parties}


def stats(seen: Sequence[Seen], parties: Sequence[str]) -> Stats:
    """Return the figures of these stages from the first on.

    `parties`: players and GM.
    """
    view = seen[-1].view
    turns, thrown = _turns(seen), entries(seen)
    events = [entry.event for stage in seen for entry in stage.told]
    every = [entry for mine in thrown.values() for entry in mine]
    nobodys = [entry for entry in every if entry.sides and entry.thrower not in view.rollers]
    return Stats(
        view.powers,
        tuple(parties),
        len(seen),
        tuple(_turn(name, group, parties, thrown) for name, group in turns),
        tuple(_stops(seen)),
        tuple(_waits(seen, view.players)),
        tuple(losses(events, view)),
        tuple(_luck(every, view)),
        ledger.Sums.of(nobodys) if nobodys else None,
    )


# ---- game turns --------------------------------------------------------------------------------------


def _turns(seen: Sequence[Seen]) -> list[tuple[Part | None, list[Seen]]]:
    """Return stages by the game turn in which they began; one without events belongs to the turn before."""
    turns: list[tuple[Part | None, list[Seen]]] = []
    name: Part | None = None
    for stage in seen:
        places = [
            _outermost(happening, stage.view) for happening in stage.told if happening.audience == PUBLIC
        ]
        begun = next((place for place in places if place), name)
        if turns and (begun == turns[-1][0] or not turns[-1][0]):
            turns[-1] = (begun, [*turns[-1][1], stage])
        else:
            turns.append((begun, [stage]))
        name = next((place for place in reversed(places) if place), begun)
    return turns


def _outermost(event: Told, view: View) -> Part | None:
    """Return the game turn of an event as the sequence of play has it, or None."""
    return next(iter(view.at(event.event).stops), None)


def _turn(
    name: Part | None,
    group: Sequence[Seen],
    parties: Sequence[str],
    thrown: Mapping[int, Sequence[ledger.Entry]],
) -> Turn:
    last = group[-1]
    events = [happening.event for stage in group for happening in stage.told]
    mails = {party: sum(stage.sent.get(party, 0) for stage in group) for party in parties}
    known = [stage.standing for stage in group if stage.standing is not None]
    standing = {p: sum(score.get(p, 0) for score in known) for p in last.view.players} if known else None
    came = [day for stage in group for day in stage.came]
    mine = [entry for stage in group for entry in thrown[stage.stage]]
    return Turn(
        last.view.wording.part(name) if name is not None else "",
        name is not None and name.n is not None,
        (group[0].stage, last.stage),
        mails,
        standing,
        tuple(losses(events, last.view)),
        tuple(holdings(last.view)),
        ledger.Sums.of(mine),
        max(came) - min(came) + 1 if came else None,
        _places(mine, last.view.rollers),
    )


def entries(seen: Sequence[Seen]) -> dict[int, list[ledger.Entry]]:
    """Return the rolls of these stages that the reader saw, by stage."""
    return rolled(
        [(stage.stage, [happening.event for happening in stage.told], stage.view) for stage in seen]
    )


def holdings(view: View) -> list[Holding]:
    """Return what each player holds; [] if the position is unknown."""
    if not view.position.tracks and not view.position.counters:
        return []
    worth = view.wording.of("map").get("worth")
    places: dict[str, dict[str, int]] = {player: {} for player in view.powers}  # each location once
    for kind in view.wording.of("places") if view.chart else ():
        for place in view.chart.places(kind) if view.chart else ():
            holder = view.holder(place.number)
            value = place.data.get(worth, 0) if worth else 0
            if holder in places:
                before = places[holder].get(place.number, 0)
                places[holder][place.number] = before + (value if isinstance(value, int) else 0)
    counters = Counter(view.owner(id) for id in view.position.counters if view.position.hex(id))
    return [
        Holding(player, len(held), sum(held.values()) if worth else None, counters[player])
        for player, held in places.items()
    ]


# ---- who waited for whom -----------------------------------------------------------------------------


def _stops(seen: Iterable[Seen]) -> list[Stop]:
    """Return what the game waited for, most often for one party alone first."""
    times: Counter[tuple[str, str]] = Counter()
    alone: Counter[tuple[str, str]] = Counter()
    forms: dict[tuple[str, str], tuple[str, ...]] = {}
    given: dict[tuple[str, str], Counter[str]] = {}
    again: Counter[tuple[str, str]] = Counter()
    why: dict[tuple[str, str], Counter[str]] = {}
    before: list[str] = []
    for stage in seen:
        kinds = {(question.party, question.kind) for question in stage.asked}
        times.update(kinds)
        if len(kinds) == 1:
            alone.update(kinds)
        parties = sorted({question.party for question in stage.asked})
        if parties == before and len(parties) == 1:
            again.update(kinds)
        before = parties
        for question in stage.asked:
            reasons = [question.why] if question.why is not None else []
            why.setdefault((question.party, question.kind), Counter()).update(reasons)
            forms[question.party, question.kind] = question.forms
            answers = [question.answer] if question.answer is not None else []
            given.setdefault((question.party, question.kind), Counter()).update(answers)
    ordered = sorted(times, key=lambda key: (-alone[key], -times[key], key))
    return [
        Stop(
            *key,
            times[key],
            alone[key],
            forms[key],
            _usual(given[key]),
            again[key],
            {name: why[key][name] for name in WHY if why[key][name]},
        )
        for key in ordered
    ]


def _usual(answers: Counter[str]) -> tuple[str, int] | None:
    """Return the most frequent answer, if it came more than once."""
    best = min(answers.items(), key=lambda pair: (-pair[1], pair[0]), default=None)
    return best if best is not None and best[1] > 1 else None


def _waits(seen: Iterable[Seen], players: Sequence[str]) -> list[Wait]:
    counts: Counter[tuple[str, str]] = Counter()
    for stage in seen:
        awaited = {question.party for question in stage.asked}
        counts.update((player, whom) for player in players for whom in awaited if player not in awaited)
    return [
        Wait(player, whom, counts[player, whom])
        for player in players
        for whom in players
        if counts[player, whom]
    ]


# ---- luck --------------------------------------------------------------------------------------------


def _luck(thrown: Sequence[ledger.Entry], view: View) -> list[Luck]:
    """Return the dice of everybody who rolled any."""
    lucks: list[Luck] = []
    for player in view.rollers:
        mine = [entry for entry in thrown if entry.thrower == player and entry.sides]
        if mine:
            judged = _judged(mine)
            others = [entry for entry in mine if entry not in judged] if judged else []
            tried = [result for result in judged if result.hits is not None]
            high, low = (
                [result for result in judged if result.hits is None and result.better == way]
                for way in ("high", "low")
            )
            sums = [ledger.Sums.of(group) if group else None for group in (others, high, low, tried)]
            lucks.append(Luck(player, ledger.Sums.of(judged or mine), chance_of_as_good(mine), *sums))
    return lucks


def _judged(thrown: Sequence[ledger.Entry]) -> list[ledger.Entry]:
    """Return the dice that the chance is of: those that hit or miss, and those that are good high or low."""
    return [entry for entry in thrown if entry.sides and (entry.better or entry.hits is not None)]


def _places(thrown: Sequence[ledger.Entry], players: Sequence[str]) -> dict[str, Fraction]:
    places = {
        player: chance_of_as_good([entry for entry in thrown if entry.thrower == player])
        for player in players
    }
    return {player: chance for player, chance in places.items() if chance is not None}


def chance_of_as_good(thrown: Sequence[ledger.Entry]) -> Fraction | None:
    """Return how likely fair dice do as well or better; None if nothing says what is good.

    A die that hits or misses counts 1 or 0. A die that is good high or low counts from 0 (the worst face) to
    1 (the best). Exact: ways[n] counts in how many ways the dice come to n parts of 1, among `all_ways`.
    """
    judged = [entry for entry in _judged(thrown) if entry.sides is not None and entry.sides > 1]
    parts = lcm(*((result.sides or 2) - 1 for result in judged))
    ways, all_ways, mine = [1], 1, 0
    for result in judged:
        assert result.sides is not None
        worth = _worths(result, result.sides, parts)
        mine += (
            result.hits * parts if result.hits is not None else sum(worth[face - 1] for face in result.faces)
        )
        for _ in result.faces:
            ways, all_ways = _with_die(ways, Counter(worth), parts), all_ways * result.sides
    return Fraction(sum(ways[mine:]), all_ways) if judged else None


def _worths(entry: ledger.Entry, sides: int, parts: int) -> list[int]:
    """Return what each face of a die counts, in parts of 1."""
    if entry.rating is not None:
        return [parts if face <= entry.rating else 0 for face in range(1, sides + 1)]
    steps = [n * parts // (sides - 1) for n in range(sides)]
    return steps if entry.better == "high" else steps[::-1]


def _with_die(ways: Sequence[int], worth: Mapping[int, int], parts: int) -> list[int]:
    longer = [0] * (len(ways) + parts)
    for n, count in enumerate(ways):
        if count:
            for value, faces in worth.items():
                longer[n + value] += count * faces
    return longer
