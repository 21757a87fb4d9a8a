"""The check that nobody edited `state.yaml`: only a ruling may change the position."""

from __future__ import annotations

from pathlib import Path

from pbem.archive.folder import layout, private_side
from pbem.text.diagnostics import Diagnostic, Refused
from pbem.text.messages import Message


def check_unedited(root: Path) -> None:
    """Check that `state.yaml` is as pbem wrote it; Refused, with the difference, if not."""
    copy = layout.read(root, private_side.STATE_COPY, layout.DERIVED_LIMIT)
    data = layout.read(root, layout.STATE, layout.DERIVED_LIMIT)
    if copy is None or layout.as_written(copy) == layout.as_written(data or b""):
        return
    import difflib

    before, after = ((text or b"").decode("utf-8", "replace").splitlines() for text in (copy, data))
    diff = list(
        difflib.unified_diff(
            before, after, Message("archive.folder.pbem-wrote"), layout.STATE, lineterm="", n=0
        )
    )
    shown = [line if len(line) < 160 else line[:157] + "..." for line in diff[2:22]]
    message = Message("archive.folder.edited-state", state=layout.STATE)
    help_ = (Message("archive.folder.put-it-back-with-cp", copy=private_side.STATE_COPY, state=layout.STATE),)
    raise Refused(Diagnostic("edited-state", message, notes=tuple(shown), help=help_))
