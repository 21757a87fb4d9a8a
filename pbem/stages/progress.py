"""The end of a game's chain of records, and the checks of statements that need it (protocol 5.3)."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import field, replace
from typing import Any, Literal

from pbem.text.canonical import Json
from pbem.text.dataclass import dataclass
from pbem.text.messages import Message
from pbem.trust import inforce, statements
from pbem.trust.bodies import READY, STANDING, STANDING_LATER
from pbem.trust.chain import Checked, check_link
from pbem.trust.errors import NotAccepted
from pbem.trust.records import Record
from pbem.trust.roster import Roster
from pbem.trust.statements import Statement

WHEN_EARLY = 2
"""The number of stages ahead for which a statement is kept."""
MOST_DEEP = 24
"""The deepest nesting of lists and mappings in an answer: it must still fit into a record inside a report."""
_KEY = re.compile(r"[A-Za-z0-9_./:-]{1,100}")
_ITEM = {"decision", "question", "answer", "on_illegal"}


Find = Callable[[int, str], Statement | None]
"""Looks up a statement by stage and sid."""
Recorded = Callable[[int], Record]
"""Gives the record of an earlier stage."""


def no_record(stage: int) -> Record:
    """Raise LookupError: no record is known."""
    raise LookupError(Message("stages.progress.there-is-no-record-of-stage", stage=stage))


@dataclass(frozen=True)
class Progress:
    """The newest record and what follows from all before it: the current stage.

    Before record 0 `stage` is -1 and `head` the game id. `roster` is the one in force in the current stage,
    `seed` that of the newest stage with dice, `asked` are decision ids by party, `links` the newest link of
    each party that was checked. `position` is the stage whose record holds the position, `fresh` says that
    the next dice need everybody's links (4.4, rule 2), `dead` are (to, at) of every rewind.
    """

    roster: Roster
    stage: int
    head: str
    seed: bytes
    asked: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    links: Mapping[str, Checked] = field(default_factory=dict)
    record_at: Recorded = field(default=no_record, compare=False)
    position: int = -1
    fresh: bool = True
    dead: tuple[tuple[int, int], ...] = ()

    def own_statement(self, type: str, body: Mapping[str, Json], sender: str, rev: int = 1) -> Statement:
        """Return a new statement in the current stage, on the newest head.

        Raises errors as `statements.make` does.
        """
        here = {"game": self.roster.game, "prev": self.head}
        return statements.make(type, body, sender=sender, stage=self.open_stage, rev=rev, **here)

    @classmethod
    def start(cls, roster: Roster, record_at: Recorded) -> Progress:
        """Return the progress before record 0."""
        return cls(roster, -1, roster.game, roster.game_id, record_at=record_at)

    def accepted(self, stage: int, party: str) -> str | None:
        """Return the sid of a party's order in an earlier stage's record, unless a rewind has removed it."""
        if not 0 < stage <= self.stage or any(to < stage <= at for to, at in self.dead):
            return None
        return self.record_at(stage).accepted.get(party)

    @property
    def open_stage(self) -> int:
        """Return the stage that is being played."""
        return self.stage + 1

    @property
    def over(self) -> bool:
        """Return True if nobody is asked anything any more."""
        return self.stage >= 0 and not self.asked

    @classmethod
    def resume(
        cls,
        start: Progress,
        newest: Record,
        seed: bytes | None,
        links: Mapping[str, Checked],
        in_force: Mapping[str, Any] | None = None,
    ) -> Progress:
        """Return the progress at the newest record.

        `seed` and `links` are the newest in any record. `in_force` is what `in_force` gave after the newest
        record with amendments, None without any.
        """
        stage, roster, fresh, position = newest.stage, start.roster, True, 0
        dead: tuple[tuple[int, int], ...] = ()
        if in_force is not None:
            roster, fresh = inforce.from_json(roster, in_force["roster"]), in_force["fresh"]
            position, dead = in_force["position"], tuple((to, at) for to, at in in_force["dead"])
        if newest.kind == "played":
            position = stage
            fresh = fresh and in_force is not None and in_force["stage"] == stage
        progress = replace(
            start,
            roster=roster,
            stage=stage,
            head=newest.head,
            seed=seed or start.seed,
            links=dict(links),
            position=position,
            fresh=fresh,
            dead=dead,
        )
        return progress._asking(newest if position == stage else progress.record_at(position))

    def in_force(self) -> dict[str, Json]:
        """Return the effects of amendments on the game, as data for a derived file."""
        return {
            "stage": self.stage,
            "position": self.position,
            "fresh": self.fresh,
            "dead": [[to, at] for to, at in self.dead],
            "roster": inforce.to_json(self.roster),
        }

    def after(self, record: Record, find: Find) -> Progress:
        """Return the progress after one more checked record; its amendments must be there."""
        stage = record.stage
        links = {**self.links, **{party: Checked(stage, link) for party, link in record.links.items()}}
        amends = amendments_of(record, find)
        progress = replace(
            self,
            roster=inforce.apply_all(self.roster, amends, stage),
            stage=stage,
            head=record.head,
            seed=record.seed or self.seed,
            links=links,
        )
        if not record.closed:
            return replace(progress, position=stage, fresh=stage == 0)._asking(record)
        ops = [op for amend in amends for op in amend.amendment.ops]
        fresh = self.fresh or any(op["op"] in ("chain", "party") for op in ops)
        back = _rewound(amends)
        progress = replace(progress, fresh=fresh)
        if back is not None:
            progress = replace(
                progress, position=self.position_at(back, find), dead=(*self.dead, (back, stage))
            )
        return progress._asking(progress.record_at(progress.position))

    def position_at(self, stage: int, find: Find) -> int:
        """Return the stage whose record holds the position at the end of an earlier stage."""
        while (record := self.record_at(stage)).closed:
            back = _rewound(amendments_of(record, find))
            stage = stage - 1 if back is None else back
        return stage

    def _asking(self, record: Record) -> Progress:
        """Return who is asked after the record that holds the position (17.13).

        Everybody, if the next dice need all links and only those asked give theirs, and where nobody but
        dropped players was asked: then the game continues when everyone has signed that they are ready.
        """
        before = record.asked
        asked = {party: before[party] for party in self.roster.players if party in before}
        all_links = self.fresh and self.stage > 0 and self.roster.terms.dice == "swift"
        if before and (all_links or not asked):
            asked = {party: before.get(party, (READY,)) for party in self.roster.players}
        return replace(self, asked=asked)

    def check_link(self, party: str, link: bytes, stage: int | None = None) -> Checked:
        """Check that this is the party's link for the current stage; BadLink if not."""
        entry = self.roster.by_id[party]
        assert entry.anchor is not None, f"{party} has no chain"
        return check_link(
            link,
            salt=self.roster.terms.salt,
            party=party,
            length=self.roster.terms.chain_length,
            anchor=entry.anchor,
            stage=self.open_stage if stage is None else stage,
            since=self.roster.since.get(party, 0),
            last=self.links.get(party),
        )


