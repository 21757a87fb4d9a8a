"""`pbem new`: begin a game."""

from __future__ import annotations

from pathlib import Path

import click

from pbem.cli.games.first_steps import modes, next_steps
from pbem.cli.games.people import mail_option, name_option, who
from pbem.cli.shell.console import made
from pbem.cli.shell.keys import game_passphrase, playing_key
from pbem.cli.shell.language import Command, writing
from pbem.cli.shell.options import json_option, key_option
from pbem.text.messages import Message


@click.command(cls=Command, help="cli.new.help")
@click.argument("system_and_scenario", metavar="SYSTEM[/SCENARIO]|FOLDER")
@click.argument("directory", metavar="DIR", type=click.Path())
@click.option("--title", help="cli.new.option-title")
@name_option
@mail_option
@click.option("--gm", is_flag=True, help="cli.new.option-gm")
@click.option("--pair", is_flag=True, help="cli.new.option-pair")
@click.option("--as", "seat", metavar="SEAT", help="cli.new.option-as")
@click.option("--dice", type=click.Choice(["swift", "locked", "pair"]), default="swift", show_default=True)
@click.option(
    "--modes",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=lambda ctx, _param, value: modes(ctx) if value else None,
    help="cli.new.option-modes",
)
@click.option(
    "--absent",
    type=click.Choice(["stop", "skip"]),
    default="stop",
    show_default=True,
    help="cli.new.option-absent",
)
@click.option("--option", "options", metavar="NAME=VALUE", multiple=True, help="cli.new.option-option")
@click.option("--site", metavar="URL", default="", help="cli.new.option-site")
@click.option("--program", metavar="URL", default="", help="cli.new.option-program")
@click.option("--encrypt", is_flag=True, help="cli.join.option-encrypt")
@key_option
@json_option
def command(
    system_and_scenario: str,
    directory: str,
    title: str | None,
    name: str,
    mail: str,
    gm: bool,
    pair: bool,
    seat: str | None,
    dice: str,
    absent: str,
    options: tuple[str, ...],
    site: str,
    program: str,
    encrypt: bool,
    key_file: str | None,
    as_json: bool,
) -> None:
    from pbem.archive import Person, new_game
    from pbem.cli.post.mail import keep_language
    from pbem.engine.system import find
    from pbem.stages import agreements, scenario_terms
    from pbem.workshop.folders import is_folder, need_folder

    pair = pair or dice == "pair"
    if gm and pair:
        raise click.UsageError(Message("cli.new.gm-excludes-pair"))
    if seat is not None and not pair:
        raise click.UsageError(Message("cli.new.as-goes-with-pair"))
    if is_folder(Path(system_and_scenario)):
        system, scenario_read = need_folder(Path(system_and_scenario))
        scenario = scenario_read.id
    else:
        system_name, _, scenario = system_and_scenario.partition("/")
        system = find(system_name)
        scenario = scenario or _only(system.scenarios(), system_name)
    chosen = scenario_terms.parse_options(system, list(options))
    root = Path(directory).absolute()
    key = playing_key(key_file)
    name, mail = who(name, mail, key.signer.public)
    words = game_passphrase(encrypt)
    written = new_game(
        root,
        system,
        scenario,
        Person(name, mail, key.signer, key.file, words, writing),
        options=chosen,
        title=title,
        dice="pair" if pair else dice,
        absent=absent,
        seat=seat,
        agreed=agreements.parse(options),
        site=site,
        program=program,
    )
    keep_language(root)
    invitation = next(path for path in written if path.suffix == ".pbem-invitation")
    made({"invitation": str(invitation), "folder": str(root)}, [str(invitation)])
    next_steps(directory, root, "pair" if pair else dice)


def _only(scenarios: list[str], system: str) -> str:
    if len(scenarios) == 1:
        return scenarios[0]
    listed = ", ".join(f"{system}/{name}" for name in scenarios)
    raise click.UsageError(
        Message("cli.new.name-a-scenario", listed=listed or Message("cli.new.none-is-there"))
    )
