"""Compiles the catalogues of messages when the wheel is built, and refuses to build faulty ones."""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

sys.path.insert(0, str(Path(__file__).parent))

from pbem.text import catalogues
from pbem.text.messages import compiled


class Messages(BuildHookInterface[Any]):
    """Puts the catalogues into the wheel as JSON, those of rooms in place of their YAML files."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Compile every catalogue. An editable install reads the YAML files."""
        if version == "editable":
            return
        root = Path(self.root)
        folder = Path(tempfile.mkdtemp(prefix="pbem-messages"))
        faults = []
        for number, (name, language) in enumerate(catalogues.homes(root / "pbem")):
            faults += catalogues.complaints(name, language)
            made = folder / f"{number}.json"
            made.write_text(catalogues.compiled(name, language), "utf-8")
            build_data["force_include"][str(made)] = compiled(name, language).relative_to(root).as_posix()
        if faults:
            raise ValueError("the catalogues of messages have faults:\n" + "\n".join(faults))
