"""A battle while it is fought.

Who is in it, under which public names, and what its owners want (rule 4.6).
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, cast

from pbem.rules import Game, consult, from_json

from ..blocks import Unit, mark, side_units, units, world_of
from ..doctrine import BattleDoctrine, Role, Situation, in_fire_order, merged
from ..world import Class


@dataclass
class Battle:
    """One battle hex. Everything here is worked out anew when a leaf is replayed; only the position is saved.

    `names` maps ids to public names ("red AR a"), `crossed` counts blocks per side and hexside in this
    round's
    retreats (4.6.11), `marched_from` and `sailed_from` are the hexes attackers came from.
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
    def land(self) -> bool:
        """Whether it is fought on land."""
        return not world_of(self.game).is_sea(self.hex)

    @property
    def interactive(self) -> bool:
        """Whether owners are asked what their doctrine leaves open (4.6.12)."""
        return bool(self.game.options["battle_mode"] == "interactive")

    def role(self, owner: str) -> Role:
        """The active player attacks, everything else in the hex defends (4.6.2)."""
        return "attacker" if owner == self.attacker else "defender"

    def units(self, role: Role, *classes: Class) -> list[Unit]:
        """Blocks of a side still in the hex, by id; of some classes only when named."""
        there = [
            u for u in units(self.game, hex=self.hex) if u.id in self.names and self.role(u.owner) == role
        ]
        return [u for u in there if not classes or u.cls in classes]

    def steps(self, role: Role) -> int:
        """The sum of CV of a side in the hex (4.6.12)."""
        return sum(u.cv for u in self.units(role))

    def players(self, role: Role) -> tuple[str, ...]:
        """Owners of a side's blocks at the beginning, in seat order."""
        here = {name.partition(" ")[0] for name in self.names.values()}
        return tuple(p for p in world_of(self.game).seats if p in here and self.role(p) == role)

    def in_order(self, blocks: list[Unit]) -> list[str]:
        """Ids in the order in which they act: players in seat order, each by his `fire_order` (4.6.3)."""
        ordered: list[str] = []
        for player in world_of(self.game).seats:
            ordered += in_fire_order(self.doctrine(player), [u.id for u in blocks if u.owner == player])
        return ordered

    def doctrine(self, player: str) -> BattleDoctrine:
        """What the player has laid down for this battle."""
        return self.doctrines.get(player, BattleDoctrine())

    def situation(self, block: Unit) -> Situation:
        """What the rules of a doctrine may look at when this block's slot comes."""
        role = self.role(block.owner)
        own, enemy = self.steps(role), self.steps(other(role))
        return Situation(role, self.hex, block.id, block.type, self.round, block.cv, own, enemy)

    def name(self, block: Unit) -> str:
        """The public name of a block."""
        return self.names[block.id]

    def new_round(self) -> None:
        """Begin a battle round, or the aftermath, which counts as one for hexside limits (4.6.11)."""
        self.round += 1
        self.crossed.clear()

    def show(self, slot: int | None = None) -> None:
        """Write what everybody sees of the battle into the position."""
        shown = [line for role in ROLES for line in self.lines(role)]
        self.game.tracks["battle"] = {
            "hex": self.hex,
            "round": self.round,
            "slot": slot or 0,
            "blocks": shown,
        }

    def lines(self, role: Role) -> tuple[str, ...]:
        """The blocks of a side in the hex as everybody sees them, by public name.

        Their ids decide nothing here.
        """
        return tuple(sorted(self.line(u) for u in self.units(role)))

    def line(self, block: Unit) -> str:
        """A block as a report lists it: name and CV."""
        return f"{self.names[block.id]} CV {block.cv}"


ROLES: tuple[Role, Role] = ("defender", "attacker")


def other(role: Role) -> Role:
    """The opposite side."""
    return "defender" if role == "attacker" else "attacker"


def public_names(blocks: list[Unit]) -> dict[str, str]:
    """A letter for each block of an owner and type.

    Strongest first, so that letters do not give away old ids.
    """
    names: dict[str, str] = {}
    used: dict[tuple[str, str], int] = {}
    for block in sorted(blocks, key=lambda u: (u.owner, u.type, -u.cv, u.id)):
        number = used.get((block.owner, block.type), 0)
        used[block.owner, block.type] = number + 1
        names[block.id] = f"{block.owner} {block.type} {chr(ord('a') + number)}"
    return names


def open_battle(game: Game, attacker: str, hex: str) -> Battle:
    """Turn all blocks in the hex face up and note where the attackers came from (4.6.2)."""
    present = units(game, hex=hex)
    for block in present:
        mark(game, block.id, revealed=True)
    came = [u for u in present if u.owner == attacker and u.entry_from is not None]
    marched = [str(u.entry_from) for u in came if u.cls == "ground" and u.entry_kind == "march"]
    sailed = [str(u.entry_from) for u in came if u.cls == "naval"]
    return Battle(
        game, hex, attacker, public_names(present), tuple(sorted({*marched})), tuple(sorted({*sailed}))
    )


async def consult_owners(battle: Battle) -> None:
    """Collect the doctrines (4.6.12)."""
    for role in ROLES:
        for player in battle.players(role):
            battle.doctrines[player] = await doctrine_of(battle.game, player)


async def doctrine_of(game: Game, player: str) -> BattleDoctrine:
    """A player's doctrine now: of his turn order while it is carried out, else of his standing orders."""
    plans = cast("dict[str, Any]", game.tracks.get("plan") or {})
    planned = (plans.get(player) or {}).get("doctrine")
    if planned:
        return cast(BattleDoctrine, from_json(BattleDoctrine, planned))
    return merged(await consult(player, "doctrine"))


def contested(game: Game, attacker: str, hex: str) -> bool:
    """Whether the active player and an enemy both have blocks in the hex (4.4.13)."""
    mine = units(game, attacker, hex)
    return bool(mine) and len(side_units(game, attacker, hex)) < len(units(game, hex=hex))
