"""The board, and the orders under way: as a page, and what its script asks."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

import bottle

from pbem.cli.web import asked, board, draft, enclosed, post, shown, signing
from pbem.cli.web.addresses.at_board import AtBoard
from pbem.cli.web.addresses.at_hand import once
from pbem.cli.web.pages import root
from pbem.cli.web.rooms import Room, Route
from pbem.text.diagnostics import Diagnostic, Refused
from pbem.text.messages import Message

if TYPE_CHECKING:
    from pbem.archive import Folder
    from pbem.engine.resolve import Question


MOST_UNITS = 200
"""Counters whose options are given at once."""


class AtOrders(Room):
    """The pages for orders by clicking, and as a text."""

    def routes(self) -> list[Route]:
        return [
            ("GET", "/g/<name>/orders", self.orders),
            ("POST", "/g/<name>/orders", self.orders_form),
            ("GET", "/g/<name>/template", self.template),
            ("POST", "/g/<name>/sign", self.sign_either),
            ("GET", "/g/<name>/state", self._in_turn(self.state)),
            ("GET", "/g/<name>/board", self._in_turn(self.board)),
            *(("POST", f"/g/<name>/{click.__name__}", self._in_turn(click)) for click in self._clicks()),
        ]

    def _clicks(self) -> list[Callable[[str], dict[str, Any]]]:
        """Return the functions that a script calls by POST, each under its own name."""
        return [
            *(self.options, self.choose, self.march, self.why, self.back, self.clear, self.remove),
            *(self.take, self.shift, self.put, self.enclose, self.counter, self.past),
        ]

    def _in_turn(self, asks: Callable[[str], dict[str, Any]]) -> Callable[[str], dict[str, Any]]:
        """Return a function that handles one click after the other: they share the open folder."""

        from pbem.cli.shell.language import of_game

        def answered(name: str) -> dict[str, Any]:
            with asked.TURN:
                folder = self.place.at_hand(name)
                of_game(folder)
                post = bottle.request.method == "POST"
                gone = asked.changed(folder, asked.body()) if post else None
                return asked.or_gone(folder, lambda: asks(name)) if gone is None else gone

        return answered

    # ---- pages ----

    def orders(self, name: str, checked_orders: Any = None, text: str | None = None) -> str:
        """Return the page with the board and the orders under way."""
        with asked.TURN:
            return self._orders(name, checked_orders, text)

    def _orders(self, name: str, checked_orders: Any, text: str | None) -> str:
        folder = self.place.at_hand(name)
        owed = may_order(folder)
        if owed and text is None:
            text = draft.OrderDraft(folder).text()
        drawing = self._drawing(name, folder)
        words = {key: self.words.phrases[key] for key in self.words.phrases if key.startswith("js-")}
        return self.page(
            "orders.html.j2",
            name,
            folder,
            asked=owed,
            text=text or "",
            said=checked_orders,
            spoken=self._spoken(folder) if owed else [],
            words=json.dumps(words),
            signed=signing.signed_here(folder),
            **drawing,
        )

    def _spoken(self, folder: Folder) -> list[str]:
        """Return lines in plain words that may be in the order file."""
        from pbem.archive import order_file, order_form

        view = folder.view()
        lines = (order_form.in_words(view, question) for question in order_file.questions(folder))
        return list(dict.fromkeys(line for of_one in lines for line in of_one))

    def _drawing(self, name: str, folder: Folder) -> dict[str, Any]:
        """Return the map as in the reports, with the lists below it."""
        from pbem.cli.games.board_picture import board_of
        from pbem.cli.games.telling import report_of
        from pbem.report.html import context

        if folder.stage < 0:
            return {"report": None, "map": ""}

        def drawn() -> dict[str, Any]:
            board = board_of(folder, f"{root()}/g/{name}/picture")
            return context(report_of(folder, folder.me, folder.view(), self.lang), screen=True, board=board)

        return once(folder, ("drawing", self.lang), drawn)

    def template(self, name: str) -> bytes:
        """Return the order file as `pbem orders new` writes it, to fill in elsewhere."""
        from pbem.archive import order_form
        from pbem.cli.shell.language import code, of_game, spoken
        from pbem.cli.writing.units import unit_lines

        folder = self.place.open(name)
        of_game(folder)
        schema = order_form.SCHEMA.rpartition("/")[2]
        text = order_form.template(folder, schema, unit_lines(folder), code(), spoken)
        bottle.response.content_type = "application/yaml"
        called = f"orders-{folder.progress.open_stage:04d}.yaml"
        bottle.response.set_header("Content-Disposition", f'attachment; filename="{called}"')
        return text.encode()

    def orders_form(self, name: str) -> str:
        """Keep and check the order file as text, written in the page or sent."""
        from pbem.archive import order_file
        from pbem.cli.writing import orders as _orders
        from pbem.text.writing import write_all

        folder = self.place.open(name)
        sent = [file.file.read() for file in bottle.request.files.getall("file")]
        text = next((file.decode("utf-8", "replace") for file in sent if file), None)
        text = bottle.request.forms.getunicode("text", "") if text is None else text
        text = text.replace("\r\n", "\n")
        path = _orders.order_file(folder)
        checked = order_file.check(folder, order_file.load(folder, text, path.name))
        write_all({path: text.encode()}, private=[path])
        words = shown.in_words(folder, order_file.questions(folder), checked.understood)
        checked_orders = {"understood": words, "faults": shown.faults(checked.diagnostics)}
        return self.orders(name, checked_orders, text)

    def sign_either(self, name: str) -> Any:
        """Sign as the board asks, or as the form of a page without scripts."""
        return AtBoard(self.place, self.lang).signed(name) if asked.by_script() else self.sign(name)

    def sign(self, name: str) -> str:
        """Sign the order file as it lies there; against the computer the game continues at once."""
        from pbem.cli.games.practice import keep
        from pbem.cli.writing import orders as _orders

        folder = self.place.open(name, self.passphrase())
        path = _orders.order_file(folder)
        if not path.is_file():
            draft.OrderDraft(folder).save()
        checked = _orders.checked_file(folder, str(path))
        if not checked.ok:
            checked_orders = {"understood": [], "faults": shown.faults(checked.diagnostics)}
            return self.orders(name, checked_orders, path.read_text("utf-8"))
        understood = shown.in_words(folder, draft.OrderDraft(folder).questions, checked.understood)
        keep(folder)
        files = signing.sign(folder, checked, self.passphrase())
        stages = self.place.play_on(folder.root)
        folder = self.place.open(name)
        letters = [letter for letter in post.letters(folder) if letter.file in files]
        values = {"understood": understood, "letters": letters, "stages": stages}
        return self.page("signed.html.j2", name, folder, **values)

    # ---- what the script asks ----

    def state(self, name: str) -> dict[str, Any]:
        """Return the orders under way, and the options for the first question."""
        orders = draft.OrderDraft(self.place.at_hand(name))
        return {
            **shown.state(orders),
            **(self._next(orders, orders.questions[0]) if orders.questions else {}),
        }

    def board(self, name: str) -> dict[str, Any]:
        """Return the map and the counters on it."""
        folder = self.place.at_hand(name)
        return once(folder, ("board", self.lang), lambda: board.board(folder, self.lang))

    def options(self, name: str) -> dict[str, Any]:
        """Return the options now, of a counter or at a place, of several counters, or of all of mine."""
        query = self._asked()
        orders = draft.OrderDraft(self.place.at_hand(name))
        units = asked.body().get("units")
        if units is not None:
            return options_of(orders, orders.question(query["key"]), asked.body())
        at = self._id_as_typed(orders.folder, query["at"])
        return self._next(orders, orders.question(query["key"]), at)

    def _next(self, orders: draft.OrderDraft, question: Question, at: str | None = None) -> dict[str, Any]:
        options = orders.options(question, at)
        return {
            "at": at,
            "options": [shown.option_data(number, option) for number, option in enumerate(options)],
        }

    def choose(self, name: str) -> dict[str, Any]:
        """Put an option into the orders, and return what may come next there, too."""
        query = self._asked()
        orders = draft.OrderDraft(self.place.at_hand(name))
        number, text, question = query["number"], query["text"], orders.question(query["key"])
        orders.choose(question, query["at"], number if isinstance(number, int) else -1, text)
        return {**self._kept(orders), **self._next(orders, question, query["at"])}

    def march(self, name: str) -> dict[str, Any]:
        """Let several counters do what leads each of them to one place; who cannot is told why."""
        query = self._asked()
        orders = draft.OrderDraft(self.place.at_hand(name))
        left = orders.march(orders.question(query["key"]), query["counters"], query["to"])
        return {**self._kept(orders), "left": left}

    def why(self, name: str) -> dict[str, Any]:
        """Return why a click is illegal, in the words of `pbem orders check`."""
        from pbem.cli.web.why import nearest, why

        query = self._asked()
        orders = draft.OrderDraft(self.place.at_hand(name))
        at, to = self._id_as_typed(orders.folder, query["at"]), self._id_as_typed(orders.folder, query["to"])
        question = orders.question(query["key"])
        reasons = why(orders, question, at, to)
        near = nearest(orders, question, at, to) if reasons.answer is None else None
        option = shown.option_data(*near) if near is not None else None
        return {
            "reasons": shown.faults(reasons.reasons),
            "faults": shown.faults(reasons.reasons),
            "legal": reasons.answer is not None,
            "nearest": option,
            "near": self.words.say("board-nearest", option=option["shown"]) if option is not None else "",
        }

    def take(self, name: str) -> dict[str, Any]:
        """Put in what was clicked, if nothing is against it."""
        query = self._asked()
        orders = draft.OrderDraft(self.place.at_hand(name))
        at, to = self._id_as_typed(orders.folder, query["at"]), self._id_as_typed(orders.folder, query["to"])
        orders.take(orders.question(query["key"]), at, to)
        return self._kept(orders)

    def back(self, name: str) -> dict[str, Any]:
        """Take the last element away."""
        orders = draft.OrderDraft(self.place.at_hand(name))
        orders.back(orders.question(self._asked()["key"]))
        return self._kept(orders)

    def clear(self, name: str) -> dict[str, Any]:
        """Begin an answer again."""
        orders = draft.OrderDraft(self.place.at_hand(name))
        orders.clear(orders.question(self._asked()["key"]))
        return self._kept(orders)

    def remove(self, name: str) -> dict[str, Any]:
        """Take one element away."""
        query = self._asked()
        orders = draft.OrderDraft(self.place.at_hand(name))
        orders.remove(orders.question(query["key"]), self._number(query))
        return self._kept(orders)

    def shift(self, name: str) -> dict[str, Any]:
        """Put an element one place up or down."""
        query = self._asked()
        orders = draft.OrderDraft(self.place.at_hand(name))
        by = 1 if query["text"] == "down" else -1
        orders.shift(orders.question(query["key"]), self._number(query), by)
        return self._kept(orders)

    def put(self, name: str) -> dict[str, Any]:
        """Write the order file as it was before or after a step."""
        folder = self.place.at_hand(name)
        draft.OrderDraft(folder).put(self._asked()["text"])
        return shown.state(draft.OrderDraft(folder))

    def enclose(self, name: str) -> dict[str, Any]:
        """Put a text for named readers beside the orders, or take it out."""
        orders = draft.OrderDraft(self.place.at_hand(name))
        enclosed.enclose(orders, *enclosed.said_of(asked.body()))
        return {**self._kept(orders), "enclosed": enclosed.enclosed(orders)}

    def counter(self, name: str) -> dict[str, Any]:
        """Return what the reader knows of a counter."""
        return board.counter(self.place.at_hand(name), self._asked()["at"] or "", self.lang)

    def past(self, name: str) -> dict[str, Any]:
        """Return what a counter did in this game, as far as the reader saw it."""
        return {"lines": board.past(self.place.at_hand(name), self._asked()["at"] or "", self.lang)}

    # ---- small ----

    def _kept(self, orders: draft.OrderDraft) -> dict[str, Any]:
        orders.save()
        return shown.state(orders)

    def _number(self, query: Mapping[str, Any]) -> int:
        number = query["number"]
        if not isinstance(number, int) or isinstance(number, bool) or number < 0:
            raise Refused(Diagnostic("changed", Message("cli.web.changed")))
        return number

    def _id_as_typed(self, folder: Folder, word: str | None) -> str | None:
        """Return the id of a counter or place as typed: ids in any case, places by name."""
        from pbem.cli.writing.naming import Names

        return None if word is None else Names.of(folder).find(word) or word

    def _asked(self) -> Mapping[str, Any]:
        """Return the JSON of a request: only what a page may ask."""
        data = asked.body()
        at, to, counters = data.get("at"), data.get("to"), data.get("counters")
        return {
            "key": str(data.get("key", "")),
            "at": at if isinstance(at, str) and at else None,
            "to": to if isinstance(to, str) and to else None,
            "counters": [str(counter) for counter in counters[:100]] if isinstance(counters, list) else [],
            "number": data.get("number"),
            "text": str(data.get("text", "")),
        }


def options_of(orders: draft.OrderDraft, question: Question, data: Mapping[str, Any]) -> dict[str, Any]:
    """Return the options of several counters, or of all of mine that have any, by counter."""
    from pbem.cli.writing.naming import Names
    from pbem.cli.writing.units import my_units

    folder = orders.folder
    every = data["units"] == "all"
    units = my_units(folder, Names.of(folder)) if every else asked.texts(data, "units", MOST_UNITS)
    options = {}
    for id in units[:MOST_UNITS]:
        listed = [
            shown.option_data(number, option) for number, option in enumerate(orders.options(question, id))
        ]
        if listed or not every:
            options[id] = listed
    return {"of": options, "left": max(0, len(units) - MOST_UNITS)}


def may_order(folder: Folder) -> bool:
    """Return True if the owner of this folder is asked something and may write."""
    return folder.stage >= 0 and folder.me is not None and folder.me in folder.progress.asked
