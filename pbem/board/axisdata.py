"""The reader of table axes in YAML data.

    {by: odds, values: ["1:2", "1:1", "3:2"], below: first, above: last}   # highest head not above the odds
    {by: at_least, values: [1, 5, 11], below: never}                       # this number up to the next head
    {by: at_most, values: [1, 3, 4], above: {value: 2}}                    # up to this one; takes fractions
    {by: range, values: ["5-", "6-9", 10, "11+"]}                          # also "-3..-1"
    {by: number, values: [-1, 0, 1], below: first, above: last}            # the same with single numbers
    {by: 2d6, below: first, above: last}                                   # faces, or `values` like a range
    {by: name, values: [clear, woods]}                                     # exactly these

`below` and `above` are `first` or `last` (that head is used), `never` (to ask would be a mistake of ours) or
`{value: x}`. They must be there where the table has an edge, and nowhere else. `values` may be a mapping of
several such lists of the same length: a chart with several lines of heads over one body.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from pbem.board.axes import Axis, Edge, Interval, Side
from pbem.board.odds import Odds
from pbem.text.canonical import Json
from pbem.text.diagnostics import DataPath, Diagnostic
from pbem.text.messages import Message

KINDS = ("odds", "at_least", "at_most", "range", "number", "name")


def faces(by: str) -> tuple[int, int] | None:
    """Return the lowest and highest total of dice such as "d6", "2d6"; None for other text."""
    count, d, sides = by.partition("d")
    if not (by.isascii() and d and sides.isdigit() and (count.isdigit() or not count)):
        return None
    dice, most = int(count or "1"), int(sides)
    return (dice, dice * most) if dice and most else None


def read(
    data: Json, path: DataPath, labels: Sequence[Json] | None = None
) -> tuple[dict[str, Axis], list[Diagnostic]]:
    """Return the axis by the name of its line of heads (usually just ""), and all faults.

    `labels` are the heads when the data has no `values`: the names that the rows have among the cells.
    """
    faults: list[Diagnostic] = []
    if not isinstance(data, dict):
        message = Message("board.axisdata.wrong-type", data=repr(data))
        return {}, [Diagnostic("wrong-type", message, path=path)]
    for key in data:
        if key not in ("by", "values", "below", "above"):
            faults.append(
                Diagnostic(
                    "unknown-key",
                    Message("board.axisdata.unknown-key", key=repr(key)),
                    path=(*path, key),
                    on_key=True,
                )
            )
    by = data.get("by")
    dice = faces(by) if isinstance(by, str) else None
    if not isinstance(by, str) or (by not in KINDS and dice is None):
        message = Message("board.axisdata.not-one-of", by=repr(by), kinds=tuple(KINDS))
        return {}, [*faults, Diagnostic("not-one-of", message, path=(*path, "by"))]
    values = data.get("values", list(labels) if labels is not None else None)
    if values is None and dice:
        values = list(range(dice[0], dice[1] + 1))
    axes: dict[str, Axis] = {}
    for name, line in (values if isinstance(values, dict) else {"": values}).items():
        try:
            axes[name] = _axis(by, line, data)
        except _Fault as fault:
            faults.append(Diagnostic(fault.code, str(fault), path=(*path, fault.key)))
    if len({len(axis.heads) for axis in axes.values()}) > 1:
        faults.append(
            Diagnostic("uneven-rows", Message("board.axisdata.uneven-rows"), path=(*path, "values"))
        )
    return axes, faults


class _Fault(Exception):
    def __init__(self, code: str, message: str, key: str = "values") -> None:
        self.code, self.key = code, key
        super().__init__(message)


def _axis(by: str, values: Json, data: dict[str, Json]) -> Axis:
    if not isinstance(values, list) or not values:
        raise _Fault("missing-key", Message("board.axisdata.list-heads", values=repr(values)))
    heads = tuple(str(value) for value in values)
    if len(set(heads)) < len(heads):
        raise _Fault("listed-twice", Message("board.axisdata.listed-twice", heads=" ".join(heads)))
    odds: tuple[Odds, ...] = ()
    intervals: tuple[Interval, ...] = ()
    if by == "odds":
        odds = _odds(heads)
    elif by in ("at_least", "at_most"):
        intervals = _limits(by, values)
    elif by != "name":
        intervals = tuple(map(_interval, values))
        for n, (interval, following) in enumerate(pairwise(intervals)):
            if interval.high is None or following.low != interval.high + 1:
                raise _Fault(
                    "hole",
                    Message(
                        "board.axisdata.does-not-follow-without-hole", heads=heads[n + 1], heads_2=heads[n]
                    ),
                )
    open_below = by == "name" or (bool(intervals) and intervals[0].low is None)
    open_above = by == "name" or (bool(intervals) and intervals[-1].high is None)
    edges: dict[Side, Edge] = {}
    for side, is_open in (("below", open_below), ("above", open_above)):
        edge = _edge(side, data, is_open)
        if edge is not None:
            edges["below" if side == "below" else "above"] = edge
    if (dice := faces(by)) is not None:
        _check_faces(by, dice, intervals, edges)
    return Axis(by, heads, edges, odds, intervals)


def _odds(heads: tuple[str, ...]) -> tuple[Odds, ...]:
    try:
        odds = tuple(map(Odds.parse, heads))
    except ValueError as fault:
        raise _Fault("bad-head", str(fault)) from None
    if any(head >= following for head, following in pairwise(odds)):
        raise _Fault("out-of-order", Message("board.axisdata.odds-must-rise", heads=" ".join(heads)))
    return odds


def _limits(by: str, values: list[Json]) -> tuple[Interval, ...]:
    numbers = [value for value in values if isinstance(value, int) and not isinstance(value, bool)]
    if len(numbers) < len(values) or any(number >= following for number, following in pairwise(numbers)):
        raise _Fault("out-of-order", Message("board.axisdata.rising-numbers", values=repr(values)))
    if by == "at_least":
        return tuple(map(Interval, numbers, [*(number - 1 for number in numbers[1:]), None]))
    return tuple(map(Interval, [None, *(number + 1 for number in numbers[:-1])], numbers))


def _interval(head: Json) -> Interval:
    """Return the interval of a head: 7, "7", "4-6", "4..6", "-3..-1", "11+", "5-"."""
    text = str(head)
    try:
        if text.endswith("+"):
            return Interval(_whole(text[:-1]), None)
        if text.endswith("-"):
            return Interval(None, _whole(text[:-1]))
        low, mark, high = text.partition("..")
        if not mark and "-" in text[1:]:
            low, _, high = text.partition("-")
        interval = Interval(_whole(low), _whole(high or low))
    except ValueError:
        raise _Fault("bad-head", Message("board.axisdata.number-range-such-4-6", head=repr(head))) from None
    if interval.high is not None and interval.low is not None and interval.high < interval.low:
        raise _Fault("out-of-order", Message("board.axisdata.range-runs-backwards", text=text))
    return interval


def _whole(text: str) -> int:
    if not (text.isascii() and text.removeprefix("-").isdigit()):
        raise ValueError(text)
    return int(text)


def _edge(side: str, data: dict[str, Json], is_open: bool) -> Edge | None:
    """Return the edge that the data gives for one side; it is required unless that side is open."""
    nearest = "first" if side == "below" else "last"
    if is_open:
        if side in data:
            raise _Fault("unneeded-key", Message("board.axisdata.unneeded-key", side=side), side)
        return None
    use = data.get(side)
    if use == nearest:
        return Edge("clamp")
    if use == "never":
        return Edge("never")
    if isinstance(use, dict) and list(use) == ["value"] and use["value"] is not None:
        return Edge("value", use["value"])
    edge = "nothing" if side not in data else repr(use)
    raise _Fault("missing-key", Message("board.axisdata.never", side=side, found=edge, nearest=nearest), side)


def _check_faces(
    by: str, dice: tuple[int, int], intervals: tuple[Interval, ...], edges: dict[Side, Edge]
) -> None:
    """Check that no total of the bare dice meets an edge that should never be passed."""
    low, high = intervals[0].low, intervals[-1].high
    missed: list[Side] = []
    if low is not None and low > dice[0] and edges["below"].use == "never":
        missed.append("below")
    if high is not None and high < dice[1] and edges["above"].use == "never":
        missed.append("above")
    if missed:
        message = Message(
            "board.axisdata.gives-some-lies", by=by, dice=dice[0], dice_2=dice[1], missed=" and ".join(missed)
        )
        raise _Fault("hole", message, missed[0])
