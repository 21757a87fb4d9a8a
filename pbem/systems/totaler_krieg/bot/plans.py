"""Whole answers for a player of Totaler Krieg to begin with, made by rules of thumb."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from pbem.kit.paths import flood
from pbem.rules import Decision, Drafting, Game, Json, Part, to_json

from ..rules.cards import card_faults, hand
from ..rules.decisions.administration import Administration, Contest
from ..rules.decisions.combat import Combat, targets
from ..rules.decisions.moving import Final, Movement
from ..rules.decisions.season import FaceDown, NextCard, Season
from ..rules.orders import (
    Attack,
    BlitzMarker,
    Choice,
    Combine,
    Going,
    Logistics,
    Move,
    Partisan,
    Placement,
    Replacement,
)
from ..rules.pieces import Piece, piece, pieces, pool, world_of
from ..rules.placing import Placer
from ..rules.stacks import excess
from ..rules.strength import Assault
from ..rules.supply import Supply

THREAT = 2  # distance of enemies at which an own place needs help
GOOD, FAIR = 3, 2  # lowest column for an attack, with two bad results possible and with one


def plans(game: Game, decision: Decision[Any]) -> Iterator[Json]:
    """Yield a whole answer to begin with."""
    match decision:
        case NextCard() | FaceDown():
            yield _card(game, decision.power)
        case Season():
            yield _season(game, decision)
        case Administration():
            yield _administration(game, decision)
        case Movement():
            yield _march(game, decision, decision.power, "op")
        case Combat():
            yield _combat(game, decision)
        case Final():
            yield _march(game, decision, decision.power, "res")
        case Contest():
            yield _contest(game, decision)


def _card(game: Game, power: str) -> Json:
    """Return the cards to choose: first what may be played now, then those with most replacements."""
    world = world_of(game)
    cards = sorted(
        hand(game, power),
        key=lambda id: (
            bool(card_faults(game, power, id)),
            -sum(replacement.n for replacement in world.cards[id].replacements),
            id,
        ),
    )
    return list(cards[: int(world.limits["cards"]["most"])])


def _season(game: Game, decision: Season) -> Json:
    drafting = Drafting(decision, game)
    offered = [offer.element.value for offer in drafting.next() if isinstance(offer.element, Part)]
    _markers(drafting, game, decision.power, offered)
    for given in sorted(
        (option for option in offered if isinstance(option, Replacement)),
        key=lambda option: (-piece(game, option.counter).print.faces[1].attack, option.counter, option.hex),
    ):
        part = Part("replacements", given)
        if not drafting.offer(part) and excess(drafting.draft.game, given.hex, _at(drafting, given.hex)):
            drafting.back()
    return drafting.json() if drafting.complete else to_json(decision.default(game))


def _markers(drafting: Drafting[Any], game: Game, power: str, offered: Sequence[Any]) -> None:
    """Place logistics markers and partisan bases on the map, as near to a goal as they may be."""
    far = by_land(Supply(game), power, goals(game, power))
    for section, kind in (("logistics", Logistics), ("partisans", Partisan)):
        there = [option for option in offered if isinstance(option, kind) and option.hex is not None]
        for given in sorted(
            there, key=lambda option: (far.get(option.hex or "", len(far)), option.hex, option.marker)
        ):
            if all(getattr(element.value, "marker", "") != given.marker for element in drafting.elements):
                drafting.offer(Part(section, given))


def _at(drafting: Drafting[Any], hex: str) -> list[Piece]:
    return [
        unit for unit in pieces(drafting.draft.game, spot="map") if unit.hex == hex and unit.role == "ground"
    ]


def _administration(game: Game, decision: Administration) -> Json:
    """Return the administration phase: convoys, air units, Blitz markers, combinations.

    Air units go where the enemy is thickest.
    """
    drafting, power = Drafting(decision, game), decision.power
    world = world_of(game)
    placer = Placer(game, power)
    for zone in world.zones:
        for unit in pool(game, power):
            if unit.type == "convoy" and placer.supply.open_ports(zone, power):
                drafting.offer(Part("place", Placement(unit.id, f"{zone}.convoys", side="supply")))
                break
    for unit in pool(game, power):
        if unit.type == "air_force":
            _fly(drafting, placer, unit)
    for given in _gone_home(game, power):
        drafting.offer(Part("place", given))
    for marker in pool(game, power):
        if marker.type == "blitz":
            hexes = _best_blitz(game, power, placer)
            if hexes:
                drafting.offer(Part("blitz", BlitzMarker(marker.id, hexes[0])))
    for given in [offer.element.value for offer in drafting.next() if isinstance(offer.element, Part)]:
        if isinstance(given, Combine) and given.into not in given.units:
            drafting.offer(Part("combine", given))
            break
    return drafting.json() if drafting.complete else to_json(decision.default(game))


def _gone_home(game: Game, power: str) -> list[Placement]:
    """Return placements that put the convoys on the map back to where they are."""
    return [
        Placement(convoy.id, f"{(convoy.hex or '').partition('.')[0]}.convoys", side="supply")
        for convoy in pieces(game, power, "map")
        if convoy.role == "convoy"
    ]


def _fly(drafting: Drafting[Any], placer: Placer, wing: Piece) -> None:
    """Place an air unit over the hex that most own units touch, enemy or own."""
    ground = placer.ground

    def worth(hex: str) -> int:
        near = [unit for n in (hex, *placer.world.beside(hex)) for unit in ground.units(n)]
        own = sum(unit.steps for unit in near if unit.owner == wing.owner)
        return own if any(unit.owner != wing.owner for unit in near) else 0

    flights = [(-worth(given.at), given.at, given) for given in placer.options(wing) if "." not in given.at]
    for _, _, given in sorted(flights, key=lambda row: row[:2])[:1]:
        drafting.offer(Part("place", given))


def _best_blitz(game: Game, power: str, placer: Placer) -> list[str]:
    """Return the hexes where most own armor and air within two hexes of an enemy would be enabled."""
    world, ground = placer.world, placer.ground

    def worth(hex: str) -> int:
        near = world.within(hex, int(world.ranges["blitz_enabled"]))
        own = sum(unit.face.attack for n in near for unit in ground.units(n, power))
        foes = sum(bool(ground.enemies(n, power)) for n in near)
        return own if foes else 0

    ranked = sorted(placer.blitz_hexes(), key=lambda hex: (-worth(hex), hex))
    return [hex for hex in ranked if worth(hex)]


def goals(game: Game, power: str) -> list[str]:
    """Return the strategic hexes that a faction does not hold and may enter.

    Of its own, those near enemies.
    """
    supply = Supply(game)
    world, ground = supply.world, supply.ground
    return [
        hex
        for hex, owner in sorted(world.strategic.items())
        if not ground.closed(hex, power)
        and (
            ground.control(hex) != power
            or (owner == power and any(ground.enemies(n, power) for n in world.within(hex, THREAT)))
        )
    ]


def by_land(supply: Supply, power: str, wanted: Sequence[str]) -> dict[str, int]:
    """Return the distance on foot in hexes from everywhere to the nearest goal."""
    world = supply.world

    def beside(hex: str) -> Iterator[str]:
        for n in world.beside(hex):
            closed = not world.land(n) or supply.ground.closed(n, power)
            if not closed and world.hexside_of(hex, n) != "lake":
                yield n

    far: dict[str, int] = {}
    for hex, before in flood(wanted, beside).items():
        far[hex] = 0 if before is None else far[before] + 1
    return far


def _march(game: Game, decision: Movement | Final, power: str, phase: str) -> Json:
    """Move each unit that holds nothing towards its goal, supplied there, not into a crowd."""
    drafting: Drafting[Any] = Drafting(decision, game)
    wanted = by_land(Supply(game), power, goals(game, power))
    for id in sorted(unit.id for unit in pieces(game, power, "map") if unit.role == "ground"):
        best = _best_move(drafting, piece(drafting.draft.game, id), wanted)
        if best is not None:
            drafting.offer(Part("reserve", best) if phase == "res" else best)
    return drafting.json() if drafting.complete else to_json(decision.default(game))


def _best_move(drafting: Drafting[Any], unit: Piece, wanted: dict[str, int]) -> Move | None:
    board, here = drafting.draft.game, unit.hex or ""
    supply = Supply(board)
    if unit.spot != "map" or here not in wanted or _holds(supply, unit):
        return None
    now = wanted[here]
    moves = []
    for offered in drafting.next(unit.id):
        value = offered.element.value if isinstance(offered.element, Part) else offered.element
        if not isinstance(value, Move):
            continue
        end = value.path[-1]
        there = [*supply.ground.units(end, unit.owner), unit]
        closer = wanted.get(end, now) < now
        if closer and supply.supplied_at(unit, end) and excess(board, end, there, supply.ground) is None:
            moves.append((wanted[end], len(value.path), end, value))
    return min(moves, key=lambda row: row[:3])[3] if moves else None


def _holds(supply: Supply, unit: Piece) -> bool:
    """Return True if a unit is alone in a place that counts, an HQ near the front, or part of the line."""
    ground, world = supply.ground, supply.world
    hex = unit.hex or ""
    near = any(ground.enemies(n, unit.owner) for n in world.beside(hex))
    alone = len(ground.units(hex, unit.owner)) == 1
    if unit.type == "hq":
        return any(ground.enemies(n, unit.owner) for n in world.within(hex, 2))
    return (hex in world.strategic or near) and alone


def _combat(game: Game, decision: Combat) -> Json:
    """Return attacks, the best first, with all units that can take part and an HQ where it helps."""
    drafting, power = Drafting(decision, game), decision.power
    if decision.segment == "blitz":
        _drop(drafting, power)
    for section in ("blitz", "regular"):
        if section == "blitz" and decision.segment != "blitz":
            continue
        for order in _attacks(drafting, power, section):
            drafting.offer(Part(section, order))
        if section == "blitz":
            for element in [
                element.element for element in drafting.next() if element.element.section == "landings"
            ]:
                drafting.offer(element)
    return drafting.json() if drafting.complete else to_json(decision.default(game))


def _drop(drafting: Drafting[Any], power: str) -> None:
    """Drop airborne units: on a goal that nobody holds, else on an enemy beside own troops."""
    ground, world = Supply(drafting.draft.game).ground, world_of(drafting.draft.game)
    wanted = goals(drafting.draft.game, power)
    drops = []
    for offer in drafting.next():
        if offer.element.section == "airdrops":
            drop = offer.element.value
            held, near = (
                ground.enemies(drop.hex, power),
                any(ground.units(n, power) for n in world.beside(drop.hex)),
            )
            if (drop.hex in wanted and not held) or (held and near):
                drops.append((bool(held), drop.hex not in wanted, drop.hex, drop.unit, offer.element))
    dropped: list[str] = []
    for *_, id, element in sorted(drops, key=lambda row: row[:4]):
        if id not in dropped and not drafting.offer(element):
            dropped.append(id)


def _attacks(drafting: Drafting[Any], power: str, section: str) -> list[Attack]:
    board = drafting.draft.game
    supply = Supply(board)
    world, attacks = supply.world, []
    hqs = [unit for unit in pieces(board, power, "map") if unit.type == "hq" and unit.role == "ground"]
    for n, target in enumerate(targets(supply, power)):
        near = [unit for hex in world.beside(target) for unit in supply.ground.units(hex, power)]
        ids = [
            unit.id
            for unit in near
            if unit.type != "hq"
            and all(
                fault.code == "E-ATK-11"
                for fault in Assault(board, power, Attack("A", target, (unit.id,)), section, supply).faults()
            )
        ]
        if not ids or not supply.ground.enemies(target, power):
            continue
        for hq in (*(unit.id for unit in hqs if unit.id not in ids), None):
            order = Attack(f"{section[0].upper()}{n + 1}", target, tuple(ids), hq)
            attack = Assault(board, power, order, section, supply)
            if not attack.faults():
                attack.defender_hq = next((unit for unit in attack.eligible_hqs()), None)
                attacks.append((-attack.final(), target, order))
                break
    taken: set[str] = set()
    chosen = []
    for column, _, order in sorted(attacks, key=lambda row: row[:2]):
        if -column >= (FAIR if section == "blitz" else GOOD) and not taken & {*order.units, order.hq or "-"}:
            taken |= {*order.units, *([order.hq] if order.hq else [])}
            lead = max(order.units, key=lambda id: (piece(board, id).face.defence, id))
            chosen.append(_advancing(order, lead))
    return chosen


def _advancing(order: Attack, lead: str) -> Attack:
    """Return an attack: several attackers lose a step, not ground; the best defender advances."""
    stay: Choice | None = "loss" if len(order.units) > 1 else None
    return replace(order, on_ad=stay, on_ex=stay, advance=(Going(lead, (order.target,)),))


def _contest(game: Game, decision: Contest) -> Json:
    """Return a contest of each fleet while something is left for the faction itself."""
    able = decision.able(game)
    for id, kind in zip(decision.placed, decision.types, strict=True):
        if kind.endswith("fleet") and len(able[id]) > 1:
            return {id: able[id][-1]}
    return {}
