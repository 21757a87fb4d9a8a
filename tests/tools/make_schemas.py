"""Writes the schemas of all installed rules systems into `schemas/`: `python -m tests.tools.make_schemas`.

With `--check` it writes nothing, names what is stale, and ends with 1 if anything is.
"""

from __future__ import annotations

import sys
from pathlib import Path

from pbem.engine import schemas
from pbem.engine.system import find, installed

SCHEMAS = Path(__file__).parents[2] / "schemas"


def wanted() -> dict[str, str]:
    """Return {name: text} of every generated schema."""
    return {
        name: text for system in sorted(installed()) for name, text in schemas.files(find(system)).items()
    }


def stale(folder: Path = SCHEMAS) -> list[str]:
    """Return generated schemas that are missing or old, and files there that nothing makes."""
    made = wanted()
    old = [name for name, text in made.items() if _text(folder / name) != text]
    left = [path.relative_to(folder).as_posix() for path in folder.glob("*/*")]
    return sorted(old + [name for name in left if name not in made])


def write(folder: Path = SCHEMAS) -> list[str]:
    """Make all of them fresh; gives back the names that changed."""
    made, changed = wanted(), stale(folder)
    for name in changed:
        path = folder / name
        if name in made:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(made[name], "utf-8", newline="\n")
        else:
            path.unlink()
    return changed


def _text(path: Path) -> str | None:
    return path.read_text("utf-8") if path.is_file() else None


if __name__ == "__main__":
    only_check = "--check" in sys.argv[1:]
    names = stale() if only_check else write()
    for each in names:
        print(f"{'stale' if only_check else 'written'}: schemas/{each}")
    sys.exit(1 if only_check and names else 0)
