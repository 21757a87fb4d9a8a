"""The changes of a standing list by an order file: what lasts, what waits, what is withdrawn."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from pbem.archive.folder.parts import Readable
from pbem.archive.ordering import answers_ahead
from pbem.engine.ahead import Entry, name_of
from pbem.engine.conditions import find
from pbem.stages import standing_orders as standing_orders
from pbem.text import narrow
from pbem.text.canonical import Json, dumps
from pbem.text.diagnostics import DataPath, Diagnostic
from pbem.text.flow import flow
from pbem.text.messages import Message


def unsealed(entry: Any) -> Any:
    """Return an entry without the word that says whether it is sealed."""
    return {key: value for key, value in entry.items() if key != "seal"} if isinstance(entry, dict) else entry


class Filing:
    """A collector of one file's faults and meaning.

    `alone`: the list is signed on its own, and holds from the next stage on; `skip`: advance orders may lose
    bad parts; `shut` says how secrets are sealed.
    """

    def __init__(self, folder: Readable, *, alone: bool, skip: bool, shut: str) -> None:
        self.folder = folder
        self.system = folder.system
        self.alone = alone
        self.skip = skip
        self.shut = shut
        self.before = self._in_force()
        self.queued: list[Entry] = []
        self._sealed: dict[str, list[Entry]] = {}
        self.faults: list[Diagnostic] = []
        self.understood: list[str] = []

    def _in_force(self) -> list[Json]:
        """Return my standing list, which the file changes.

        A list for the next stage on begins with what I have signed in this one.
        """
        signed = answers_ahead.signed(self.folder) if self.alone else None
        return answers_ahead.in_force(self.folder) if signed is None else signed

    @property
    def reading(self) -> str:
        """Return who reads a standing list."""
        return self.shut if self.system.hidden else Message("archive.ordering.everybody-read")

    def seals(self, entry: Entry, path: DataPath, *, ahead: bool) -> str | None:
        """Seal an entry if the game's rules or its author ask for it; return the commitment's name."""
        name = self.system.sealed_as(entry, ahead=ahead)
        if name is None:
            if entry.get("seal") and not self.system.hidden:
                message = Message("archive.ordering.rules-of-this-game-cannot-seal-this-order")
                self.faults.append(Diagnostic("not-sealed", message, path=(*path, "seal"), on_key=True))
            return None
        if self.alone:
            message = Message("archive.ordering.sealed-alone")
            help_ = (Message("archive.ordering.send-it-with-your-next-answers"),)
            self.faults.append(Diagnostic("sealed-alone", message, path=path, help=help_))
        self._sealed.setdefault(name, []).append(unsealed(entry))
        return name

    @property
    def sealed(self) -> dict[str, str]:
        """Return the orders that travel as commitments of their own, by the names of these.

        Each text is JSON: an order, or a list of several.
        """
        texts: dict[str, str] = {}
        for name, listed in self._sealed.items():
            content: Json = listed[0] if len(listed) == 1 else [*listed]
            texts[name] = dumps(content).decode()
        return texts

    def queue(self, entry: Entry) -> Entry:
        """Put an advance order at the end of the queue, with a name."""
        entry = self.named(entry)
        self.queued.append(unsealed(entry))
        return entry

    def named(self, entry: Entry) -> Entry:
        """Return an advance order with a name, and with the settings of the whole file."""
        if name_of(entry) is None:
            taken = [str(name_of(queued)) for queued in (*answers_ahead.waiting(self.before), *self.queued)]
            stage = self.folder.progress.open_stage
            named = answers_ahead.fresh_name(str(entry["decision"]), stage, taken, alone=self.alone)
            entry = {**entry, "once": named}
        if self.skip:
            entry = {"on_illegal": "skip", **entry}
        return entry

    def signed_list(self, added: Any, gone: Any, lasts: Any) -> list[Json] | None:
        """Return the standing list to be signed, None if nothing changes.

        `ahead` and `withdraw` change what waits, `standing` what lasts.
        """
        if added is not None:
            self._added(added)
        names: list[str] = []
        if gone is not None:
            names, faults = answers_ahead.withdrawn(self.before, gone, ("withdraw",))
            self.faults += faults
            self.understood += (
                [Message("archive.ordering.withdrawn", name=name) for name in names] if not faults else []
            )
        if lasts is not None and not self._lasting(lasts):
            return None
        self.faults += self._stays(names)
        if lasts is not None:
            lasts = self._shut(lasts)
        value = answers_ahead.merged(self.before, lasts, self.queued, names)
        if value == self.before and lasts is None:
            return None
        if value == [] and not self.alone and not self.system.hidden:
            help_ = (Message("archive.ordering.to-cancel-all-standing-orders"),)
            message = Message("archive.ordering.empty-standing")
            path = ("standing",) if lasts is not None else ("withdraw",)
            self.faults.append(Diagnostic("empty-standing", message, path=path, help=help_))
            return None
        self.faults += self._twice()
        if self.alone:
            self.understood.append(Message("archive.ordering.they-hold-from-next-stage-on"))
        return value

    def _stays(self, gone: Sequence[str]) -> list[Diagnostic]:
        """Return warnings about answers that were refused once and wait again."""
        if self.alone:
            return []
        waiting = {str(name_of(entry)) for entry in answers_ahead.waiting(self.before)} - set(gone)
        names = [name for name in answers_ahead.refused(self.folder) if name in waiting]
        help_ = (Message("archive.ordering.withdraw-name-takes-it-back"),)
        return [
            Diagnostic(
                "ahead-stays",
                Message("archive.ordering.ahead-stays", name=name),
                severity="warning",
                help=help_,
            )
            for name in names
        ]

    def _unseen(self, entries: Sequence[Entry]) -> list[Diagnostic]:
        """Return warnings about facts in `when:` that do not exist now and may be misspelt."""
        facts, missing = self.folder.view().facts, []
        for i, entry in enumerate(entries):
            for name in narrow.mapping(entry.get("when", {})):
                if "/" in name and find(facts, name) is None:
                    message = Message("archive.ordering.no-fact-now", name=name)
                    help_ = (Message("archive.ordering.pbem-orders-facts-lists-what-you-may-test"),)
                    path = ("ahead", i, "when", name)
                    missing.append(
                        Diagnostic("no-fact-now", message, severity="warning", path=path, help=help_)
                    )
        return missing

    def _twice(self) -> list[Diagnostic]:
        """Return a warning if a separately signed list of this stage replaces this one."""
        me, here = self.folder.need_me(), self.folder.statements(self.folder.progress.open_stage)
        if self.alone or not any(
            statement.type == "standing" and statement.sender == me for statement, _ in here
        ):
            return []
        message = Message("archive.ordering.standing-twice")
        help_ = (Message("archive.ordering.sign-them-once-more"),)
        return [Diagnostic("standing-twice", message, severity="warning", help=help_)]

    def _added(self, listed: Any) -> None:
        listed = answers_ahead.with_ids(self.system, listed, self.folder.view().place)
        plain = [unsealed(entry) for entry in listed] if isinstance(listed, list) else listed
        added_faults = answers_ahead.added_faults(self.system, plain, ("ahead",))
        for i, entry in enumerate(plain if not added_faults else ()):
            added_faults += answers_ahead.secret_faults(self.folder, entry, ("ahead", i, "decision"))
        self.faults += added_faults or self._unseen(plain)
        for i, given in enumerate(listed if not added_faults else ()):
            sealed = self.seals(self.named(given), ("ahead", i), ahead=True)
            entry = self.named(given) if sealed is not None else self.queue(given)
            name, kind = name_of(entry), entry["decision"]
            named = ("subject", "when", "until", "unless")
            conditions = [f"{word} {flow(entry[word])}" for word in named if word in entry]
            reading = self.reading if sealed is None else self.until_asked
            note = Message(
                "archive.ordering.ahead-added", name=name, conditions=tuple(conditions), reading=reading
            )
            self.understood.append(
                Message("archive.ordering.answer-means", name=kind, said=flow(entry["answer"]), note=note)
            )

    def _shut(self, value: Sequence[Json]) -> list[Json] | None:
        """Seal the standing orders with `seal: true` and return the others, which everybody reads.

        None if nothing remains: then the earlier list stays.
        """
        shut = [
            self.seals(narrow.mapping(entry), ("standing", i), ahead=False) for i, entry in enumerate(value)
        ]
        if not self.system.hidden:
            self.understood += [f"  {name}: {self.until_asked}" for name in shut if name is not None]
        left = [
            unsealed(narrow.mapping(entry)) for entry, name in zip(value, shut, strict=True) if name is None
        ]
        return left if left or not value else None

    @property
    def until_asked(self) -> str:
        """Say until when an order stays sealed."""
        return Message("archive.ordering.shut-until-asked", shut=self.shut)

    def _lasting(self, given: Any) -> bool:
        """Replace the standing orders that last; return True if they have no faults."""
        value = [unsealed(entry) for entry in given] if isinstance(given, list) else given
        faults_ = standing_orders.faults(self.system, value)
        faults_ = faults_ or standing_orders.fact_faults(self.system, value)
        self.faults += faults_
        if not faults_:
            self.understood.append(
                Message(
                    "archive.ordering.in-place-of-earlier-orders", count=len(value), sealed=self.system.hidden
                )
                if value
                else Message("archive.ordering.no-standing-orders")
            )
            self.understood += [f"  {flow(order)}" for order in value]
            dropped = [order for order in answers_ahead.lasting(self.before) if order not in value]
            self.understood += [
                f"  {Message('archive.ordering.no-longer', order=flow(order))}" for order in dropped
            ]
        return not faults_
