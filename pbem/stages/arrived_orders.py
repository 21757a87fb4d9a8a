"""The statements received for the current stage that the GM can read, and the inputs of its run.

Protocol 5.4, 8.3.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import field, replace

from pbem.stages.inputs import Kept, Order, StageInputs
from pbem.stages.inputs_from_statements import earlier_of, later_of, order_of
from pbem.stages.progress import Find, Progress, revisions
from pbem.stages.sealed_orders import Opened, open_sealed
from pbem.text.dataclass import dataclass
from pbem.text.messages import Message
from pbem.trust.armour import Signed
from pbem.trust.chain import Chain
from pbem.trust.errors import NotAccepted
from pbem.trust.statements import Statement


@dataclass(frozen=True)
class Collected:
    """The readable orders and standing orders for the current stage, by party."""

    orders: Mapping[str, tuple[Statement, Opened]]
    later: Mapping[str, tuple[Statement, Opened]]
    signed: list[Signed]
    unreadable: Mapping[str, str]
    links: Mapping[str, Opened] = field(default_factory=dict)
    lock: str | None = None

    def missing(self, progress: Progress, forfeits: Collection[str]) -> dict[str, str]:
        """Return who is asked, has not answered and must be waited for, with the reason.

        Under a lock: whose link is missing.
        """
        if self.lock is not None:
            players = progress.roster.players
            return {
                party: Message("stages.arrived-orders.link-has-not-come")
                for party in players
                if party not in self.links
            }
        return {
            party: self.unreadable.get(party, Message("stages.arrived-orders.no-order-has-come"))
            for party in progress.asked
            if party not in self.orders and party not in forfeits
        }

    def given(self, progress: Progress, forfeits: frozenset[str], kept: Kept) -> StageInputs:
        """Return the inputs of the run, without the GM's own link."""
        orders: dict[str, Order | None] = dict.fromkeys(progress.asked)
        links: dict[str, bytes] = {party: link.link for party, link in self.links.items() if link.link}
        for party, (statement, opened) in self.orders.items():
            under = self.links[party].openings if party in self.links else {}
            orders[party] = order_of(statement, {**opened.openings, **under})
            if opened.link is not None:
                links[party] = opened.link
        return StageInputs(
            stage=progress.open_stage,
            prev=progress.head,
            seed_before=progress.seed,
            orders=orders,
            links=links,
            forfeits=forfeits,
            asked=progress.asked,
            later={p: (s.sid, later_of(s, o.openings) or []) for p, (s, o) in self.later.items()},
            kept=kept,
            lock=self.lock,
        )


def collect(
    arrived: Sequence[tuple[Statement, Signed]], progress: Progress, gm: str, seal_key: bytes
) -> Collected:
    """Read the statements of the current stage.

    For each party the newest revision whose seal opens counts (5.4, 8.3).
    """
    here = {came.sid: (came, signed) for came, signed in arrived if came.prev == progress.head}
    unreadable: dict[str, str] = {}
    chosen: dict[str, dict[str, tuple[Statement, Opened]]] = {"order": {}, "standing": {}}
    for type_, by_party in chosen.items():
        for party, listed in revisions((came for came, _ in here.values()), type_).items():
            for statement in listed:
                if party in by_party or (type_ == "order" and party not in progress.asked):
                    break
                try:
                    by_party[party] = (statement, open_sealed(statement, progress, gm, seal_key))
                except NotAccepted as fault:
                    unreadable.setdefault(
                        party,
                        Message(
                            "stages.arrived-orders.unreadable",
                            standing=type_ == "standing",
                            rev=statement.rev,
                            fault=fault,
                        ),
                    )
    sids = [s.sid for by_party in chosen.values() for s, _ in by_party.values()]
    return Collected(chosen["order"], chosen["standing"], [here[sid][1] for sid in sids], unreadable)


def with_own_link(progress: Progress, given: StageInputs, gm: str, chain: Chain) -> StageInputs:
    """Return the inputs with the GM's own link for the stage."""
    own = chain.link(progress.open_stage, progress.roster.since.get(gm, 0))
    progress.check_link(gm, own)
    return replace(given, links={**given.links, gm: own})


def with_earlier(progress: Progress, given: StageInputs, collected: Collected, find: Find) -> StageInputs:
    """Return the inputs with the openings of earlier commitments in the orders (8.1)."""
    kept = {party: dict(by_commit) for party, by_commit in given.kept.items()}
    for party, (order, _) in collected.orders.items():
        kept.setdefault(party, {}).update(earlier_of(progress, order, find))
    return replace(given, kept=kept)
