"""What the tests of sample games have in common."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from pbem.archive.verifying.verification import Verification
from pbem.archive.verifying.verify import verify
from pbem.engine.system import find


def verified(sample: Path) -> Verification:
    """The archive verified with the rules that are installed, as if they were the very ones it pins.

    A change of words in the rules' package changes its hash; what must stay the same are the results.
    """
    module = json.loads((sample / "roster.json").read_bytes())["module"]
    system = find(module["name"])
    before = {name: getattr(system, name) for name in ("file_hashes", "digest")}
    locked: Any = json.loads((sample / "module.lock").read_bytes())
    system.__dict__.update(file_hashes=locked, digest=module["sha256"])
    try:
        return verify(sample)
    finally:
        system.__dict__.update(before)


def events(sample: Path) -> list[dict[str, Any]]:
    """All public events of a game, in order."""
    names = sorted(path for path in (sample / "stages").glob("*/events.json"))
    return [event for path in names for event in json.loads(path.read_bytes())]
