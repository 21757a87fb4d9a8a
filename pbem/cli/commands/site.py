"""`pbem site`: a folder of static files in which the table runs in a browser."""

from __future__ import annotations

from pathlib import Path

import click

from pbem.cli.shell.console import note, result
from pbem.cli.shell.language import Command
from pbem.text.messages import Message


@click.command(cls=Command, help="cli.site.help")
@click.argument("folder", metavar="DIR", type=click.Path(file_okay=False, path_type=Path))
@click.option(
    "--from",
    "source",
    metavar="DIR",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    help="cli.site.option-from",
)
@click.option("--serve", is_flag=True, help="cli.site.option-serve")
@click.option("--port", type=click.IntRange(0, 65535), default=0, help="cli.site.option-port")
@click.option("--no-bytecode", is_flag=True, help="cli.site.option-no-bytecode")
def command(folder: Path, source: Path | None, serve: bool, port: int, no_bytecode: bool) -> None:
    from pbem.cli.site.build import build, put, told
    from pbem.cli.site.compiling import node

    program = None if no_bytecode else node()
    if program is None and not no_bytecode:
        note(Message("cli.site.no-node"))
    note(Message("cli.site.writing"))
    built = build(source, program)
    put(built, folder)
    for line in told(built):
        result(line)
    if serve:
        _serve(folder, port)


def _serve(folder: Path, port: int) -> None:
    from pbem.cli.site.serving import listening

    try:
        server = listening(folder, port)
    except OSError as fault:
        raise click.ClickException(
            Message("cli.table.port-cannot-be-used", port=port, reason=fault.strerror)
        ) from None
    result(Message("cli.site.at", address=f"http://127.0.0.1:{server.server_port}/"))
    try:
        server.serve_forever()
    except KeyboardInterrupt:
        pass
    finally:
        server.server_close()
