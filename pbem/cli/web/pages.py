"""The templates of the table's pages; those of reports are theirs as well."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pbem.text.browser import in_browser

if TYPE_CHECKING:
    from jinja2 import Environment

HERE = Path(__file__).parent
BOARD = ("board", "state", "sheets", "marks", "hand", "clicks", "panel", "now", "story", "keys", "desk")
"""The scripts of the table, one a task; `board` begins."""
EDIT = (
    "edit",
    "state",
    "store",
    "geometry",
    "draw",
    "view",
    "tools",
    "lines",
    "places",
    "counters",
    "keys",
    "panel",
    "pieces",
    "faults",
    "save",
    "fit",
    "picture",
    "under",
    "guess",
    "size",
    "shapes",
    "forms",
    "boxes",
)
"""The scripts of the editor of scenarios, one a task; `edit` begins."""
STATIC = {
    **{f"edit-{name}.js": "text/javascript" for name in EDIT},
    "edit.css": "text/css",
    **{f"board-{name}.js": "text/javascript" for name in BOARD},
    "board.css": "text/css",
    "drop.js": "text/javascript",
    "table.css": "text/css",
    "script.js": "text/javascript",
}


@cache
def environment() -> Environment:
    """Return the templates of reports and of the table, which escape everything put into them."""
    from jinja2 import ChoiceLoader, FileSystemLoader

    from pbem.report.html import PAGES
    from pbem.report.html import environment as of_reports

    made = of_reports().overlay(
        loader=ChoiceLoader([FileSystemLoader(HERE / "pages"), FileSystemLoader(PAGES)])
    )
    made.filters = {**made.filters, "lines": _lines, "spoken": _spoken}
    made.globals = {**made.globals, "root": root, "in_browser": in_browser, "fingerprint": ""}
    return made


def root() -> str:
    """Return the prefix of every address of the table: the folder of a site, else ""."""
    import bottle

    try:
        return str(bottle.request.environ.get("SCRIPT_NAME", "")).rstrip("/")
    except (AttributeError, RuntimeError):  # nobody asks: a page is made for itself
        return ""


def _lines(text: str) -> Any:
    """Return a text of several lines unchanged: elsewhere on a page texts are on one line."""
    from markupsafe import escape

    return escape("\n" + text if text.startswith("\n") else text)


def _spoken(message: Any) -> Any:
    """Return the program's text in the reader's language; of a list each text."""
    from pbem.cli.shell.language import spoken

    return spoken(message) if isinstance(message, str) else [spoken(str(text)) for text in message or ()]


def page(template: str, **values: Any) -> str:
    """Return a page as text."""
    return environment().get_template(template).render(values)


def static(name: str) -> bytes:
    """Return a style or a script; those of reports are the reports' own."""
    from pbem.report.html import PAGES, script, style_sheet

    if name == "script.js":
        return script().encode()
    if name == "table.css":
        book = (PAGES / "book.css").read_text("utf-8")
        return "\n".join([style_sheet(), book, (HERE / "static" / "own.css").read_text("utf-8")]).encode()
    return (HERE / "static" / name).read_bytes()
