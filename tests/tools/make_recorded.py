"""Writes anew what the rules make of the worked examples (`tests/golden/recorded.py`).

    python -m tests.tools.make_recorded [SYSTEM ...]

Read `git diff --stat` afterwards: lines of examples that your change is not about should be as they were.
"""

from __future__ import annotations

import sys

from pbem.engine.system import find, installed
from pbem.testing.examples import examples
from tests.golden.recorded import digests, lines, named, run, write
from tests.golden.wanderer import told_of


def main() -> None:
    for name in sys.argv[1:] or sorted(installed()):
        system = find(name)
        listed = {str(example["example"]): example for _, example in examples(system)}
        recorded = {}
        for title, example in listed.items():
            faults, told = run(system, example)
            if faults:
                raise SystemExit(f"{title} fails: {faults[0]}")
            if told:
                recorded[title] = digests(told)
        write("recorded", name, recorded)
        for kind in ("wandered", "wandered-more"):
            wandered = {}
            for title in lines(kind, name):
                way, example_title = title.split(" ", 1)
                if way == "declared" or example_title in listed:
                    example = listed.get(example_title, {})
                    wandered[title] = digests(named(told_of(system, example, way)))
            write(kind, name, wandered)


if __name__ == "__main__":
    main()
