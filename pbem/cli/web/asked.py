"""Requests of a script: their JSON, and whether its page still shows the game as it is."""

from __future__ import annotations

import hashlib
import json
import threading
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

import bottle

from pbem.text.diagnostics import Refused
from pbem.text.messages import Message

if TYPE_CHECKING:
    from pbem.archive import Folder
    from pbem.cli.web.desk import Desk

LONGEST = 1 << 20
JSON = "application/json"
STALE = ("changed", "not-asked")
"""Faults of clicks on what an earlier click has changed."""
_CLICKS = (
    *("state", "board", "options", "choose", "march", "back", "clear", "remove", "shift", "put"),
    *("why", "take", "counter", "past", "enclose"),
)
_BESIDE = ("now", "next", "stand", "nothing", "odds", "news", "notes", "note")
ASKED = tuple(f"/{name}" for name in (*_CLICKS, *_BESIDE))
"""The endings of addresses that a script asks and that answer with JSON."""
Answer = dict[str, Any]


class Turn:
    """A lock that tells whether others wait for it."""

    def __init__(self) -> None:
        self._turn, self._counting, self._waiting = threading.RLock(), threading.Lock(), 0

    def __enter__(self) -> None:
        self._count(1)
        self._turn.acquire()
        self._count(-1)

    def __exit__(self, *wrong: object) -> None:
        self._turn.release()

    def _count(self, by: int) -> None:
        with self._counting:
            self._waiting += by

    def awaited(self) -> bool:
        """Return True if somebody waits for a turn."""
        return self._waiting > 0


TURN = Turn()
"""One click after the other: they share the open folder."""


def by_script() -> bool:
    """Return True if a script asked, so that a fault is told as JSON too."""
    request = bottle.request
    sent = request.method == "POST" and JSON in request.content_type
    return sent or JSON in (request.get_header("Accept") or "")


def body(longest: int = LONGEST) -> Mapping[str, Any]:
    """Return the JSON of a request; HTTPError for anything else than a page's question."""
    request = bottle.request
    if request.content_type.split(";")[0] != JSON or request.content_length > longest:
        raise bottle.HTTPError(403, Message("cli.web.no-question-of-the-page"))
    try:
        data = json.loads(request.body.read())
    except (ValueError, RecursionError):
        data = None
    return data if isinstance(data, dict) else {}


def text(data: Mapping[str, Any], name: str) -> str | None:
    """Return a text of a question, or None."""
    value = data.get(name)
    return value if isinstance(value, str) and value else None


def texts(data: Mapping[str, Any], name: str, most: int) -> list[str]:
    """Return a list of texts of a question, at most so many."""
    value = data.get(name)
    return [text for text in value[:most] if isinstance(text, str)] if isinstance(value, list) else []


def tag(folder: Folder) -> str:
    """Return a mark of the order file of the current stage: another file has another mark."""
    from pbem.cli.writing import orders

    if folder.stage < 0:
        return ""
    path = orders.order_file(folder)
    source = path.read_bytes() if path.is_file() else b""
    return hashlib.sha256(b"%d\n%b" % (folder.progress.open_stage, source)).hexdigest()[:16]


def changed(folder: Folder, data: Mapping[str, Any]) -> Answer | None:
    """Return the answer to a page that shows another stage or draft than there is; else None."""
    from pbem.cli.shell.language import spoken

    stage, seen = data.get("stage"), data.get("tag")
    now = folder.progress.open_stage if folder.stage >= 0 else -1
    if stage is not None and stage != now:
        reason = Message("cli.web.game-went-on")
    elif seen is not None and seen != tag(folder):
        reason = Message("cli.web.draft-changed-elsewhere")
    else:
        return None
    return {"changed": {"stage": now, "tag": tag(folder), "said": spoken(reason)}}


def or_gone(folder: Folder, answer: Callable[[], Answer]) -> Answer:
    """Return an answer; if what was clicked is gone, the answer to an outdated page.

    A second click may be on its way while the first is answered. That is ordinary play and no error.
    """
    from pbem.cli.web.shown import faults

    try:
        return answer()
    except Refused as fault:
        if fault.diagnostics[0].code not in STALE:
            raise
        listed = faults(fault.diagnostics)
        now = folder.progress.open_stage if folder.stage >= 0 else -1
        gone = {"stage": now, "tag": tag(folder), "said": listed[0]["message"]}
        return {"changed": gone, "faults": listed}


def in_turn(place: Desk, answer: Callable[[Folder], Answer], *, post: bool = True) -> Callable[[str], Answer]:
    """Return a route that answers for a game; of a POST first whether the page is out of date."""
    from pbem.cli.shell.language import of_game

    def answered(name: str) -> Answer:
        with TURN:
            folder = place.at_hand(name)
            of_game(folder)
            gone = changed(folder, body()) if post else None
            return gone if gone is not None else or_gone(folder, lambda: answer(folder))

    return answered
