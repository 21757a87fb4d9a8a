"""The table's application: who may ask, what is answered, and how faults are told."""

from __future__ import annotations

import functools
import gzip
import json
from collections.abc import Callable, Sequence
from typing import Any

import bottle

from pbem.cli.shell.language import spoken
from pbem.cli.web import asked, desk, guard, pages, shown, signing
from pbem.cli.web.addresses.at_board import AtBoard
from pbem.cli.web.addresses.at_desk import AtDesk
from pbem.cli.web.addresses.at_hints import AtHints
from pbem.cli.web.addresses.at_letters import AtLetters
from pbem.cli.web.addresses.at_lobby import AtLobby
from pbem.cli.web.addresses.at_orders import AtOrders
from pbem.cli.web.addresses.at_post import AtPost
from pbem.cli.web.addresses.at_report import AtReport
from pbem.cli.web.addresses.at_settings import AtSettings
from pbem.cli.web.addresses.at_standing import AtStanding
from pbem.cli.web.addresses.at_table import AtTable
from pbem.cli.web.rooms import Room
from pbem.text.diagnostics import Diagnostic, PbemError, Refused
from pbem.text.messages import Message

NOT_SEATED = "cli.web.somebody-else-sits-at-the-table"
ROOMS: tuple[type[Room], ...] = (
    AtLobby,
    AtReport,
    AtTable,
    AtOrders,
    AtBoard,
    AtHints,
    AtStanding,
    AtPost,
    AtLetters,
    AtSettings,
    AtDesk,
)


def application(
    place: desk.Desk,
    gate: guard.Guard,
    *,
    lang: str = "en",
    end: Callable[[], None] | None = None,
    rooms: Sequence[Room] | None = None,
) -> bottle.Bottle:
    """Return the server's application for one start of `pbem table`; `end` ends it.

    `rooms` are other pages than the table's.
    """
    bottle.BaseRequest.MEMFILE_MAX = guard.MOST  # for all parts of a form together, not for each
    app = bottle.Bottle()
    app.uninstall(bottle.JSONPlugin)  # it writes JSON otherwise where ujson is installed
    app.install(bottle.JSONPlugin(json.dumps))
    app.catchall = True
    door = _Door(place, gate, lang)
    app.add_hook("before_request", door.let_in)
    app.add_hook("after_request", door.seal)
    app.default_error_handler = door.wrong
    app.route("/static/<name>", "GET", _in_language(_static, lang))
    app.route(
        "/end",
        "POST",
        _in_language(functools.partial(door.ended, end, "ended" if rooms is None else "edit-ended"), lang),
    )
    for room in [room(place, lang) for room in ROOMS] if rooms is None else rooms:
        for method, path, function in room.routes():
            app.route(path, method, _in_language(function, lang))
    return app


def _in_language(function: Callable[..., Any], lang: str) -> Callable[..., Any]:
    """Return a route in the reader's language; its faults appear on a page, and nowhere else."""
    from pbem.cli.shell.language import speaking

    def asked(**names: Any) -> Any:
        try:
            with speaking(lang):
                return function(**names)
        except bottle.HTTPResponse:
            raise
        except PbemError as fault:
            raise bottle.HTTPError(409, exception=fault) from None
        except Exception as fault:
            raise bottle.HTTPError(500, exception=fault) from None

    return asked


def _static(name: str) -> bytes:
    """Return a style or script."""
    if name not in pages.STATIC:
        raise bottle.HTTPError(404, Message("cli.web.no-such-page"))
    bottle.response.content_type = pages.STATIC[name]
    if "gzip" in bottle.request.get_header("Accept-Encoding", ""):
        bottle.response.set_header("Content-Encoding", "gzip")
        return gzip.compress(pages.static(name), mtime=0)
    return pages.static(name)


