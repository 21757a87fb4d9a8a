"""4.6.3 to 4.6.10: Every way a battle may go to its end, with its chance.

Hits fall in a fixed order, so a state of the battle is how many steps each class of each side has lost.
Volley by volley, all states with their chances become those that its dice may leave (dynamic programming),
so three rounds take no sampling. Everybody answers by the defaults: each block fires at the class it hits
best, and nobody retreats before the end.
"""

from __future__ import annotations

from math import comb, prod

from pbem.kit.courses import courses
from pbem.rules import Game, dataclass

from ..rules.blocks import Block
from ..rules.doctrine import Role, Target
from ..rules.procedures.aftermath import aftermath, holder_of
from ..rules.procedures.engagement import ROLES, Battle, open_battle, other
from ..rules.procedures.fire import PREFERENCE, rating
from ..rules.world import Class

State = tuple[int, ...]
"""Steps that each pool has lost."""
Weights = dict[int, int]
"""States as numbers, with their share of `WHOLE`."""
WHOLE = 1 << 96
"""A certain thing. What is rounded off is far below anything that is printed; numbers that grew without end
would take ten times as long."""
Targets = tuple[tuple[int, int], ...]
"""Pools that a block can hit, with its rating, the one it takes first."""
FACES = 6
CLASSES: dict[Target, tuple[Class, ...]] = {"A": ("air",), "N": ("naval",), "G": ("ground", "logistic")}


@dataclass(frozen=True)
class Pool:
    """The blocks of a side on which hits of a class fall: their strengths after each hit, 0 for gone."""

    role: Role
    target: Target
    ids: tuple[str, ...]
    after: tuple[tuple[int, ...], ...]
    ground: int
    """Hits after which no ground block is left; as many as eliminate all if there is no logistic block."""

    alive: tuple[tuple[str, ...], ...]
    """The blocks that are left after each hit."""

    @property
    def most(self) -> int:
        """Return how many hits eliminate all."""
        return len(self.after) - 1


@dataclass(frozen=True)
class Fighter:
    """The part of a block that decides its volleys: its pool and place in it, and what it can hit."""

    role: Role
    cls: Class
    slot: int
    pool: int
    cvs: tuple[int, ...]
    targets: tuple[Targets, Targets]
    """In round 1, and in the rounds after it."""
    own_air: int
    pursues: int


