"""The end of a finished game: the winner and the margin, curves, decisive battles, careers.

Pure: made from the reports of one reader, so nothing here tells more than they did.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import field

from pbem.model.endings import Level
from pbem.report.losses import counted, first_quantity, suffered
from pbem.report.plain import capital, safe
from pbem.report.reader import View
from pbem.report.structure import Report
from pbem.report.whole.acts import Act, Battle
from pbem.report.whole.ledger import ALL
from pbem.report.wording import Wording
from pbem.text.dataclass import dataclass

MOST_BATTLES = 5
"""Battles that are told as those that decided a game."""


# ---- points and losses over time ---------------------------------------------------------------------


def points(view: View) -> dict[str, int]:
    """Return the points of each player.

    They are the system's, else the track in the wording (`map: {score: track}`). A track with one number
    (points of one side, a victory value) is nobody's (`ALL`).
    """
    if view.points:
        return dict(view.points)
    track = view.position.tracks.get(view.wording.of("map").get("score", ""))
    if isinstance(track, int) and not isinstance(track, bool):
        return {ALL: track}
    if not isinstance(track, Mapping):
        return {}
    return {player: value for player in view.rollers if isinstance(value := track.get(player), int)}


def standing(report: Report) -> str:
    """Return `red 27, blue 26, green 11: red leads by 1`, or "" without points."""
    say, words = report.words.say, report.words
    scores = sorted(points(report.view).items(), key=lambda score: -score[1])
    if not scores:
        return ""
    if scores[0][0] == ALL:
        return say("ending-points", count=scores[0][1])
    listed = ", ".join(f"{words.text(player)} {value}" for player, value in scores)
    if len(scores) < 2 or scores[0][1] == scores[1][1]:
        return say("ending-level", points=listed)
    ahead = {"who": words.text(scores[0][0]), "count": scores[0][1] - scores[1][1]}
    return say("ending-ahead", points=listed, **ahead)


def why(report: Report) -> list[str]:
    """Return the sentences of the events that ended the game, with their causes."""
    sentences: list[str] = []
    for item in report.items:
        if "end" in report.view.means(item.event).tells:
            sentences += [item.text, *(value for name, value in item.working if not name)]
    return list(dict.fromkeys(sentences))


def how_it_ended(report: Report) -> list[str]:
    """Return the box of a finished game.

    It says how the game ended, what victory needed, what was reached, and which stage decided it.
    """
    if not report.finished:
        return []
    asked = asked_and_reached(report.view) or [capital(text) for text in [standing(report)] if text]
    return [*why(report), *asked, *decision(report)]


def first_place(report: Report) -> tuple[str, ...] | None:
    """Return the seats in first place: those that the event of the end names, else as the system says.

    None if the game continues, or if nobody says.
    """
    view = report.view
    ends = [meaning for item in report.items if "end" in (meaning := view.means(item.event)).tells]
    named = tuple(seat for seat in view.players if any(seat in meaning.players for meaning in ends))
    ending = view.ending_from()
    return named or (ending.best if ending is not None else None)


def decision(report: Report) -> list[str]:
    """Return the sentence on the stage that decided a game, or that nothing changed its result.

    None if players ended it (a concession, a vote): the event of the end says so.
    """
    line = report.decided
    if not report.finished:
        return []
    if line is None:
        ending = report.view.ending_from()
        return [report.words.say("ending-always")] if ending is None or ending.counted else []
    return [report.words.say("ending-decided", stage=line.stages[0], what=line.text)]


def asked_and_reached(view: View) -> list[str]:
    """Return the victory conditions of a finished game, the values reached and the result.

    Empty where the system leaves it to its events.
    """
    ending, words = view.ending_from(), view.wording
    if ending is None:
        return []
    say, lines = words.say, list[str]()
    if ending.points is not None and ending.named:
        lines.append(say("ending-value", what=words.text(ending.named), count=ending.points))
    elif ending.points is not None:
        winners_named = words.language.listed([words.text(player) for player in ending.who])
        lines.append(capital(say("ending-had", who=winners_named, count=ending.points)))
    for level in ending.levels:
        limits = say(_limits(level), least=level.least, most=level.most, result=_result(level, words))
        reached = ending.counted and ending.points is not None and level.holds(ending.points)
        lines.append(say("ending-reached", level=limits) if reached else limits)
    return [
        safe(capital(text)) for text in (*lines, *(condition.line(words.text) for condition in ending.also))
    ]


def _limits(level: Level) -> str:
    if level.least is None or level.most is None:
        open_ended = level.least is None and level.most is None
        return "ending-any" if open_ended else "ending-most" if level.least is None else "ending-least"
    return "ending-just" if level.least == level.most else "ending-between"


def _result(level: Level, words: Wording) -> str:
    if level.winner:
        return words.say("ending-wins", who=words.text(level.winner))
    return words.say("ending-draw") if level.result.casefold() == "draw" else words.text(level.result)


def losses_so_far(reports: Sequence[Report]) -> list[dict[str, int]]:
    """Return the losses of each player up to the end of each stage.

    They are in the first of the system's quantities, with which the table of losses begins.
    """
    sums: Counter[str] = Counter()
    totals: list[dict[str, int]] = []
    for report in reports:
        first = first_quantity(report.view)
        for item in report.items:
            sums.update({player: lost[first] for player, lost in suffered(item.event, report.view).items()})
        totals.append(dict(sums))
    return totals


# ---- battles -----------------------------------------------------------------------------------------


def decisive(acts: Iterable[Act]) -> list[Battle]:
    """Return the battles that cost and changed most, in the order in which they were fought."""
    fought = [battle for act in acts for battle in act.battles]
    weights = {id(battle): weight(battle) for battle in fought}
    best = sorted(fought, key=lambda battle: (-weights[id(battle)], battle.stage, battle.number))[
        :MOST_BATTLES
    ]
    return sorted(
        (battle for battle in best if weights[id(battle)]), key=lambda battle: (battle.stage, battle.number)
    )


def weight(battle: Battle) -> int:
    """Return the weight of a battle: its losses, and three for each consequence."""
    lost = sum(amount for loss in battle.fight.losses for _, amount in loss.lost)
    return lost + 3 * len(battle.fight.follows)


def losses_by_hex(reports: Iterable[Report]) -> dict[str, int]:
    """Return the losses by place: that of the fight, or of the event."""
    losses: Counter[str] = Counter()
    for report in reports:
        place_of = {number: fight.place for fight in report.fights for number in fight.numbers}
        for item in report.items:
            lost = sum(counted(item.event, report.view).values())
            here = report.view.means(item.event).here
            hex = next((place for place in (*here, place_of.get(item.number, "")) if place), "")
            if lost and hex:
                losses[hex] += lost
    return dict(sorted(losses.items()))


# ---- careers -----------------------------------------------------------------------------------------


@dataclass
class Career:
    """The career of one counter.

    `moves` and `fights` are (stage, words); `end` is its last, if it is gone.
    """

    id: str
    owner: str
    text: str
    first: tuple[int, str]
    moves: list[tuple[int, str]] = field(default_factory=list)
    fights: list[tuple[int, int, str]] = field(default_factory=list)
    end: tuple[int, str] | None = None
    last: str = ""

    @property
    def title(self) -> str:
        """Return its id and type."""
        return self.text if self.text.startswith(self.id) else f"{self.id} ({self.text})"


def careers(reports: Sequence[Report]) -> list[Career]:
    """Return the career of every counter that the reader knew, by owner and id."""
    by_id: dict[str, Career] = {}
    for report in reports:
        view = report.view
        for id in view.position.counters:
            if not _is_known(view, id):
                continue
            here = view.position.hex(id) or ""
            if id not in by_id:
                text = view.wording.counter({"id": id, **view.position.counters[id]})
                by_id[id] = Career(id, view.owner(id), text, (report.stage, here))
        moved = _who_moved(report, by_id)
        for id in sorted(by_id.keys() & view.position.counters.keys()):
            career, here = by_id[id], view.position.hex(id) or ""
            if career.last != here and id not in moved and career.first[0] != report.stage:
                names = {"first": career.last or view.wording.say("off-map"), "last": here}
                career.moves.append((report.stage, view.wording.say("way", **names)))
            career.last = here
        for id, career in by_id.items():
            if career.end is None and id not in view.position.counters:
                career.end = (report.stage, _last_words(report, id))
    return sorted(by_id.values(), key=lambda career: (career.owner, career.id))


def _is_known(view: View, id: str) -> bool:
    return not id.startswith("?") and not view.look.is_unknown(view.position.counters[id])


def _who_moved(report: Report, careers: Mapping[str, Career]) -> set[str]:
    """Add moves and fights of a stage to the careers, and return who moved."""
    view, moved = report.view, set[str]()
    for item in report.items:
        meaning = view.means(item.event)
        if {"move", "retreat", "arrival"} & set(meaning.tells):
            for id in meaning.units:
                if id in careers:
                    careers[id].moves.append((report.stage, item.text))
                    moved.add(id)
    items = {item.number: item for item in report.items}
    for number, fight in enumerate(report.fights, 1):
        named = {id for n in fight.numbers for id in view.means(items[n].event).units}
        there = set(view.position.at(fight.place)) if fight.place else set()
        for id in sorted((named | there) & careers.keys()):
            careers[id].fights.append((report.stage, number, fight.where or "–"))
    return moved


def _last_words(report: Report, id: str) -> str:
    """Return the last sentence that names a counter, or ""."""
    texts = [item.text for item in report.items if id in report.view.means(item.event).units]
    return texts[-1] if texts else ""


# ---- what was hidden -----------------------------------------------------------------------------------


@dataclass(frozen=True)
class Belief:
    """A place where a player's view was wrong: the view in words, and the truth."""

    hex: str
    where: str
    believed: str
    truth: str


def beliefs(his: Report, truth: Report) -> list[Belief]:
    """Return where a player's map differed from the game at the end of a stage, by hex.

    The player knows their own side.
    """
    own = {his.reader.id, *his.friends} if his.reader is not None else set()
    believed, was = (_stacks(report, own) for report in (his, truth))
    say = his.words.say
    differences: list[Belief] = []
    for hex in sorted(believed.keys() | was.keys()):
        if believed.get(hex) != was.get(hex):
            nothing = say("nobody-there")
            where = his.view.place(hex) if hex else say("off-map")
            differences.append(Belief(hex, where, believed.get(hex, nothing), was.get(hex, nothing)))
    return differences


def _stacks(report: Report, own: set[str]) -> dict[str, str]:
    stacks: dict[str, list[str]] = {}
    for force in report.forces:
        if force.owner in own:
            continue
        for stack in force.stacks:
            counters = stack.told(own=False)
            owner = report.words.text(force.owner)
            stacks.setdefault(stack.hex, []).append(report.words.say("owned", who=owner, counters=counters))
    return {hex: "; ".join(texts) for hex, texts in stacks.items() if hex}
