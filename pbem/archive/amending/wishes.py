"""The way from a wanted change to the ops of an amendment (protocol 4.4)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from pbem.archive.folder.parts import Readable
from pbem.engine.powers import TRACK, seats_at_start
from pbem.stages import scenario_terms
from pbem.text.canonical import Json, NotCanonical
from pbem.text.diagnostics import Diagnostic, Refused
from pbem.text.messages import Message
from pbem.trust import joining
from pbem.trust.armour import Signed
from pbem.trust.errors import TrustError
from pbem.trust.roster import Party

_OF_THE_GAME = ("dice", "absent")


def option_op(folder: Readable, setting: str) -> dict[str, Json]:
    """Return the op for `name=value`; Refused if the rules do not know the option or the value."""
    name, equals, text = setting.partition("=")
    if not equals:
        raise Refused(Diagnostic("bad-option", Message("archive.amending.bad-option", setting=setting)))
    if name in _OF_THE_GAME:
        return {"op": "option", "name": name, "value": text}
    words = folder.terms.scenario.name.split(" ")[1:]
    others = [word for word in words if word.partition("=")[0] != name]
    values = scenario_terms.parse_options(folder.system, [*others, setting])
    return {"op": "option", "name": name, "value": values.get(name, text)}


def _entries(folder: Readable, arrived: Iterable[Signed]) -> Iterator[tuple[Party, bytes]]:
    """Yield the entries with a good signature among these statements, each with its bytes."""
    for signed in arrived:
        for armour in signed.signatures:
            try:
                yield joining.accept_join(signed.data, armour, folder.signed_roster().terms), signed.data
            except (TrustError, NotCanonical):
                continue


def takeover_op(folder: Readable, signed: Iterable[Signed]) -> dict[str, Json]:
    """Return the op for a takeover's entry; Refused if there is none among these statements."""
    for party, data in _entries(folder, signed):
        entry = {key: value for key, value in party.entry().items() if key not in ("id", "proxy")}
        secret = joining.secret_of(data)
        more: dict[str, Json] = {"secret": secret} if secret is not None else {}
        return {"op": "party", "party": party.id, **entry, **more}
    message = Message("archive.amending.no-entry")
    raise Refused(
        Diagnostic(
            "no-entry", message, help=(Message("archive.amending.he-writes-it-with-pbem-join-archive"),)
        )
    )


def deputy_op(folder: Readable, signed: Iterable[Signed]) -> dict[str, Json]:
    """Return the op that names a deputy by their entry; Refused if there is none among these statements."""
    for party, _ in _entries(folder, signed):
        if party.role == "deputy":
            entry = {key: value for key, value in party.entry().items() if key != "id"}
            return {"op": "deputy", "party": party.id, **entry}
    help_ = (Message("archive.amending.he-writes-it-with-pbem-join-deputy"),)
    raise Refused(Diagnostic("no-entry", Message("archive.amending.no-deputys-entry"), help=help_))


def power_change(folder: Readable, power: str, seat: str) -> dict[str, Json]:
    """Return the change by which a power gets another seat; Refused if that is impossible."""
    game = folder.view().game
    if power not in seats_at_start(game.scenario):
        known = ", ".join(seats_at_start(game.scenario)) or Message(
            "archive.amending.none-everybody-plays-for-himself"
        )
        raise Refused(
            Diagnostic("unknown-power", Message("archive.amending.unknown-power", power=power, known=known))
        )
    if seat not in game.players:
        raise Refused(
            Diagnostic(
                "unknown-seat", Message("archive.amending.no-seat", seat=seat, players=tuple(game.players))
            )
        )
    if game.seat(power) == seat:
        raise Refused(Diagnostic("same-seat", Message("archive.amending.same-seat", power=power, seat=seat)))
    return {"track": f"{TRACK}/{power}", "value": seat}
