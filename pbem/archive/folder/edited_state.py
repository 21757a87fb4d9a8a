"""Whether somebody edited `state.yaml` since pbem wrote it: only a ruling may change the position."""

from __future__ import annotations

from pathlib import Path

from pbem.archive.folder import layout, private_side
from pbem.text.diagnostics import Diagnostic, Refused


def check_unedited(root: Path) -> None:
    """Refused, with the difference, if `state.yaml` is not what pbem wrote."""
    copy = layout.read(root, private_side.STATE_COPY, layout.DERIVED_LIMIT)
    found = layout.read(root, layout.STATE, layout.DERIVED_LIMIT)
    if copy is None or layout.as_written(copy) == layout.as_written(found or b""):
        return
    import difflib

    before, after = ((text or b"").decode("utf-8", "replace").splitlines() for text in (copy, found))
    diff = list(difflib.unified_diff(before, after, "as pbem wrote it", layout.STATE, lineterm="", n=0))
    shown = [line if len(line) < 160 else line[:157] + "..." for line in diff[2:22]]
    message = f"{layout.STATE} was edited by hand since pbem wrote it; only a ruling may change it"
    help_ = (f"put it back with: cp {private_side.STATE_COPY} {layout.STATE}",)
    raise Refused(Diagnostic("edited-state", message, notes=tuple(shown), help=help_))
