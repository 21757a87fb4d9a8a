"""A battle while it is fought: blocks, public names, doctrines (rule 4.6)."""

from __future__ import annotations

from dataclasses import field

from pbem.kit.losses import ranked
from pbem.kit.naming import public_names
from pbem.rules import Game, consult, dataclass

from ..blocks import Block, units
from ..doctrine import BattleDoctrine, Role, Situation, merged
from ..sides import Side
from ..state import Shown, State
from ..world import Class, World, world_of

ROLES: tuple[Role, Role] = ("defender", "attacker")
NO_DOCTRINE = BattleDoctrine()


@dataclass
class Battle:
    """One battle hex.

    It is not saved, but made again from the position when the procedure is replayed. `names` maps ids to
    public names ("red AR a"). `crossed` counts retreats of this round by side and hexside (4.6.11).
    `marched_from` and `sailed_from` are the hexes that attackers came from.
    """

    game: Game
    hex: str
    attacker: str
    names: dict[str, str]
    marched_from: tuple[str, ...]
    sailed_from: tuple[str, ...]
    doctrines: dict[str, BattleDoctrine] = field(default_factory=dict)
    round: int = 0
    crossed: dict[tuple[Role, str], int] = field(default_factory=dict)

    @property
    def world(self) -> World:
        return world_of(self.game)

    @property
    def land(self) -> bool:
        """Return True if the battle is on land."""
        return not self.world.is_sea(self.hex)

    @property
    def place(self) -> str:
        """Return the hex as players read it."""
        return self.world.place(self.hex)

    @property
    def interactive(self) -> bool:
        """4.6.12: Return True if owners are asked about what their doctrine leaves open."""
        return bool(self.game.options["battle_mode"] == "interactive")

    def role(self, owner: str) -> Role:
        """4.6.2: Return a player's role: the active player attacks, all others in the hex defend."""
        return "attacker" if owner == self.attacker else "defender"

    def side(self, block: Block) -> Side:
        """Return the side of a block, with allies elsewhere."""
        return Side(self.game, block.owner)

    def units(self, role: Role, *classes: Class) -> list[Block]:
        """Return the blocks of a side still in the hex, by id, of some classes if named."""
        there = [u for u in units(self.game, hex=self.hex) if u.id in self.names]
        return [u for u in there if self.role(u.owner) == role and (not classes or u.cls in classes)]

    def players(self, role: Role) -> tuple[str, ...]:
        """Return the owners of a side's blocks at the start, in seat order."""
        here = {name.partition(" ")[0] for name in self.names.values()}
        return tuple(p for p in self.world.seats if p in here and self.role(p) == role)

    def in_order(self, blocks: list[Block]) -> list[str]:
        """4.6.3: Return ids in order of action: players in seat order, each by their `fire_order`."""
        ordered: list[str] = []
        for player in self.world.seats:
            mine = [u.id for u in blocks if u.owner == player]
            ordered += ranked(mine, self.doctrine(player).fire_order)
        return ordered

    def doctrine(self, player: str) -> BattleDoctrine:
        """Return the player's doctrine for this battle."""
        return self.doctrines.get(player, NO_DOCTRINE)

    def situation(self, block: Block) -> Situation:
        """4.6.12: Return the facts for a doctrine's rules when this block acts."""
        role = self.role(block.owner)
        own, enemy = (sum(u.cv for u in self.units(side)) for side in (role, other(role)))
        return Situation(role, self.hex, block.id, block.type, self.round, block.cv, own, enemy)

    def name(self, block: Block) -> str:
        """Return the public name of a block."""
        return self.names[block.id]

    def new_round(self) -> None:
        """4.6.11: Begin a battle round, or the aftermath, which counts as one for hexside limits."""
        self.round += 1
        self.crossed.clear()

    def show(self, slot: int = 0) -> None:
        """Record the public data of the battle in the position."""
        shown = tuple(line for role in ROLES for line in self.lines(role))
        State.of(self.game).battle = Shown(self.hex, self.round, slot, shown)

    def lines(self, role: Role) -> tuple[str, ...]:
        """Return the blocks of a side in the hex as all players see them, in an order that hides ids."""
        return tuple(sorted(self.line(u) for u in self.units(role)))

    def line(self, block: Block) -> str:
        """Return a block as a report lists it: name and CV."""
        return f"{self.names[block.id]} CV {block.cv}"


def other(role: Role) -> Role:
    """Return the opposite role."""
    return "defender" if role == "attacker" else "attacker"


def open_battle(game: Game, attacker: str, hex: str) -> Battle:
    """4.6.2: Turn all blocks in the hex face up, and note where the attackers came from."""
    present = units(game, hex=hex)
    for block in present:
        block.revealed = True
    came = [u for u in present if u.owner == attacker and u.entry_from is not None]
    marched = [str(u.entry_from) for u in came if u.cls == "ground" and u.entry_kind == "march"]
    sailed = [str(u.entry_from) for u in came if u.cls == "naval"]
    names = public_names(present, lambda u: f"{u.owner} {u.type}", lambda u: -u.cv)
    return Battle(game, hex, attacker, names, tuple(sorted({*marched})), tuple(sorted({*sailed})))


async def doctrine_of(game: Game, player: str) -> BattleDoctrine:
    """4.6.12: Return a player's doctrine: from the turn order in their turn, or else standing orders."""
    planned = State.of(game).order_of(player).doctrine or NO_DOCTRINE
    return planned if planned != NO_DOCTRINE else merged(await consult(player, "doctrine"))
