"""Write `docs/api/verify.md` and `schemas/verify.schema.json` from the codes of `verify`:
`python -m tests.tools.make_verdicts`.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from pbem.archive.verifying.verdicts import verdicts

ROOT = Path(__file__).parents[2]
PAGE, SCHEMA = ROOT / "docs/api/verify.md", ROOT / "schemas/verify.schema.json"
HEAD = """# Codes of `pbem verify`

Made by `python -m tests.tools.make_verdicts`. [Auditing](../auditing.md) explains the classes. "Protocol" is
the section of the protocol.

"""
CLASSES = ("proved", "consistent", "claimed", "false")


def table() -> str:
    """Return the codes as a table, those that make an archive false first."""
    rows = []
    for code, entry in verdicts().items():
        kinds = [kind for kind in CLASSES if kind in entry]
        weights = ", ".join(f"{kind}: {entry[kind]}" for kind in kinds)
        rows.append(
            ("false" not in entry, f"| `{code}` | {weights} | {entry['means']} | {entry['protocol']} |")
        )
    rows.sort(key=lambda row: row[0])
    head = ["| code | class: severity | means | protocol |", "|---|---|---|---|"]
    return "\n".join([*head, *(text for _, text in rows)])


def page() -> str:
    """Return the page of codes."""
    return f"{HEAD}{table()}\n"


def schema() -> str:
    """Return the schema of `pbem verify --json`."""
    text = {"type": "string"}
    stage: dict[str, Any] = {"type": ["integer", "null"], "minimum": 0}
    finding = {
        "type": "object",
        "additionalProperties": False,
        "required": ["class", "code", "severity", "stage", "party", "text"],
        "properties": {
            "class": {"enum": list(CLASSES)},
            "code": {"description": "stays the same between versions", "enum": sorted(verdicts())},
            "severity": {"enum": ["error", "warning", "note"]},
            "stage": stage,
            "party": {"type": ["string", "null"]},
            "text": {"description": "for people, in English; it may change", **text},
            "id": {"description": "the sentence in the catalogues `pbem/words`", **text},
            "fields": {"description": "what fills its gaps", "type": "object"},
        },
    }
    made = {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": "https://pbem.invalid/schemas/verify.schema.json",
        "title": "What `pbem verify --json` prints",
        "type": "object",
        "additionalProperties": False,
        "required": ["ok", "game", "stage", "head", "first_bad", "findings"],
        "properties": {
            "ok": {"description": "nothing is false", "type": "boolean"},
            "game": {"description": "the game id, 64 hex digits", "type": ["string", "null"]},
            "stage": {"description": "the last stage that was read, -1 if none", "type": "integer"},
            "head": {
                "description": "the last head, to be compared with the others",
                "type": ["string", "null"],
            },
            "first_bad": {
                "description": "the first fault: in the earliest stage",
                "type": ["object", "null"],
                "if": {"type": "object"},
                "then": {"$ref": "#/$defs/finding"},
            },
            "findings": {"type": "array", "items": {"$ref": "#/$defs/finding"}},
        },
        "$defs": {"finding": finding},
    }
    return json.dumps(made, indent=2) + "\n"


def main() -> None:
    """Make both fresh."""
    PAGE.write_text(page(), "utf-8", newline="\n")
    SCHEMA.write_text(schema(), "utf-8", newline="\n")


if __name__ == "__main__":
    main()
