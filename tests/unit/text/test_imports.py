"""Heavy libraries are imported by what needs them and by nothing else: starting must not pay for them."""

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[3]
HEAVY = ("ruamel.yaml", "jsonschema", "referencing", "rich", "cryptography")


def imported(program: str) -> set[str]:
    """Which of the heavy libraries a fresh interpreter has after running the program."""
    program += f"\nimport sys; print(*[name for name in {HEAVY!r} if name in sys.modules])"
    command = [sys.executable, "-c", program]
    done = subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True)
    return set(done.stdout.split())


def test_no_module_of_the_room_imports_them_by_itself() -> None:
    names = sorted(path.stem for path in (ROOT / "pbem" / "text").glob("*.py") if path.stem != "__init__")
    assert "yaml" in names
    assert imported("\n".join(f"import pbem.text.{name}" for name in names)) == set()


def test_reading_json_and_finding_places_in_it_needs_none_of_them() -> None:
    program = "from pbem.text.json_first import read_state_text as read; read('{}', 's').span(('a', 0))"
    assert imported(program) == set()


def test_yaml_needs_the_yaml_library_only() -> None:
    assert imported("from pbem.text.yaml import load\nload('a: 1', 's')") == {"ruamel.yaml"}
