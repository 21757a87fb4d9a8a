"""S-5: Units in hexes: enemies, zones of control, hexes open to supply paths (S-1, S-2), sea areas."""

from __future__ import annotations

from functools import cached_property

from pbem.kit.paths import flood
from pbem.rules import Board

from .pieces import T, control
from .world import World, world_of


class Ground:
    """The board as one side sees it at one moment. It does not follow changes."""

    def __init__(self, board: Board, side: str) -> None:
        self.board, self.side = board, side
        self.world: World = world_of(board)
        self.enemies: set[str] = set()
        """Hexes with an enemy land unit."""
        self.ours: set[str] = set()
        """Hexes with a friendly land unit other than support."""
        self.zoc: set[str] = set()
        """Hexes in an enemy zone of control."""
        self.sea_powers: dict[str, set[str]] = {}
        """Powers with a convoy or transport, by sea area."""
        self._sea: dict[str, list[tuple[str, str]]] = {}
        self._read()

    def _read(self) -> None:
        world = self.world
        land, sides = world.units["land"], world.side_of
        carriers = world.units["carriers_of_supply"]
        for fields in self.board.position.counters.values():
            hex, type = fields["hex"], str(fields["type"])
            if hex is None:
                continue
            ours = sides.get(str(fields["owner"])) == self.side
            if type in land:
                if hex in world.area_of:
                    continue
                if not ours:
                    self._enemy(str(hex), type, str(fields.get("printed", "")), bool(fields.get("shattered")))
                elif type not in world.units["support"]:
                    self.ours.add(str(hex))
            elif hex in world.area_of:
                area = world.area_of[str(hex)]
                if ours and type in carriers:
                    self.sea_powers.setdefault(area, set()).add(str(fields["owner"]))
                warship = type in world.units["warships"]
                if warship or (
                    type in world.units["air"] and self._ats(type, str(fields.get("printed", "")))
                ):
                    self._sea.setdefault(area, []).append(
                        (str(fields["owner"]), "ours" if ours else "theirs")
                    )

    def _ats(self, type: str, printed: str) -> int:
        return self.world.print(type, printed).ats

    def _enemy(self, hex: str, type: str, printed: str, shattered: bool) -> None:
        """Add an enemy land unit and its zone of control."""
        self.enemies.add(hex)
        unit = self.world.print(type, printed)
        if shattered or unit.support:
            return
        self.zoc.add(hex)
        if unit.size != "division":
            self.zoc.update(self.world.spread(hex))

    @cached_property
    def usable(self) -> bytearray:
        """S-2: Return for each hex, by its index, 1 if a path may enter it."""
        world, usable = self.world, bytearray(len(self.world.locations))
        held = control(self.board)
        for hex in world.hexes:
            if self._enters(hex, held.of(hex)):
                usable[world.index[hex]] = 1
        return usable

    def _enters(self, hex: str, power: str | None) -> bool:
        """S-2: Return True if a path may enter a hex with this controller."""
        if power is None or not self.world.land(hex) or hex in self.enemies:
            return False
        if hex in self.ours:
            return True
        return self.world.side_of[power] == self.side and hex not in self.zoc

    def stands(self, hex: str, ours: bool) -> bool:
        """Record that a unit came or left. Return True if this opens or closes the hex to paths.

        `ours` is True if a friendly land unit other than support is there now.
        """
        (self.ours.add if ours else self.ours.discard)(hex)
        i, enters = self.world.index[hex], int(self._enters(hex, control(self.board).of(hex)))
        changed = self.usable[i] != enters
        self.usable[i] = enters
        return changed

    def barred(self, area: str) -> bool:
        """S-5: Return True if enemy warships or naval aircraft are there, and none of ours."""
        sides = [whose for _, whose in self._sea.get(area, ())]
        return "theirs" in sides and "ours" not in sides

    def seas(self, power: str) -> dict[str, int]:
        """S-5: Return the sea areas open to a power's paths, each with its connected group."""
        groups = self._seas.get(power)
        if groups is None:
            groups = self._seas[power] = self._groups(power)
        return groups

    @cached_property
    def _seas(self) -> dict[str, dict[str, int]]:
        return {}

    def _groups(self, power: str) -> dict[str, int]:
        world = self.world
        partners = set(world.partners(power))
        open_ = [a for a in world.areas if self.sea_powers.get(a, set()) & partners and not self.barred(a)]
        groups: dict[str, int] = {}
        for n, area in enumerate(open_):
            if area not in groups:
                connected = flood(
                    [area], lambda at: (to for to in world.linked("sea_lane", at) if to in open_)
                )
                groups |= dict.fromkeys(connected, n)
        return groups

    @cached_property
    def ports(self) -> dict[str, bool]:
        """Return the friendly-controlled ports on a coast, with True for damaged ones."""
        world, held, damaged = self.world, control(self.board), set(T.of(self.board).damaged)
        ports = {}
        for hex, site in sorted(world.sites.items()):
            power = held.of(hex)
            if site.port and power is not None and world.side_of[power] == self.side and hex in world.coasts:
                ports[hex] = hex in damaged
        return ports
