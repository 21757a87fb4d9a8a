"""Checking data against JSON Schema (2020-12), with every fault in plain words and at its place.

Schemas dispatch by `if`/`then` (on the verb of an order, say) and not by `oneOf` over objects: then each
fault is that of the branch that was meant. The library behind this is imported when something is checked.
"""

import json
import re
from collections.abc import Mapping
from importlib import resources
from pathlib import Path
from typing import Any

from pbem.text import yaml
from pbem.text.diagnostics import DataPath, Diagnostic, PbemError, Refused, in_order
from pbem.text.messages import Message
from pbem.text.suggest import did_you_mean
from pbem.text.yaml import Document

_NAME = re.compile(r"[A-Za-z0-9_-]+([./][A-Za-z0-9_-]+)*")


class NoSuchSchema(PbemError):
    """A name for which the package has no schema."""


def find(name: str) -> dict[str, Any]:
    """Return the published schema of that name, such as `orders` or `victory/bid`.

    It comes from the package or the checkout.

    Raises `NoSuchSchema`.
    """
    file = name if name.endswith(".json") else f"{name}.schema.json"
    folder = resources.files("pbem") / "_schemas"
    if not folder.is_dir():
        folder = Path(__file__).parents[2] / "schemas"
    if _NAME.fullmatch(name) and (path := folder.joinpath(*file.split("/"))).is_file():
        schema: dict[str, Any] = json.loads(path.read_text("utf-8"))
        return schema
    known = [path.name.removesuffix(".schema.json") for path in folder.iterdir()] if folder.is_dir() else []
    meant = did_you_mean(name, known)
    raise NoSuchSchema(Message("text.schema.no-such-schema", name=name, meant=meant))


def check(value: Any, schema: Mapping[str, Any] | bool, document: Document | None = None) -> list[Diagnostic]:
    """Return everything in `value` that does not fit the schema.

    With the `document` that the value came from the diagnostics have spans and are sorted by place.
    """
    from jsonschema import Draft202012Validator
    from referencing import Registry

    from pbem.text.reading.schema_faults import Explainer

    # an empty registry, so that no reference can lead into the network
    validator = Draft202012Validator(schema, registry=Registry())
    explain = Explainer(schema, value).explain(validator.iter_errors(value))
    return in_order(fault.at(document) for fault in explain) if document else explain


def load_checked(source: bytes | str, name: str, schema: Mapping[str, Any]) -> Document:
    """Load a YAML file by a schema and check it by the same.

    Raises `Refused` with the faults of both.
    """
    reading = yaml.read(source, name, schema)
    faults = list(reading.faults)
    if reading.whole:
        spoilt = [fault.path for fault in faults if fault.path]
        unfit = check(reading.document.data, schema, reading.document)
        faults += [fault for fault in unfit if not _below(fault.path, spoilt)]
    if faults:
        raise Refused(in_order(faults))
    return reading.document


def _below(path: DataPath, others: list[DataPath]) -> bool:
    """Return True if the path is one of the others or leads into one of them."""
    return any(path[: len(other)] == other for other in others)
