"""4.6.4, 4.7: Accounts of fights on land, at sea and in the air, from their events."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from pbem.kit.fights import together, why
from pbem.rules import End, Fought, Game, Message

from ..rules.pieces import controller, maybe_unit
from ..rules.world import world_of
from .absent import absent

MISSIONS = ("mission", "transports")
"""The parts of an air mission that its attackers fly; the others meet them."""
Told = Sequence[Mapping[str, Any]]


def fought(game: Game, events: Told) -> Fought | None:
    """4.6.4, 4.7: Return how a fight ended; None for fire at units that pass by."""
    kinds = {str(event["event"]) for event in events}
    if "attacked" in kinds:
        return _on_land(game, events)
    if "naval-search" in kinds:
        return _at_sea(game, events)
    return _in_the_air(game, events) if kinds & {"ground-struck", "bombed", "air-round"} else None


def owner_of(game: Game, id: str) -> str:
    """Return whose a unit is, also after it is gone."""
    u = maybe_unit(game, id)
    return u.owner if u is not None else str(absent(game).get(id, {}).get("owner", ""))


def _of(events: Told, kind: str) -> list[Mapping[str, Any]]:
    return [event for event in events if event["event"] == kind]


def _gone(events: Told) -> list[tuple[str, str]]:
    """Return the power and id of each unit that was destroyed."""
    return [(str(event["power"]), str(id)) for event in _of(events, "destroyed") for id in event["units"]]


def _losses(game: Game, events: Told, own: str) -> tuple[int, int]:
    """Return how many units the side `own` and its enemy lost."""
    sides, gone = world_of(game).side_of, _gone(events)
    mine = sum(1 for power, _ in gone if sides.get(power) == own)
    return mine, len(gone) - mine


def _owners(game: Game, events: Told, ids: Iterable[str]) -> tuple[str, ...]:
    gone = {id: power for power, id in _gone(events)}
    return tuple(dict.fromkeys(owner for id in ids if (owner := gone.get(id) or owner_of(game, id))))


def _on_land(game: Game, events: Told) -> Fought:
    """4.7.7: Return how an attack on land ended."""
    began = _of(events, "attacked")[0]
    hex, power = str(began["hex"]), str(began["power"])
    there, came = [*map(str, began["defenders"])], [*map(str, began["units"])]
    back = {event["unit"] for event in _of(events, "retreated") if event["origin"] == hex}
    dead = {id for _, id in _gone(events)}
    stayed = [id for id in there if id not in dead and id not in back]
    left = [id for id in came if id not in dead]
    entered = any(event["hex"] == hex for event in _of(events, "advanced"))
    end: End = ("held" if left else "eliminated") if stayed else "taken" if entered else "cleared"
    losses = _losses(game, events, world_of(game).side_of[power])
    own = tuple(dict.fromkeys([power, *_owners(game, events, came)]))
    reason = why(end, stayed=len(stayed), retreated=bool(back), eliminated=any(id in dead for id in there))
    return Fought(hex, own, _owners(game, events, there), end, losses, "units", reason)


def _at_sea(game: Game, events: Told) -> Fought | None:
    """4.7.3: Return how a round at sea ended: whose ships and aircraft are left in the area."""
    search = _of(events, "naval-search")[0]
    mine, theirs = [*map(str, search["units"])], [*map(str, search["defenders"])]
    own, other = _owners(game, events, mine), _owners(game, events, theirs)
    if not own or not other:
        return None
    shots = _of(events, "naval-shots")
    away = {str(id) for shot in shots for id in (*shot["sunk"], *shot["aborted"])}
    losses = _losses(game, events, world_of(game).side_of[own[0]])
    end: End = "undecided"
    if away.issuperset(theirs):
        end = "cleared" if away.issuperset(mine) else "taken"
    elif away.issuperset(mine):
        end = "eliminated" if losses[0] == len(mine) else "repelled"
    held = "" if end in ("cleared", "undecided") else "attackers" if end == "taken" else "defenders"
    won, lost = (own, other) if held == "attackers" else (other, own)
    sentence = Message(
        "wif.account.sea",
        place="",
        held=bool(held),
        left=end != "cleared",
        won=together(won),
        lost=together(lost),
    )
    reason = Message(
        "wif.account.shots",
        found=tuple(map(str, search["found"])),
        sunk=sum(len(shot["sunk"]) for shot in shots),
        aborted=sum(len(shot["aborted"]) for shot in shots),
    )
    return Fought(str(search["area"]), own, other, end, losses, "units", reason, sentence)


def _in_the_air(game: Game, events: Told) -> Fought | None:
    """4.6.4, 4.7.4, 4.7.5: Return the result of a mission, which takes no hex."""
    flown = [id for event in _of(events, "patrolled") if event["part"] in MISSIONS for id in event["units"]]
    sides = world_of(game).side_of
    attackers = _owners(game, events, flown)
    if not attackers:
        return None
    own = sides[attackers[0]]
    sentence, reason, hit = _brought(events, own)
    hex = str(
        next(event["hex"] for event in events if event["event"] in ("ground-struck", "bombed", "air-round"))
    )
    met = [id for event in _of(events, "patrolled") for id in event["units"]]
    defenders = tuple(power for power in _owners(game, events, [*hit, *met]) if sides[power] != own)
    holder = controller(game, hex)
    if not defenders and holder is not None and sides.get(holder) not in (None, own):
        defenders = (holder,)
    if not defenders:
        return None
    return Fought(hex, attackers, defenders, "held", _losses(game, events, own), "units", reason, sentence)


def _brought(events: Told, own: str) -> tuple[Message, Message, list[str]]:
    """Return the result of a side's mission, its reason, and the target units."""
    struck, bombed = _of(events, "ground-struck"), _of(events, "bombed")
    if struck:
        hits, dice = len(struck[0]["hits"]), len(struck[0]["dice"])
        sentence = Message("wif.account.struck", place="", hits=hits)
        reason = Message("wif.account.factors", factors=int(struck[0]["factors"]), hits=hits, dice=dice)
        return sentence, reason, [str(id) for id in struck[0]["dice"]]
    if bombed:
        damaged = bool(_of(events, "port-damaged"))
        out = sum(int(event["out"]) for event in bombed)
        sentence = Message("wif.account.bombed", place="", out=out, damaged=damaged)
        totals = tuple(int(event["total"]) for event in bombed)
        return sentence, Message("wif.account.totals", totals=totals), []
    aborted = len({id for event in _of(events, "air-round") for id in event["aborted"]})
    sentence = Message("wif.account.mission", place="", through=_got_through(events, own))
    return sentence, Message("wif.account.rounds", aborted=aborted, destroyed=len(_gone(events))), []


def _got_through(events: Told, own: str) -> bool:
    """4.6.4: Return True if a bomber or transport was not shot down, aborted or called back."""
    rounds = _of(events, "air-round")
    away = {str(id) for event in rounds for id in event["aborted"]} | {id for _, id in _gone(events)}
    away |= {str(event["unit"]) for event in _of(events, "flak-fired")}
    cleared = {str(id) for event in rounds for id in event["cleared"]}
    if any(event["side"] == own for event in _of(events, "air-aborted")):
        return bool(cleared - away)
    return any(str(id) not in away for event in rounds for id in event["bombers"])
