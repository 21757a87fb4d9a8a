"""The common parts of a drawing: the sheet, ids that are defined once, and the style sheet."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import field
from html import escape
from typing import TYPE_CHECKING, Literal

from pbem.report.plain import safe
from pbem.report.reader import View
from pbem.report.svg.letters import Letters
from pbem.report.svg.look import Look, palette
from pbem.report.svg.sheet import Sheet
from pbem.report.textmap import initials
from pbem.text.dataclass import dataclass

if TYPE_CHECKING:
    from pbem.report.svg.board import Board

Theme = Literal["auto", "light", "dark"]


@dataclass(frozen=True)
class Style:
    """The way a map is drawn.

    `prefix` keeps ids apart where several drawings share a page; `links` are addresses by hex number,
    where a page tells more of it. `still`: nothing to focus, no titles, no script, for pictures. `alone`:
    a file of its own, with a key, and with switches if it is not still. `hidden` are layers that are left
    out, `shown` those that are visible from the start. `screen`: for a page that is not emailed; it has
    more bytes and far fewer elements, so that a browser draws it in half the time. `mail`: for a picture
    in an email, which is shown small, so numbers and names are larger. `board`: the picture of the reader's
    own board, drawn in the place of the land; nothing that is sent has one.
    """

    theme: Theme = "auto"
    prefix: str = ""
    links: Mapping[str, str] = field(default_factory=dict)
    still: bool = False
    alone: bool = False
    hidden: Collection[str] = ()
    shown: Collection[str] = ()
    screen: bool = False
    mail: bool = False
    board: Board | None = None

    @property
    def number_size(self) -> float:
        """Return the size of hex numbers."""
        return 13.4 if self.mail else 8.0

    @property
    def name_size(self) -> float:
        """Return the size of names on plates."""
        return 11.0 if self.mail else 8.8


@dataclass
class Canvas:
    """One drawing in the making.

    `moved` are the counters that moved in the shown events.
    """

    view: View
    sheet: Sheet
    style: Style
    moved: frozenset[str] = frozenset()
    letters: Letters = field(init=False)
    owners: tuple[str, ...] = field(init=False)
    initials: dict[str, str] = field(init=False)
    _defined: dict[str, str] = field(default_factory=dict)
    _names: dict[str, str] = field(default_factory=dict)
    _rules: dict[str, tuple[str, str]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.letters = Letters(self.style.prefix, whole=self.style.screen)
        owner = {self.view.owner(id) for id in self.view.position.counters}
        self.owners = (*self.view.players, *sorted(owner - set(self.view.players)))
        self.initials = initials(self.owners)

    @property
    def look(self) -> Look:
        return self.view.look

    def define(self, key: str, content: str) -> str:
        """Return the id of something used often; `content` has `@` for the id.

        It is defined once per key.
        """
        if key not in self._names:
            self._names[key] = f"{self.style.prefix}d{len(self._names):x}"
            self._defined[key] = content.replace("@", self._names[key], 1)
        return self._names[key]

    def defined(self, kind: str) -> list[str]:
        """Return what is defined of a kind: the rest of the keys that begin so."""
        return sorted(key.removeprefix(kind) for key in self._names if key.startswith(kind))

    def uses(self, selector: str) -> bool:
        """Return True if a class has declarations: something of it is on the drawing."""
        return selector in self._rules

    def rule(self, selector: str, light: str, dark: str = "") -> str:
        """Define declarations for a class, and others for dark paper, and return the class."""
        self._rules.setdefault(selector, (light, dark))
        return selector

    def paint(self, owner: str) -> dict[str, str]:
        """Return the colours of an owner."""
        colours: dict[str, str] = palette()["paints"][self.look.paint(owner, self.owners)]
        return colours

    def owner_class(self, owner: str) -> str:
        """Return a class that colours lines and areas (`stroke` and `color`) for an owner."""
        colours = self.paint(owner)
        number = self.owners.index(owner) if owner in self.owners else len(self.owners)
        light, dark = f"stroke:{colours['line']}", f"stroke:{colours['bright']}"
        self.rule(f"o{number}f", f"fill:{colours['line']}", f"fill:{colours['bright']}")
        return self.rule(f"o{number}", light, dark)

    def definitions(self) -> str:
        """Return the definitions, and the letters that were used."""
        return f"<defs>{self.letters.definitions()}{''.join(self._defined.values())}</defs>"

    def css(self) -> str:
        """Return the style sheet; dark paper by the reader's preference, or always, or never."""
        scope = ".m-"  # no parent in the selectors: content that is used again would not match
        light = {name: light_form for name, (light_form, _) in self._rules.items()}
        dark = {name: dark_form for name, (_, dark_form) in self._rules.items() if dark_form}
        text = "".join(f"{scope}{name}{{{light_form}}}" for name, light_form in light.items())
        other = "".join(f"{scope}{name}{{{dark_form}}}" for name, dark_form in dark.items())
        if self.style.theme == "dark":
            return text + other
        if self.style.theme == "auto" and other:
            return f"{text}@media screen and (prefers-color-scheme:dark){{{other}}}"
        return text


def words(text: str) -> str:
    """Return text for an element or an attribute, fit to show."""
    return escape(safe(text), quote=True)
