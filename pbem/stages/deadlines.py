"""Deadlines that the parties agreed on: answer days, and the cost of overdue answers.

Product 6, protocol 14.

They are options common to all systems and stand in the roster's scenario name beside the system's own. No
clock is read here: that a deadline has passed is somebody's word, and only what may follow is checked.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal

from pbem.stages.option_words import given
from pbem.text.canonical import Json
from pbem.text.dataclass import dataclass
from pbem.text.diagnostics import Diagnostic, Refused
from pbem.text.messages import Message
from pbem.trust.roster import Terms

NAMES = ("answer_days", "grace_days", "overdue", "deputy_days", "no_show")
PLAYS = ("computer", "deputy")
"""Players for a late player whose keys the GM holds: the computer by itself, or the GM by hand."""
MOST_DAYS = 366


@dataclass(frozen=True)
class Deadlines:
    """The agreed deadlines.

    They are days to answer after a report (0: no deadline), days of grace before anybody may be forfeited,
    and the fate of decisions still open then: the game waits, or they get their defaults. `overdue` None:
    nothing was agreed; then they get defaults if `absent` is skip, and in dice `locked`, which needs
    everybody's link anyway. `deputy_days`: after how many days of the GM's silence a deputy may take over (0:
    never; protocol-letters 5). `no_show`: who then plays for a player whose keys the GM holds (decision 49).
    """

    answer_days: int = 0
    grace_days: int = 0
    overdue: Literal["wait", "default"] | None = None
    deputy_days: int = 0
    no_show: Literal["computer", "deputy"] | None = None

    def data(self) -> dict[str, Json]:
        """Return the agreed terms as data, without those at their default."""
        said: dict[str, Json] = {
            "answer_days": self.answer_days or None,
            "grace_days": self.grace_days or None,
            "overdue": self.overdue,
            "deputy_days": self.deputy_days or None,
            "no_show": self.no_show,
        }
        return {name: value for name, value in said.items() if value is not None}


NOTHING = Deadlines()
"""Nothing was agreed."""


def parse(words: Iterable[str]) -> Deadlines:
    """Return the deadlines among `name=value` words.

    Raises Refused with all faults.
    """
    values, faults = given(words, NAMES)
    for name, value in values.items():
        days = value.isascii() and value.isdigit() and len(value) <= 3 and int(value) <= MOST_DAYS
        if name == "overdue" and value not in ("wait", "default"):
            faults.append(
                Diagnostic("bad-option", Message("stages.deadlines.wanted-wait-or-default", value=value))
            )
        elif name == "no_show" and value not in PLAYS:
            message = Message("stages.deadlines.wanted-computer-or-deputy", value=value)
            faults.append(Diagnostic("bad-option", message))
        elif name not in ("overdue", "no_show") and (not days or (name == "deputy_days" and int(value) == 0)):
            message = Message(
                "stages.deadlines.wanted-number-of-days", name=name, value=value, most_days=MOST_DAYS
            )
            faults.append(Diagnostic("bad-option", message))
    if faults:
        raise Refused(faults)
    overdue: Literal["wait", "default"] | None = None
    if "overdue" in values:
        overdue = "default" if values["overdue"] == "default" else "wait"
    no_show: Literal["computer", "deputy"] | None = None
    if "no_show" in values:
        no_show = "computer" if values["no_show"] == "computer" else "deputy"
    answer, grace, deputy = (int(values.get(name, 0)) for name in (*NAMES[:2], NAMES[3]))
    return Deadlines(answer, grace, overdue, deputy, no_show)


def of(terms: Terms) -> Deadlines:
    """Return the deadlines of a game."""
    return parse(terms.scenario.name.split(" ")[1:])


def forfeit_fault(terms: Terms, party: str, *, has_order: bool, fresh: bool) -> str | None:
    """Return why a party asked in a stage may not be in `forfeits`, or None.

    `has_order`: an order of the party is accepted, so only what it leaves unanswered matters. `fresh`: the
    stage is the first with dice on a new anchor, where everybody's link is needed (4.4, rule 2).
    """
    agreed = of(terms).overdue
    if not has_order and terms.dice != "locked":
        if terms.absent != "skip":
            return Message("stages.deadlines.stage-went-on-where-game-must-wait", party=party)
        if fresh:
            return Message("stages.deadlines.stage-went-on-where-nobody-may-be-skipped", party=party)
        return None
    if terms.dice == "pair":
        return Message("stages.deadlines.nobody-can-say-that-party-is-late", party=party)
    usual = "default" if terms.absent == "skip" or terms.dice == "locked" else "wait"
    if (agreed or usual) == "wait":
        return Message("stages.deadlines.party-forfeits-where-game-must-wait", party=party)
    return None
