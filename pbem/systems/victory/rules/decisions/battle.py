"""Questions of interactive battles that doctrine leaves open (D-7 to D-9; 4.6.4, 4.6.7, 4.6.11).

The answers are public, so blocks have their public names here. The question contains the legal answers.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from pbem.kit.faults import illegal
from pbem.rules import (
    Decision,
    Diagnostic,
    Game,
    HexNumber,
    Message,
    Option,
    Points,
    dataclass,
    decision,
    fact,
    to_json,
)

from ..doctrine import BattleDoctrine, Target

Why = Literal["retreat", "withdrawal", "rebase"]
CLASSES = {"A": "Air", "N": "Naval", "G": "Ground"}


@dataclass(frozen=True)
class Action:
    """A block's action: fire at a class, retreat to a hex, or hold (only if there is nothing to fire at)."""

    do: Literal["fire", "retreat", "hold"] = "fire"
    target: Target | None = None
    to: HexNumber | None = None


@decision(
    "unit-action", rule="4.6.4", answer=Action, standing=("doctrine", BattleDoctrine), facts=("hex", "round")
)
class UnitAction(Decision[Action]):
    """Does the block fire, and at what, or does it retreat, and where to?

    `targets` and `retreats` are the legal answers, the default first. `barred`: why it may not retreat.
    """

    player: str
    hex: HexNumber
    round: int
    slot: int
    block: str
    unit: str
    targets: tuple[Target, ...]
    retreats: tuple[HexNumber, ...]
    barred: str = ""

    def subject(self) -> tuple[str | int, ...]:
        return (self.hex, self.round, self.slot, self.block.replace(" ", "-"))

    def options(self, game: Game) -> Iterator[Option]:
        for target in self.targets:
            yield Option(
                to_json(Action("fire", target)), Message("victory.battle.fire", classes=CLASSES[target])
            )
        if not self.targets:
            yield Option(to_json(Action("hold")), Message("victory.battle.hold-nothing-to-fire"))
        for to in self.retreats:
            points = Points((self.unit,), end=to, kind="move")
            yield Option(
                to_json(Action("retreat", to=to)), Message("victory.battle.retreat", to=to), points=points
            )

    def check(self, game: Game, answer: Action) -> list[Diagnostic]:
        if answer.do == "retreat":
            return self._check_retreat(answer)
        if answer.do == "hold" and not self.targets:
            return []
        if answer.do == "fire" and (
            answer.target in self.targets or (answer.target is None and self.targets)
        ):
            return []
        given = CLASSES[answer.target] if answer.target else answer.do
        wanted = " or ".join(CLASSES[t] for t in self.targets) or Message("victory.battle.hold-has-no-target")
        message = Message("victory.battle.cannot-answer", block=self.block, found=given, wanted=wanted)
        return [illegal("E-BAT-01", "4.6.5", message, "target")]

    def _check_retreat(self, answer: Action) -> list[Diagnostic]:
        if answer.to in self.retreats or (answer.to is None and self.retreats):
            return []
        if self.retreats:
            reason: str = Message(
                "victory.battle.cannot-go",
                block=self.block,
                to=answer.to,
                retreats=" or ".join(self.retreats),
            )
        else:
            reason = self.barred or Message("victory.battle.no-legal-hex", block=self.block)
        message = Message("victory.battle.retreat-not-possible", reason=reason)
        return [illegal("E-BAT-02", "4.6.11", message, "to")]

    def default(self, game: Game) -> Action:
        return Action("fire", self.targets[0]) if self.targets else Action("hold")

    @fact("type")
    def type_of_block(self, game: Game) -> str:
        return self.block.split(" ")[1]


@decision("loss-choice", rule="4.6.7", answer=str)
class LossChoice(Decision[str]):
    """Which of your blocks takes the hit? The default is first."""

    player: str
    hex: HexNumber
    round: int
    target: Target
    blocks: tuple[str, ...]

    def subject(self) -> tuple[str | int, ...]:
        return (self.hex, self.round, self.target)

    def options(self, game: Game) -> Iterator[Option]:
        for block in self.blocks:
            yield Option(block, Message("victory.battle.loses-step", block=block))

    def default(self, game: Game) -> str:
        return self.blocks[0]


@decision("destination", rule="4.6.11", answer=HexNumber)
class Destination(Decision[str]):
    """Where does the block go? `why`: the reason. `places`: the legal hexes, the default first."""

    player: str
    hex: HexNumber
    round: int
    block: str
    unit: str
    why: Why
    places: tuple[HexNumber, ...]

    def subject(self) -> tuple[str | int, ...]:
        return (self.hex, self.round, self.block.replace(" ", "-"))

    def options(self, game: Game) -> Iterator[Option]:
        for place in self.places:
            yield Option(
                place,
                Message("victory.battle.go", why=self.why, hex=place),
                points=Points((self.unit,), end=place, kind="move"),
            )

    def check(self, game: Game, answer: str) -> list[Diagnostic]:
        if answer in self.places:
            return []
        wanted = " or ".join(self.places)
        message = Message(
            "victory.battle.retreat-not-possible-to", block=self.block, to=answer, wanted=wanted
        )
        return [illegal("E-BAT-02", "4.6.11", message)]

    def default(self, game: Game) -> str:
        return self.places[0]
