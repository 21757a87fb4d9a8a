"""The runner of example files and the conformance suite, for authors of rules systems.

    from pbem.testing import examples, run          # worked examples, without pytest

    # a test file of yours, with pytest: every example, and the duties of every system
    from my_system import SYSTEM
    from pbem.testing.conformance import *
    SYSTEMS = [SYSTEM]

`docs/adding-a-rules-system.md` describes example files; `schemas/examples.schema.json` is their schema. The
suite compares the order of options with `snapshots/` beside the test, which `python -m pbem.testing` writes.
"""

from pbem.testing.examples import examples, resolved
from pbem.testing.runner import prepare, run, view_facts

__all__ = ["examples", "prepare", "resolved", "run", "view_facts"]
