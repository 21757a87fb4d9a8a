"""The findings of `verify` about amendments in a record: proved, or somebody's claim (15)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from pbem.archive.verifying.findings import shown
from pbem.stages.amendment_words import op_words
from pbem.stages.amendments import NEW, judge
from pbem.stages.inputs_from_statements import Shelf
from pbem.stages.progress import Progress
from pbem.text.messages import Message
from pbem.trust.records import Record
from pbem.trust.roster import Roster


class Said(NamedTuple):
    """One statement about an amendment; `proved`: by the signatures it needs."""

    code: str
    text: str
    party: str | None
    proved: bool


def changes_by_amendments(progress: Progress, record: Record, shelf: Shelf) -> Iterator[Said]:
    """Yield everything that the amendments of a record changed, which was checked before."""
    for sid in record.amends:
        amendment = shelf.find(progress.open_stage, sid)
        if amendment is None:
            continue
        proposal = judge(progress, amendment, shelf.signatures(progress.open_stage, sid))
        signed = tuple(map(_signer, proposal.signatures))
        for op in proposal.ops:
            party = op.get("party")
            words = shown(op_words(progress, op))[1:-1]
            if op["op"] == "ruling":
                yield Said(
                    "ruling",
                    Message("archive.verifying.that-is-gms-word", what=words),
                    amendment.sender,
                    False,
                )
            elif op["op"] == "party" and party not in proposal.signatures:
                text = Message("archive.verifying.takeover", what=words, signed=signed)
                yield Said("takeover", text, party, False)
            elif op["op"] == "drop":
                text = Message("archive.verifying.dropped", what=words, signed=signed)
                yield Said("dropped", text, party, False)
            else:
                yield Said(
                    "amendment",
                    Message("archive.verifying.amendment-signed-by", what=words, signed=signed),
                    party,
                    True,
                )


def _signer(name: str) -> str:
    if not name.endswith(NEW):
        return name
    return Message("archive.verifying.with-his-new-key", party=name.removesuffix(NEW))


def proxied(signed: Roster, in_force: Roster) -> Iterator[tuple[str, int, int | None]]:
    """Yield parties whose keys the GM held: party, first and last stage.

    The last is None if the GM still does.
    """
    for party in signed.parties:
        entries = [(entry.until, entry.party) for entry in in_force.former if entry.party.id == party.id]
        since = 0
        for until, entry in entries:
            if entry.proxy is not None:
                yield party.id, since, until
            since = until
        if in_force.by_id[party.id].proxy is not None:
            yield party.id, since, None
