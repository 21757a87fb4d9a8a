"""Decisions: the questions that rules ask of players.

One list of legal options serves template, checker, bot and validator.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import fields
from typing import TYPE_CHECKING, Any, ClassVar, Generic, Literal, TypeVar, dataclass_transform

from pbem.engine.knowing import Known, known_facts, refuse_shadows
from pbem.engine.points import NOWHERE, Points
from pbem.model.codec import describe, faults_in, to_json
from pbem.model.events import Event, refuse_reserved
from pbem.model.headed import Headed
from pbem.text.canonical import Json
from pbem.text.dataclass import dataclass
from pbem.text.diagnostics import Diagnostic, PbemError
from pbem.text.flow import flow
from pbem.text.messages import Message

if TYPE_CHECKING:
    from pbem.engine.game import Game

A = TypeVar("A")
D = TypeVar("D", bound="Decision[Any]")
Secrecy = Literal["open", "together", "sealed", "kept", "readers"]
RESERVED = frozenset(
    "kind rule answer secrecy standing_forms subject options check default repair from_standing facts waits"
    " ahead apart known known_facts fields_json fact_fields words warnings explained draft drafts"
    " skips readers tells".split()
)
"""Names that no field of a decision may have: its class uses them."""

RESERVED_KINDS = frozenset(("orders", "report", "scenario"))
"""Kinds that no decision may have: other schemas of a system go by these names (`engine/schemas.py`)."""


class NoDefault(PbemError):
    """The rules give no default for this decision: the game waits for an answer."""


@dataclass(frozen=True)
class Option:
    """A legal answer in its JSON form, its meaning, and the places on the map that it names.

    `complete` is False where more must be added before it may be sent.
    """

    answer: Json
    text: str
    complete: bool = True
    points: Points = NOWHERE


@dataclass(frozen=True)
class Explained:
    """The comments on an answer for its writer.

    They are everything wrong with it, or for a legal answer its warnings and its words.
    """

    faults: tuple[Diagnostic, ...] = ()
    doubts: tuple[Diagnostic, ...] = ()
    words: tuple[str, ...] = ()


class Decision(Generic[A]):
    """Base of all decisions.

    A subclass is a frozen dataclass; its fields are simple types and travel with the question.

    `secrecy`: "open" (everybody reads the answer), "together" (committed, opened publicly in its stage),
    "sealed" (committed, only the GM reads it until `unseal`), "kept" (committed now, opened when the rules
    call for it), "readers" (a text that rides with an order: only its author, the GM and the readers it names
    see it, and the rules never do).
    """

    kind: ClassVar[str]
    rule: ClassVar[str]
    answer: ClassVar[Any]
    secrecy: ClassVar[Secrecy] = "open"
    standing_forms: ClassVar[Mapping[str, Any]] = {}
    fact_fields: ClassVar[tuple[str, ...]] = ()
    player: str

    def subject(self) -> tuple[str | int, ...]:
        """Return the subject, which tells decisions of one kind apart and is part of the public key.

        The base returns the power that the decision is about, if it has a field of that name.
        """
        power = getattr(self, "power", None)
        return (power,) if isinstance(power, str) else ()

    def options(self, game: Game) -> Iterator[Option]:
        """Yield every legal answer, in a stated order, lazily."""
        raise NotImplementedError

    def check(self, game: Game, answer: A) -> list[Diagnostic]:
        """Return every reason why this answer is illegal now.

        The base looks it up among the options.
        """
        wanted = to_json(answer)
        options = list(self.options(game))
        if any(option.answer == wanted for option in options):
            return []
        listed = "; ".join(option.text for option in options[:8])
        legal = Message("engine.decisions.legal-now", listed=listed, more=len(options) > 8)
        help_ = (legal,) if options else ()
        message = Message("engine.decisions.illegal-answer", wanted=describe(wanted))
        return [Diagnostic("illegal-answer", message, family="illegal", rule=self.rule, help=help_)]

    def words(self, game: Game, answer: A) -> list[str]:
        """Return a legal answer in words.

        The base takes them from the matching option.
        """
        wanted = to_json(answer)
        texts = (option.text for option in self.options(game) if option.answer == wanted)
        return [next(texts, flow(wanted))]

    def warnings(self, game: Game, answer: A) -> list[Diagnostic]:
        """Return the warnings about a legal answer for its owner (severity "warning")."""
        return []

    def explained(self, game: Game, answer: A, *, speaks: bool = True) -> Explained:
        """Return `check` and, for a legal answer, `warnings` and, if it `speaks`, `words` at once."""
        faults = self.check(game, answer)
        if faults:
            return Explained(tuple(faults))
        words = self.words(game, answer) if speaks else ()
        return Explained((), tuple(self.warnings(game, answer)), tuple(words))

    def default(self, game: Game) -> A:
        """Return the answer that counts when the deadline has passed.

        Raises NoDefault where the rules give none.
        """
        raise NoDefault(Message("engine.decisions.no-default", kind=self.kind))

    def settles(self, answer: A) -> bool:
        """Return True if illegal parts of the answer are left out when their turn comes.

        Such an answer is not rejected as a whole, and the rules report what they leave out. The base: False.
        """
        return False

    def readers(self, answer: A) -> Collection[str]:
        """Return the players whom an answer for named readers names, besides its author and the GM."""
        raise NotImplementedError

    def tells(self, answer: A) -> Iterable[Event]:
        """Return what the readers of an answer are told; it follows from the answer alone."""
        return ()

    def repair(self, game: Game, answer: A) -> A:
        """Return the remainder of an illegal answer that cannot be asked again (protocol 8.1).

        The base gives the default.
        """
        return self.default(game)

    def from_standing(self, game: Game, orders: list[Any]) -> A | None:
        """Return the answer from standing orders of this decision's own form, or None if none applies."""
        return None

    def facts(self, game: Game) -> dict[str, str | int | bool]:
        """Return the declared facts that `when:` of a standing order may test, by name
        (`engine/knowing.py`)."""
        return {name: fact.value(self, game) for name, fact in self.known_facts().items()}

    @classmethod
    def apart(cls, answer: A) -> tuple[A | None, Mapping[str, Any]]:
        """Return the rest of an answer and the parts that are sent as commitments of their own.

        This is for games that hide nothing. The parts are keyed by the names of kept decisions
        (`sealed-drop/A-1P`); the rest is None if nothing is left to send. The base splits off nothing.
        """
        return answer, {}

    @classmethod
    def known_facts(cls) -> dict[str, Known]:
        """Return the declared facts, by name."""
        return known_facts(cls)

    def known(self, game: Game) -> dict[str, str | int | bool]:
        """Return everything that `when:` may test: the simple fields of the question, and its facts."""
        simple = {f.name: getattr(self, f.name) for f in fields(self) if f.name != "player"}  # type: ignore[arg-type]
        return {n: v for n, v in simple.items() if isinstance(v, str | int)} | self.facts(game)

    def ahead(self, game: Game) -> Iterable[Decision[Any]]:
        """Return the questions that the same player may be asked next, as far as can be known now.

        The order file offers to answer them in advance. Use only what is public or known to the player.
        """
        return ()

    def beside(self, game: Game) -> Iterable[Headed]:
        """Return what a player should know to answer. The order file has it beside the question."""
        return ()

    def waits(self, game: Game) -> bool:
        """Return True if the game stops for the answer.

        If not, the default is taken at once.
        """
        return True

    def fields_json(self) -> dict[str, Json]:
        """Return the fields of the question except the player, as JSON."""
        return {f.name: to_json(getattr(self, f.name)) for f in fields(self) if f.name != "player"}  # type: ignore[arg-type]


