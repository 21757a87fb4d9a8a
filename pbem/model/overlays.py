"""Areas of the map that a rules system works out from what a player may see: supply, zones of control."""

from __future__ import annotations

from pbem.text.dataclass import dataclass


@dataclass(frozen=True)
class Overlay:
    """Locations (by id) that share something: `layer` is `supply`, `zoc` or a name of the system's own.

    Two layers are drawn in another way: `lifeline`, a line through its locations in order (who is supplied
    from where), shown with `supply`; and `unsupplied`, which has no locations but counters (by id): those of
    the owner that are out of supply, as the rules count them; each gets a sign.

    Two more say what the war is about. `front` has hexsides (`0804/0905`) in place of locations: where
    enemies face each other. A system whose holders of hexes say that has `front: control` in its look.
    `objective` has places that the owner needs for victory, anybody if it is empty; `worth` is what each of
    them counts.

    `owner` is the player whose supply or zone it is, empty for nobody's. `words` name the area for a reader.
    """

    layer: str
    owner: str
    hexes: tuple[str, ...]
    words: str = ""
    counters: tuple[str, ...] = ()
    worth: int = 0
