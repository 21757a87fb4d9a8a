"""`pbem completion`: the script that completes commands and options in a shell."""

from __future__ import annotations

import click

from pbem.cli.shell.console import result
from pbem.cli.shell.language import Command

HOW = {
    "bash": 'add to ~/.bashrc:  eval "$(pbem completion bash)"',
    "zsh": 'add to ~/.zshrc:  eval "$(pbem completion zsh)"',
    "powershell": "add to $PROFILE:  pbem completion powershell | Out-String | Invoke-Expression",
    "fish": "save as ~/.config/fish/completions/pbem.fish",
}


@click.command(cls=Command, help="cli.completion.help")
@click.argument("shell", type=click.Choice(list(HOW)))
def command(shell: str) -> None:
    from click.shell_completion import get_completion_class

    from pbem.cli.main import cli
    from pbem.cli.shell import powershell  # importing it registers it with click

    shell_class = get_completion_class(shell) or powershell.PowerShell
    complete = shell_class(cli, {}, "pbem", "_PBEM_COMPLETE")
    result(complete.source_template % complete.source_vars())
