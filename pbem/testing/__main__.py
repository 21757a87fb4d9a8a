"""`python -m pbem.testing SYSTEM... FOLDER`: write down in which order the options of systems come.

A system is named as it is installed, or by its package and name there: `my_package:SYSTEM`.
"""

from __future__ import annotations

import sys
from pathlib import Path

from pbem.testing.listing import file_of, snapshot, system_of


def main(words: list[str]) -> int:
    """Write the snapshots; return the exit code."""
    if len(words) < 2:
        print(__doc__)
        return 2
    *names, folder = words
    Path(folder).mkdir(parents=True, exist_ok=True)
    for name in names:
        system = system_of(name)
        path = file_of(system, Path(folder))
        path.write_text(snapshot(system), "utf-8", newline="\n")
        print(f"written: {path}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
