"""7: Knowledge of players. Pools, hands and face-down cards are known to their owner."""

from __future__ import annotations

from collections.abc import Iterator

from pbem.board.position import Fields
from pbem.kit.decks import decks_seen, decks_told
from pbem.kit.hidden import Hidden, Seen, Told
from pbem.rules import Game, to_json

from .pieces import T
from .printed import NOBODY


def known_to_all(fields: Fields) -> bool:
    """Return True if all know a counter. One in a pool is secret until it was seen once."""
    return fields.get("spot") != "pool" or bool(fields.get("seen")) or fields["owner"] == NOBODY


def told(game: Game, hidden: bool) -> Iterator[Told]:
    """Yield the number of counters in each pool, and what is known of decks."""
    pools: dict[str, int] = {}
    for fields in game.position.counters.values():
        if fields.get("spot") == "pool":
            pools[str(fields["owner"])] = pools.get(str(fields["owner"]), 0) + 1
    for owner, count in sorted(pools.items()):
        yield Told("pool", owner, count)
    if hidden:
        yield from decks_told(T.of(game).decks)


def fill(seen: Seen) -> None:
    """Fill in the decks as far as players know them."""
    if "decks" not in seen.tracks:
        seen.tracks["decks"] = to_json(decks_seen(seen.known))


HIDDEN = Hidden(
    public=(
        "turn csv marker csv_modifier war_state weather countries postures drm current last_type played"
        " sealed boxes due_steps added_steps truces removed attacked results lost acting begun selections"
        " happened card_open result"
    ).split(),
    own=("pending",),
    told=told,
    instead=("decks",),
    fill=fill,
    seen=known_to_all,
)
