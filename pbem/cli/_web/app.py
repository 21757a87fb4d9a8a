"""The table's pages and what they ask: every route is a few lines over `desk`, `draft` and `board`."""

from __future__ import annotations

import functools
import json
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

import bottle

from pbem.cli._web import board, desk, draft, guard, pages
from pbem.text.diagnostics import PbemError, Refused

if TYPE_CHECKING:
    from pbem.archive import Folder

_LONGEST_JSON = 1 << 20


def application(place: desk.Desk, gate: guard.Guard) -> bottle.Bottle:
    """The server's application for one start of `pbem table`."""
    app = bottle.Bottle()
    app.catchall = True
    table = _Table(place, gate)
    app.add_hook("before_request", table.let_in)
    app.add_hook("after_request", table.seal)
    app.default_error_handler = table.wrong
    for method, path, function in table.routes():
        app.route(path, method, _told(function))
    return app


def _told(function: Callable[..., Any]) -> Callable[..., Any]:
    """A route whose faults are told on a page, and written nowhere else."""

    @functools.wraps(function)
    def asked(**names: Any) -> Any:
        try:
            return function(**names)
        except bottle.HTTPResponse:
            raise
        except PbemError as fault:
            raise bottle.HTTPError(409, exception=fault) from None
        except Exception as fault:
            raise bottle.HTTPError(500, exception=fault) from None

    return asked


