"""A whole Player Turn as a sensible player would order it: captures, attacks and marches.

Moves are tried on a copy of the position one after another, so what comes out is legal as far as the
view tells.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from pbem.rules import Drafting, Game, Part

from ..rules.activation import remote_costs
from ..rules.blocks import Block, supply_units, units
from ..rules.decisions.player_turn import su_options
from ..rules.decisions.turn_order import PassOrTurn, PlayerTurn
from ..rules.doctrine import BattleDoctrine, Rule, When
from ..rules.orders import Move, Reveal, SuMove, TurnOrder
from ..rules.sides import Side
from .sense import FAR, Sense, fights, power

ENOUGH = (5, 4)  # attack with at least 5 to 4
PLENTY = (2, 1)  # send no more than 2 to 1
BOMBERS = ("DB", "HB", "MB", "F", "JF")

DOCTRINE = BattleDoctrine(
    rules=(
        Rule(When(role="attacker", type=BOMBERS, round_at_least=2, cv_at_most=1), "retreat"),
        Rule(When(role="attacker", round_at_least=2, own_le_enemy=(1, 2)), "retreat"),
        Rule(When(role="defender", type=("SU", "RS", "AC")), "retreat"),
    )
)


class Campaign:
    """One Player Turn in the making, for a given set of revealed supply units."""

    def __init__(self, game: Game, decision: PassOrTurn, reveals: tuple[Reveal, ...]) -> None:
        self.player = decision.player
        self.reveals = reveals
        self.sense = Sense(game, self.player)
        self.drafting = Drafting(decision, game, TurnOrder("turn", reveals))
        self.world = self.sense.world
        self.score = 0
        self.pinned = self.sense.pinned()
        mover = self.draft.mover
        self.ways = {u.id: list(mover.options(u)) for u in units(self.draft.game, self.player) if u.activated}

    @property
    def draft(self) -> PlayerTurn:
        """Return the order so far, on its board."""
        assert isinstance(self.drafting.draft, PlayerTurn)
        return self.drafting.draft

    @property
    def sim(self) -> Game:
        """Return the board after the moves so far."""
        return self.draft.game

    def order(self) -> TurnOrder:
        """Return the turn order, with everything in the order in which it is decided."""
        self.occupy([h for h in self.sense.goals if h not in self.sense.enemies])
        self.attack()
        self.occupy([h for h in self.world.sites if self._free_site(h)])
        self.raid()
        self.advance()
        self.haul()
        self.fly_up()
        self.put_to_sea()
        return replace(self.drafting.answer(), su_moves=self.supply_moves(), doctrine=DOCTRINE)

    # moving

    def free(self, id: str) -> bool:
        """Return True if this block may still be given a move."""
        block = Block(self.sim, id)
        return block.activated and not block.moved and id not in self.pinned

    def make(self, move: Move) -> bool:
        """Add a move if it is (still) legal."""
        return not self.drafting.offer(Part("moves", move))

    def _blocks(self) -> list[Block]:
        """Return blocks that may still move, by id."""
        return [Block(self.sim, id) for id in sorted(self.ways) if self.free(id)]

    def _into(self, id: str, hex: str) -> Iterator[Move]:
        return (move for move in self.ways[id] if move.end == hex)

    # the parts of a turn

    def occupy(self, hexes: list[str]) -> None:
        """Walk into hexes that nobody holds, the dearest first, each with the weakest block that can."""
        for hex in sorted(hexes, key=lambda h: (-self.sense.value(h), h)):
            near = sorted((u for u in self._blocks() if fights(u)), key=lambda u: (power(u), u.id))
            taken = any(self.make(move) for u in near for move in self._quiet(u, hex))
            if taken:
                self.score += self.sense.value(hex)

    def _free_site(self, hex: str) -> bool:
        return self.world.sites[hex].home is None and not units(self.sim, hex=hex)

    def _quiet(self, block: Block, hex: str) -> Iterator[Move]:
        """Yield one way for this block into a hex without enemies, unless another has just gone there."""
        if any(fights(u) for u in units(self.sim, self.player, hex)):
            return
        for move in self._into(block.id, hex):
            if self.free(block.id) and move.kind in ("march", "drop", "assault"):
                yield move

    def attack(self) -> None:
        """Attack weaker neighbours with superior stacks, supported by aircraft and ships' guns."""
        targets = sorted(self.sense.enemies_ashore, key=lambda h: (-self._promise(h), h))
        for hex in targets:
            defence = self.sense.defence(hex)
            force = self._force(hex)
            ground = sum(power(u) for u in force)
            air = sum(power(u) for u in self._wings(hex))
            if not force or (ground + air) * ENOUGH[1] < defence * ENOUGH[0] or 2 * ground < defence:
                continue
            before = self.draft.count("moves")
            sent = self._send(force, hex, defence)
            if (sent + air) * ENOUGH[1] < defence * ENOUGH[0] or 2 * sent < defence:
                self.drafting.back(self.draft.count("moves") - before)  # too few got there
                continue
            self._support(hex)
            self.score += self.sense.value(hex)

    def _promise(self, hex: str) -> int:
        return 10 * self.sense.value(hex) - 5 * self.sense.defence(hex)

    def _force(self, hex: str) -> list[Block]:
        """Return ground blocks that can reach the hex, the strongest first."""
        able = [u for u in self._blocks() if fights(u) and any(self._into(u.id, hex))]
        return sorted(able, key=lambda u: (-power(u), u.id))

    def _wings(self, hex: str) -> list[Block]:
        """Return aircraft that could join a battle there, the strongest first; one fighter stays behind."""
        spare = self._fighters() - 1
        able: list[Block] = []
        for block in sorted(self._blocks(), key=lambda u: (-power(u), u.id)):
            fighter = block.type in ("F", "JF")
            if block.cls != "air" or block.cv < 2 or not any(self._into(block.id, hex)):
                continue
            if fighter and spare < 1:
                continue
            spare -= fighter
            able.append(block)
        return able

    def _send(self, force: list[Block], hex: str, defence: int) -> int:
        """Move attackers in until there is plenty, and return the power that went."""
        sent = 0
        for block in force:
            if sent * PLENTY[1] >= defence * PLENTY[0]:
                break
            if any(self.make(move) for move in self._into(block.id, hex)):
                sent += power(block)
        return sent

    def _support(self, hex: str) -> None:
        """Let aircraft and ships with guns join."""
        for block in self._wings(hex):
            any(self.make(move) for move in self._into(block.id, hex))
        for block in self._blocks():
            if block.cls == "naval" and block.kind.g and block.cv > 1:
                any(self.make(move) for move in self._into(block.id, hex))

    def _fighters(self) -> int:
        return sum(1 for u in self._blocks() if u.type in ("F", "JF"))

    def raid(self) -> None:
        """Let heavy bombers without a battle raid a stack that nobody attacks."""
        for block in self._blocks():
            if block.type != "HB" or block.cv < 2:
                continue
            lone = [
                m for m in self.ways[block.id] if m.kind == "mission" and m.end in self.sense.enemies_ashore
            ]
            ranked = sorted(
                lone, key=lambda m: (len(self.sense.enemies[m.end]), -self.sense.value(m.end), m.end)
            )
            any(self.make(move) for move in ranked[:1])

    def advance(self) -> None:
        """Move other land blocks nearer to a goal, in supply, rear blocks by road."""
        for block in sorted(self._blocks(), key=lambda u: (self.sense.to_goal(u.hex), u.id)):
            if not fights(block) or not self.free(block.id):
                continue
            here = self.sense.to_goal(block.hex)
            better = [m for m in self.ways[block.id] if self._worth_going(block, m, here)]
            ranked = sorted(better, key=lambda m: (self.sense.to_goal(m.end), m.end, m.kind))
            any(self.make(move) for move in ranked)

    def _worth_going(self, block: Block, move: Move, here: int) -> bool:
        if move.end in self.sense.enemies or not self.sense.supplied(move.end):
            return False
        if move.kind in ("drop", "assault"):
            return False
        alone = self.sense.to_enemy(move.end) == 1 and not any(
            fights(u) for u in units(self.sim, self.player, move.end)
        )
        exposed = alone and move.end not in self.world.bases and power(block) < 3
        return self.sense.to_goal(move.end) < here and not exposed

    def haul(self) -> None:
        """Move grown resource blocks to the most valuable city, and supply units behind the front."""
        for block in self._blocks():
            if block.type == "RS" and block.cv >= 2 and not self._in_own_city(block.hex):
                cities = [m for m in self.ways[block.id] if self._in_own_city(m.end)]
                ranked = sorted(cities, key=lambda m: (-self.world.bases[m.end].pp, len(m.path), m.end))
                any(self.make(move) for move in ranked)
            elif block.type == "SU":
                here = self._to_front(block.hex)
                safe = [m for m in self.ways[block.id] if self._safe(m.end) and self._to_front(m.end) < here]
                any(self.make(m) for m in sorted(safe, key=lambda m: (self._to_front(m.end), m.end)))

    def _in_own_city(self, hex: str) -> bool:
        return self.world.is_city(hex) and Side(self.sim, self.player).controls(hex)

    def _safe(self, hex: str) -> bool:
        """Return True if a hex is safe for a supply unit: not beside the enemy unless guarded."""
        guarded = any(fights(u) for u in units(self.sim, self.player, hex))
        return hex not in self.sense.enemies and (guarded or self.sense.to_enemy(hex) > 2)

    def _to_front(self, hex: str) -> int:
        """Return the distance of a supply unit there from the blocks nearest to the enemy."""
        front = [u for u in units(self.sim, self.player) if fights(u) and self.sense.to_enemy(u.hex) <= 3]
        return sum(self.world.distance(hex, u.hex) for u in front) if front else 0

    def fly_up(self) -> None:
        """Move aircraft out of reach of all enemies to the airbase nearest to them."""
        for block in self._blocks():
            if block.cls != "air" or block.aboard is not None:
                continue
            here = self.sense.to_enemy(block.hex)
            if here <= block.kind.mv:
                continue
            nearer = [
                m for m in self.ways[block.id] if m.kind == "rebase" and self.sense.to_enemy(m.end) < here
            ]
            any(self.make(m) for m in sorted(nearer, key=lambda m: (self.sense.to_enemy(m.end), m.end)))

    def put_to_sea(self) -> None:
        """Sail against weaker ships at sea, and with strong ones into the lanes before enemy ports."""
        ports = [h for h in self.sense.goals if self.world.is_port(h)]
        for block in self._blocks():
            if block.cls != "naval" or block.type == "AC":
                continue
            prey = [m for m in self.ways[block.id] if self._weaker_at_sea(block, m.end)]
            lanes = [m for m in self.ways[block.id] if self._lane(block, m)]
            lanes.sort(
                key=lambda m: (min((self.world.distance(m.end, p) for p in ports), default=FAR), m.end)
            )
            any(self.make(move) for move in [*prey, *lanes[:1]])

    def _weaker_at_sea(self, block: Block, hex: str) -> bool:
        there = self.sense.enemies.get(hex, [])
        friends = [u for u in units(self.sim, self.player, hex) if u.cls == "naval"]
        return bool(there) and self.world.is_sea(hex) and len(there) <= len(friends) + block.cv - 2

    def _lane(self, block: Block, move: Move) -> bool:
        in_port = not self.world.is_sea(block.hex)
        empty = self.world.is_sea(move.end) and move.end not in self.sense.enemies
        return in_port and empty and block.cv >= 3 and move.kind == "sail"

    # after the battles

    def supply_moves(self) -> tuple[SuMove, ...] | None:
        """Return moves of revealed supply units to the front, or out of the enemy's reach."""
        if not self.reveals:
            return None
        moves = [m for m in su_options(self.draft.su_mover, self.draft.face_up) if self._safe(m.path[-1])]
        best: dict[str, SuMove] = {}
        for move in sorted(moves, key=lambda m: (self._to_front(m.path[-1]), m.path)):
            if self._to_front(move.path[-1]) < self._to_front(Block(self.sim, move.su).hex):
                best.setdefault(move.su, move)
        return tuple(best[su] for su in sorted(best)[:1])


