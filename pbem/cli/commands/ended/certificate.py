"""`pbem certificate`: the certificate of a finished game, written or checked."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from pbem.cli.shell.console import good, made, note, print_json, progress, result
from pbem.cli.shell.language import Command
from pbem.cli.shell.options import directory_option, json_option, key_option
from pbem.cli.shell.words import safe
from pbem.text.messages import Message

if TYPE_CHECKING:
    from pbem.cli.league.certificate import Checked
    from pbem.trust.roster import Party

FILE = click.Path(dir_okay=False, path_type=Path)
_LIMIT = 25 << 20


@click.command(cls=Command, help="cli.certificate.help")
@click.argument("file", metavar="FILE", type=FILE)
@click.option("--check", is_flag=True, help="cli.certificate.option-check")
@key_option
@json_option
@directory_option
def command(file: Path, check: bool, key_file: str | None, as_json: bool) -> None:
    if check:
        _check(file, as_json)
    else:
        _issue(file, key_file)


def _issue(file: Path, key_file: str | None) -> None:
    from pbem.cli.league.certificate import issue
    from pbem.cli.league.results import judge
    from pbem.cli.shell.keys import folder_key
    from pbem.cli.shell.options import open_folder
    from pbem.text.diagnostics import Diagnostic, Refused
    from pbem.text.writing import write_all

    folder = open_folder()
    party = folder.need_me()
    signer = folder_key(folder, key_file)
    with progress(Message("cli.verify.verifying")):
        result = judge(folder.root)
    if not result.counts:
        raise Refused(Diagnostic("no-certificate", Message("cli.certificate.no-result", why=result.why)))
    text = issue(folder.root, result, party, signer)
    write_all({file: text.encode()})
    made({"file": str(file), "game": result.game, "head": result.head}, [str(file)])
    note(Message("cli.certificate.anyone-can-check", file=file))


def _check(file: Path, as_json: bool) -> None:
    from pbem.cli.league.certificate import check
    from pbem.trust.sshsig import fingerprint

    with file.open("rb") as source:
        checked = check(source.read(_LIMIT).decode("utf-8", "replace"))
    claims, by_id = checked.claims, checked.roster.by_id
    if as_json:
        data = {
            name: claims[name] for name in ("game", "head", "stage", "title", "system", "scenario", "result")
        }
        keys = {entry.id: fingerprint(entry.sign) for entry in checked.roster.parties}
        print_json(
            {
                **data,
                "seats": claims["seats"],
                "keys": keys,
                "issuer": checked.issuer,
                "reporter": checked.reporter,
                "changed": list(changed(checked)),
                "charge": checked.charge.stage if checked.charge else None,
            }
        )
        return
    result(good(Message("cli.certificate.holds", title=safe(claims["title"]))))
    result(Message("cli.certificate.roster-holds", count=len(checked.signed.parties)))
    for party in checked.signed.parties:
        _party(party)
    if new := changed(checked):
        result(Message("cli.certificate.amended"))
        for id_ in new:
            _party(checked.roster.by_id[id_])
    result(
        Message("cli.certificate.report-holds", who=safe(by_id[checked.reporter].name), stage=claims["stage"])
    )
    if checked.charge is not None and checked.charge.sender == checked.reporter:
        result(Message("cli.certificate.on-own-word", stage=checked.charge.stage))
    elif checked.charge is not None:
        result(Message("cli.certificate.on-charge", stage=checked.charge.stage))
    result(Message("cli.certificate.head", stage=claims["stage"], head=claims["head"]))
    result(Message("cli.certificate.claimed", who=safe(by_id[checked.issuer].name)))
    first = [
        f"{safe(claim['name'])} ({safe(claim['id'])})" for claim in claims["seats"] if claim.get("first")
    ]
    result(Message("cli.certificate.first", names=tuple(first)), before="  ")
    for line in claims["result"]:
        result(safe(str(line), 400), before="  ")


def _party(party: Party) -> None:
    from pbem.trust.sshsig import fingerprint

    name, key = safe(party.name), fingerprint(party.sign)
    result(Message("cli.certificate.party", id=party.id, name=name, key=key), before="  ")


def changed(checked: Checked) -> list[str]:
    """Return the parties whose name or key an amendment changed or brought."""
    first = {party.id: (party.name, party.sign) for party in checked.signed.parties}
    return [party.id for party in checked.roster.parties if first.get(party.id) != (party.name, party.sign)]
