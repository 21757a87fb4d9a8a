"""Example files of a system: found, checked against their schema, variants put together (`like:`)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from pbem.engine.system import System
from pbem.text.diagnostics import Diagnostic, Refused
from pbem.text.messages import Message
from pbem.text.schema import check, find
from pbem.text.suggest import did_you_mean

Example = Mapping[str, Any]
OWN = ("example", "why", "like")  # keys that a variant does not inherit


_put_together: dict[int, tuple[System, list[tuple[str, dict[str, Any]]]]] = {}
"""The examples of a system, checked and put together once: they are asked for a thousand times."""


def examples(system: System) -> Iterator[tuple[str, dict[str, Any]]]:
    """Return all examples of a system as (name, data), with variants assembled.

    Raise `Refused` with all errors of their shape, and for a `like:` that names no example.
    """
    if id(system) not in _put_together:
        faults = shape_faults(system)
        if faults:
            raise Refused(faults)
        known = by_name(example for _, example in listed(system))
        pairs = [(str(example["example"]), resolved(example, known)) for _, example in listed(system)]
        _put_together[id(system)] = system, pairs
    for name, example in _put_together[id(system)][1]:
        yield f"{system.name}: {name}", dict(example)


def listed(system: System) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield all examples as they are written, with the name of their file."""
    for name in system.files("examples/*.yaml"):
        for example in system.data(name) or ():
            yield name, example


def by_name(examples: Iterable[Example]) -> dict[str, Example]:
    """Return the examples by their names, and by the first words that only one has."""
    listed = list(examples)
    first = Counter(str(example["example"]).split()[0] for example in listed)
    ids = {str(example["example"]).split()[0]: example for example in listed}
    known = {name: example for name, example in ids.items() if first[name] == 1}
    return known | {str(example["example"]): example for example in listed}


def shape_faults(system: System) -> list[Diagnostic]:
    """Return unknown keys, members of the wrong type and unnamed examples, in all files."""
    schema = find("examples")
    faults: list[Diagnostic] = []
    for name in system.files("examples/*.yaml"):
        document = system.document(name)
        faults += check(document.data, schema, document)
    return faults


def resolved(example: Example, known: Mapping[str, Example], seen: tuple[str, ...] = ()) -> dict[str, Any]:
    """Return the example with everything that it takes from the one in `like:`.

    Mappings are merged, null removes an entry, and lists are replaced. `expect` is taken only if the
    example has none.
    """
    wanted = example.get("like")
    if wanted is None:
        return dict(example)
    if wanted in seen:
        raise Refused(
            Diagnostic(
                "endless-example",
                Message("testing.examples.endless-example", seen=" is like ".join((*seen, wanted))),
            )
        )
    if wanted not in known:
        near = did_you_mean(wanted, list(known))
        message = Message("testing.examples.unknown-example", example=example["example"], wanted=wanted)
        raise Refused(
            Diagnostic(
                "unknown-example",
                message,
                help=(Message("text.suggest.did-you-mean", near=near),) if near else (),
            )
        )
    model = resolved(known[wanted], known, (*seen, wanted))
    taken = {key: value for key, value in model.items() if key not in OWN}
    if "expect" in example:
        taken.pop("expect", None)
    merged: dict[str, Any] = _merged(taken, {key: value for key, value in example.items() if key != "like"})
    return merged


def _merged(old: Any, new: Any) -> Any:
    if not isinstance(old, Mapping) or not isinstance(new, Mapping):
        return new
    both = {key: _merged(old.get(key), value) for key, value in new.items() if value is not None}
    return {key: value for key, value in old.items() if key not in new} | both
