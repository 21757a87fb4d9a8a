"""`pbem table`: the game in a browser, on the user's own computer."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

import click

from pbem.cli.shell.console import note, result
from pbem.cli.shell.language import Command
from pbem.cli.shell.options import directory_option, here, lang_option
from pbem.text.messages import Message

if TYPE_CHECKING:
    from pbem.cli.web.guard import Guard


@click.command(cls=Command, help="cli.table.help")
@click.argument("where", metavar="[DIR]", required=False, type=click.Path(exists=True, file_okay=False))
@click.option("--port", type=click.IntRange(0, 65535), default=0, help="cli.table.option-port")
@click.option("--no-browser", is_flag=True, help="cli.table.option-no-browser")
@click.option("--practice", metavar="SYSTEM", help="cli.table.option-practice")
@click.option("--seat", metavar="SEAT", help="cli.table.option-seat")
@lang_option
@directory_option
def command(
    where: str | None, port: int, no_browser: bool, practice: str | None, seat: str | None, lang: str
) -> None:
    from pbem.cli.games.memory import Memory, usual
    from pbem.cli.web.catalogue import seats
    from pbem.cli.web.desk import Desk
    from pbem.cli.web.serve import listening
    from pbem.report.language import language

    language(lang)  # refuse an unknown language
    place = Desk(Path(where) if where else here(), Memory(usual()))
    if practice is not None:
        listed = seats().get(practice, [])
        note(Message("cli.table.laying-the-table"))
        place.opened.append(place.practice(practice, seat or (listed[0] if listed else "")))
    for root in place.games().values():
        place.memory.remember(root)
    serve(lambda: listening(place, port, lang), port, no_browser)


def serve(
    begin: Callable[[], tuple[Any, Guard]], port: int, no_browser: bool, hint: Message | None = None
) -> None:
    """Serve a browser until the table is closed; open one unless `--no-browser` is given.

    `said` is what the terminal says below the link.
    """
    from pbem.cli.web.serve import run

    try:
        server, gate = begin()
    except OSError as fault:
        raise click.ClickException(
            Message("cli.table.port-cannot-be-used", port=port, reason=fault.strerror)
        ) from None
    result(gate.link())
    note(hint or Message("cli.table.link-opens-one-browser"))
    with TemporaryDirectory(prefix="pbem-table-") as beside:
        if not no_browser:
            _open(Path(beside), gate.link())
        try:
            run(server)
        except KeyboardInterrupt:
            pass
        finally:
            server.close()


def _open(folder: Path, link: str) -> None:
    """Open a browser at the link by way of a file that its owner alone can read.

    Everybody at this computer can read the command line of a browser.
    """
    import webbrowser

    from pbem.cli.web.guard import onward
    from pbem.text.writing import write_all

    path = folder / "table.html"
    write_all({path: onward(link).encode()}, private=[path])
    webbrowser.open(path.as_uri())
