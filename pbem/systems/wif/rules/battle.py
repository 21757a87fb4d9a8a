"""Land combat (4.7.7)."""

from __future__ import annotations

from fractions import Fraction

from pbem.rules import Game, Message, ask, roll

from .asking import left_undone, wants
from .decisions.replies import Advance, Losses, Retreat
from .entries import Attack
from .events.moving import Advanced, Attacked, Retreated
from .events.reorganizing import Destroyed, Turned
from .land import MOVE, activity, capture
from .pieces import T, Unit, destroy, maybe_unit, side, side_units, turn_down, use, weather_at
from .plans import Refusal
from .retreating import has_room, left_hex, retreat_hexes
from .sources import Supply
from .world import World, world_of


def attack_fault(game: Game, player: str, order: Attack) -> tuple[str, Refusal | None]:
    """Step n: Return the owner of an attack, and its fault as far as it is known before the battle."""
    world, hex = world_of(game), order.hex or ""
    own = T.of(game).phasing or ""
    power = ""
    if not defenders(game, hex, own):
        return power, Refusal(MOVE, Message("wif.battle.no-enemy-land-unit", hex=hex))
    for n, id in enumerate(order.units):
        u = maybe_unit(game, id)
        if u is None or side(game, u) != own or (n == 0 and game.seat(u.owner) != player):
            return power, Refusal("E-UNIT", Message("wif.battle.no-such-unit-of-yours", id=id))
        power = power or u.owner
        if game.seat(u.owner) != player and not world.cooperate(u.owner, power):
            return power, Refusal(
                "E-COOP", Message("wif.battle.does-not-cooperate", owner=u.owner, power=power)
            )
        invading = T.of(game).invading.get(id) == hex
        if u.print.arm != "land" or u.print.support or u.down or id in T.of(game).fought:
            return power, Refusal(MOVE, Message("wif.battle.cannot-attack", id=id))
        beside = u.hex in world.index and world.adjacent(u.place, hex) and world.open_side(u.place, hex)
        if not invading and (u.at_sea or not beside):
            return power, Refusal(MOVE, Message("wif.battle.not-beside", id=id, hex=hex))
    if not order.units:
        return power, Refusal(MOVE, Message("wif.battle.attack-has-units"))
    strong, weak = strengths(game, hex, order.units)
    if weak and Fraction(strong, 1) / weak < _ratio(world, 0):
        return power, Refusal(
            MOVE,
            Message(
                "wif.battle.odds-below", strong=strong, weak=weak, columns=world.combat["land"]["columns"][0]
            ),
        )
    if order.advance not in (None, "none", *order.units):
        return power, Refusal(
            MOVE, Message("wif.battle.does-not-attack-and-cannot-advance", advance=order.advance)
        )
    if all(T.of(game).invading.get(id) == hex for id in order.units):
        return power, None
    return power, activity(game, power, "land_attacks")


def defenders(game: Game, hex: str, own: str) -> list[Unit]:
    """Return the land units of `own`'s enemy in a hex."""
    return [u for u in side_units(game, world_of(game).enemy(own), hex) if u.print.arm == "land"]


def strengths(game: Game, hex: str, ids: tuple[str, ...]) -> tuple[Fraction, Fraction]:
    """4.7.7: Return the strengths of attackers and defenders.

    Invaders count half. Defenders count double if all attack across rivers.
    """
    world = world_of(game)
    own = side(game, Unit(game, ids[0])) if ids else T.of(game).phasing or ""
    chart = world.combat["land"]
    strong = Fraction(0)
    rivers = True
    for id in ids:
        u = Unit(game, id)
        invading = id in T.of(game).invading and u.at_sea
        halved = invading and u.type != "MAR"
        strong += u.print.strength * (Fraction(chart["invaders"]) if halved else 1)
        rivers = rivers and not u.at_sea and u.hex != hex and world.crosses("river", u.place, hex)
    weak = sum((_defence(game, u) for u in defenders(game, hex, own)), Fraction(0))
    return strong, weak * (int(chart["rivers"]) if rivers and ids else 1)


def _defence(game: Game, u: Unit) -> Fraction:
    """Return a unit's defence. Face-down units that are out of supply have little."""
    cut_off = world_of(game).combat["land"]["cut_off"]
    if u.print.support:
        return Fraction(0)
    if u.down and not Supply(game, side(game, u)).in_supply(u):
        return Fraction(int(cut_off["HQ" if u.print.headquarters else "other"]))
    return Fraction(u.print.strength)


