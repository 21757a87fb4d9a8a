"""Effects and predicates named in data: typed verbs for event cards and political tables.

    WORDS = Vocabulary()

    @effect(WORDS, "force_pool_add", rule="5.14")
    class ForcePoolAdd(Effect):
        "Counters come into a force pool."
        faction: Name
        counters: tuple[Name, ...]

        async def run(self, game: Game) -> None: ...
        def faults(self, world: Any) -> Iterator[Diagnostic]: ...      # names that the scenario
        lacks

    @predicate(WORDS, "controls", rule="5.14")
    class Controls(Predicate):
        faction: Name
        hex: LocationId

        def holds(self, game: Game) -> bool: ...

In data an effect is `force_pool_add: {faction: axis, counters: [N-PZC]}`, one without arguments also a bare
word; a predicate is written the same way, and `all: [..]`, `any: [..]`, `not: {..}` are there always. Read
them once, when the world is made: every fault is found before the game begins, with its path.

Rule of thumb: a verb does one thing and says so by an event; what several verbs share is a function of the
rules. What a verb may not do (change nothing because it came too late) is an event too, not an error.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import fields
from typing import Any, ClassVar, TypeVar, dataclass_transform

from pbem.engine.game import Game
from pbem.kit.faults import bad_data, under
from pbem.model.codec import describe, from_json, to_json
from pbem.text.canonical import Json
from pbem.text.dataclass import dataclass
from pbem.text.diagnostics import DataPath, Diagnostic, Refused
from pbem.text.messages import Message

E = TypeVar("E", bound="Effect")
P = TypeVar("P", bound="Predicate")


class _Verb:
    """The common base of effects and predicates: a name, a rule, arguments."""

    verb: ClassVar[str] = ""
    rule: ClassVar[str] = ""

    def faults(self, world: Any) -> Iterable[Diagnostic]:
        """Return faults of the arguments in this world; paths lead into the arguments."""
        return ()

    def as_json(self) -> Json:
        """Return the verb as in the data."""
        given = {
            field.name.rstrip("_"): to_json(getattr(self, field.name))
            for field in fields(self)  # type: ignore[arg-type]
        }
        return {self.verb: given}

    def said(self, sentences: Mapping[str, str]) -> str:
        """Return the words by the sentence of its verb (`"{counters} join the pool of {faction}"`).

        Without a sentence: verb and arguments.
        """
        given = {field.name: _words(getattr(self, field.name)) for field in fields(self)}  # type: ignore[arg-type]
        if self.verb in sentences:
            return sentences[self.verb].format(**given)
        listed = ", ".join(f"{name} {value}" for name, value in given.items() if value)
        return self.verb.replace("_", " ") + (f": {listed}" if listed else "")


class Effect(_Verb):
    """An effect, which changes the game."""

    async def run(self, game: Game) -> None:
        """Carry out the effect, and emit its event."""
        raise NotImplementedError(self.verb)


class Predicate(_Verb):
    """A predicate, which asks about the game."""

    def holds(self, game: Game) -> bool:
        """Return True if the predicate holds now."""
        raise NotImplementedError(self.verb)


@dataclass(frozen=True)
class All(Predicate):
    """A predicate that holds if all of these hold."""

    members: tuple[Predicate, ...]
    verb = "all"

    def holds(self, game: Game) -> bool:
        return all(member.holds(game) for member in self.members)

    def as_json(self) -> Json:
        return {self.verb: [member.as_json() for member in self.members]}

    def said(self, sentences: Mapping[str, str]) -> str:
        return " and ".join(member.said(sentences) for member in self.members)


@dataclass(frozen=True)
class AnyOf(Predicate):
    """A predicate that holds if at least one of these holds."""

    members: tuple[Predicate, ...]
    verb = "any"

    def holds(self, game: Game) -> bool:
        return any(member.holds(game) for member in self.members)

    def as_json(self) -> Json:
        return {self.verb: [member.as_json() for member in self.members]}

    def said(self, sentences: Mapping[str, str]) -> str:
        return " or ".join(member.said(sentences) for member in self.members)


@dataclass(frozen=True)
class Not(Predicate):
    """A predicate that holds if this one does not."""

    member: Predicate
    verb = "not"

    def holds(self, game: Game) -> bool:
        return not self.member.holds(game)

    def as_json(self) -> Json:
        return {self.verb: self.member.as_json()}

    def said(self, sentences: Mapping[str, str]) -> str:
        return f"not {self.member.said(sentences)}"


ALWAYS = All(())
COMBINED = ("all", "any", "not")


class Vocabulary:
    """The verbs and predicates of one system: reads data into them."""

    def __init__(self) -> None:
        self.effects: dict[str, type[Effect]] = {}
        self.predicates: dict[str, type[Predicate]] = {}

    def effects_of(self, data: Json, path: DataPath = (), world: Any = None) -> tuple[Effect, ...]:
        """Return a list of effects.

        Raises `Refused` with every fault in it.
        """
        faults: list[Diagnostic] = []
        effects = self._list(self.effects, data, path, world, faults)
        if faults:
            raise Refused(faults)
        return tuple(verb for verb in effects if isinstance(verb, Effect))

    def predicate_of(self, data: Json, path: DataPath = (), world: Any = None) -> Predicate:
        """Return a predicate; nothing (null) always holds.

        Raises `Refused` with every fault in it.
        """
        faults: list[Diagnostic] = []
        predicate = ALWAYS if data is None else self._predicate(data, path, world, faults)
        if faults or predicate is None:
            raise Refused(faults)
        return predicate

    def _list(
        self,
        known: Mapping[str, type[_Verb]],
        data: Json,
        path: DataPath,
        world: Any,
        faults: list[Diagnostic],
    ) -> list[_Verb]:
        if not isinstance(data, list):
            faults.append(bad_data("wrong-type", Message("kit.effects.list", data=describe(data)), *path))
            return []
        effects = [self._one(known, item, (*path, n), world, faults) for n, item in enumerate(data)]
        return [verb for verb in effects if verb is not None]

    def _predicate(
        self, data: Json, path: DataPath, world: Any, faults: list[Diagnostic]
    ) -> Predicate | None:
        verb = next(iter(data)) if isinstance(data, dict) and len(data) == 1 else None
        if not isinstance(data, dict) or verb not in COMBINED:
            built = self._one(self.predicates, data, path, world, faults, COMBINED)
            return built if isinstance(built, Predicate) else None
        inner, at = data[verb], (*path, verb)
        if verb == "not":
            member = self._predicate(inner, at, world, faults)
            return None if member is None else Not(member)
        if not isinstance(inner, list):
            faults.append(bad_data("wrong-type", Message("kit.effects.list", data=describe(inner)), *at))
            return None
        read = [self._predicate(item, (*at, n), world, faults) for n, item in enumerate(inner)]
        members = tuple(member for member in read if member is not None)
        return All(members) if verb == "all" else AnyOf(members)

    def _one(
        self,
        known: Mapping[str, type[_Verb]],
        data: Json,
        path: DataPath,
        world: Any,
        faults: list[Diagnostic],
        more: tuple[str, ...] = (),
    ) -> _Verb | None:
        if isinstance(data, str):
            data = {data: {}}
        if not isinstance(data, dict) or len(data) != 1:
            faults.append(
                bad_data("wrong-type", Message("kit.effects.one-verb-arguments", data=describe(data)), *path)
            )
            return None
        ((verb, given),) = data.items()
        if verb not in known:
            names = (*known, *more)
            message = Message("kit.effects.unknown-verb", verb=verb, names=tuple(names))
            faults.append(bad_data("unknown-verb", message, *path, verb, name=verb, names=names))
            return None
        try:
            read = from_json(known[verb], given)
        except Refused as refused:
            faults += under(refused.diagnostics, *path, verb)
            return None
        assert isinstance(read, _Verb)
        if world is not None:
            faults += under(read.faults(world), *path, verb)
        return read


@dataclass_transform(frozen_default=True)
def effect(vocabulary: Vocabulary, verb: str, *, rule: str) -> Callable[[type[E]], type[E]]:
    """Make a class a verb of a vocabulary: a frozen dataclass whose fields are its arguments."""

    def made(cls: type[E]) -> type[E]:
        assert verb not in vocabulary.effects, f"{verb} is there already"
        kind = dataclass(frozen=True)(cls)
        kind.verb, kind.rule = verb, rule
        vocabulary.effects[verb] = kind
        return kind

    return made


@dataclass_transform(frozen_default=True)
def predicate(vocabulary: Vocabulary, verb: str, *, rule: str) -> Callable[[type[P]], type[P]]:
    """Make a class a predicate of a vocabulary: a frozen dataclass whose fields are its arguments."""

    def made(cls: type[P]) -> type[P]:
        assert verb not in vocabulary.predicates and verb not in COMBINED, f"{verb} is there already"
        kind = dataclass(frozen=True)(cls)
        kind.verb, kind.rule = verb, rule
        vocabulary.predicates[verb] = kind
        return kind

    return made


def _words(value: object) -> str:
    if isinstance(value, tuple):
        return ", ".join(_words(item) for item in value)
    return "" if value is None else str(value)