class _Table:
    """The routes. A game is named by a short hash of where it lies."""

    def __init__(self, place: desk.Desk, gate: guard.Guard) -> None:
        self.place, self.gate = place, gate

    def routes(self) -> list[tuple[str, str, Callable[..., Any]]]:
        """Everything that is answered."""
        return [
            ("GET", "/", self.lobby),
            ("POST", "/practice", self.practice),
            ("GET", "/static/<name>", self.static),
            ("GET", "/g/<name>/", self.report),
            ("GET", "/g/<name>/report/<stage:int>", self.report),
            ("GET", "/g/<name>/orders", self.orders),
            ("POST", "/g/<name>/orders", self.orders_form),
            ("GET", "/g/<name>/state", self.state),
            ("GET", "/g/<name>/board", self.board),
            ("POST", "/g/<name>/options", self.options),
            ("POST", "/g/<name>/choose", self.choose),
            ("POST", "/g/<name>/back", self.back),
            ("POST", "/g/<name>/clear", self.clear),
            ("POST", "/g/<name>/sign", self.sign),
            ("GET", "/g/<name>/post", self.post),
            ("POST", "/g/<name>/post", self.take_in),
            ("GET", "/g/<name>/letter/<letter>", self.letter),
            ("POST", "/g/<name>/run", self.run),
            ("GET", "/g/<name>/trust", self.trust),
            ("POST", "/g/<name>/trust", self.verify),
        ]

    # ---- who may ask ----------------------------------------------------------------------------------

    def let_in(self) -> None:
        """Before every request: the guard; the link with the token becomes a cookie."""
        request = bottle.request
        if (request.content_length or 0) > guard.MOST:
            raise bottle.HTTPError(413, "this is more than a mail can be")
        cookie = request.get_cookie(self.gate.cookie)
        if request.method == "GET" and request.path == "/" and self.gate.welcomes(request.query.token):
            why = self.gate.fault("GET", request.headers, self.gate.token)
            if why is None:
                response = bottle.HTTPResponse(status=303, headers={"Location": "/"})
                options = {"httponly": True, "samesite": "strict", "path": "/"}
                response.set_cookie(self.gate.cookie, self.gate.token, **options)
                raise response
        why = self.gate.fault(request.method, request.headers, cookie)
        if why is not None:
            raise bottle.HTTPError(403, why)

    def seal(self) -> None:
        """After every request: nothing is kept, nothing else may be loaded."""
        for name, value in guard.HEADERS.items():
            bottle.response.set_header(name, value)

    def wrong(self, error: bottle.HTTPError) -> str:
        """What went wrong, in words and nothing else."""
        for name, value in guard.HEADERS.items():
            error.set_header(name, value)
        fault = error.exception
        if isinstance(fault, PbemError):
            text, found = "", draft.faults(fault.diagnostics if isinstance(fault, Refused) else ())
            text = "" if found else str(fault)
        else:
            known = error.status_code in (403, 404, 405, 413)
            text, found = (str(error.body) if known else "something went wrong here; nothing was lost"), []
        if bottle.request.path.endswith(("/state", "/board", "/options", "/choose", "/back", "/clear")):
            error.content_type = "application/json"
            return json.dumps({"wrong": text, "faults": found})
        return pages.page("wrong.html.j2", text=text, faults=found, lang="en")

    # ---- pages ------------------------------------------------------------------------------------------

    def lobby(self) -> str:
        """The games of this place, and a game against the computer."""
        from pbem.cli._standing import stand

        found = [(name, stand(self.place.open(name))) for name in self.place.games()]
        return pages.page("lobby.html.j2", games=found, seats=desk.seats(), lang="en")

    def practice(self) -> None:
        """Begin a game against the computer."""
        form = bottle.request.forms
        name = self.place.practice(form.getunicode("system", ""), form.getunicode("seat", ""))
        bottle.redirect(f"/g/{name}/", 303)

    def static(self, name: str) -> bytes:
        """Style and scripts."""
        if name not in pages.STATIC:
            raise bottle.HTTPError(404, "there is no such page")
        bottle.response.content_type = pages.STATIC[name]
        return pages.static(name)

    def report(self, name: str, stage: int | None = None) -> str:
        """A report: the newest one, or that of a stage."""
        from pbem.cli._telling import stage_report
        from pbem.report.html import context

        folder = self.place.open(name)
        if folder.stage < 0:
            return self._page("waiting.html.j2", name, folder)
        shown = folder.stage if stage is None else stage
        made = stage_report(folder, shown, folder.me)
        return self._page("report_at_table.html.j2", name, folder, **context(made), shown=shown)

    def orders(self, name: str) -> str:
        """The board and the orders under way."""
        folder = self.place.open(name)
        asked = folder.me in folder.line.asked if folder.stage >= 0 else False
        text = draft.OrderDraft(folder).text() if asked else ""
        return self._page("orders.html.j2", name, folder, asked=asked, text=text, said=None)

    def orders_form(self, name: str) -> str:
        """The order file written as text: kept and checked, without any script."""
        from pbem.archive import order_file
        from pbem.cli import _orders
        from pbem.text.writing import write_all

        folder = self.place.open(name)
        text = bottle.request.forms.getunicode("text", "").replace("\r\n", "\n")
        path = _orders.order_file(folder)
        checked = order_file.check(folder, order_file.load(folder, text, path.name))
        write_all({path: text.encode()}, private=[path])
        said = {"understood": checked.understood, "faults": draft.faults(checked.diagnostics)}
        return self._page("orders.html.j2", name, folder, asked=True, text=text, said=said)

    def post(self, name: str) -> str:
        """Letters out and in."""
        folder = self.place.open(name)
        return self._page("post.html.j2", name, folder, letters=desk.letters(folder), receipts=None)

    def take_in(self, name: str) -> str:
        """Mails and files that were dropped or pasted."""
        folder = self.place.open(name)
        parts = [(one.raw_filename, one.file.read()) for one in bottle.request.files.getall("file")]
        pasted = bottle.request.forms.getunicode("text", "")
        parts += [("pasted text", pasted.encode())] if pasted.strip() else []
        receipts = [line for called, data in parts if data for line in desk.take_in(folder, data, called)]
        folder = self.place.open(name)
        return self._page("post.html.j2", name, folder, letters=desk.letters(folder), receipts=receipts)

    def letter(self, name: str, letter: str) -> bytes:
        """A letter to save, or to open in a mail program."""
        data = desk.letter(self.place.open(name), letter)
        bottle.response.content_type = "message/rfc822"
        bottle.response.set_header("Content-Disposition", f'attachment; filename="{letter}"')
        return data

    def sign(self, name: str) -> str:
        """Sign the order file as it lies there; against the computer the game goes on at once."""
        from pbem.cli import _orders

        folder = self.place.open(name, self._passphrase())
        checked = _orders.checked_file(folder, str(_orders.order_file(folder)))
        if not checked.ok:
            said = {"understood": [], "faults": draft.faults(checked.diagnostics)}
            text = _orders.order_file(folder).read_text("utf-8")
            return self._page("orders.html.j2", name, folder, asked=True, text=text, said=said)
        files = desk.sign(folder, checked, self._passphrase())
        stages = self.place.play_on(folder.root)
        folder = self.place.open(name)
        return self._page("signed.html.j2", name, folder, checked=checked, files=files, stages=stages)

    def run(self, name: str) -> str:
        """The game master's: run the open stage."""
        folder = self.place.open(name, self._passphrase())
        said = desk.run_stage(folder, self._passphrase(), bottle.request.forms.getunicode("by", ""))
        folder = self.place.open(name)
        return self._page("post.html.j2", name, folder, letters=desk.letters(folder), receipts=said)

    def trust(self, name: str) -> str:
        """What can be checked."""
        return self._page("trust.html.j2", name, self.place.open(name), found=None, ok=None)

    def verify(self, name: str) -> str:
        """Check the whole archive."""
        folder = self.place.open(name)
        ok, found = desk.verified(folder)
        return self._page("trust.html.j2", name, folder, found=found, ok=ok)

    # ---- what the script asks ----

    def state(self, name: str) -> dict[str, Any]:
        """The orders under way."""
        return draft.state(draft.OrderDraft(self.place.open(name)))

    def board(self, name: str) -> dict[str, Any]:
        """The map and who stands where."""
        return board.board(self.place.open(name))

    def options(self, name: str) -> dict[str, Any]:
        """What may be answered, or come next, with a counter or at a place."""
        asked = self._asked()
        orders = draft.OrderDraft(self.place.open(name))
        found = orders.options(orders.question(asked["key"]), asked["at"])
        return {"options": [draft.option_data(number, one) for number, one in enumerate(found)]}

    def choose(self, name: str) -> dict[str, Any]:
        """Put an option into the orders."""
        asked = self._asked()
        orders = draft.OrderDraft(self.place.open(name))
        number, text = asked["number"], asked["text"]
        orders.choose(
            orders.question(asked["key"]), asked["at"], number if isinstance(number, int) else -1, text
        )
        return self._kept(orders)

    def back(self, name: str) -> dict[str, Any]:
        """Take the last element away."""
        orders = draft.OrderDraft(self.place.open(name))
        orders.back(orders.question(self._asked()["key"]))
        return self._kept(orders)

    def clear(self, name: str) -> dict[str, Any]:
        """Begin an answer again."""
        orders = draft.OrderDraft(self.place.open(name))
        orders.clear(orders.question(self._asked()["key"]))
        return self._kept(orders)

    # ---- small ----

    def _kept(self, orders: draft.OrderDraft) -> dict[str, Any]:
        orders.save()
        return draft.state(orders)

    def _asked(self) -> Mapping[str, Any]:
        """The JSON of a request: `key`, `at`, `number`, `text`, whatever else is in it."""
        request = bottle.request
        if request.content_type.split(";")[0] != "application/json" or request.content_length > _LONGEST_JSON:
            raise bottle.HTTPError(403, "this is no question of the page")
        try:
            data = json.loads(request.body.read())
        except (ValueError, RecursionError):
            data = None
        data = data if isinstance(data, dict) else {}
        at = data.get("at")
        return {
            "key": str(data.get("key", "")),
            "at": at if isinstance(at, str) and at else None,
            "number": data.get("number"),
            "text": str(data.get("text", "")),
        }

    def _passphrase(self) -> str | None:
        return bottle.request.forms.getunicode("passphrase", "") or None

    def _page(self, template: str, name: str, folder: Folder, **values: Any) -> str:
        from pbem.cli._standing import stand

        standing = stand(folder)
        known = {"name": name, "folder": folder, "standing": standing, "lang": "en"}
        return pages.page(template, **{**known, **values})
