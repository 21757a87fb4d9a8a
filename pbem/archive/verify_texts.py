"""The part of `verify` that is for readers: `report.txt` says what follows from the game (protocol 12.3)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, cast

from pbem.archive import layout
from pbem.archive.publishing import report_texts
from pbem.archive.running import Run, Setting
from pbem.archive.views import roster_facts
from pbem.text.diagnostics import Refused

if TYPE_CHECKING:
    from pbem.archive.foreign import Archive


def check_report(archive: Archive, setting: Setting, run: Run) -> None:
    """Compare the public report of a stage with one made anew, in the words of the archive's renderers.

    Only where the rules are the pinned ones, whose digest it names. Another engine may have written it in
    other words: then it is for the reader to compare.
    """
    notes, pinned, here = archive.notes, setting.roster.terms.module, setting.system
    if archive.renderers is None or pinned.sha256 != here.digest:
        return
    stage = cast(int, run.record["stage"])
    name = f"{layout.stage_name(stage)}/report.txt"
    try:
        found = layout.read(archive.root, name, layout.DERIVED_LIMIT)
    except Refused as refused:
        notes.false("odd-file", refused.diagnostics[0].message, stage)
        return
    if found is None:
        return
    by = cast(Mapping[str, str], archive.reports[stage].body.get("next", {})).get("by")
    facts = roster_facts(run.facts, setting.audience)
    renderers = archive.renderers(setting.roster)
    made_alike = False
    for render in (*renderers, None):  # programs without a renderer write a bare list
        texts = report_texts(setting, run.record, run.events, facts, run.asked, by, render, ())
        if texts[None].encode() == layout.as_written(found):
            return
        mark = _layout(texts[None])
        made_alike |= mark != "" and mark == _layout(found.decode("utf-8", "replace"))
    text = f"{name} is not the report that follows from the game"
    if pinned.version == here.version and made_alike:
        notes.false("derived", text, stage)
    else:
        notes.claimed("derived", f"{text}, or was written by another version", stage)


def _layout(text: str) -> str:
    """The number under which a report was laid out; empty for one that names none."""
    found = [line.split() for line in text.splitlines() if line.split()[:1] == ["layout"]]
    return " ".join(found[-1]) if found else ""
