"""The certificate of a finished game: one text that a stranger can check without the archive.

It holds the result in words, signed by its issuer, the roster with all its signatures, and the last report
as the GM or the deputy signed it. The result is the issuer's word. Roster and report prove who played, which
game this is, its last head, and its public events. If the roster was changed, `certified` has the rest.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from pbem.cli.league.certified import collected, follow, refused
from pbem.cli.league.results import Result
from pbem.text.dataclass import dataclass
from pbem.text.messages import Message

if TYPE_CHECKING:
    from pathlib import Path

    from pbem.trust.armour import Signed
    from pbem.trust.keys import Signer
    from pbem.trust.roster import Party, Roster
    from pbem.trust.statements import Statement

MARK = "certificate"


@dataclass(frozen=True)
class Checked:
    """A certificate that was checked: its claims, the roster in it, and the one in force at the end.

    `issuer` is the party whose signature is under the result, `reporter` that of the last report. A deputy
    signed it on a `charge`.
    """

    claims: dict[str, Any]
    signed: Roster
    roster: Roster
    issuer: str
    reporter: str
    charge: Statement | None = None


def issue(root: Path, result: Result, party: str, signer: Signer) -> str:
    """Return the certificate of a finished game whose archive was verified."""
    from pbem.archive import Folder
    from pbem.text import canonical
    from pbem.trust import statements
    from pbem.trust.armour import Signed, defused, write

    evidence = list(_evidence(root, result))
    records, more = collected(Folder(root), statements.parse(evidence[1].data))
    claims: dict[str, Any] = {
        "pbem": 1,
        "kind": MARK,
        "game": result.game,
        "head": result.head,
        "stage": result.stage,
        "title": result.title,
        "system": result.system,
        "scenario": result.scenario,
        "by": party,
        "seats": [
            {"id": seat.id, "name": seat.name, "key": seat.key, "first": seat.id in result.best}
            for seat in result.seats
        ],
        "result": list(result.words),
        **({"history": records} if records else {}),
    }
    data = canonical.dumps(claims)
    return write(defused(_readable(result)), [Signed.by(signer, data), *evidence, *more])


def _readable(result: Result) -> str:
    first = [f"{seat.name} ({seat.id})" for seat in result.seats if seat.id in result.best]
    seats = tuple(f"{seat.id}: {seat.name}" for seat in result.seats)
    lines = [
        Message("cli.certificate.title", title=result.title, system=result.system, scenario=result.scenario),
        "",
        Message("cli.certificate.seats", seats=seats),
        Message("cli.certificate.first", names=tuple(first)),
        *result.words,
        "",
        Message("cli.certificate.game", game=result.game),
        Message("cli.certificate.head", stage=result.stage, head=result.head),
        Message("cli.certificate.how-to-check"),
    ]
    return "\n".join(str(line) for line in lines) + "\n"


def _evidence(root: Path, result: Result) -> Iterator[Signed]:
    """Yield the roster with everybody's signature, and the last report."""
    from pbem.trust.armour import Signed
    from pbem.trust.roster import Roster

    data = (root / "roster.json").read_bytes()
    parties = Roster.parse(data).parties
    yield Signed(data, tuple((root / f"roster.{party.id}.sig").read_text("ascii") for party in parties))
    sid = _last_report(root, result)
    file = root / "stages" / f"{result.stage:04}" / sid
    yield Signed(file.with_suffix(".json").read_bytes(), (file.with_suffix(".sig").read_text("ascii"),))


def _last_report(root: Path, result: Result) -> str:
    """Return the sid of the report whose record has the last head: the newest revision."""
    from pbem.trust import statements

    folder = root / "stages" / f"{result.stage:04}"
    reports = [
        report
        for file in sorted(folder.glob("*.json"))
        if len(file.stem) == 64 and (report := statements.parse(file.read_bytes())).type == "report"
    ]
    fitting = [report for report in reports if report.report.record.head == result.head]
    return max(fitting, key=lambda report: report.rev).sid


def check(text: str) -> Checked:
    """Check a certificate; Refused with what does not hold."""
    from pbem.text import canonical
    from pbem.trust import armour, statements
    from pbem.trust.errors import TrustError
    from pbem.trust.roster import Roster

    sound = armour.sound(armour.read(text))
    if len(sound) < 3:
        raise refused(Message("cli.certificate.not-one", count=len(sound)))
    try:
        claims: Any = canonical.loads(sound[0].data)
        roster = Roster.parse(sound[1].data)
        last = statements.parse(sound[2].data)
    except (TrustError, ValueError) as fault:
        raise refused(Message("cli.certificate.unreadable", fault=fault)) from None
    if not _is_shaped(claims):
        raise refused(Message("cli.certificate.unreadable", fault=MARK))
    for party in roster.parties:
        _check_signed(party, sound[1])
    _check_report(claims, roster, last)
    followed = follow(roster, claims.get("history", []), last, sound[3:])
    after = followed.after
    if claims["by"] not in after.by_id:
        raise refused(Message("cli.certificate.strange-issuer", party=claims["by"]))
    _check_signed(after.by_id[claims["by"]], sound[0])
    _check_signed(followed.then.by_id[last.sender], sound[2])
    _check_seats(claims, after)
    return Checked(claims, roster, after, claims["by"], last.sender, followed.charge)


def _is_shaped(claims: Any) -> bool:
    texts = ("game", "head", "title", "system", "scenario", "by")
    return (
        isinstance(claims, dict)
        and claims.get("kind") == MARK
        and all(isinstance(claims.get(name), str) for name in texts)
        and isinstance(claims.get("stage"), int)
        and isinstance(claims.get("result"), list)
        and isinstance(claims.get("seats"), list)
        and isinstance(claims.get("history", []), list)
        and all(
            isinstance(claim, dict)
            and all(isinstance(claim.get(name), str) for name in ("id", "name", "key"))
            for claim in claims["seats"]
        )
    )


def _check_signed(party: Party, part: Signed) -> None:
    """Check that a part is signed with the key that the roster has for a party."""
    from pbem.trust import sshsig

    if party.sign not in {sshsig.decode(signature)[0] for signature in part.signatures}:
        raise refused(Message("cli.certificate.other-key", party=party.id))


def _check_report(claims: dict[str, Any], roster: Roster, last: Statement) -> None:
    """Check that the claims are of this game, and that its last report ends it with this head."""
    from pbem.trust import records

    if last.type != "report" or last.game != roster.game or claims["game"] != roster.game:
        raise refused(Message("cli.certificate.other-game"))
    record = last.report.record
    if (claims["head"], claims["stage"]) != (record.head, record.stage):
        raise refused(Message("cli.certificate.other-head", head=record.head))
    if record.asked:
        raise refused(Message("cli.certificate.goes-on"))
    if records.events_hash(last.report.events).hex() != record.data["events"]:
        raise refused(Message("cli.certificate.other-events"))
    terms = roster.terms
    agreed = (terms.title, terms.module.name, terms.scenario.name.partition(" ")[0])
    if (claims["title"], claims["system"], claims["scenario"]) != agreed:
        raise refused(Message("cli.certificate.other-game"))


def _check_seats(claims: dict[str, Any], roster: Roster) -> None:
    """Check that the seats are those of the roster in force, with their holders and keys."""
    from pbem.trust.sshsig import fingerprint

    held = {
        (party.id, party.name, fingerprint(party.sign)) for party in roster.parties if party.role == "player"
    }
    if (
        len(claims["seats"]) != len(held)
        or {(claim["id"], claim["name"], claim["key"]) for claim in claims["seats"]} != held
    ):
        raise refused(Message("cli.certificate.other-seats"))