def amendments_of(record: Record, find: Find) -> list[Statement]:
    """Return the amendments that a record names, as far as they are here."""
    amendments = (find(record.stage, sid) for sid in record.amends)
    return [amendment for amendment in amendments if amendment is not None]


def _rewound(amendments: Sequence[Statement]) -> int | None:
    """Return the stage from whose end play continues after these amendments, or None."""
    back = (amendment.amendment.rewinds_to for amendment in reversed(amendments))
    return next((to for to in back if to is not None), None)


# --- statements -----------------------------------------------------------------------------------------

When = Literal["now", "early", "far", "late"]


def when(progress: Progress, statement: Statement) -> When:
    """Return whether it is for the current stage, for one or two later, for one far ahead, or too late."""
    if statement.stage < progress.open_stage:
        return "late"
    if statement.stage == progress.open_stage:
        return "now"
    return "early" if statement.stage <= progress.open_stage + WHEN_EARLY else "far"


def check_place(progress: Progress, statement: Statement) -> None:
    """Check that the sender is asked and the statement follows our head; NotAccepted if not."""
    if statement.type == "order" and statement.sender not in progress.asked:
        message = Message(
            "stages.progress.not-asked", sender=statement.sender, open_stage=progress.open_stage
        )
        raise NotAccepted("not-asked", message)
    if statement.kind.chained and statement.prev != progress.head:
        newest = progress.head[:12]
        message = Message(
            "stages.progress.it-follows-another-record", prev=statement.prev[:12], newest=newest
        )
        raise NotAccepted("prev", message)