class _Door(Room):
    """The checks of requests, the headers of answers, and the pages for errors."""

    def __init__(self, place: desk.Desk, gate: guard.Guard, lang: str) -> None:
        super().__init__(place, lang)
        self.gate = gate

    def let_in(self) -> None:
        """Check a request by the guard; an unused token becomes a cookie."""
        request = bottle.request
        if request.content_length > guard.MOST:
            raise bottle.HTTPError(413, Message("cli.web.larger-than-a-mail"))
        cookie = request.get_cookie(self.gate.cookie)
        if request.method == "GET" and request.path == "/" and request.query.token:
            why = self.gate.fault("GET", request.headers, self.gate.session)
            if why is None and self.gate.admits(request.query.token):
                # not a redirect: after a page of another origin, such as our file, browsers would follow it
                # without a cookie that is strict
                onward = guard.onward(self.place.first_page())
                response = bottle.HTTPResponse(onward, headers=dict(self.gate.headers))
                options = {"httponly": True, "samesite": "strict", "path": "/"}
                response.set_cookie(self.gate.cookie, self.gate.session, **options)
                raise response
        why = self.gate.fault(request.method, request.headers, cookie)
        if why is not None:
            raise bottle.HTTPError(403, why)
        self._between(request.path)

    def _between(self, path: str) -> None:
        """Show a page between where several persons play, so that nobody sees another's pages."""
        from pbem.cli.shell.language import speaking

        first, _, rest = path.removeprefix("/g/").partition("/")
        if not path.startswith("/g/") or rest == "sit":
            return
        others_turn = self.place.others_turn(first)
        if others_turn is None:
            return
        if path.endswith(asked.ASKED) or asked.by_script():
            raise self._left()
        folder = self.place.open(first)
        with speaking(self.lang):
            values = {
                "title": folder.terms.title,
                "who": others_turn.you,
                "others": [person for person in others_turn.people if person != others_turn.you],
                "sits": first,
                "locked": signing.locked(folder),
                "fault": "",
            }
            raise bottle.HTTPResponse(
                self.plain("between.html.j2", **values), headers=dict(self.gate.headers)
            )

    def _left(self) -> bottle.HTTPResponse:
        """Return the answer to a page that its player has left: a request may still be on its
        way.
        """
        from pbem.cli.shell.language import speaking

        with speaking(self.lang):
            listed = shown.faults([Diagnostic("not-seated", Message(NOT_SEATED))])
        gone = {"stage": -1, "tag": "", "said": listed[0]["message"], "left": True}
        headers = {**guard.HEADERS, "Content-Type": "application/json"}
        return bottle.HTTPResponse(json.dumps({"changed": gone, "faults": listed}), headers=headers)

    def seal(self) -> None:
        """Set headers after every request: nothing is cached, nothing else may be loaded."""
        for name, value in self.gate.headers.items():
            bottle.response.set_header(name, value)

    def ended(self, end: Callable[[], None] | None, key: str) -> str:
        """Show the end of the table or the editor; the server ends once this page is sent."""
        if end is not None:
            end()
        return self.plain("ended.html.j2", key=key)

    def wrong(self, error: bottle.HTTPError) -> str:
        """Return what went wrong, in words and nothing else."""
        from pbem.cli.shell.language import speaking

        with speaking(self.lang):
            return self._wrong(error)

    def _wrong(self, error: bottle.HTTPError) -> str:
        for name, value in self.gate.headers.items():
            error.set_header(name, value)
        fault = error.exception
        if isinstance(fault, PbemError):
            text, faults = "", shown.faults(fault.diagnostics if isinstance(fault, Refused) else ())
            text = "" if faults else spoken(str(fault))
        else:
            known = error.status_code in (403, 404, 405, 413)
            text, faults = (str(error.body) if known else self.words.say("nothing-lost")), []
        if bottle.request.path.endswith(asked.ASKED) or asked.by_script():
            error.content_type = "application/json"
            return json.dumps({"wrong": text, "faults": faults})
        return self.plain("wrong.html.j2", text=text, faults=faults)
