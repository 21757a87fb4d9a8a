"""Decisions: what rules ask of players. One list of legal options serves template, checker, bot and
validator."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import fields
from typing import TYPE_CHECKING, Any, ClassVar, Generic, Literal, TypeVar, dataclass_transform

from pbem.engine.knowing import Known, known_facts, refuse_shadows
from pbem.engine.points import NOWHERE, Points
from pbem.model.codec import describe, faults_in, to_json
from pbem.model.events import refuse_reserved
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
Secrecy = Literal["open", "together", "sealed", "kept"]
RESERVED = frozenset(
    "kind rule answer secrecy standing_forms subject options check default repair from_standing facts waits"
    " ahead apart known known_facts fields_json fact_fields words warnings explained draft drafts"
    " skips".split()
)
"""Names that no field of a decision may have: its class uses them."""


class NoDefault(PbemError):
    """The rules give no default for this decision: the game waits for an answer."""


@dataclass(frozen=True)
class Option:
    """A legal answer in its JSON form, what it means, and what it points at on the map. `complete` is False
    where more must be added before it may be sent."""

    answer: Json
    text: str
    complete: bool = True
    points: Points = NOWHERE


@dataclass(frozen=True)
class Explained:
    """What the writer of an answer is told of it: everything wrong with it; of a legal one what he should
    think about again, and what it says in words."""

    faults: tuple[Diagnostic, ...] = ()
    doubts: tuple[Diagnostic, ...] = ()
    words: tuple[str, ...] = ()


class Decision(Generic[A]):
    """Base of all decisions. A subclass is a frozen dataclass; its fields are simple types and travel with
    the question.

    `secrecy`: "open" (everybody reads the answer), "together" (committed, opened publicly in its stage),
    "sealed" (committed, only the GM reads it until `unseal`), "kept" (committed now, opened when the rules
    call for it).
    """

    kind: ClassVar[str]
    rule: ClassVar[str]
    answer: ClassVar[Any]
    secrecy: ClassVar[Secrecy] = "open"
    standing_forms: ClassVar[Mapping[str, Any]] = {}
    fact_fields: ClassVar[tuple[str, ...]] = ()
    player: str

    def subject(self) -> tuple[str | int, ...]:
        """What the decision is about, as far as it tells two of one kind apart; part of the key, so
        public. The base: the power it is about, where it has a field of that name."""
        power = getattr(self, "power", None)
        return (power,) if isinstance(power, str) else ()

    def options(self, game: Game) -> Iterator[Option]:
        """Every legal answer, in a stated order, lazily."""
        raise NotImplementedError

    def check(self, game: Game, answer: A) -> list[Diagnostic]:
        """Every reason why this answer is illegal now. The base looks it up among the options."""
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
        """A legal answer in words. The base takes them from the option that it is."""
        wanted = to_json(answer)
        found = (option.text for option in self.options(game) if option.answer == wanted)
        return [next(found, flow(wanted))]

    def warnings(self, game: Game, answer: A) -> list[Diagnostic]:
        """What the owner of a legal answer should think about again (severity "warning")."""
        return []

    def explained(self, game: Game, answer: A) -> Explained:
        """`check`, and of a legal answer `warnings` and `words`, at once."""
        faults = self.check(game, answer)
        if faults:
            return Explained(tuple(faults))
        return Explained((), tuple(self.warnings(game, answer)), tuple(self.words(game, answer)))

    def default(self, game: Game) -> A:
        """What counts when the deadline has passed. Raises NoDefault where the rules give none."""
        raise NoDefault(Message("engine.decisions.no-default", kind=self.kind))

    def settles(self, answer: A) -> bool:
        """Does the answer itself say that what is illegal of it when its turn comes is left out? Then it is
        not refused as a whole, and the rules tell what they leave out. The base: no."""
        return False

    def repair(self, game: Game, answer: A) -> A:
        """What is left of an illegal answer that cannot be asked again (protocol 8.1). The base gives the
        default."""
        return self.default(game)

    def from_standing(self, game: Game, orders: list[Any]) -> A | None:
        """The answer that standing orders of this decision's own form give here, if one of them applies."""
        return None

    def facts(self, game: Game) -> dict[str, str | int | bool]:
        """What `when:` of a standing order may test, by name: the decision's declared facts
        (`engine/knowing.py`)."""
        return {name: one.value(self, game) for name, one in self.known_facts().items()}

    @classmethod
    def apart(cls, answer: A) -> tuple[A | None, Mapping[str, Any]]:
        """In a game that hides nothing: what of an answer is sent as commitments of its own, by the names of
        decisions that are kept (`sealed-drop/A-1P`), and the rest, None where nothing is left to send. The
        base: nothing is."""
        return answer, {}

    @classmethod
    def known_facts(cls) -> dict[str, Known]:
        """The facts that are declared, by name."""
        return known_facts(cls)

    def known(self, game: Game) -> dict[str, str | int | bool]:
        """Everything that `when:` may test: the simple fields of the question, and its facts."""
        simple = {f.name: getattr(self, f.name) for f in fields(self) if f.name != "player"}  # type: ignore[arg-type]
        return {n: v for n, v in simple.items() if isinstance(v, str | int)} | self.facts(game)

    def ahead(self, game: Game) -> Iterable[Decision[Any]]:
        """Questions that the same player may be asked next, as far as they can be told by now: his order file
        offers to answer them ahead. Say only what all may know or he himself."""
        return ()

    def beside(self, game: Game) -> Iterable[Headed]:
        """Return what a player should know to answer. The order file has it beside the question."""
        return ()

    def waits(self, game: Game) -> bool:
        """Does the game stop for the answer? If not, the default is taken at once."""
        return True

    def fields_json(self) -> dict[str, Json]:
        """The fields of the question but the player, as JSON."""
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
    Raises TypeError for a field with a reserved name.
    """

    def made(cls: type[D]) -> type[D]:
        refuse_reserved("decision", cls, RESERVED)
        refuse_shadows(cls)
        made_class = dataclass(frozen=True)(cls)
        made_class.kind, made_class.rule = kind, rule
        made_class.answer, made_class.secrecy, made_class.fact_fields = answer, secrecy, facts
        if standing is not None:
            made_class.standing_forms = dict([standing]) if isinstance(standing, tuple) else dict(standing)
        return made_class

    return made


def secrecy_in(asked: Decision[Any] | type[Decision[Any]], hidden: object) -> Secrecy:
    """How an answer is sent: what is for the GM alone in a game that hides units is open in one that does
    not."""
    return "open" if asked.secrecy == "sealed" and not hidden else asked.secrecy


def shape_faults(asked: Decision[Any], answer: Json) -> list[Diagnostic]:
    """Why this JSON is not an answer of the decision's type (invalid, as against illegal)."""
    return faults_in(asked.answer, answer)
