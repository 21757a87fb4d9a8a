"""Counters and places as people write them: in any case, by their names, and suggestions for others."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cached_property
from typing import TYPE_CHECKING

from pbem.text.messages import Message
from pbem.text.suggest import did_you_mean

if TYPE_CHECKING:
    from pbem.archive import Folder
    from pbem.report.reader import View


_LETTERED = re.compile("[A-Za-z]{1,8}[ .,]?[0-9]{1,3}|[0-9]{1,3}[ .,]?[A-Za-z]{1,8}")
_ZEROS = re.compile("(?<![0-9])0+(?=[1-9])")


class Names:
    """The names of the counters and locations of a position, as far as its reader may know."""

    def __init__(self, view: View, told: View | None = None) -> None:
        self.view = view
        self.told = told or view
        """The same in the language in which he is told of them; what he writes is looked up in the view."""

    @classmethod
    def of(cls, folder: Folder) -> Names:
        """Return the names that the owner of a folder may know."""
        from pbem.cli.games.telling import report_view
        from pbem.cli.shell.language import code

        seen = folder.view()
        return cls(report_view(seen), report_view(seen, code()))

    def find(self, word: str) -> str | None:
        """Return the id of a counter or location; None if the word is none or may be several."""
        position, chart = self.view.position, self.view.chart
        if (
            word in position.counters
            or position.at(word)
            or (chart is not None and chart.get(word) is not None)
        ):
            return word
        small = word.casefold()
        for known in (self._counters, self._locations, self._places, self._unzeroed):
            ids = known.get(small, set())
            if len(ids) == 1:
                return next(iter(ids))
        return self._lettered(word)

    def _lettered(self, word: str) -> str | None:
        """Return the hex that letters and digits mean in another form: `13D`, `D08`, `d 13`."""
        chart = self.view.chart
        if chart is None or not _LETTERED.fullmatch(word):
            return None
        grids = [sheet.grid for sheet in chart.sheets if not sheet.grid.numbering.alike]
        hexes = {near for grid in grids if (near := grid.guess(word)) is not None}
        return hexes.pop() if len(hexes) == 1 else None

    def hints(self, word: str) -> list[str]:
        """Return what may have been meant by a word that `find` does not know."""
        small = word.casefold()
        read = self._read_alike.get(small.replace(" ", ""), [])
        if read:
            listed = [Message("cli.naming.counter-in-place", id=id, place=self.place(id)) for id in read[:6]]
            return [
                Message("cli.naming.reads-so-on-the-counter", word=word, listed=listed, more=len(read[6:]))
            ]
        places = self._places.get(small, set())
        if len(places) > 1:
            *first, last = sorted(places)
            return [Message("cli.naming.may-be", word=word, first=tuple(first), last=last)]
        near = did_you_mean(small, [*self._counters, *self._places])
        if near is None:
            return []
        meant = next(iter(sorted(self._counters.get(near) or self._places[near])))
        return [Message("text.suggest.did-you-mean-bare", near=self.full(meant))]

    def called(self, id: str) -> str:
        """Return a location with its name, `0606 Haska`; a counter in the wording's words."""
        if id in self.view.position.counters:
            return self.view.wording.counter({"id": id, **self.view.position.counters[id]})
        return f"{id} {self.view.place_name(id, signs=True)}".rstrip()

    def full(self, id: str) -> str:
        """Return an id with its meaning: `R-AR2 (Red AR 3)`, `0606 (Haska)`."""
        called = self.called(id)
        rest = called.removeprefix(id).strip()
        return f"{id} ({rest})" if rest else id

    def place(self, id: str) -> str:
        """Return the place of a counter, with its name."""
        hex = self.view.position.hex(id)
        return self.called(hex) if hex else Message("cli.naming.no-place-on-the-map")

    @cached_property
    def _counters(self) -> dict[str, set[str]]:
        return _folded((id, id) for id in self.view.position.counters)

    @cached_property
    def _locations(self) -> dict[str, set[str]]:
        chart = self.view.chart
        return _folded((chart.number(i), chart.number(i)) for i in range(len(chart))) if chart else {}

    @cached_property
    def _unzeroed(self) -> dict[str, set[str]]:
        """Return numbers without their leading zeros, as programs and people drop them: `405`, `C5`."""
        numbers = [id for ids in self._locations.values() for id in ids if id.isalnum()]
        return _folded((short, id) for id in numbers if (short := _ZEROS.sub("", id)) not in ("", id))

    @cached_property
    def _places(self) -> dict[str, set[str]]:
        return _folded(self._place_names())

    def _place_names(self) -> Iterator[tuple[str, str]]:
        chart = self.view.chart
        if chart is None:
            return
        for i, name in chart.names.items():
            yield name, chart.number(i)
        for kind in {**self.view.wording.of("places"), **self.view.wording.of("places-short")}:
            for place in chart.places(kind):
                called = place.data.get("name")
                if isinstance(called, str):
                    yield called, place.number

    @cached_property
    def _read_alike(self) -> dict[str, list[str]]:
        """Return a counter's text on map and in lists -> the counters with it."""
        same: dict[str, list[str]] = {}
        for id, fields in self.view.position.counters.items():
            text = self.view.wording.short({"id": id, **fields}).casefold().replace(" ", "")
            same.setdefault(text, []).append(id)
        return {text: sorted(ids) for text, ids in same.items()}


def _folded(names: Iterator[tuple[str, str]]) -> dict[str, set[str]]:
    folded: dict[str, set[str]] = {}
    for name, id in names:
        folded.setdefault(name.casefold(), set()).add(id)
    return folded
