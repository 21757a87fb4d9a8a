"""The commands that pages may run, with their words made from a form's fields.

Typed text comes after `=` or `--`, so that it is never an option.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from pbem.text.dataclass import dataclass


@dataclass(frozen=True)
class Form:
    """The fields of a form: `one` is the first of a name, `all` all non-empty ones."""

    one: Callable[[str], str]
    all: Callable[[str], Sequence[str]]

    def option(self, field: str, option: str = "") -> list[str]:
        """Return `--option=value` where something was typed."""
        value = self.one(field)
        return [f"--{option or field}={value}"] if value else []

    def options(self, field: str, option: str = "") -> list[str]:
        """Return `--option=value` for several lines or fields."""
        lines = [line.strip() for text in self.all(field) for line in text.splitlines()]
        return [f"--{option or field}={line}" for line in lines if line]

    def flag(self, field: str) -> list[str]:
        """Return `--field` where the box is ticked."""
        return [f"--{field}"] if self.one(field) else []


@dataclass(frozen=True)
class Action:
    """A command that a page may run.

    `looks`: without `--yes` it shows what would be signed.
    """

    words: Callable[[Form], list[str]]
    looks: bool = False


def _amend(kind: str, *fields: str, option: str = "") -> Action:
    """Return an amendment whose fields are arguments, in order, maybe with an option."""

    def words(form: Form) -> list[str]:
        more = form.option(option) if option else []
        return ["amend", kind, *form.flag("aware"), *more, "--", *(form.one(field) for field in fields)]

    return Action(words, True)


def _run(form: Form, *more: str) -> list[str]:
    return [
        "adjudicate",
        *more,
        *form.option("by"),
        *form.options("forfeit"),
        *form.flag("deadline-passed"),
    ]


DEPUTY = ("handover", "ready", "charge", "takeover", "return")
"""Commands of `pbem deputy`, for GM and deputy."""
ACTIONS: dict[str, Action] = {
    # mail
    "fetch": Action(lambda form: ["mail", "in"]),
    "send": Action(lambda form: ["mail", "out", "--", *form.all("letter")]),
    "sent": Action(lambda form: ["mail", "out", "--sent", "--", *form.all("letter")]),
    # a player's
    "sign-roster": Action(lambda form: ["sign", "--yes", *form.option("compared", "game")]),
    "undo": Action(lambda form: ["undo", "--yes"]),
    "link": Action(lambda form: ["link"]),
    "again": Action(lambda form: ["orders", "again"]),
    "withdraw": Action(lambda form: ["orders", "withdraw", "--", *form.all("entry")]),
    "protest": Action(lambda form: ["protest", "--", form.one("words")]),
    # the game master's
    "look": Action(lambda form: _run(form, "--dry-run")),
    "run": Action(_run),
    "remind": Action(lambda form: ["remind", "--", *form.all("party")]),
    "ack": Action(lambda form: ["ack"]),
    "correct-look": Action(lambda form: ["correct", "--dry-run", *form.option("by")]),
    "correct": Action(lambda form: ["correct", *form.option("by")]),
    "plain-sign": Action(lambda form: ["plain", "--sign", "--", form.one("reply")]),
    "plain-drop": Action(lambda form: ["plain", "--drop", "--", form.one("reply")]),
    "plain-send": Action(lambda form: ["plain", f"--send={form.one('party')}"]),
    "unseal": Action(lambda form: ["unseal", "--yes", *form.flag("early")]),
    "rule": Action(
        lambda form: [
            "rule",
            *form.option("reason"),
            *(
                word
                for name in ("move", "remove", "add", "set", "track", "override")
                for word in form.options(name)
            ),
        ],
        True,
    ),
    # by agreement
    "amend-sign": Action(lambda form: ["amend", "sign", *form.flag("aware"), "--", form.one("sid")], True),
    "amend-option": _amend("option", "setting"),
    "amend-drop": _amend("drop", "party"),
    "amend-chain": _amend("chain"),
    "amend-module": _amend("module"),
    "amend-takeover": _amend("takeover", "entry", option="mail"),
    "amend-deputy": Action(lambda form: ["amend", "deputy", "--", form.one("entry")], True),
    "deputy": Action(lambda form: ["deputy", *(right for right in form.all("do") if right in DEPUTY)]),
    "mail-address": Action(lambda form: ["mail", "address", "--", form.one("seat"), form.one("mail")]),
    "amend-key": Action(
        lambda form: ["amend", "key", *form.option("who", "name"), *form.option("mail")], True
    ),
    "amend-power": Action(
        lambda form: ["amend", "power", *form.option("reason"), "--", form.one("power"), form.one("seat")],
        True,
    ),
    "amend-proxy": Action(lambda form: ["amend", "proxy", *form.flag("end")], True),
    "rewind": Action(lambda form: ["rewind", *form.flag("aware"), "--", form.one("stage")], True),
}