class Rounds:
    """The rounds of one battle, on a position of its own where the blocks are in the hex."""

    def __init__(self, game: Game, attacker: str, hex: str, *, leaving: bool = True) -> None:
        """Read a battle. If not `leaving`, its blocks can all retreat: nobody knows where they came from."""
        self.before, self.leaving = game.copy(), leaving
        self.attacker, self.hex, self.options = attacker, hex, game.options
        battle = open_battle(game, attacker, hex)
        self.numbers, self.land = battle.world.numbers, battle.land
        self.blocks = {u.id: u for role in ROLES for u in battle.units(role)}
        self.pools = tuple(self._pool(battle, role, target) for role in ROLES for target in PREFERENCE)
        self.strides = tuple(prod(pool.most + 1 for pool in self.pools[:n]) for n in range(len(self.pools)))
        slots = sorted({u.kind.slot for u in self.blocks.values()})
        acting = [
            battle.in_order([u for u in battle.units(role) if u.kind.slot == slot])
            for slot in slots
            for role in ROLES
        ]
        self.thrown: dict[tuple[int, int, int, int], tuple[tuple[int, int, int], ...]] = {}
        self.order = tuple(self._fighter(battle, self.blocks[id]) for ids in acting for id in ids)

    def _pool(self, battle: Battle, role: Role, target: Target) -> Pool:
        """4.6.7: Return a pool. Hits fall on the strongest, of equals the first by id, logistic ones last."""
        units = battle.units(role, *CLASSES[target])
        cvs = [u.cv for u in units]
        after, ground = [tuple(cvs)], 0
        for cls in CLASSES[target]:
            while left := [n for n, u in enumerate(units) if cvs[n] and u.cls == cls]:
                strongest = self.options["loss_rule"] == "strongest"
                n = min(left, key=lambda n: (-cvs[n] if strongest else 0, units[n].id))
                cvs[n] = units[n].kind.less(cvs[n])
                after.append(tuple(cvs))
            if cls == "ground":
                ground = len(after) - 1
        ids = tuple(u.id for u in units)
        alive = tuple(tuple(id for id, cv in zip(ids, now, strict=True) if cv) for now in after)
        return Pool(role, target, ids, tuple(after), ground, alive)

    def _fighter(self, battle: Battle, u: Block) -> Fighter:
        role, rounds = battle.role(u.owner), list[Targets]()
        acts = role == "defender" or u.activated
        for battle.round in (1, 2):
            rated = [(target, rating(battle, u, target)) for target in PREFERENCE if acts]
            rated = [(target, hits_on) for target, hits_on in rated if hits_on > 0]
            rated.sort(key=lambda rate: (-rate[1], PREFERENCE.index(rate[0])))
            rounds.append(tuple((self._at(other(role), target), hits_on) for target, hits_on in rated))
        flak = u.cls != "air" and bool(self.options["flak_friendly_fire"])
        pool = next(n for n, alike in enumerate(self.pools) if u.id in alike.ids)
        place = self.pools[pool].ids.index(u.id)
        cvs = tuple(after[place] for after in self.pools[pool].after)
        air = self._at(role, "A") if flak else -1
        pursues = u.kind.rating("G") if acts else 0
        return Fighter(role, u.cls, u.kind.slot, pool, cvs, (rounds[0], rounds[1]), air, pursues)

    def _at(self, role: Role, target: Target) -> int:
        return ROLES.index(role) * len(PREFERENCE) + PREFERENCE.index(target)

    def alive(self, state: State, role: Role) -> bool:
        """Return True if a side has a block left."""
        return any(
            pool.role == role and lost < pool.most for lost, pool in zip(state, self.pools, strict=True)
        )

    def ground(self, state: State, role: Role) -> bool:
        """Return True if a side has a ground block left."""
        n = self._at(role, "G")
        return state[n] < self.pools[n].ground

    # rounds

    def ends(self) -> list[Weights]:
        """Return for each round the states in which the battle ends with it."""
        now: Weights = {0: WHOLE}
        rounds: list[Weights] = []
        for number in range(1, self.numbers.battle_rounds + 1):
            over, left = Weights(), Weights()
            for block in self.order:
                now, ended = self._volleys(now, block, block.targets[min(number, 2) - 1])
                _add(over, ended)
            for key, weight in now.items():
                state = self._overrun(self.state(key))
                goes_on = number < self.numbers.battle_rounds and self._can_fire(state)
                _add(left if goes_on else over, {self.key(state): weight})
            rounds.append(over)
            now = left
        return rounds

    def key(self, state: State) -> int:
        """Return a state as one number."""
        return sum(lost * stride for lost, stride in zip(state, self.strides, strict=True))

    def left(self, key: int, pool: int) -> int:
        """Return how many steps a pool has left."""
        most = self.pools[pool].most
        return most - key // self.strides[pool] % (most + 1)

    def state(self, key: int) -> State:
        """Return the state that a number stands for."""
        return tuple(
            key // stride % (pool.most + 1) for stride, pool in zip(self.strides, self.pools, strict=True)
        )

    def _volleys(self, now: Weights, block: Fighter, targets: Targets) -> tuple[Weights, Weights]:
        """4.6.4: Return the states after a block has acted, and those in which a side has no block left."""
        weights, over = Weights(), Weights()
        own, size = self.strides[block.pool], self.pools[block.pool].most + 1
        aims = [(n, hits_on, self.strides[n], self.pools[n].most) for n, hits_on in targets]
        for key, weight in now.items():
            cv = block.cvs[key // own % size]
            open_ = ((most - key // stride % (most + 1), n, hits_on) for n, hits_on, stride, most in aims)
            room, n, hits_on = (
                next((open_room for open_room in open_ if open_room[0]), (0, 0, 0)) if cv else (0, 0, 0)
            )
            if not room:
                weights[key] = weights.get(key, 0) + weight
                continue
            stride, air = self.strides[n], block.own_air if self.pools[n].target == "A" else -1
            flak = self.left(key, air) if air >= 0 else 0
            dice = cv, hits_on, room, flak
            if dice not in self.thrown:
                self.thrown[dice] = throws(*dice)
            for hits, sixes, ways in self.thrown[dice]:
                after = key + hits * stride + sixes * self.strides[air]
                ends = (hits == room or (sixes and sixes == flak)) and self._is_over(after)
                into = over if ends else weights
                into[after] = into.get(after, 0) + weight * ways // FACES**cv
        return weights, over

    def _is_over(self, key: int) -> bool:
        state = self.state(key)
        return not all(self.alive(state, role) for role in ROLES)

    def _target(self, state: State, block: Fighter) -> int | None:
        """Return the pool at which a block fires after round 1."""
        return next((n for n, _ in block.targets[1] if state[n] < self.pools[n].most), None)

    def _overrun(self, state: State) -> State:
        """4.6.9 (a): Return the state without logistic blocks that are alone with enemy ground blocks."""
        for role in ROLES:
            n = self._at(role, "G")
            if self.ground(state, role) or not self.ground(state, other(role)):
                continue
            gone = (*state[:n], self.pools[n].most, *state[n + 1 :])
            state = state if self.alive(gone, role) else gone
        return state

    def _can_fire(self, state: State) -> bool:
        """4.6.9 (c): Return True if a block has a target in the coming round."""
        return any(
            fighter.cvs[state[fighter.pool]] and self._target(state, fighter) is not None
            for fighter in self.order
        )

    # the aftermath

    def pursued(self, states: Weights) -> Weights:
        """4.6.13: Return the states after pursuit, where that option is in force."""
        if not self.options["pursuit"]:
            return states
        weights = Weights()
        for role in ROLES:
            target = self._at(other(role), "G")
            now = {key: weight for key, weight in states.items() if self.holder(self.state(key)) == role}
            for block in self.order:
                if block.role == role and block.pursues and block.slot <= self.numbers.pursuit_last_slot:
                    now, ended = self._volleys(now, block, ((target, block.pursues),))
                    _add(now, ended)
            _add(weights, now)
        return weights

    def holder(self, state: State) -> Role:
        """4.6.10: Return the side that holds the hex."""
        if self.land:
            won = self.ground(state, "attacker") and not self.ground(state, "defender")
        else:
            n = self._at("defender", "N")
            won = state[n] == self.pools[n].most
        return "attacker" if won else "defender"

    def strengths(self, state: State) -> dict[str, int]:
        """Return the strength of each block by id, 0 for one that is gone."""
        by_player = dict[str, int]()
        for lost, pool in zip(state, self.pools, strict=True):
            by_player |= zip(pool.ids, pool.after[lost], strict=True)
        return by_player

    def lost(self, state: State, role: Role) -> int:
        """Return how many steps a side has lost."""
        return sum(lost for lost, pool in zip(state, self.pools, strict=True) if pool.role == role)

    def alive_ids(self, state: State) -> tuple[tuple[str, ...], ...]:
        """Return the blocks that are left, pool by pool."""
        return tuple([pool.alive[lost] for lost, pool in zip(state, self.pools, strict=True)])

    def _left(self, strengths: dict[str, int]) -> Battle:
        """Return the battle as the rounds leave it."""
        battle = open_battle(self.before.copy(), self.attacker, self.hex)
        for id, cv in strengths.items():
            block = Block(battle.game, id)
            if cv:
                block.cv = cv
            else:
                block.eliminate()
        return battle

    def aftermath(self, strengths: dict[str, int]) -> tuple[Role, tuple[str, ...], bool]:
        """4.6.10: Return the holder, the blocks that must leave and cannot, and if attackers stay."""
        battle = self._left(strengths)
        holds = holder_of(battle)
        if not self.leaving:
            came = [u for u in self.blocks.values() if strengths[u.id] and u.owner == self.attacker]
            return holds, (), any((u.cls != "air") for u in came)
        battle.game.options = {**battle.game.options, "pursuit": False}
        ((_, after),) = courses(battle.game, lambda game: aftermath(_on(battle, game)))
        there = after.position.counters
        gone = tuple(id for id, cv in strengths.items() if cv and id not in there)
        left = [Block(after, id) for id in strengths if id in there]
        return holds, gone, any(u.owner == self.attacker and u.hex == self.hex for u in left)


def _on(battle: Battle, game: Game) -> Battle:
    """Return the same battle on another copy of its position."""
    return Battle(game, battle.hex, battle.attacker, battle.names, battle.marched_from, battle.sailed_from)


def _add(into: Weights, weights: Weights) -> None:
    for key, weight in weights.items():
        into[key] = into.get(key, 0) + weight


def throws(dice: int, hits_on: int, room: int, flak: int) -> tuple[tuple[int, int, int], ...]:
    """4.6.6: Return hits and sixes of some dice, each with its number of ways.

    Hits beyond the `room` of the target, and of the firer's own aircraft (`flak`), do nothing.
    """
    counts = dict[tuple[int, int], int]()
    six = 1 if flak else 0
    for hits in range(dice + 1):
        for sixes in range(dice - hits + 1) if flak else (0,):
            rest = dice - hits - sixes
            ways = comb(dice, hits) * comb(dice - hits, sixes) * hits_on**hits
            key = min(hits, room), min(sixes, flak)
            counts[key] = counts.get(key, 0) + ways * (FACES - hits_on - six) ** rest
    return tuple((*key, ways) for key, ways in counts.items() if ways)
