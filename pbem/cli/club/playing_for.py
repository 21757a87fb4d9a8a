"""The seat of a late player whose keys the GM holds: the computer plays, or the GM is asked to.

The game agreed on it by option `no_show`. What the computer decides is an order like any other, signed with
that player's key, so that no result depends on which computer player is installed (decision 49).
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from pbem.text.diagnostics import PbemError, Refused
from pbem.text.messages import Message

if TYPE_CHECKING:
    from pbem.archive import Folder


def play_for_late(folder: Folder, late: Sequence[str]) -> tuple[list[str], list[str]]:
    """Play for these players as far as the game agreed on it, and return what was done and what to ask."""
    from pbem.cli.post.proxied import held
    from pbem.stages import deadlines

    agreed = deadlines.of(folder.need_roster().terms).no_show
    lent = [party for party in late if agreed is not None and party in held(folder)]
    if agreed == "deputy":
        return [], [Message("cli.club.play-for", party=party) for party in lent]
    played: list[str] = []
    asks: list[str] = []
    for party in lent:
        try:
            play(folder, party)
            played.append(party)
        except (PbemError, AssertionError) as fault:  # a dead end of a computer player stops nothing
            why = fault.diagnostics[0].message if isinstance(fault, Refused) else str(fault)
            asks.append(Message("cli.club.the-computer-cannot-play", party=party, why=why))
    did: list[str] = []
    if played:
        did.append(Message("cli.club.the-computer-played", parties=tuple(played)))
    return did, asks


def play(folder: Folder, party: str) -> None:
    """Answer the open questions of a player whose keys the GM holds as the computer would, and sign."""
    from pbem.archive import order_file, sign_orders
    from pbem.bot.answers import clever
    from pbem.cli.post.plain_replies import checked_answers, signer_of
    from pbem.cli.post.proxied import acting_for

    with acting_for(folder, party) as other:
        game, stage = other.need_roster().game, other.progress.open_stage
        answers: dict[str, Any] = {}
        for question in order_file.questions(other):
            view = other.view()
            view.game.asked = question.key
            decision = view.system.decision(question.kind, question.party, question.fields)
            answers[question.key] = clever(
                view.game, decision, random.Random(f"{game}/{stage}/{question.key}")
            )
        checked = checked_answers(other, answers)
        if not checked.ok:
            raise Refused([fault for fault in checked.diagnostics if fault.severity == "error"])
        sign_orders(other, checked, signer_of(other))
