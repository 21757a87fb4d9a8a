"""The addresses of the board: where the game stands, the questions in a row, signing."""

from __future__ import annotations

import hashlib
import json
from functools import partial
from typing import TYPE_CHECKING, Any

import bottle

from pbem.cli.web import asked, draft, post, shown, signing
from pbem.cli.web.addresses.at_hand import looks
from pbem.cli.web.asked import Answer
from pbem.cli.web.data.now import now, sign_data
from pbem.cli.web.data.row import row_data
from pbem.cli.web.rooms import Room, Route
from pbem.text.diagnostics import Diagnostic, Refused
from pbem.text.messages import Message

if TYPE_CHECKING:
    from pbem.archive import Folder


class AtBoard(Room):
    """The answers to the page of the board."""

    def routes(self) -> list[Route]:
        in_turn = partial(asked.in_turn, self.place)
        return [
            ("GET", "/g/<name>/now", self.now),
            ("POST", "/g/<name>/next", in_turn(self.next)),
            ("POST", "/g/<name>/stand", in_turn(self.stand)),
            ("POST", "/g/<name>/nothing", in_turn(self.nothing)),
        ]

    def now(self, name: str) -> Any:
        """Return where the game stands, and the orders so far; 304 where the page knows it already."""
        from pbem.cli.shell.language import of_game

        with asked.TURN:
            folder = self.place.at_hand(name)
            of_game(folder)
            mark = _mark(folder, self.lang)
            if mark in (bottle.request.get_header("If-None-Match") or ""):
                raise bottle.HTTPResponse(status=304, headers={"ETag": mark})
            bottle.response.set_header("ETag", mark)
            return now(folder, read=self.place.memory.noted(folder.root, "read"))

    def next(self, folder: Folder) -> Answer:
        """Return the row of questions, and the next one or why there is none."""
        orders = draft.OrderDraft(folder)
        orders.past = asked.body().get("past") is True
        row = row_data(orders)
        stage = folder.progress.open_stage
        sign = sign_data(orders)
        return {"stage": stage, "tag": asked.tag(folder), **row, "sign": sign}

    def stand(self, folder: Folder) -> Answer:
        """Put a standing order that was offered into the order file."""
        entry = asked.body().get("entry")
        if not isinstance(entry, dict):
            raise Refused(Diagnostic("changed", Message("cli.web.changed")))
        orders = draft.OrderDraft(folder)
        orders.others = [*(other for other in orders.others if not _same_name(other, entry)), entry]
        checked = orders.checked()
        wrong = [
            fault for fault in checked.diagnostics if fault.code != "no-answer" and fault.severity == "error"
        ]
        if wrong:
            raise Refused(wrong)
        orders.save()
        return {**shown.state(orders), "tag": asked.tag(folder), **row_data(orders)}

    def nothing(self, folder: Folder) -> Answer:
        """Answer every question of this part of the turn with "nothing"."""
        orders = draft.OrderDraft(folder)
        orders.do_nothing_more()
        orders.save()
        return {**shown.state(orders), "tag": asked.tag(folder)}

    # ---- signing -----------------------------------------------------------------------------------------

    def signed(self, name: str) -> Answer:
        """Sign the orders with the row's answers; against the computer the game continues at once."""
        from pbem.cli.games.practice import keep

        with asked.TURN:
            data = asked.body()
            gone = asked.changed(self.place.at_hand(name), data)
            if gone is not None:
                return gone
            orders = draft.OrderDraft(self.place.at_hand(name))
            orders.settle(whole=True)
            orders.save()
            passphrase = asked.text(data, "passphrase")
            folder = self.place.open(name, passphrase)
            checked = draft.OrderDraft(folder).checked()
            if not checked.ok:
                faults = shown.faults(checked.diagnostics)
                return {"ok": False, "faults": faults, "now": now(self.place.at_hand(name))}
            understood = shown.in_words(folder, orders.questions, checked.understood)
            before = folder.stage
            keep(folder)
            files = signing.sign(folder, checked, passphrase)
            stages = self.place.play_on(folder.root)
            folder = self.place.at_hand(name)
            return {
                "ok": True,
                "signed": understood,
                "letters": [
                    {"file": letter.file, "about": letter.words, "to": letter.to, "link": letter.link}
                    for letter in post.letters(folder)
                    if letter.file in files
                ],
                "stages": stages,
                "since": before,
                "now": now(folder),
            }


def _same_name(other: Any, entry: dict[str, Any]) -> bool:
    from pbem.engine.ahead import name_of

    return name_of(entry) is not None and name_of(other) == name_of(entry)


def _mark(folder: Folder, lang: str) -> str:
    """Return the ETag of `now`: it changes with the folder, the draft, the day and the language."""
    from pbem.cli.games import clock

    parts = [repr(looks(folder.root)), asked.tag(folder), lang, f"{clock.now():%Y-%m-%d}"]
    return f'"{hashlib.sha256(json.dumps(parts).encode()).hexdigest()[:20]}"'
