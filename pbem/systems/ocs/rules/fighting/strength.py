"""Strength, odds and tables of ground combat (4.9.4 to 4.9.7), computed without changing a board."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import field
from fractions import Fraction
from typing import Any

from pbem.kit.odds import Line
from pbem.rules import Board, Message, dataclass

from ..pieces import T, Unit, world_of
from ..world import World

LEVELS = {"none": 0, "light": 1, "heavy": 2}


def rnd(value: Fraction) -> int:
    """4.0.1: Return the nearest whole number, halves rounded up."""
    return (2 * value.numerator + value.denominator) // (2 * value.denominator)


def at_level(u: Unit) -> str:
    """2.9: Return the anti-tank level of a unit."""
    flags = u.print.flags
    if u.print.category == "armor" or "anti_tank" in flags or "anti_aircraft" in flags:
        return "heavy"
    if u.print.category == "mech":
        return "heavy" if "tank_symbol" in flags else "light"
    return "none"


def hedgehog(board: Board, hex: str, owner: str) -> int:
    """Return the level of a side's hedgehog in a hex, 0 without one."""
    works = T.of(board).hedgehogs.get(hex)
    return works.level if works is not None and works.owner == owner else 0


def best_at(board: Board, hex: str, defenders: Iterable[Unit]) -> int:
    """4.9.4: Return the best anti-tank level of the defenders; a hedgehog is heavy."""
    levels = [LEVELS[at_level(u)] for u in defenders]
    owner = next((u.owner for u in defenders), "")
    return max([*levels, LEVELS["heavy"] if hedgehog(board, hex, owner) else 0], default=0)


def printed_strength(u: Unit) -> tuple[int, bool]:
    """Return the strength that shows (0 if there is none), and True if it is in parentheses."""
    if u.side.strength is not None:
        return u.side.strength, False
    charts = world_of(u.board).combat["printed"]
    return int(charts.get(u.kind, {}).get(u.facing, 0)), True


def state_factors(u: Unit, *, attack: bool, supplied: bool = True) -> list[tuple[Fraction, str]]:
    """4.9.4: Return the factors of a unit's strength from its state, each with its reason."""
    chart = world_of(u.board).combat["strength"]
    factors: list[tuple[Fraction, str]] = []
    if u.marker == "dg":
        factors.append((Fraction(chart["mode_dg"]), "DG"))
    if u.marker == "strat":
        factors.append((Fraction(chart["mode_strat"]), "Strat"))
    if u.marker == "reserve" and not attack:
        factors.append((Fraction(chart["mode_reserve_defence"]), "Reserve"))
    if u.oos:
        factors.append((Fraction(chart["oos"]), Message("ocs.strength.out-of-supply")))
    if not attack and not supplied:
        factors.append(
            (Fraction(chart["defence_without_combat_supply"]), Message("ocs.strength.no-combat-supply"))
        )
    if u.print.multi_step and not world_of(u.board).options.get("opt_proportional_loss"):
        if attack and u.lost:
            factors.append(
                (Fraction(chart["multi_step_attack_if_any_step_lost"]), Message("ocs.strength.steps-lost"))
            )
        if not attack and 2 * u.lost >= u.print.steps:
            factors.append(
                (
                    Fraction(chart["multi_step_defence_if_half_or_more_lost"]),
                    Message("ocs.strength.half-steps-lost"),
                )
            )
    return factors


def base_strength(u: Unit, *, attack: bool) -> int:
    """Return the printed strength, or its share by steps under the option for proportional loss."""
    number, paren = printed_strength(u)
    if attack and paren:
        return 0
    if u.print.multi_step and world_of(u.board).options.get("opt_proportional_loss"):
        return rnd(Fraction(number * u.steps, u.print.steps))
    return number


def multiplier(world: World, ground: str, terrain: str, category: str, *, attack: bool) -> Any:
    """Return the factor of the chart as printed: a number, or `[2]`, which counts for attack only."""
    chart = world.combat
    if ground == "freeze" and terrain in ("minor_river", "major_river"):
        terrain = f"frozen_{terrain}"
    row = chart["hex"].get(terrain) or chart["hexside"][terrain]
    return row["attack" if attack else "defend"][category]


