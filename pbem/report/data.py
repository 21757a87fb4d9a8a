"""The turn report as data, for programs: the same structure as text and HTML (schema `report`)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from pbem.model.forecasts import Forecast, Fought
from pbem.report.fights.cards import Fight, expected
from pbem.report.muster import Group, Stack
from pbem.report.structure import Die, Item, Question, Report, Since
from pbem.report.whole import ledger
from pbem.report.whole.ending import how_it_ended

FORMAT = "pbem-report/1"


def as_json(report: Report, letters: Sequence[Mapping[str, Any]] = ()) -> dict[str, Any]:
    """Return the report as plain data that fits `schemas/report.schema.json`.

    `letters` are those at the end of the owner's report.
    """
    own = {"letters": [*letters]} if letters else {}
    return {
        **own,
        "format": FORMAT,
        "reader": report.reader.id if report.reader else None,
        "title": report.title,
        "game": report.game,
        "system": report.system,
        "stage": report.stage,
        "place": report.place,
        "players": {party.id: party.name or party.id for party in report.players},
        "summary": list(report.summary),
        "since": _since(report.since),
        "losses": {loss.player: dict(loss.lost) for loss in report.losses},
        "fights": [_fight(fight) for fight in report.fights],
        "forecasts": [forecast_json(forecast) for forecast in report.view.forecasts],
        "events": [_item(item) for item in report.items],
        "dice": [_die(die) for die in report.dice],
        "tracks": list(report.tracks),
        "position": report.view.position.to_json(),
        "forces": [
            {
                "owner": force.owner,
                "stacks": [_stack(stack) for stack in force.stacks],
            }
            for force in report.forces
        ],
        "figures_mean": list(report.figures_mean),
        "places": [
            {"hex": place.hex, "kind": place.kind, "text": place.text, "holder": place.holder}
            for place in report.places
        ],
        "asked": [_question(question) for question in report.questions],
        "waiting": sorted({party.id for party in report.waiting} | {q.party.id for q in report.questions}),
        "due": report.due,
        "refused": [*report.refused, *report.unused],
        "finished": report.finished,
        "ending": _ending(report),
        "made_from": dict(report.digests),
        "command": report.command,
    }


def _ending(report: Report) -> dict[str, Any] | None:
    """Return how a finished game ended, for JSON.

    That is what was counted, what each number gives, and the stage that decided it.
    """
    if not report.finished:
        return None
    ending, line = report.view.ending_from(), report.decided
    levels = [] if ending is None else list(ending.levels)
    return {
        "told": how_it_ended(report),
        "players": [] if ending is None else list(ending.who),
        "points": None if ending is None else ending.points,
        "levels": [
            {
                "least": level.least,
                "most": level.most,
                "winner": level.winner or None,
                "result": level.result or level.winner,
                "reached": bool(
                    ending and ending.counted and ending.points is not None and level.holds(ending.points)
                ),
            }
            for level in levels
        ],
        "decided": None if line is None else {"stage": line.stages[0], "text": line.text},
    }


def _since(since: Since | None) -> dict[str, Any] | None:
    if since is None:
        return None
    return {
        "first": since.first,
        "last": since.last,
        "news": [{"stages": list(line.stages), "text": line.text} for line in since.lines],
        "more": since.more,
        "moved": list(since.moved),
        "losses": {loss.player: dict(loss.lost) for loss in since.losses},
    }


def _fight(fight: Fight) -> dict[str, Any]:
    return {
        "place": fight.place,
        "where": fight.where,
        "events": list(fight.numbers),
        "began": fight.began,
        "since": fight.since,
        "stage": fight.stage,
        "forces": [{"player": power, "units": list(units)} for power, units in fight.forces],
        "attackers": list(fight.attackers),
        "defenders": list(fight.defenders),
        "holder": fight.holder or None,
        "chances": [
            {"result": result, "chance": str(chance)}
            for result, chance in (fight.outlook.chances if fight.outlook else ())
        ],
        **({"forecast": forecast_json(fight.outlook)} if fight.outlook is not None else {}),
        "fought": _fought(fight.fought) if fight.fought is not None else None,
        "strengths": list(fight.strengths),
        "results": list(fight.results),
        "outcome": list(fight.outcome),
        "because": list(fight.because),
        "follows": list(fight.follows),
        "left": list(fight.left),
        "losses": {loss.player: dict(loss.lost) for loss in fight.losses},
        "luck": [
            {"who": power, "hits": figures.hits, "expected_hits": str(figures.expected_hits)}
            for power, figures in expected(fight)
        ],
    }


def forecast_json(forecast: Forecast) -> dict[str, Any]:
    """Return the forecast of a battle; chances and numbers as texts of a fraction ("1/6")."""
    return {
        "place": forecast.place,
        "case": forecast.case,
        "odds": forecast.odds,
        "sides": [{"player": power, "strength": strength} for power, strength in forecast.sides],
        "chances": [{"result": result, "chance": str(chance)} for result, chance in forecast.chances],
        "expected": [
            {"player": power, "what": what, "number": str(number)}
            for power, what, number in forecast.expected
        ],
        "unknown": dict(forecast.unknown),
        "sentence": forecast.sentence(),
        "ends": {end: str(chance) for end, chance in forecast.ends},
        "losses": [None if lost is None else str(lost) for lost in forecast.losses],
        "unit": forecast.unit,
        "others": [forecast_json(other) for other in forecast.others],
    }


def _fought(fought: Fought) -> dict[str, Any]:
    """Return a fight's end: the losses of the attackers, then of the defenders; null: unknown."""
    return {
        "attackers": list(fought.attackers),
        "defenders": list(fought.defenders),
        "end": fought.end,
        "losses": list(fought.losses),
        "unit": fought.unit,
        "why": fought.why,
    }


def _item(item: Item) -> dict[str, Any]:
    data: dict[str, Any] = {
        "number": item.number,
        "kind": item.kind,
        "text": item.text,
        "rule": item.rule,
        "place": list(item.place),
        "private": item.private,
        "mine": item.mine,
        "hexes": list(item.hexes),
        "working": [{"what": name, "text": text} for name, text in item.working],
        "fields": {key: value for key, value in item.event.items() if key not in ("event", "rule", "at")},
    }
    return data | ({"headline": item.headline} if item.headline is not None else {})


def _die(die: Die) -> dict[str, Any]:
    data = ledger.as_json([die.entry])[0]
    data = {"kind": data.pop("event"), "event": die.item.number, **data}
    if die.recipe is not None:
        data["recompute"] = {"command": die.recipe.command, "how": die.recipe.how}
    return data


def _stack(stack: Stack) -> dict[str, Any]:
    lying = {"facilities": list(stack.facilities)} if stack.facilities else {}
    name = {"name": stack.name} if stack.name else {}
    return {"hex": stack.hex, **name, "counters": [_group(group) for group in stack.groups], **lying}


def _group(group: Group) -> dict[str, Any]:
    """Return counters that read alike; what the reader does not know of them is left out."""
    counters: dict[str, Any] = {"text": group.text, "ids": list(group.ids)}
    parts = {"type": group.kind, "figures": group.figures, "state": list(group.state)}
    return counters | {key: part for key, part in parts.items() if part}


def _question(question: Question) -> dict[str, Any]:
    return {
        "party": question.party.id,
        "decision": question.kind,
        "text": question.text,
        "rule": question.rule,
        "secret": question.secret,
        "command": question.command,
    }
