"""Stacks whose owner alone knows them: the position split into facts, and a player's view made again of his.

    HIDDEN = Hidden(
        shown={"blocks": lambda stack: len(stack)},                  # what everybody sees of a stack
        stand_ins=lambda place, owner, shown: unknown_blocks(...),   # what stands for it in a view
        public="turn vp control".split(),                            # tracks that everybody knows
        own=("plan", "pool"),                                        # {owner: what he alone knows}
    )
    SYSTEM = System(..., facts_hook=HIDDEN.facts, view_hook=HIDDEN.view)

An owner is a player, or a power: then who runs it now knows what is the power's.

Facts: `counter/<id>` for the owner and his friends, `<section>/<location>/<owner>` for everybody,
`track/<name>` for everybody or `track/<name>/<owner>` for the owner alone. A track that is named nowhere is
the GM's alone, so that a new one is hidden until somebody says otherwise. In a game without hidden units
everything is public.

Rule of thumb: what everybody sees of a stack is a function of the stack; if it needs anything else, that is
a leak waiting to happen. Ids of stand-ins are made of location and owner, never of the counters behind them.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import field

from pbem.board.position import Fields, Position
from pbem.engine.game import Game
from pbem.model.facts import GM_ONLY, PUBLIC, Audience, Fact, audience_of
from pbem.text.canonical import Json
from pbem.text.dataclass import dataclass

Stack = Mapping[str, Fields]  # counters of one owner in one location, by id
Shown = Callable[[Stack], Json]
StandIns = Callable[[str, str, Mapping[str, Json]], Iterable[tuple[str, Fields]]]
OwnerOf = Callable[[Game, str], str | None]
TRACK = "track"


def nobody(fields: Fields) -> bool:
    """No counter is seen by everybody."""
    return False


def _seat(game: Game, owner: str) -> str:
    """The player who knows what an owner knows: himself, or who runs the power."""
    return game.seat(owner) if owner in game.powers else owner


@dataclass(frozen=True)
class Hidden:
    """How a position is split. `facts` and `view` are the hooks of a system.

    `shown` has, by the section of the key, what everybody sees of a stack (None: nothing); `stand_ins` gives
    id and fields of the counters that stand for it in a view, from location, owner and what is shown of it.
    Counters for which `seen` holds are known to everybody and are in no stack. `owned_by` finds the owner of
    an entry of a track whose keys are no owners (leaders, say); such a track is split by owner.
    """

    shown: Mapping[str, Shown]
    stand_ins: StandIns
    public: Collection[str]
    own: Collection[str] = ()
    owned_by: Mapping[str, OwnerOf] = field(default_factory=dict)
    owner: str = "owner"
    section: str = "counter"
    seen: Callable[[Fields], bool] = nobody

    def facts(self, game: Game) -> Iterator[Fact]:
        """The position as facts with their audiences."""
        hidden = bool(game.system.hidden)
        circles: dict[str, Audience] = {}
        stacks: dict[tuple[str, str], dict[str, Fields]] = {}
        for id, fields in sorted(game.position.counters.items()):
            owner, seen = str(fields[self.owner]), self.seen(fields)
            if owner not in circles:
                circles[owner] = audience_of(*game.friends(_seat(game, owner))) if hidden else PUBLIC
            yield Fact(f"{self.section}/{id}", dict(fields), PUBLIC if seen else circles[owner])
            place = game.position.hex(id)
            if place is not None and not seen:
                stacks.setdefault((place, owner), {})[id] = fields
        if hidden:
            for (place, owner), stack in sorted(stacks.items()):
                for section, look in self.shown.items():
                    if (value := look(stack)) is not None:
                        yield Fact(f"{section}/{place}/{owner}", value, PUBLIC)
        yield from self._tracks(game, hidden)

    def _tracks(self, game: Game, hidden: bool) -> Iterator[Fact]:
        for name, value in sorted(game.tracks.items()):
            if not hidden:
                yield Fact(f"{TRACK}/{name}", value, PUBLIC)
            elif name in self.own or name in self.owned_by:
                for owner, part in sorted(self._parts(game, name, value).items()):
                    yield Fact(f"{TRACK}/{name}/{owner}", part, audience_of(_seat(game, owner)))
            else:
                yield Fact(f"{TRACK}/{name}", value, PUBLIC if name in self.public else GM_ONLY)

    def _parts(self, game: Game, name: str, value: Mapping[str, Json]) -> Mapping[str, Json]:
        if name in self.own:
            return value
        parts: dict[str, dict[str, Json]] = {}
        for key, entry in sorted(value.items()):
            if (owner := self.owned_by[name](game, key)) is not None:
                parts.setdefault(owner, {})[key] = entry
        return dict(parts)

    def view(self, known: Mapping[str, Json], player: str, world: object) -> Position:
        """The position as far as these facts tell it; stacks that are not known have their stand-ins.

        Of whose counters one is known (but for those that everybody sees), all are known.
        """
        counters: dict[str, Fields] = {}
        shown: dict[tuple[str, str], dict[str, Json]] = {}
        tracks: dict[str, Json] = {name: {} for name in (*self.own, *self.owned_by)}
        known_owners: set[Json] = set()
        for key, value in sorted(known.items()):
            section, *rest = key.split("/")
            if section == self.section and isinstance(value, dict):
                counters["/".join(rest)] = value
                if not self.seen(value):
                    known_owners.add(str(value[self.owner]))
            elif section in self.shown:
                shown.setdefault((rest[0], rest[1]), {})[section] = value
            elif section == TRACK and len(rest) == 1:
                tracks[rest[0]] = value
            elif section == TRACK:
                self._take_in(tracks, rest[0], rest[1], value)
        for (place, owner), stack in sorted(shown.items()):
            if owner not in known_owners:
                for id, fields in self.stand_ins(place, owner, stack):
                    counters[id] = {self.owner: owner, "hex": place, **fields}
        return Position(counters, tracks)

    def _take_in(self, tracks: dict[str, Json], name: str, owner: str, value: Json) -> None:
        parts = tracks.setdefault(name, {})
        assert isinstance(parts, dict), f"track {name} is both whole and split"
        if name in self.owned_by and isinstance(value, dict):
            parts.update(value)
        else:
            parts[owner] = value