def attack_line(board: Board, u: Unit, terrain: str, at: int) -> Line:
    """4.9.4: Return an attacker's line: printed strength, terrain, state.

    Against a sufficient anti-tank level, a factor of 2 becomes 3/2.
    """
    world = world_of(board)
    printed = multiplier(world, T.of(board).ground, terrain, u.print.category, attack=True)
    factor, why = Fraction(str(printed).strip("[]")), terrain
    reduction = world.combat["at_reduction"]
    armoured = u.print.category in ("armor", "mech")
    if armoured and factor == Fraction(reduction["from"]) and at and at >= LEVELS[at_level(u)]:
        factor, why = Fraction(reduction["to"]), Message("ocs.strength.anti-tank", terrain=terrain)
    return _line(u, base_strength(u, attack=True), [(factor, why), *state_factors(u, attack=True)])


def defence_line(board: Board, u: Unit, terrain: str, supplied: bool) -> Line:
    """4.9.4: Return a defender's line: printed strength, terrain, state."""
    printed = multiplier(world_of(board), T.of(board).ground, terrain, u.print.category, attack=False)
    factors = [(Fraction(str(printed)), terrain), *state_factors(u, attack=False, supplied=supplied)]
    return _line(u, base_strength(u, attack=False), factors)


def _line(u: Unit, number: int, factors: list[tuple[Fraction, str]]) -> Line:
    product = Fraction(1)
    for factor, _ in factors:
        product *= factor
    why = ", ".join(words for factor, words in factors if factor != 1)
    return Line(u.id, u.print.name, u.hex or "", number, str(product), why, str(product * number))


def density_rank(world: World, row: str) -> int:
    """Return the rank of a row of the odds table, from open to extremely close."""
    return list(world.combat["odds"]).index(row)


def column(world: World, row: str, a: Fraction, d: Fraction) -> tuple[int, str]:
    """4.9.5: Return the column before surprise, and the odds as text."""
    heads = [_ratio(text) for text in world.combat["odds"][row]]
    if a > 0 and d > 0:
        small = min(a, d)
        ratio = Fraction(rnd(a / small), rnd(d / small))
        best = max((n for n, head in enumerate(heads) if head <= ratio), default=0)
        return best, f"{ratio.numerator}:{ratio.denominator}"
    if a == 0 and d == 0:
        return heads.index(Fraction(1)), "0:0"
    return (len(heads) - 1, f"{a}:0") if d == 0 else (0, f"0:{d}")


def _ratio(text: str) -> Fraction:
    left, right = text.split(":")
    return Fraction(int(left), int(right))


@dataclass(frozen=True)
class Strengths:
    """Strengths of both sides, with the terrain chosen."""

    attack: tuple[Line, ...]
    defence: tuple[Line, ...]
    a: Fraction
    d: Fraction
    row: str
    column: int
    odds: str
    own: str
    chosen: Mapping[str, str] = field(default_factory=dict)


def hex_terrains(world: World, hex: str) -> tuple[str, ...]:
    """Return the types of terrain of a hex that count in a fight."""
    return tuple(kind for kind in world.terrains[hex] if kind in world.combat["hex"])


def crossings(world: World, origin: str, other: str) -> tuple[str, ...]:
    """Return the features of a hexside that count in a fight."""
    features = tuple(k for k in ("minor_river", "major_river") if world.crosses(k, origin, other))
    return (*features, "beach") if world.sea(origin) else features  # from Landing Craft (4.12.7)


