"""The line of records over stages that amendments closed: who is asked, which links hold, what is dead."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from pbem.stages.progress import Progress
from pbem.trust import dice
from pbem.trust.chain import Checked
from pbem.trust.errors import BadLink
from pbem.trust.records import Record, read
from pbem.trust.roster import Roster
from pbem.trust.statements import Statement, make, parse

VECTORS: dict[str, Any] = json.loads(Path("tests/data/protocol-vectors.json").read_text("utf-8"))
HEADS = ("1" * 64, "2" * 64)


def roster() -> Roster:
    return Roster.parse(VECTORS["roster_canonical"].encode())


def played(stage: int, prev: str, asked: dict[str, list[str]]) -> dict[str, Any]:
    common = {"stage": stage, "prev": prev, "asked": asked}
    return common if stage == 0 else {**common, "accepted": {}, "links": {}, "seed": f"{stage}" * 64}


class Story:
    """Records made up, one after another."""

    def __init__(self) -> None:
        self.records: list[Record] = []
        self.said: dict[str, Statement] = {}
        self.progress = Progress.start(roster(), self.records.__getitem__)

    def find(self, stage: int, sid: str) -> Statement | None:
        return self.said.get(sid)

    def goes_on(self, asked: dict[str, list[str]]) -> Progress:
        return self._next(played(self.progress.open_stage, self.progress.head, asked))

    def closed(self, *ops: Any) -> Progress:
        stage, prev = self.progress.open_stage, self.progress.head
        one = make("amend", {"ops": list(ops)}, game=roster().game, sender="gm", stage=stage, prev=prev)
        self.said[one.sid] = one
        return self._next({"stage": stage, "prev": prev, "amends": [one.sid]})

    def _next(self, data: dict[str, Any]) -> Progress:
        record = read(data)
        self.records.append(record)
        before = self.progress
        self.progress = before.after(record, self.find)
        resumed = Progress.resume(
            Progress.start(roster(), self.records.__getitem__),
            record,
            self.progress.seed if self.progress.seed != roster().game_id else None,
            {},
            self.noted(record),
        )
        assert replace(resumed, links=self.progress.links) == self.progress
        return self.progress

    def noted(self, record: Record) -> Any:
        if record.amends:
            self.note = json.loads(json.dumps(self.progress.in_force()))
        return getattr(self, "note", None)


@pytest.fixture
def story() -> Story:
    made = Story()
    made.goes_on({"north": ["a"], "south": ["ready"]})
    made.goes_on({"north": ["b"]})
    return made


ANCHOR = {"op": "chain", "party": "north", "anchor": "9" * 64}


def test_after_a_new_anchor_everybody_is_asked_until_there_were_dice(story: Story) -> None:
    assert story.progress.asked == {"north": ("b",)}
    assert story.closed(ANCHOR).asked == {"north": ("b",), "south": ("ready",)}
    progress = story.closed({"op": "rewind", "to": 1})
    assert (progress.fresh, set(progress.asked)) == (True, {"north", "south"})
    progress = story.goes_on({"south": ["c"]})
    assert (progress.fresh, progress.asked) == (False, {"south": ("c",)})


def test_a_rewind_asks_as_the_record_did_and_kills_what_came_after(story: Story) -> None:
    story.goes_on({"south": ["c"]})
    for stage, head in ((2, HEADS[0]), (1, HEADS[1])):
        story.records[stage] = read({**story.records[stage].data, "accepted": {"north": head}})
    progress = story.closed({"op": "rewind", "to": 1})
    assert (progress.stage, progress.position, progress.asked) == (3, 1, {"north": ("b",)})
    assert progress.accepted(2, "north") is None
    assert progress.accepted(1, "north") == HEADS[1]
    progress = story.closed({"op": "rewind", "to": 3})
    assert progress.position == 1, "a closed stage ends where the one before it did, or where it went back to"
    assert story.goes_on({"north": ["d"]}).position == 5


def test_a_dropped_player_is_not_asked_and_the_game_goes_on(story: Story) -> None:
    progress = story.closed({"op": "drop", "party": "north"})
    assert progress.asked == {"south": ("ready",)}
    assert not progress.over


def test_a_game_that_is_over_stays_over_until_a_rewind(story: Story) -> None:
    story.goes_on({})
    assert story.progress.over
    assert story.closed(ANCHOR).over
    assert not story.closed({"op": "rewind", "to": 1}).over


def test_links_and_seed_after_the_closed_stage_of_the_vectors() -> None:
    amend = parse(VECTORS["amend"]["canonical"].encode())
    first = json.loads(VECTORS["record"]["canonical"])
    progress = replace(
        Progress.start(roster(), lambda _: read({**first, "asked": {"north": ["x"]}})),
        stage=1,
        head=VECTORS["record"]["head"],
        seed=bytes.fromhex(first["seed"]),
        links={party: Checked(1, bytes.fromhex(link)) for party, link in first["links"].items()},
        position=1,
        fresh=False,
    )
    progress = progress.after(read(json.loads(VECTORS["amend"]["record_2"])), lambda _stage, _sid: amend)
    assert (progress.head, progress.fresh, set(progress.asked)) == (
        VECTORS["amend"]["head"],
        True,
        {"north", "south"},
    )
    wanted = VECTORS["amend"]["seed_3"]
    links = [(party.id, bytes.fromhex(wanted["links"][party.id])) for party in progress.roster.parties]
    for party, link in links:
        progress.check_link(party, link)
    assert dice.seed(progress.roster.game_id, 3, progress.seed, links).hex() == wanted["seed"]
    with pytest.raises(BadLink, match="begins after stage 2"):
        progress.check_link("north", links[1][1], 2)
