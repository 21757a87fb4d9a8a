"""The order of battle of a scenario: counters listed in YAML, checked all at once and put on the map.

    units:
      R-IN1: {owner: red, type: IN, cv: 3, hex: "0405"}

    refuse(listing_faults(Block, scenario["units"], world, path=("units",),
                          names={"type": ("unknown-type", world.types), "owner": ("unknown-player", seats)},
                          check=wrong_place))
    position = Position(listed(Block, scenario["units"]), tracks)

Fields are checked by their types in the class of counters: unknown and missing ones, wrong values. Rule of
thumb: faults of a counter by itself are found here. Faults of the whole position (stacks, rosters)
are found once it is set up, by the functions that the rules use in play.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from typing import Any

from pbem.board.position import Fields
from pbem.kit.chart import Chart
from pbem.kit.faults import bad_data, under
from pbem.model.codec import describe
from pbem.model.typed import Counter
from pbem.text.diagnostics import DataPath, Diagnostic
from pbem.text.messages import Message

Names = Mapping[str, tuple[str, Collection[str]]]
Check = Callable[[str, Fields], Iterable[Diagnostic]]


def listing_faults(
    kind: type[Counter],
    counters: Mapping[str, Any],
    chart: Chart | None = None,
    *,
    path: DataPath = (),
    names: Names | None = None,
    check: Check | None = None,
) -> Iterator[Diagnostic]:
    """Yield all faults of listed counters, each with its id and its path.

    `names` has, by field, the code of a fault and the names that the field may have. A `hex` must be a
    location of the chart. `check(id, fields)` adds what the system says of a counter that is well formed so
    far; its paths lead into the counter.
    """
    for id, fields in counters.items():
        at = (*path, id)
        if not isinstance(fields, Mapping):
            yield Diagnostic(
                "wrong-type", Message("kit.set-up.wrong-type", id=id, fields=describe(fields)), path=at
            )
            continue
        faults = [
            Diagnostic(
                fault.code,
                Message("text.diagnostics.about", what=id, message=fault.message),
                path=fault.path,
                help=fault.help,
            )
            for fault in kind.faults(fields, at)
        ]
        faults += _names(id, fields, chart, names or {}, at)
        yield from faults
        if not faults and check is not None:
            added = list(check(id, fields))
            yield from under(added, *at)


def _names(id: str, fields: Fields, chart: Chart | None, names: Names, at: DataPath) -> Iterator[Diagnostic]:
    for field, (code, known) in names.items():
        value = fields.get(field)
        if isinstance(value, str) and value not in known:
            message = Message("kit.set-up.no", id=id, field=field, value=value)
            yield bad_data(code, message, *at, field, name=value, names=known)
    where = fields.get("hex")
    if chart is not None and isinstance(where, str) and where not in chart:
        yield bad_data("unknown-hex", Message("kit.set-up.unknown-hex", id=id, where=where), *at, "hex")
