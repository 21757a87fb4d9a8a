"""`pbem amend`: change a game that goes on, with the signatures that each change needs."""

from __future__ import annotations

import click

from pbem.cli._lazy import LazyGroup

COMMANDS = {
    "Commands": {
        "list": "cli.amend.proposed-in-words-must-still",
        "sign": "cli.amend.sign-somebody-else-proposed-after",
        "key": "cli.amend.new-signing-key-own-new",
        "chain": "cli.amend.new-chain-dice-old-one",
        "takeover": "cli.amend.somebody-else-plays-side-player",
        "drop": "cli.amend.player-out-game",
        "power": "cli.amend.power-comes-under-another-seat",
        "option": "cli.amend.another-value-option-dice-absent",
        "module": "cli.amend.play-rules-installed-here",
        "proxy": "cli.amend.gm-holds-player-s-keys",
    }
}


@click.group(cls=LazyGroup, help="cli.amend.help", table=COMMANDS, prefix="pbem.cli.amend_")
def command() -> None:
    """Hold the commands of the group."""
