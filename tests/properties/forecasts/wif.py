"""4.7.7: Attacks on land that random games of wif offer, fought by the real step n."""

from __future__ import annotations

from collections.abc import Iterator

from pbem.engine.game import Game
from pbem.engine.play import Played
from pbem.model.forecasts import End
from pbem.systems.wif.rules.naval import fighting_areas
from pbem.systems.wif.rules.pieces import T, maybe_unit, side, side_units, units
from pbem.systems.wif.rules.world import world_of
from pbem.testing.fights import Staged


def fights(game: Game) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Yield hexes with enemy land units, each with the units of one power beside it that can attack."""
    world = world_of(game)
    for hex in sorted({str(u.hex) for u in units(game) if u.hex in world.index and u.print.arm == "land"}):
        for own in sorted({*world.side_of.values()}):
            if not [u for u in side_units(game, world.enemy(own), hex) if u.print.arm == "land"]:
                continue
            able = [u for u in side_units(game, own) if _able(game, u, hex)]
            for power in sorted({u.owner for u in able}):
                yield hex, tuple(sorted(u.id for u in able if u.owner == power))


def _able(game: Game, u, hex: str) -> bool:  # type: ignore[no-untyped-def]
    world = world_of(game)
    ready = u.print.arm == "land" and not u.print.support and not u.down and u.hex in world.index
    return ready and world.adjacent(u.place, hex) and world.open_side(u.place, hex)


def staged(game: Game, hex: str, ids: tuple[str, ...]) -> Staged:
    """The attack in a letter, whatever its side may do in this impulse."""
    copy = game.copy()
    t, world = T.of(copy), world_of(copy)
    own = side(copy, maybe_unit(copy, ids[0]))  # type: ignore[arg-type]
    t.phasing, t.fought, t.invading, t.used = own, (), {}, {}
    t.action = dict.fromkeys(world.sides[own], "land")
    player = copy.seat(maybe_unit(copy, ids[0]).owner)  # type: ignore[union-attr]
    players = {copy.seat(power) for power in world.sides[own]}
    t.letters = {player: {} for player in players}
    t.letters = {**t.letters, player: {"n": [{"hex": hex, "units": list(ids)}]}}
    return Staged(copy, "D.2.I.3n", own)


def judge(hex: str, ids: tuple[str, ...]):  # type: ignore[no-untyped-def]
    """Who is in the hex, and which units are gone."""

    def judged(before: Game, after: Game, played: Played) -> tuple[End, tuple[int, int]] | None:
        if any(event_told.event["event"] == "order-refused" for event_told in played.told):
            return None
        own = T.of(before).phasing or ""
        gone = [u for u in units(before) if maybe_unit(after, u.id) is None]
        mine = sum(1 for u in gone if side(before, u) == own)
        left = [id for id in ids if maybe_unit(after, id) is not None]
        there = side_units(after, world_of(after).enemy(own), hex)
        end: End
        if any(u.print.arm == "land" for u in there):
            end = "held" if left else "eliminated"
        else:
            end = "taken" if any(maybe_unit(after, id).hex == hex for id in left) else "cleared"  # type: ignore[union-attr]
        return end, (mine, len(gone) - mine)

    return judged


# at sea


def at_sea(game: Game) -> Iterator[tuple[str, str]]:
    """Yield sea areas with ships or aircraft of both sides, each with a side that may begin a fight."""
    for own in sorted({*world_of(game).side_of.values()}):
        yield from ((area, own) for area in fighting_areas(game, own))


def met_at_sea(game: Game) -> Game:
    """Return the position with the ships and naval aircraft of both sides in one area."""
    copy = game.copy()
    world = world_of(copy)
    area = sorted({*world.area_of.values()})[0]
    sent: dict[str, int] = {}
    for u in units(copy):
        own = side(copy, u)
        flies = u.print.arm == "air" and u.type in world.units["naval_air"]
        if (flies or (u.print.arm == "sea" and u.print.attack)) and sent.get(own, 0) < 3:
            sent[own] = sent.get(own, 0) + 1
            u.hex = f"{area}.{sent[own] % 3}"
    return copy


def sailed(game: Game, area: str, own: str) -> Staged:
    """The search for a fight in an area by one side, in a letter."""
    copy = game.copy()
    t, world = T.of(copy), world_of(copy)
    t.phasing, t.fought, t.used = own, (), {}
    t.action = dict.fromkeys(world.sides[own], "naval")
    first = next(u for u in side_units(copy, own) if u.area == area and u.print.arm != "land" and not u.down)
    letters = {copy.seat(power): dict[str, object]() for power in world.sides[own]}
    t.letters = {**letters, copy.seat(first.owner): {"d": [{"area": area}]}}
    return Staged(copy, "D.2.I.3d", own)


def judge_at_sea(area: str, own: str):  # type: ignore[no-untyped-def]
    """Whose ships and aircraft are left in the area."""

    def judged(before: Game, after: Game, played: Played) -> tuple[End, tuple[int, int]] | None:
        if not any(event_told.event["event"] == "naval-search" for event_told in played.told):
            return None
        enemy = world_of(before).enemy(own)
        fleets = {one: [u.id for u in side_units(before, one) if u.area == area and u.print.arm != "land"]
                  for one in (own, enemy)}  # fmt: skip
        here = {
            one: sum(1 for id in ids if (u := maybe_unit(after, id)) is not None and u.area == area)
            for one, ids in fleets.items()
        }
        gone = {one: sum(1 for id in ids if maybe_unit(after, id) is None) for one, ids in fleets.items()}
        end: End
        if not here[enemy]:
            end = "taken" if here[own] else "cleared"
        elif here[own]:
            end = "undecided"
        else:
            end = "eliminated" if gone[own] == len(fleets[own]) else "repelled"
        return end, (gone[own], gone[enemy])

    return judged