def _ratio(world: World, n: int) -> Fraction:
    left, right = world.combat["land"]["columns"][n].split(":")
    return Fraction(int(left), int(right))


def column(world: World, strong: Fraction, weak: Fraction) -> int:
    """Return the column of the highest ratio that is not above the odds."""
    columns = world.combat["land"]["columns"]
    odds = strong / weak if weak else _ratio(world, len(columns) - 1)
    return max(n for n in range(len(columns)) if _ratio(world, n) <= odds)


def modifiers(game: Game, hex: str, own: str | None = None) -> dict[str, int]:
    """Return the die modifiers: terrain or city, weather, face-down defenders.

    `own` is the side that attacks, by default the phasing one.
    """
    world = world_of(game)
    chart = world.combat["land"]["modifiers"]
    changes: dict[str, int] = {}
    terrain, site = world.terrain[hex], world.sites.get(hex)
    if terrain in chart:
        changes[terrain] = int(chart[terrain])
    elif site is not None and site.city:
        changes["city"] = int(chart["city"])
    weather = weather_at(game, hex)
    if weather in chart:
        changes[weather] = int(chart[weather])
    targets = defenders(game, hex, own or T.of(game).phasing or "")
    down = sum(1 for u in targets if u.down and not u.print.support)
    if down:
        changes["down"] = min(int(chart["most_down"]), down * int(chart["down"]))
    return changes


def outcome(world: World, column: int, total: int) -> tuple[int, str]:
    """Return the row of a modified die roll, at most the last one, and its result."""
    rows = {int(row): results for row, results in world.combat["land"]["rows"].items()}
    row = max(1, min(len(rows), total))
    return row, str(rows[row][column])


