"""Settles the types of unquoted texts in loaded YAML by a schema (protocol 7)."""

from collections.abc import Callable
from typing import Any

from pbem.text.diagnostics import DataPath, Diagnostic
from pbem.text.reading.scalars import BadScalar, Plain, as_one_of
from pbem.text.reading.shape import Schema, Shape

Report = Callable[[Diagnostic], None]


def settle(data: Any, schema: Schema, report: Report) -> Any:
    """Return the data with plain values for each `Plain`; changes lists and mappings in place."""
    return _settle(data, schema, (), Shape(schema), report)


def _settle(value: Any, schema: Schema, path: DataPath, shape: Shape, report: Report) -> Any:
    if isinstance(value, Plain):
        try:
            return as_one_of(value, shape.types(schema, value))
        except BadScalar as bad:
            help = (bad.help,) if bad.help else ()
            report(Diagnostic(bad.code, bad.message, path=path, help=help))
            return str(value)
    if isinstance(value, dict):
        # collect all schemas first: the branch taken depends on values still open
        inner = {key: shape.at_key(schema, value, key) for key in value}
        for key in value:
            value[key] = _settle(value[key], inner[key], (*path, key), shape, report)
    elif isinstance(value, list):
        schemas = [shape.at_index(schema, value, index) for index in range(len(value))]
        for index, entry in enumerate(value):
            value[index] = _settle(entry, schemas[index], (*path, index), shape, report)
    return value