@dataclass_transform(frozen_default=True)
def decision(
    kind: str,
    *,
    rule: str,
    answer: Any,
    secrecy: Secrecy = "open",
    standing: tuple[str, Any] | Mapping[str, Any] | None = None,
    facts: tuple[str, ...] = (),
) -> Callable[[type[D]], type[D]]:
    """Make a class a decision: a frozen dataclass with kind, rule number, answer type and secrecy.

    `standing` names the decision's own form of standing order and its type, or several forms with theirs.
    `facts` are the fields that `when:` of a standing order may test; methods under `@fact` are others.
    Raises TypeError for a reserved kind, and for a field with a reserved name. A decision for named readers
    is never asked, so it has no fields but `player`.
    """
    if kind in RESERVED_KINDS:
        raise TypeError(Message("engine.decisions.reserved-kind", kind=kind))
    if kind == "plain" or kind.split("/")[0] == "letter":
        raise TypeError(Message("engine.decisions.kind-of-protocol", kind=kind))

    def made(cls: type[D]) -> type[D]:
        refuse_reserved("decision", cls, RESERVED)
        refuse_shadows(cls)
        made_class = dataclass(frozen=True)(cls)
        if secrecy == "readers" and [field.name for field in fields(made_class)] != ["player"]:  # type: ignore[arg-type]
            raise TypeError(Message("engine.decisions.readers-without-fields", kind=kind))
        made_class.kind, made_class.rule = kind, rule
        made_class.answer, made_class.secrecy, made_class.fact_fields = answer, secrecy, facts
        if standing is not None:
            made_class.standing_forms = dict([standing]) if isinstance(standing, tuple) else dict(standing)
        return made_class

    return made


def secrecy_in(asked: Decision[Any] | type[Decision[Any]], hidden: object) -> Secrecy:
    """Return how an answer is sent.

    An answer that only the GM may read in a game with hidden units is open in other games.
    """
    return "open" if asked.secrecy == "sealed" and not hidden else asked.secrecy


def shape_faults(asked: Decision[Any], answer: Json) -> list[Diagnostic]:
    """Return why this JSON is not an answer of the decision's type (invalid, as opposed to illegal)."""
    return faults_in(asked.answer, answer)
