"""Small print that nothing else holds: who may know a hidden seed, whose a held answer is, who has signed."""

from __future__ import annotations

import random
import shutil
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from pbem.archive.adjudicating.unsealing import unseal
from pbem.archive.amending import proposing
from pbem.archive.folder import layout
from pbem.archive.git import commits, merging
from pbem.archive.letters import awaited
from pbem.archive.verifying import dice_rolls
from pbem.archive.verifying.verify import verify
from pbem.engine import journal
from pbem.engine.answers import NOT_OPENED, Use
from pbem.model.facts import PUBLIC
from pbem.stages import attempt, deadlines, progress, views
from pbem.stages.inputs import Opening, Order, Setting, StageInputs
from pbem.text.diagnostics import Refused
from pbem.trust import dice, groups, sshsig
from pbem.trust.accept import signer
from pbem.trust.errors import NotAccepted
from pbem.trust.statements import MAX_FROM_PLAYER
from tests.adversary.forge import bytes_of
from tests.primer import FOG, SYSTEM
from tests.unit.archive.table import Table, begun, chooser, signer_of
from tests.unit.archive.test_amendments import agreed, co_sign, propose


@pytest.fixture
def fog(tmp_path: Path) -> Table:
    """A game with hidden units whose GM has rolled where nobody sees it."""
    for stages in range(1, 9):
        table = begun(tmp_path / str(stages), FOG, by=(2,) * stages)
        if any(fact.key.startswith("event/gm/") for fact in table.gm.folder.facts()):
            return table
    raise AssertionError("the GM has not rolled")


def test_a_hidden_seed_is_known_with_the_secret_and_not_without_it(fog: Table) -> None:
    gm, north = fog.gm.folder, fog.players["north"].folder
    stage = gm.stage
    public = gm.record(stage).seed
    key = dice.hidden_key(gm.secret_for(stage), gm.need_roster().game_id, stage)
    assert dice_rolls.seed_of(gm, stage) == dice_rolls.seed_of(north, stage) == public
    assert dice_rolls.seed_of(gm, stage, hidden=True) == dice.hidden_seed(public, key) != public
    assert dice_rolls.seed_of(north, stage, hidden=True) is None
    unseal(fog.gm.folder, fog.gm.signer, early=True)
    fog.post()
    assert dice_rolls.seed_of(fog.players["north"].folder, stage, hidden=True) == dice.hidden_seed(
        public, key
    )