def best_turn(game: Game, decision: PassOrTurn) -> tuple[TurnOrder, int]:
    """Return the best turn order and its score; every single supply unit is tried, near and far."""
    if decision.round <= 1:
        campaign = Campaign(game, decision, ())
        return campaign.order(), campaign.score
    orders: list[tuple[int, int, TurnOrder]] = []
    for reveals in _reveals(game, decision.player):
        campaign = Campaign(game, decision, reveals)
        order = campaign.order()
        orders.append((campaign.score, len(order.moves), order))
    score, _, order = max(orders, key=lambda f: f[:2])
    return order, score


def _reveals(game: Game, player: str) -> Iterator[tuple[Reveal, ...]]:
    """Yield each supply unit alone: for units near it, and for the blocks nearest to the enemy."""
    sense = Sense(game, player)
    for su in sorted(supply_units(game, player), key=lambda u: (-u.cv, u.id)):
        yield (Reveal(su.id, "local"),)
        targets = _far_targets(game, player, su, sense)
        if targets:
            yield (Reveal(su.id, "remote", targets),)


def _far_targets(game: Game, player: str, su: Block, sense: Sense) -> tuple[str, ...]:
    front = [u for u in units(game, player) if u.cls in ("ground", "air") and u.cv > 1]
    front.sort(key=lambda u: (sense.to_enemy(u.hex), u.cls != "ground", -power(u), u.id))
    chosen: list[str] = []
    spent = 0
    for id, cost in remote_costs(su, [u.id for u in front]).items():
        if spent + cost <= su.cv and id not in sense.pinned():
            chosen.append(id)
            spent += cost
    return tuple(chosen)