class Battle:
    """One attack, until the hex is held or taken."""

    def __init__(self, game: Game, power: str, order: Attack) -> None:
        self.game, self.power, self.order = game, power, order
        self.hex = order.hex or ""
        self.world = world_of(game)
        self.own = T.of(game).phasing or ""

    async def fight(self) -> None:
        """4.7.7: Fight the attack: roll the die, take losses, retreat, advance."""
        game, t = self.game, T.of(self.game)
        t.fought = (*t.fought, *self.order.units)
        if any(id not in t.invading for id in self.order.units):
            use(game, self.power, "land_attacks")
        targets = defenders(game, self.hex, self.own)
        if all(u.print.support for u in targets):
            await self._walk_in(targets)
            return
        strong, weak = strengths(game, self.hex, self.order.units)
        n = column(self.world, strong, weak)
        changes = modifiers(game, self.hex)
        die = await roll("1d10", "land combat", self.hex)
        row, result = outcome(self.world, n, die.total + sum(changes.values()))
        odds = self.world.combat["land"]["columns"][n]
        ids = tuple(u.id for u in targets)
        game.emit(
            Attacked(
                self.power,
                self.hex,
                self.order.units,
                ids,
                f"{strong}:{weak}",
                odds,
                die,
                changes,
                row,
                result,
            )
        )
        await self._apply(result)

    def fail(self) -> None:
        """4.7.6: Make the landing fail because the odds are too low to fight."""
        self._failed_invaders()

    async def _walk_in(self, targets: list[Unit]) -> None:
        """R-112: Take a hex with only support units in it, without a roll."""
        for u in targets:
            self.game.emit(Destroyed(u.owner, (u.id,), Message("wif.battle.taken", hex=self.hex)))
            destroy(self.game, u)
        self._attackers_down(keep=True)
        await self._advance()

    async def _apply(self, result: str) -> None:
        lost, _, rest = result.partition("/")
        await self._lose(list(self.order.units), int(lost), attacker=True)
        ids = [u.id for u in defenders(self.game, self.hex, self.own) if not u.print.support]
        await self._lose(ids, int(rest[0]), attacker=False)
        if "R" in rest or "S" in rest:
            await self._retreat("S" in rest)
        self._attackers_down(keep="*" in rest)
        if not defenders(self.game, self.hex, self.own):
            await self._advance()
        self._failed_invaders()

    async def _lose(self, ids: list[str], count: int, *, attacker: bool) -> None:
        """Take losses that their owner chooses. The defender's first is a corps if there is one."""
        game, reminded = self.game, False
        for n in range(count):
            alive = [id for id in ids if maybe_unit(game, id) is not None]
            corps = [id for id in alive if Unit(game, id).print.corps]
            among = corps if corps and not attacker and n == 0 else alive
            if not among:
                return
            player = game.seat(Unit(game, among[0]).owner)
            mine = tuple(id for id in among if game.seat(Unit(game, id).owner) == player)
            if len(mine) > 1 and not reminded:
                await left_undone(game, player, "losses")
                reminded = True
            id = await ask(Losses(player, self.hex, attacker, mine, await wants(game, player, "losses")))
            self._gone(Unit(game, id), Message("wif.battle.combat", hex=self.hex))

    def _gone(self, u: Unit, reason: str) -> None:
        """4.6.13: Destroy a unit. The supply unit of a headquarters that is lost turns face-down."""
        for turned in left_hex(self.game, u, u.place):
            if turned.id != u.id:
                self.game.emit(
                    Turned(turned.owner, turned.id, "down", Message("wif.battle.headquarters-lost"))
                )
        self.game.emit(Destroyed(u.owner, (u.id,), reason))
        destroy(self.game, u)

    async def _retreat(self, shattered: bool) -> None:
        """Retreat the survivors one hex, face-down (R, S). A unit that cannot retreat is destroyed."""
        game, reminded = self.game, False
        for u in defenders(game, self.hex, self.own):
            if not retreat_hexes(game, u, self.hex):
                self._gone(u, Message("wif.battle.no-retreat"))
                continue
            player = game.seat(u.owner)
            if len(retreat_hexes(game, u, self.hex)) > 1 and not reminded:
                await left_undone(game, player, "retreat")
                reminded = True
            to = await ask(Retreat(player, u.id, self.hex, await wants(game, player, "retreat")))
            for turned in left_hex(game, u, self.hex):
                if turned.id != u.id:
                    game.emit(
                        Turned(turned.owner, turned.id, "down", Message("wif.battle.headquarters-retreated"))
                    )
            u.hex = to
            turn_down(u)
            if shattered:
                u.shattered = True
            game.emit(Retreated(u.owner, u.id, self.hex, to, shattered))
            if not u.print.support:
                capture(game, to, u.owner)

    def _attackers_down(self, *, keep: bool) -> None:
        for id in self.order.units:
            u = maybe_unit(self.game, id)
            if u is not None and not keep and not u.down:
                turn_down(u)
                self.game.emit(Turned(u.owner, u.id, "down", "attacked"))

    async def _advance(self) -> None:
        """Let an attacker take the empty hex. Invaders must."""
        game, t = self.game, T.of(self.game)
        alive = [u for id in self.order.units if (u := maybe_unit(game, id)) is not None]
        invaders = [u for u in alive if t.invading.get(u.id) == self.hex]
        forced = bool(invaders)
        candidates = invaders or alive
        if not candidates:
            return
        player = game.seat(candidates[0].owner)
        named = self.order.advance if self.order.advance in ("none", *(u.id for u in candidates)) else None
        ids = tuple(u.id for u in candidates)
        chosen: str = named or ""
        if not chosen:
            chosen = await ask(Advance(player, self.hex, ids, await wants(game, player, "advance")))
        if forced and chosen not in ids:
            chosen = ids[0]
        if chosen != "none":
            self._enter(Unit(game, chosen), damages=True)
        for u in invaders:
            if u.id != chosen and has_room(game, u, self.hex):
                self._enter(u, damages=False)

    def _enter(self, u: Unit, *, damages: bool) -> None:
        game, t, origin = self.game, T.of(self.game), u.place
        for turned in left_hex(game, u, origin):
            game.emit(Turned(turned.owner, turned.id, "down", Message("wif.battle.headquarters-advanced")))
        u.hex, u.aboard = self.hex, None
        t.invading.pop(u.id, None)
        game.emit(Advanced(u.owner, u.id, origin, self.hex))
        capture(game, self.hex, u.owner, damages=damages)

    def _failed_invaders(self) -> None:
        """4.7.6: Destroy invaders that did not take the hex."""
        t = T.of(self.game)
        for id in self.order.units:
            if t.invading.get(id) == self.hex:
                t.invading.pop(id, None)
                u = maybe_unit(self.game, id)
                if u is not None:
                    self.game.emit(Destroyed(u.owner, (id,), Message("wif.battle.landing-failed")))
                    destroy(self.game, u)
