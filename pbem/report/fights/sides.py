"""The sides of a fight: its counters with their owners, the attackers and the defenders."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from pbem.model.meaning import Meaning
from pbem.report.fights.grouping import leads_up
from pbem.report.reader import View


def owners_of_counters(meanings: Sequence[Meaning], view: View) -> dict[str, str]:
    """Return the counters in a fight with their owners.

    The owner of an eliminated one is the loser, else who attacked or defended with it.
    """
    gone = {
        id: meaning.losers[0]
        for meaning in meanings
        if "loss" in meaning.tells and meaning.losers
        for id in meaning.units
    }
    lines: dict[str, str] = {}
    for meaning in meanings:
        near = meaning.units if "approach" in meaning.tells else ()
        if not {"approach", "battle"} & set(meaning.tells):
            continue
        stood = next((owner for id in meaning.stood if (owner := view.whose(id))), "")
        for ids, usual in (
            (near, meaning.players),
            (meaning.came, meaning.attackers or meaning.players),
            (meaning.stood, meaning.defenders or ((stood,) if stood else ())),
        ):
            for id in ids:
                owner = gone.get(id) or view.whose(id) or next(iter(usual), "")
                if owner:
                    lines.setdefault(id, owner)
    return lines


def announced(meanings: Sequence[Meaning], view: View) -> tuple[str, ...]:
    """Return who started a fight by its prelude: the attacker even if others fired first."""
    started = meanings[0].players if leads_up(meanings[0]) else ()
    return tuple(power for power in started if power in {*view.powers, *view.players})


def who_came(meanings: Sequence[Meaning], forces: Mapping[str, str], view: View) -> tuple[str, ...]:
    """Return the attacker where no event says so.

    Whose units came, else whose enemies were there, else the first one concerned.
    """
    came = [forces[id] for meaning in meanings for id in meaning.came if id in forces]
    if not came:
        stood = {view.side(forces[id]) for meaning in meanings for id in meaning.stood if id in forces}
        came = [owner for owner in forces.values() if stood and view.side(owner) not in stood]
    if not came:
        held = {
            view.side(str(view.holder(hex)))
            for meaning in meanings[:1]
            for hex in meaning.here
            if view.holder(hex)
        }
        came = [owner for owner in forces.values() if held and view.side(owner) not in held]
    if not came and len({view.side(owner) for owner in forces.values()}) == 1:
        came = list(forces.values())
    if not came:
        fought = [meaning for meaning in meanings if "outcome" not in meaning.tells]
        came = [power for meaning in fought for power in meaning.players[:1] if len(meaning.players) > 1][:1]
    return tuple(dict.fromkeys(came))


def defenders_of(
    attackers: Sequence[str], meanings: Sequence[Meaning], forces: Mapping[str, str], view: View
) -> tuple[str, ...]:
    """Return the defenders where no event says so.

    They own the named units or lost any, and are of another side; of a place hit without units its holder, or
    whoever is left.
    """
    named = [forces[id] for meaning in meanings for id in meaning.stood if id in forces] or list(
        forces.values()
    )
    named += [view.owner(id) for meaning in meanings for id in meaning.units if id in view.position.counters]
    named += [loser for meaning in meanings if meaning.losses for loser in meaning.losers]
    named += [power for meaning in meanings if "battle" in meaning.tells for power in meaning.players]
    sides = {view.side(power) for power in attackers}
    known = {*view.powers, *view.players}
    others = dict.fromkeys(power for power in named if power in known and view.side(power) not in sides)
    if not others:
        held = [str(view.holder(hex) or "") for meaning in meanings[:1] for hex in meaning.here]
        alone = view.players if len(view.players) == len(sides) + 1 else ()
        others = dict.fromkeys(power for power in held if power in known and view.side(power) not in sides)
        others = others or dict.fromkeys(power for power in alone if view.side(power) not in sides)
    led = {view.seat(power) for power in others if view.seat(power) != power}
    return tuple(power for power in others if power not in led) if attackers else ()


def in_order(
    forces: Mapping[str, str], attackers: Sequence[str], defenders: Sequence[str], view: View
) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Yield powers with their units by name: the attackers, their friends, then the others."""
    sides = {view.side(power) for power in attackers}
    owners = [power for power in attackers if power in forces.values()]
    owners += [power for power in forces.values() if view.side(power) in sides]
    for owner in dict.fromkeys([*owners, *defenders, *forces.values()]):
        units = tuple(view.unit(id) for id, whose in forces.items() if whose == owner)
        if units:
            yield owner, units
