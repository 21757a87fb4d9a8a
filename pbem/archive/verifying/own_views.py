"""A folder's own sealed views, checked by its records (protocol 11.2, protocol-letters 3)."""

from __future__ import annotations

from pbem.archive.folder import layout
from pbem.archive.folder.private_side import Private
from pbem.archive.verifying.read_archive import Archive
from pbem.text import narrow
from pbem.text.canonical import Json
from pbem.text.messages import Message
from pbem.trust import groups, readers
from pbem.trust.errors import BadView
from pbem.trust.keys import seal_public
from pbem.trust.readers import ForReaders
from pbem.trust.seal import VIEW_KIND, unpack_view, unseal


def is_mine(archive: Archive, own: Private, stage: int) -> bool:
    """Return True if a stage's view was sealed to this folder's key.

    A former player of the seat has another view, and a dropped player gets none.
    """
    assert own.me is not None
    roster = archive.roster_of(stage)
    entry = roster.by_id[own.me.party]
    return entry.id not in roster.dropped and entry.seal == seal_public(own.seal_key)


def lost_view(archive: Archive, me: str, stage: int) -> bool:
    """Return True if the reader's view that the report names is missing, which is no fault (17.26)."""
    report = archive.reports.get(stage)
    named = report is not None and me in report.report.views
    return named and layout.read(archive.root, layout.view_name(stage, me), layout.BLOB_LIMIT) is None


def own_view(archive: Archive, own: Private, stage: int) -> tuple[groups.Fact, ...]:
    """Return the facts of the owner's sealed view of a stage.

    Raises BadSeal, BadView or Refused if it is damaged or does not match.
    """
    roster, me = archive.roster, own.me
    position = archive.behind(stage).position
    assert me is not None
    return groups.check_view(
        opened_view(archive, own, stage),
        party=me.party,
        listed=archive.record(position).data["groups"],
        game=roster.game_id,
        stage=position,
        everybody=roster.everybody,
    )


def own_apart(archive: Archive, own: Private, stage: int) -> tuple[ForReaders, ...]:
    """Return the answers for named readers in the owner's view of a stage. Raises as `own_view` does."""
    assert own.me is not None
    record, shown = archive.record(stage), narrow.mapping(opened_view(archive, own, stage))
    return readers.check_view(
        shown.get("readers", []), own.me.party, record.readers, archive.roster.game_id, stage
    )


def opened_view(archive: Archive, own: Private, stage: int) -> Json:
    """Return the owner's view of a stage as it was sealed; BadSeal, BadView or Refused if there is none."""
    roster, me = archive.roster, own.me
    assert me is not None
    blob = layout.read(archive.root, layout.view_name(stage, me.party), layout.BLOB_LIMIT)
    if blob is None:
        raise BadView(Message("archive.verifying.not-here"))
    by = archive.sealed_by(stage, me.party) or roster.terms.arbiter or ""
    args = (roster.game_id, stage, VIEW_KIND, by, me.party)
    return unpack_view(unseal(blob, own.seal_key, *args))
