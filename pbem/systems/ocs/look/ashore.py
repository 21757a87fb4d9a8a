"""4.12.7: Forecast of landings, by every throw, and the board of an assault from landing craft."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from fractions import Fraction

from pbem.kit.fights import Sent, average, share
from pbem.kit.odds import sums_of
from pbem.rules import Forecast, Game, Message

from ..rules.actions import Assault, Land
from ..rules.afloat.amphib import aboard
from ..rules.afloat.landings import batches, land_faults, landing_modifiers, landing_row
from ..rules.fighting.losses import take_out
from ..rules.fighting.strength import rnd
from ..rules.pieces import Craft, Unit, craft, units, world_of


def boats(game: Game, ids: Collection[str]) -> list[Craft]:
    """Return the landing craft of these ids, in one hex, if all of them are."""
    boats_here = [boat for boat in craft(game) if boat.id in ids]
    together = len(boats_here) == len({*ids}) and len({(boat.owner, boat.hex) for boat in boats_here}) == 1
    return boats_here if together and boats_here[0].hex in world_of(game).terrains else []


def assault_of(game: Game, listed: Sequence[Craft], hex: str, ids: Collection[str]) -> Assault | None:
    """Return the beach assault of craft that is ordered, or of all aboard; None without an enemy there."""
    if isinstance(ids, Sent):
        return ids.order if isinstance(ids.order, Assault) else None
    if not units(game, world_of(game).enemy(listed[0].owner), hex):
        return None
    carried = aboard(game, listed)
    fit = [id for id, carrier in carried.items() if _may_fight(carrier, id)]
    return Assault(tuple(boat.id for boat in listed), hex, tuple(sorted(fit)))


def _may_fight(boat: Craft, id: str) -> bool:
    fields = boat.cargo[id]
    return bool(fields["kind"] != "transport" and fields.get("facing", "combat") == "combat")


def lent(game: Game, listed: Sequence[Craft], ids: Sequence[str]) -> Game:
    """4.12.7: Return the board on which units aboard are in the hex of their craft, to attack from it."""
    board = game.copy()
    mine = [boat for boat in craft(board) if boat.id in {carrier.id for carrier in listed}]
    carried = aboard(board, mine)
    for id in ids:
        fields = take_out(carried[id], id)
        board.position.add(id, {**fields, "hex": mine[0].hex})
    return board


def landing(game: Game, listed: Sequence[Craft], hex: str, ids: Collection[str]) -> Iterator[Forecast]:
    """4.12.7: Yield what T-ALT does to units that land: to come ashore whole, or to lose half their steps."""
    side = listed[0].owner
    order = ids.order if isinstance(ids, Sent) else None
    if order is not None and not isinstance(order, Land):
        return
    carried = aboard(game, listed)
    going = order.units if order is not None else sorted(carried)
    landers = tuple(id for id in going if id in carried and carried[id].cargo[id]["kind"] != "transport")
    order = order or Land(tuple(boat.id for boat in listed), hex, landers)
    if not landers or land_faults(game, side, listed, order):
        return
    board = game.copy()
    mine = [boat for boat in craft(board) if boat.id in order.craft]
    groups = batches(board, side, hex, landers, aboard(board, mine), order.facing)
    whole, dry, mean = Fraction(1), Fraction(1), Fraction(0)
    for group in groups:
        ok, sunk = _thrown(board, side, group, hex)
        whole, dry = whole * ok, dry * (1 - sunk)
        mean += sunk * rnd(Fraction(sum(u.steps for u in group), 2))
    sentence = Message(
        "ocs.forecast.landing",
        rolls=len(groups),
        whole=share(whole),
        drown=share(1 - dry),
        mean=average(mean),
    )
    yield Forecast(hex, ((side, ""), (world_of(game).enemy(side), "")), sentence)


def _thrown(board: Game, side: str, group: list[Unit], hex: str) -> tuple[Fraction, Fraction]:
    """4.12.7: Return how likely a roll lands all, and how likely craft and cargo are lost."""
    chart = world_of(board).tables["ships"]["landing"]
    need, half = (int(n) for n in chart["rows"][landing_row(board, side, hex)])
    change = sum(modifier.value for modifier in landing_modifiers(board, side, group, hex))
    thrown = sums_of("2d6")
    ok = sum((chance for total, chance in thrown if total + change >= need), Fraction(0))
    return ok, sum((chance for total, chance in thrown if total + change < half), Fraction(0))
