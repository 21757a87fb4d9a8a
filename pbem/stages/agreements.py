"""Options common to all systems: deadlines, letters, plain replies, pseudonyms.

The roster's scenario name has them beside the system's own options.
"""

from __future__ import annotations

from collections.abc import Iterable

from pbem.stages import deadlines, gunboat, plain_replies, press
from pbem.stages.deadlines import Deadlines
from pbem.stages.option_words import agreed
from pbem.stages.press import Press
from pbem.text.canonical import Json
from pbem.text.dataclass import dataclass
from pbem.trust.roster import Terms

NAMES = (*deadlines.NAMES, *press.NAMES, plain_replies.NAME, gunboat.NAME)


@dataclass(frozen=True)
class Agreement:
    """An agreement of the parties besides the options of the system."""

    deadlines: Deadlines = deadlines.NOTHING
    press: Press = press.USUAL
    plain_replies: bool = False
    gunboat: bool = False

    def data(self) -> dict[str, Json]:
        """Return what differs from no agreement."""
        agreed_to = ((plain_replies.NAME, self.plain_replies), (gunboat.NAME, self.gunboat))
        return self.deadlines.data() | self.press.data() | {name: "yes" for name, yes in agreed_to if yes}


NOTHING = Agreement()
"""Nothing was agreed."""


def split(words: Iterable[str]) -> tuple[list[str], list[str]]:
    """Return options written `name=value`: those of the system, and those common to all."""
    listed = list(words)
    ours = [word for word in listed if word.partition("=")[0] in NAMES]
    return [word for word in listed if word not in ours], ours


def parse(words: Iterable[str]) -> Agreement:
    """Return the agreement in `name=value` words.

    Raises Refused with all faults of deadlines, then of the rest.
    """
    listed = list(words)
    return Agreement(
        deadlines.parse(listed),
        press.parse(listed),
        agreed(listed, plain_replies.NAME),
        agreed(listed, gunboat.NAME),
    )


def of(terms: Terms) -> Agreement:
    """Return the agreement of a game."""
    return parse(terms.scenario.name.split(" ")[1:])
