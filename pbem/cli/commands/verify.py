"""`pbem verify`: the whole archive, from the roster to the last head."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from pbem.cli.shell.console import bad, good, note, print_json, progress, result
from pbem.cli.shell.language import Command
from pbem.cli.shell.options import directory_option, json_option, open_folder
from pbem.cli.shell.words import safe
from pbem.text.messages import Message, as_data

if TYPE_CHECKING:
    from pbem.archive import Finding, Verification

_CLASSES = {
    "proved": "cli.verify.proved",
    "consistent": "cli.verify.consistent-so-far",
    "claimed": "cli.verify.claimed",
    "false": "cli.verify.false",
}


@click.command(cls=Command, help="cli.verify.help")
@click.argument("archive", metavar="[DIR]", required=False, type=click.Path(exists=True, file_okay=False))
@click.option("--game", metavar="ID", help="cli.verify.option-game")
@click.option("--since", metavar="STAGE", help="cli.verify.option-since")
@json_option
@directory_option
@click.pass_context
def command(
    ctx: click.Context, archive: str | None, game: str | None, since: str | None, as_json: bool
) -> None:
    from pbem.archive import verify
    from pbem.cli.games.telling import renderers
    from pbem.cli.games.verified import begun, keep_note, noted, own_side
    from pbem.text.diagnostics import Diagnostic, Refused

    if archive and since:
        raise click.UsageError(Message("cli.verify.since-is-for-your-own-folder"))
    root = Path(archive) if archive else open_folder().root
    if not archive and not begun(root):
        raise Refused(Diagnostic("not-started", Message("cli.verify.not-started")))
    trusted = noted(root, since) if since else None
    with progress(Message("cli.verify.verifying")) as step:
        report = verify(root, game, step, own=own_side(root), renderers=renderers, since=trusted)
    if not archive:
        keep_note(root, report)
    if as_json:
        print_json(_data(report))
    else:
        _print_findings(report)
    ctx.exit(0 if report.ok else 1)


def _print_findings(verified: Verification) -> None:
    for kind, id in _CLASSES.items():
        listed = verified.of(kind)  # type: ignore[arg-type]
        if listed:
            result(bad(Message(id)) if kind == "false" else Message(id))
        for finding in listed:
            where = "" if finding.stage is None else Message("cli.verify.stage", stage=finding.stage)
            result(Message("cli.verify.finding", where=where, text=safe(finding.text, 600)), before="  ")
    worst = verified.first_bad
    if worst is not None:
        where = Message("cli.verify.before-first-stage")
        if worst.stage is not None:
            where = Message("cli.verify.stage", stage=worst.stage)
        party, text = safe(worst.party or ""), safe(worst.text, 600)
        result(bad(Message("cli.verify.not-sound", where=where, who=party, text=text)))
    else:
        result(good(Message("cli.verify.sound-as-far-as-it-goes", stages=verified.stage + 1)))
    if verified.game:
        result(Message("cli.verify.game", game=verified.game))
    if verified.head:
        result(Message("cli.verify.last-head", head=verified.head, stage=verified.stage))
        note(Message("cli.verify.compare-the-last-head"))


def _data(verified: Verification) -> dict[str, Any]:
    return {
        "ok": verified.ok,
        "game": verified.game,
        "stage": verified.stage,
        "head": verified.head,
        "first_bad": _finding(verified.first_bad) if verified.first_bad else None,
        "findings": [_finding(finding) for finding in verified.findings],
    }


def _finding(finding: Finding) -> dict[str, Any]:
    from pbem.archive import severity

    return {
        "class": finding.kind,
        "code": finding.code,
        "severity": severity(finding.kind, finding.code),
        "stage": finding.stage,
        "party": finding.party,
        "text": finding.text,
        **(as_data(finding.text) if isinstance(finding.text, Message) else {}),
    }