def test_a_hidden_roll_is_listed_without_seed_and_recipe_where_the_secret_is_not_known(
    fog: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    gm, north = fog.gm.folder, fog.players["north"].folder
    stage = gm.stage
    seed = dice_rolls.seed_of(gm, stage, hidden=True)
    assert seed is not None
    roll = {
        "label": ["omen", 1],
        "dice": "1d100",
        "hidden": True,
        "result": dice.roll("1d100", seed, ["omen", 1]),
    }
    for folder in (gm, north):
        monkeypatch.setattr(
            type(folder), "events", lambda self, number: [{"die": roll}] if number == stage else []
        )
    (known,), (unknown,) = dice_rolls.dice_ledger(gm, [stage]), dice_rolls.dice_ledger(north, [stage])
    assert known.fits is True and known.seed == seed.hex() and known.command and known.how
    assert (unknown.fits, unknown.seed, unknown.command, unknown.how) == (None, None, None, None)


def test_a_secret_that_is_not_the_one_committed_gives_no_seed(fog: Table) -> None:
    """An unseal of somebody's own making that lies in the folder all the same."""
    from tests.adversary.forge import Party
    from tests.unit.archive.test_verify_files import put

    north = fog.players["north"]
    stage = north.folder.progress.open_stage
    wrong = Party(fog.gm).says("unseal", {"secret": "ab" * 32}, stage=stage)
    put(north.root, stage, wrong.data, wrong.signatures[0])
    assert north.folder.of(stage, "unseal")
    assert dice_rolls.seed_of(north.folder, north.folder.stage, hidden=True) is None


# --- answers that are held ------------------------------------------------------------------------------


def test_an_answer_is_held_for_its_own_party_under_its_key_or_its_kind() -> None:
    held = {("north", "T1/initiative/bid")}
    assert attempt._is_held(held, "north", "T1/initiative/bid")
    assert attempt._is_held(held, "north", "bid")
    assert not attempt._is_held(held, "south", "bid")
    assert not attempt._is_held(held, "south", "T1/initiative/bid")
    assert not attempt._is_held(held, "north", "card")


def test_what_one_side_has_bid_is_not_opened_before_the_other_has(tmp_path: Path) -> None:
    """And what it has opened of its own is: nobody's held answer holds back another's."""
    table = begun(tmp_path, SYSTEM, by=(1,), absent="skip")
    given = attempt.StageInputs(2, "00" * 32, bytes(32))
    state = table.gm.folder.state()
    assert state.open is not None
    made = attempt.Attempt(
        given,
        _outcome(state, [Use("north", "bid", "together"), Use("south", "bid", "together")]),
        (),
        frozenset(),
    )
    orders = {party: attempt_order(party) for party in ("north", "south")}
    from dataclasses import replace

    held = replace(
        state, open=replace(state.open, held={"north:1:T1/initiative/bid": {"answer": 1, "by": "together"}})
    )
    made = replace(made, given=replace(given, orders=orders), outcome=_outcome(held, list(made.outcome.used)))
    assert [(use.party, use.decision) for use in made.used()] == [("south", "bid")]


def attempt_order(party: str):  # type: ignore[no-untyped-def]
    from pbem.stages.inputs import Opening, Order

    return Order("00" * 32, commits={"bid": "11" * 32}, openings={"bid": Opening(2, "22" * 32, 1)})


def _outcome(state, used):  # type: ignore[no-untyped-def]
    from pbem.engine.adjudicate import Outcome

    return Outcome(state, state.position, (), (), tuple(used), (), "")


# --- signatures -----------------------------------------------------------------------------------------


def test_who_has_signed_an_amendment_is_told_so_and_nothing_is_written(tmp_path: Path) -> None:
    table = begun(tmp_path, SYSTEM)
    made = propose(table.gm, {"op": "option", "name": "turns", "value": 1})
    table.post()
    north = table.players["north"]
    co_sign(north, made)
    before = bytes_of(north.root)
    with pytest.raises(Refused) as caught:
        co_sign(north, made)
    assert caught.value.diagnostics[0].code == "signed-already"
    assert bytes_of(north.root) == before
    with pytest.raises(Refused) as caught:
        proposing.co_sign(table.gm.folder, made.proposal.statement.sid, [table.gm.signer])
    assert caught.value.diagnostics[0].code == "signed-already"
    south = table.players["south"]
    assert set(co_sign(south, made).proposal.signatures) == {"gm", "south"}  # not his word, but another's


def test_a_signature_under_something_else_is_not_taken_from_another_archive(tmp_path: Path) -> None:
    table = begun(tmp_path, SYSTEM)
    table.play_stage(chooser(1))
    amendment = agreed(table, table.gm, {"op": "rewind", "to": 0}).proposal.statement
    assert table.run().done
    gm, north = table.gm, table.players["north"]
    name = layout.signature_name(amendment.stage, amendment.sid, "north")
    other = Path(shutil.copytree(north.root, tmp_path / "other"))
    (other / name).write_bytes((other / layout.roster_signature_name("north")).read_bytes())
    (gm.root / name).unlink()
    assert merging.merge(gm.folder, other).taken == []
    assert merging.merge(gm.folder, north.root).taken == [name]


def test_size_comes_before_the_signature() -> None:
    """What is too large is not hashed first (5.3)."""
    from pbem.trust.roster import Party

    north = Party("north", "player", "North", "n@example.org", signer_of("north").public)
    data = b" " * (MAX_FROM_PLAYER + 1)
    with pytest.raises(NotAccepted) as caught:
        signer(data, signer_of("north").sign(b"something else"), [north])
    assert caught.value.code == "size"


def test_who_has_signed_the_last_head_between_two(tmp_path: Path) -> None:
    table = begun(tmp_path, SYSTEM, dice="pair")

    def signed() -> str:
        (one,) = [one for one in verify(table.players["north"].root).of("claimed") if one.code == "last-head"]
        return one.text.partition(" is signed by ")[2] or one.text.partition(" is ")[2]

    assert signed() == "not signed by anyone yet"
    seen = set()
    rng = random.Random(1)
    for _ in range(3):
        table.play_stage(chooser(rng.randrange(9)))
        seen.add(signed())
        last = table.progress
        (link,) = [
            one
            for one in table.players["north"].folder.of(last.stage, "link")
            if one.body["head"] == last.head
        ]
        said = signed()
        assert link.sender in said
        others = {
            one.sender
            for one, _ in table.players["north"].folder.statements(last.open_stage)
            if one.prev == last.head
        }
        if others - {link.sender}:
            assert said == "north and south"
        else:
            assert said == f"{link.sender} only"
    assert seen <= {"north only", "south only", "north and south"} and seen


def test_who_signed_another_head_has_not_signed_the_last_one() -> None:
    from types import SimpleNamespace as Like

    from pbem.archive.verifying.dice_modes import last_signed

    head, other = "aa" * 32, "bb" * 32
    line: Any = Like(stage=3, open_stage=4, head=head)

    def archive(links: list[Any], waiting: dict[str, Any], mode: str = "pair") -> Any:
        return Like(
            roster=Like(terms=Like(dice=mode)),
            of=lambda stage, type_: links if (stage, type_) == (3, "link") else [],
            evidence={4: Like(statements=waiting)},
        )

    north = Like(sender="north", given_link=Like(head=head))
    wrong = Like(sender="south", given_link=Like(head=other))
    late = Like(sender="south", prev=other)
    right = Like(sender="south", prev=head)
    assert last_signed(archive([north, wrong], {"1": late}), line) == "is signed by north only"
    assert last_signed(archive([north], {"1": late, "2": right}), line) == "is signed by north and south"
    assert last_signed(archive([wrong], {}), line) == "is not signed by anyone yet"
    assert last_signed(archive([], {"2": right}, "swift"), line) == "is signed only by the GM"


# --- what is not there yet ------------------------------------------------------------------------------


def test_statements_of_the_open_stage_are_not_published(tmp_path: Path) -> None:
    """12.2: its folder belongs to the archive when its record is there."""
    table = begun(tmp_path, FOG, by=(2,))
    for seat in table.asked():
        seat.answer_all(chooser(1))
    table.post()
    folder = table.gm.folder
    here, opened = (f"{layout.stage_name(stage)}/" for stage in (folder.stage, folder.progress.open_stage))
    assert list((table.gm.root / opened).iterdir()), "orders have come"
    names = commits.published(folder)
    assert f"{here}record.json" in names
    assert [name for name in names if name.startswith(opened)] == []
    assert table.run().done
    assert [name for name in commits.published(table.gm.folder) if name.startswith(opened)]


def test_of_two_orders_of_one_revision_that_with_the_smaller_id_counts() -> None:
    """5.4: whichever came first."""
    listed: Any = [
        SimpleNamespace(type="order", sender="north", rev=rev, sid=sid)
        for rev, sid in ((1, "aa"), (2, "cc"), (2, "bb"), (2, "dd"))
    ]
    for arrived in (listed, listed[::-1]):
        (counted, *others) = progress.revisions(arrived, "order")["north"]
        assert (counted.rev, counted.sid) == (2, "bb")
        assert [one.sid for one in others] == ["cc", "dd", "aa"]


def test_private_events_stand_where_they_happened_in_the_order_they_happened() -> None:
    """Whatever the order of the facts: behind so many public events, of one moment by their numbers."""
    facts = {
        "event/north/0003": {"after": 1, "event": {"event": "third"}},
        "event/north/0001": {"after": 0, "event": {"event": "first"}},
        "event/north/0004": {"after": 2, "event": {"event": "last"}},
        "event/north/0002": {"after": 1, "event": {"event": "second"}},
        "position/n1": {"hex": "0101"},
    }
    told = views.told_to([{"event": "one"}, {"event": "two"}], facts)
    assert [one.event["event"] for one in told] == ["first", "one", "second", "third", "two", "last"]
    assert [one.audience == PUBLIC for one in told] == [False, True, False, False, True, False]


def test_the_place_of_a_game_that_has_ended_is_that_it_is_over() -> None:
    assert views.place_in_words(SYSTEM, "ford", {"ended": True}) == "the game is over"


def test_nobody_is_asked_to_sign_a_proposal_that_cannot_count(monkeypatch: pytest.MonkeyPatch) -> None:
    good, bad = (
        SimpleNamespace(statement=SimpleNamespace(sid=sid), missing=("north",), fault=fault)
        for sid, fault in (("aa", None), ("bb", "north is dropped already"))
    )
    monkeypatch.setattr(awaited, "proposals", lambda *_: [good, bad])
    monkeypatch.setattr(awaited, "kept_aside", lambda _: [])
    here = SimpleNamespace(
        open_stage=1, asked={}, roster=SimpleNamespace(terms=SimpleNamespace(dice="swift"))
    )
    folder: Any = SimpleNamespace(progress=here, statements=lambda stage: [], acting=False, system=SYSTEM)
    folder.record = lambda stage: None
    assert awaited._Look(folder).party("north").signs == ("aa",)


def test_a_lodged_commitment_is_kept_until_it_is_opened() -> None:
    """17.6: in this leaf or in a later one; what was not lodged does not outlive its leaf."""
    card, plan = ({"party": "north", "seal": key, "lodged": True, "commit": "00"} for key in ("card", "plan"))
    opened = {"party": "north", "open": "card", "value": "calm"}
    passing = {"party": "north", "seal": "bid", "commit": "11"}
    assert journal.still_kept((), [card | {"h": "1"}, passing, plan]) == (card, plan)
    assert journal.still_kept((), [card, plan, opened]) == (plan,)
    assert journal.still_kept((card, plan), [opened]) == (plan,)
    of_south = opened | {"party": "south"}
    assert journal.still_kept((card,), [of_south]) == (card,), "that is another's"


def test_a_commitment_lives_until_it_is_opened() -> None:
    """Lodged before or in the open leaf; what another has opened under the same key opens none."""
    card, bid = (
        {"party": "north", "seal": f"T1/{key}", "as": key, "commit": "00"} for key in ("card", "bid")
    )
    opened = {"party": "north", "open": "T1/card", "value": "calm"}

    def live(*journal: dict[str, str]) -> list[str]:
        state: Any = SimpleNamespace(kept=(card,), open=SimpleNamespace(journal=journal))
        return [one.sent_as for one in attempt.unopened_commitments(state)]

    assert live(bid) == ["card", "bid"]
    assert live(bid, opened) == ["bid"]
    assert live(bid, opened | {"party": "south"}) == ["card", "bid"]


def lodged(commit: str) -> Any:
    """The state of a game in which north has laid down a card, closed."""
    card = {"party": "north", "seal": "T1/card", "as": "card", "commit": commit, "lodged": True}
    return replace(views.blank_state(SYSTEM, "ford"), kept=(card,))


def test_a_closed_card_is_opened_by_what_was_sent_for_it_and_not_by_another_card() -> None:
    opening = Opening(1, "nonce", "calm")
    sent: Any = SimpleNamespace(commits={"card": "11"}, openings={"card": opening})
    given: Any = SimpleNamespace(kept={}, orders={"north": sent})

    def known(commit: str) -> object:
        outcome: Any = SimpleNamespace(state=lodged(commit))
        return attempt.still_kept(given, outcome)

    assert known("11") == {"north": {"11": opening}}
    assert known("00") == {}


def test_a_run_knows_who_was_dropped_and_no_second_card_under_the_id_of_a_closed_one(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """17.6: "card" is taken until it is opened; another id is free."""
    ran: list[Any] = []
    monkeypatch.setattr(attempt, "run_engine", lambda system, state, source: ran.append(source))
    names = ("card", "other")
    order = Order("aa", {}, dict.fromkeys(names, "22"), {name: Opening(2, "n", "war") for name in names})
    given = StageInputs(2, "", b"", orders={"north": order})
    roster: Any = SimpleNamespace(dropped=("south",))
    attempt._attempt_with(Setting(SYSTEM, roster), lodged("11"), given, b"seed", set())
    inputs = ran[0]._inputs
    assert inputs.absent == {"south"}
    values = {name: reply.value for name, reply in inputs.replies["north"].items()}
    assert values == {"card": NOT_OPENED, "other": "war"}


def test_a_card_that_comes_while_another_is_opened_stays_closed_itself() -> None:
    """17.6: both were sent as "card"; the record shows the earlier one and lists the new one as kept."""
    opening = Opening(1, "nonce", "calm")
    given = StageInputs(
        2,
        "",
        b"",
        orders={"north": Order("aa", {}, {"card": "22"}, {})},
        kept={"north": {"11": opening}},
    )
    live = attempt.Live("north", "T1/card", "card", "11")
    outcome: Any = SimpleNamespace(state=lodged("22"), used=())
    made = attempt.Attempt(given, outcome, (live,), frozenset({("north", "T1/card")}))
    assert made.openings()["north"]["card"].stage == 1
    assert made.kept() == {"north": ["card"]}


def test_what_only_the_gm_knows_no_player_and_no_onlooker_knows() -> None:
    facts = [
        groups.Fact("public", 1, ("gm", "north", "south")),
        groups.Fact("of-north", 2, ("north",)),
        groups.Fact("hidden", 3, ()),
    ]
    known = {
        reader: set(views.known_to(facts, reader, ("gm", "north", "south"), "gm"))
        for reader in (None, "north", "south", "gm")
    }
    assert known == {
        None: {"public"},
        "north": {"public", "of-north"},
        "south": {"public"},
        "gm": {"public", "of-north", "hidden"},
    }
    assert set(views.known_to(facts, None, ("gm", "north", "south"), None)) == {"public"}


def test_a_statement_is_kept_for_two_stages_ahead_and_no_farther() -> None:
    here: Any = SimpleNamespace(open_stage=4)
    ahead: list[Any] = [SimpleNamespace(stage=stage) for stage in range(3, 8)]
    assert [progress.when(here, one) for one in ahead] == ["late", "now", "early", "early", "far"]


def test_between_two_nobody_can_be_late_with_what_an_order_leaves_open() -> None:
    terms: Any = SimpleNamespace(dice="pair", absent="skip", scenario=SimpleNamespace(name="ford"))
    fault = deadlines.forfeit_fault(terms, "north", has_order=True, fresh=False)
    assert fault is not None and "north" in fault
    terms.dice = "swift"
    assert deadlines.forfeit_fault(terms, "north", has_order=True, fresh=False) is None


def test_nobody_is_skipped_in_the_first_stage_with_dice_nor_where_the_game_must_wait() -> None:
    """4.4, rule 2: everybody's link is needed there."""
    terms: Any = SimpleNamespace(dice="swift", absent="skip", scenario=SimpleNamespace(name="ford"))
    late = {
        fresh: deadlines.forfeit_fault(terms, "north", has_order=False, fresh=fresh)
        for fresh in (True, False)
    }
    assert late[True] is not None and "nobody" in late[True] and late[False] is None
    terms.absent = "stop"
    waits = deadlines.forfeit_fault(terms, "north", has_order=False, fresh=False)
    assert waits is not None and "must wait" in waits


def test_what_stays_closed_in_a_hidden_game_is_in_nobodys_state(tmp_path: Path) -> None:
    """17.6: the GM can open it at once, but the run has not seen it: else its value would be in the state
    that the record names."""
    table = begun(tmp_path, FOG, by=(2,) * 8, options={"turns": 3})
    (seat,) = table.asked()
    seat.answer_all(chooser(2))
    table.post()
    assert table.run().done
    state = table.gm.folder.state()
    assert state.open is not None
    assert [one.sent_as for one in attempt.unopened_commitments(state)] == ["T3/cards/card"]
    (entry,) = [entry for entry in state.open.journal if "seal" in entry]
    assert "commit" in entry and "value" not in entry
    assert table.gm.folder.record(table.gm.folder.stage).data["kept"] == {seat.name: ["T3/cards/card"]}


def test_of_another_archive_the_signature_of_a_key_that_an_amendment_brings_is_taken() -> None:
    new, stranger = signer_of("new"), signer_of("mallory")
    amendment: Any = SimpleNamespace(bytes=f"the key {sshsig.public_line(new.public)}".encode())
    union = object.__new__(merging._Union)
    union.parties = ()
    assert union._is_signed(new.sign(amendment.bytes), amendment)
    assert not union._is_signed(stranger.sign(amendment.bytes), amendment)