def fight(
    board: Board,
    target: str,
    attackers: list[Unit],
    defenders: list[Unit],
    supplied: Mapping[str, bool],
    wanted: Mapping[str, str] | None = None,
    own: str | None = None,
) -> Strengths:
    """4.9.4, 4.9.5: Return strengths and column, in terrain that the defender wants or D-TERR gives."""
    world, at = world_of(board), best_at(board, target, defenders)
    chosen: dict[str, str] = {}
    lines: list[Line] = []
    for hex in sorted({u.hex or "" for u in attackers}):
        here = [u for u in attackers if u.hex == hex]
        choices = [*hex_terrains(world, target), *crossings(world, hex, target)]
        lines_by_terrain = []
        for n, terrain in enumerate(choices):
            listed = [attack_line(board, u, terrain, at) for u in here]
            lines_by_terrain.append(
                (sum((Fraction(x.strength) for x in listed), Fraction(0)), n, terrain, listed)
            )
        best = min(lines_by_terrain, key=lambda entry: entry[:2])
        if wanted and wanted.get(hex) in choices:
            best = next(entry for entry in lines_by_terrain if entry[2] == wanted[hex])
        chosen[hex] = best[2]
        lines += best[3]
    a = sum((Fraction(x.strength) for x in lines), Fraction(0))
    return _defended(board, target, defenders, supplied, own, (lines, a, chosen))


def _defended(
    board: Board,
    target: str,
    defenders: list[Unit],
    supplied: Mapping[str, bool],
    own: str | None,
    attack: tuple[list[Line], Fraction, dict[str, str]],
) -> Strengths:
    """Return the strengths with the best terrain for the defender's own units.

    Best is the lowest column, then the denser row, the higher strength, the name.
    """
    world = world_of(board)
    lines, a, chosen = attack
    best: tuple[Any, Strengths] | None = None
    for terrain in hex_terrains(world, target):
        if own is not None and terrain != own and own in hex_terrains(world, target):
            continue
        row = world.combat["hex"][terrain]["row"]
        listed = [defence_line(board, u, terrain, supplied.get(u.id, True)) for u in defenders]
        d = sum((Fraction(x.strength) for x in listed), Fraction(0))
        at, odds = column(world, row, a, d)
        made = Strengths(tuple(lines), tuple(listed), a, d, row, at, odds, terrain, chosen)
        key = (at, -density_rank(world, row), -d, terrain)
        if best is None or key < best[0]:
            best = (key, made)
    assert best is not None, f"no fight can be in {target}"
    return best[1]


CODE = re.compile(r"A(?:L(\d))?(?:o(\d))?(?:e(\d))?(?: D(?:L(\d))?(?:o(\d))?(DG)?)?")


@dataclass(frozen=True)
class Result:
    """A result of the combat table for both sides: losses, options, exploit number, DG."""

    code: str
    a_lose: int = 0
    a_option: int = 0
    exploit: int = 0
    d_lose: int = 0
    d_option: int = 0
    d_dg: bool = False

    @property
    def touches_defender(self) -> bool:
        """4.9.8: Return True if the result affects the defender."""
        return bool(self.d_lose or self.d_option or self.d_dg)


def read_result(world: World, column: int, total: int) -> Result:
    """4.9.7: Return the result in the combat table; totals beyond its rows use the last row."""
    crt = world.combat["crt"]
    low, high = crt["row_clamp"]
    letter = crt["rows"][str(max(low, min(high, total)))][column]
    code = crt["results"][crt["letters"].index(letter)]
    match = CODE.fullmatch(code)
    assert match is not None, code
    a_lose, a_option, exploit, d_lose, d_option, dg = match.groups()
    a, b, c, d, e = (int(number or 0) for number in (a_lose, a_option, exploit, d_lose, d_option))
    return Result(code, a, b, c, d, e, bool(dg))


def surprise(world: World, kind: str, total: int) -> int:
    """4.9.6: Return 1 if the attacker surprises, -1 if the defender does, or else 0."""
    limits = world.combat["surprise"][kind]
    if total >= limits["attacker_at_least"]:
        return 1
    return -1 if total <= limits["defender_at_most"] else 0


def shifted(world: World, column: int, by: int) -> int:
    """Return a column moved by a shift, kept on the table."""
    last = len(world.combat["crt"]["rows"]["1"]) - 1
    return max(0, min(last, column + by))
