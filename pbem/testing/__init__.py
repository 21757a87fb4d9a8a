"""What authors of rules systems test with: the runner of example files and the conformance suite.

    from pbem.testing import examples, run          # worked examples, without pytest

    # a test file of yours, with pytest: every example, and all that every system must keep
    from my_system import SYSTEM
    from pbem.testing.conformance import *
    SYSTEMS = [SYSTEM]

`docs/adding-a-rules-system.md` tells how example files are written; `schemas/examples.schema.json` is their
schema. The order of options is kept in `snapshots/` beside the test: `python -m pbem.testing` writes it.
"""

from pbem.testing.examples import examples, resolved
from pbem.testing.runner import prepare, run, view_facts

__all__ = ["examples", "prepare", "resolved", "run", "view_facts"]
