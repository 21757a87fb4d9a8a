"""`pbem amend`: change a game that goes on, with the signatures that each change needs."""

from __future__ import annotations

import click

from pbem.cli._lazy import LazyGroup

COMMANDS = {
    "Commands": {
        "list": "what is proposed, in words, and who must still sign",
        "sign": "sign what somebody else proposed, after reading it",
        "key": "a new signing key of your own, a new name or address",
        "chain": "a new chain for the dice: the old one is lost or used up",
        "takeover": "somebody else plays a side, or its player lost his keys",
        "drop": "a player is out of the game",
        "power": "a power comes under another seat",
        "option": "another value for an option, for dice or absent",
        "module": "play on with the rules as they are installed here",
        "proxy": "the GM holds a player's keys, or no longer",
    }
}


@click.group(cls=LazyGroup, table=COMMANDS, prefix="pbem.cli.amend_")
def command() -> None:
    """Change a game that goes on. Whoever must agree signs the same words; then it counts from the next
    stage on.

    \b
    Example:  pbem amend drop blue
              pbem amend list
              pbem amend sign 9c1f20aa
    """