def check_content(statement: Statement, hidden: bool | str = True) -> None:
    """Check that a run can read an order or standing list.

    Raises NotAccepted with code content if not.

    `hidden` says whether the game hides anything: where it does not, everybody runs the stage, so
    nothing may depend on standing orders that the GM alone can read (5.1).
    """
    body, commits = statement.body, statement.said.commits
    if statement.type == "order":
        _check_items(statement.order.items, commits)
    check_depth(body.get("standing"), "standing")
    if "standing" in body and any(name.startswith("standing") for name in commits):
        raise NotAccepted("content", Message("stages.progress.it-has-standing-orders-both-in-clear"))
    if not hidden and any(name in (STANDING, STANDING_LATER) for name in commits):
        raise NotAccepted("content", Message("stages.progress.its-standing-orders-are-sealed"))


def _check_items(items: Sequence[Json], commits: Mapping[str, str]) -> None:
    seen = set(commits)
    for i, item in enumerate(items):
        where = f"orders.{i}"
        if not isinstance(item, dict) or not {"decision", "answer"} <= set(item) <= _ITEM:
            raise NotAccepted(
                "content",
                Message("stages.progress.not-answer-with-decision-question-and-answer", where=where),
            )
        decision, question = item["decision"], item.get("question", "")
        if not isinstance(decision, str) or not _KEY.fullmatch(decision):
            raise NotAccepted("content", Message("stages.progress.this-is-no-decision-id", where=where))
        if not isinstance(question, str) or item.get("on_illegal", "ask") not in ("ask", "skip"):
            raise NotAccepted("content", Message("stages.progress.question-must-be-text", where=where))
        check_depth(item["answer"], f"{where}.answer")
        if decision in seen:
            raise NotAccepted(
                "content",
                Message("stages.progress.decision-is-answered-twice", where=where, decision=decision),
            )
        seen.add(decision)


def check_depth(value: Json, where: str) -> None:
    """Check that a value is not nested too deep for records and states; NotAccepted if it is."""
    level: list[Json] = [value]
    for _ in range(MOST_DEEP + 1):
        level = [inner for outer in level for inner in _inside(outer)]
        if not level:
            return
    raise NotAccepted("content", Message("stages.progress.nested-too-deep", where=where, most_deep=MOST_DEEP))


def _inside(value: Json) -> list[Json]:
    if isinstance(value, dict):
        return list(value.values())
    return value if isinstance(value, list) else []


# --- revisions ------------------------------------------------------------------------------------------


def revisions(statements: Iterable[Statement], type_: str) -> dict[str, list[Statement]]:
    """Return statements of one type by sender, each list with the one that counts first (5.4).

    The highest revision counts, of two with the same one that with the smaller sid.
    """
    by_party: dict[str, list[Statement]] = {}
    for statement in statements:
        if statement.type == type_:
            by_party.setdefault(statement.sender, []).append(statement)
    for listed in by_party.values():
        listed.sort(key=lambda statement: (-statement.rev, statement.sid))
    return by_party


def took_of(mine: Sequence[Statement], sid: str | None) -> str:
    """Return which of a party's orders a record or lock accepts, in words.

    `mine` has the one that counts first.
    """
    order = next((order for order in mine if order.sid == sid), None)
    if order is None:
        return Message("stages.progress.takes-what-is-not-here", sid=(sid or "")[:12])
    return Message("stages.progress.takes-revision", rev=order.rev, sid=_sid_if_twice(mine, order))


def newest_of(mine: Sequence[Statement]) -> str:
    """Return what its sender signed last, in words; two of one revision are told apart by their ids."""
    sid = _sid_if_twice(mine, mine[0])
    return Message("stages.progress.you-have-signed-revision", rev=mine[0].rev, sid=sid)


def _sid_if_twice(mine: Sequence[Statement], statement: Statement) -> str:
    twice = sum(1 for other in mine if other.rev == statement.rev) > 1
    return statement.sid[:12] if twice else ""


def one_report(report: Statement, other: Statement) -> bool:
    """Return True if two reports have one head, which names stage and events (protocol 17.35).

    They are one report: sealed views differ each time they are sealed.
    """
    if (report.type, other.type) != ("report", "report"):
        return False
    return report.report.record.head == other.report.record.head


def equivocations(statements: Iterable[Statement]) -> list[tuple[Statement, Statement]]:
    """Return pairs of different statements of one party, type and revision: signed proof of contradiction."""
    seen: dict[tuple[str, str, int], Statement] = {}
    pairs = []
    for statement in sorted(statements, key=lambda statement_: statement_.sid):
        if statement.kind.twice and statement.kind.revisable:
            first = seen.setdefault((statement.type, statement.sender, statement.rev), statement)
            if first is not statement and not one_report(first, statement):
                pairs.append((first, statement))
    return pairs
