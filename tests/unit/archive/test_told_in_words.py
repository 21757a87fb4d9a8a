"""Amendments, receipts and terms in words: each effect that somebody signs is named (4.4)."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from pbem.engine.system import System
from pbem.stages import amendments, press, progress
from pbem.stages.amendment_words import change_words, op_words
from pbem.stages.receipts import words_for
from pbem.stages.scenario_terms import scenario_name
from pbem.text.diagnostics import Refused
from pbem.trust import amend, inforce, sshsig, statements
from pbem.trust.errors import BadRoster, BadStatement
from pbem.trust.joining import accept_invitation, invitation
from pbem.trust.keys import seal_public
from pbem.trust.said import AmendSaid
from pbem.trust.statements import Statement, make
from tests.primer import SYSTEM
from tests.unit.archive.paper import last
from tests.unit.archive.table import Seat, Table, begun, signer_of

NEW = signer_of("new")
LINE = sshsig.public_line(NEW.public)
PRINT = sshsig.fingerprint(NEW.public)
SEAL = seal_public(bytes(range(32))).hex()
ENTRY = {"name": "Nora", "mail": "nora@example.org", "sign": LINE, "seal": SEAL, "anchor": "ab" * 32}


@pytest.fixture(scope="module")
def game(tmp_path_factory: pytest.TempPathFactory, _installed: None) -> Table:
    return begun(tmp_path_factory.mktemp("words"), SYSTEM, by=(5, 5))


OPS: list[tuple[dict[str, Any], tuple[str, ...]]] = [
    ({"op": "key", "party": "north", "sign": LINE}, ("north", PRINT)),
    ({"op": "key", "party": "north", "seal": SEAL, "name": "Nora"}, ("north", "seal", "Nora")),
    ({"op": "key", "party": "north", "mail": "n@example.org"}, ("north", "n@example.org")),
    ({"op": "key", "party": "north", "proxy": "gm"}, ("north", "gm")),
    ({"op": "key", "party": "north", "proxy": None}, ("north", "again")),
    ({"op": "party", "party": "north", **ENTRY}, ("north", "Nora", "nora@example.org", "North", PRINT)),
    ({"op": "drop", "party": "south"}, ("south",)),
    ({"op": "deputy", "party": "dora"}, ("dora",)),
    ({"op": "deputy", "party": "dora", **ENTRY}, ("dora", "Nora", "nora@example.org", PRINT)),
    ({"op": "chain", "party": "north", "anchor": "cd" * 32}, ("north", "cd" * 8)),
    ({"op": "option", "name": "absent", "value": "skip"}, ("absent", "skip")),
    (
        {"op": "module", "module": {"name": "primer", "version": "9+9", "sha256": "e" * 64}},
        ("primer", "9+9", "e" * 12),
    ),
    ({"op": "ruling", "reason": "a -- slip", "commit": "ab" * 32}, ("a - slip",)),
    (
        {"op": "ruling", "reason": "slip", "changes": [{"remove": "n1"}, {"move": "n2", "to": "0202"}]},
        ("slip", "n1", "n2", "0202"),
    ),
    ({"op": "rewind", "to": 1}, ("1",)),
    ({"op": "rewind", "to": 2}, ("3",)),
]


@pytest.mark.parametrize(("op", "words"), OPS, ids=[str(i) for i in range(len(OPS))])
def test_everything_that_an_amendment_changes_is_named(
    game: Table, op: dict[str, Any], words: tuple[str, ...]
) -> None:
    said = op_words(game.progress, op)
    assert all(word in said for word in words), said


def test_a_name_that_stays_is_not_called_new_and_a_new_key_is_not_the_old_one(game: Table) -> None:
    entry = {"op": "party", "party": "north", **ENTRY}
    same = op_words(game.progress, {**entry, "name": "North"})
    assert same.count("North") == op_words(game.progress, entry).count("North") == 1
    assert PRINT not in op_words(game.progress, {"op": "key", "party": "north", "mail": "n@example.org"})
    ends, begins = (op_words(game.progress, {"op": "rewind", "to": to}) for to in (1, game.progress.stage))
    assert ends != begins and str(game.progress.open_stage) in begins


@pytest.mark.parametrize(
    ("change", "kind"),
    [
        ({"move": "n1", "to": "0202"}, "moves"),
        ({"remove": "n1"}, "is-removed"),
        ({"add": "n9", "fields": {"steps": 1}}, "is-added"),
        ({"set": "n1", "fields": {"steps": 1}}, "n1: {steps: 1}"),
        ({"track": "seats/east", "value": "north"}, "comes-under"),
        ({"track": "moved", "value": 1}, "track-is"),
        ({"override": "4.1"}, "against-check"),
        ({"teleport": "n1"}, "{teleport: n1}"),
    ],
)
def test_each_change_of_a_ruling_has_its_words(change: dict[str, Any], kind: str) -> None:
    assert last(change_words(change)) == kind


def test_a_revision_is_named_from_the_second_on(game: Table) -> None:
    order = game.gm.folder.of(2, "order")[0]
    second = make("order", order.body, game=order.game, sender=order.sender, stage=2, prev=order.prev, rev=2)
    assert "revision" not in words_for(order) and words_for(second).endswith("revision 2")
    assert words_for(game.gm.folder.need_roster().statement) == "roster"


def test_terms_are_written_in_one_order() -> None:
    assert scenario_name("ford", {"turns": 2, "cards": True}) == "ford cards=true turns=2"
    terms: Any = SimpleNamespace(scenario=SimpleNamespace(name="ford press=none turns=2"))
    assert press.of(terms).kind == "none"


def _closing(*ops: str) -> Statement:
    said: Any = SimpleNamespace(amendment=AmendSaid(ops=tuple({"op": op} for op in ops)))
    return said  # type: ignore[no-any-return]


@pytest.mark.parametrize(
    ("ops", "closes"),
    [
        (("rewind",), True),
        (("option", "chain"), True),
        (("chain", "key"), True),
        (("party",), True),
        (("key", "option"), False),
        (("ruling",), False),
    ],
)
def test_one_op_that_closes_its_stage_is_enough(ops: tuple[str, ...], closes: bool) -> None:
    assert amend.closes(_closing(*ops)) is closes


def test_nothing_rides_along_in_a_stage_that_another_amendment_closes(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(amendments.inforce, "apply", lambda roster, sid, stage: roster)
    here: Any = SimpleNamespace(roster=(), open_stage=3)

    def proposed(sid: str, *, closes: bool) -> Any:
        return SimpleNamespace(statement=sid, complete=True, closes=closes, does=lambda op: False)

    rider, closing = proposed("a", closes=False), proposed("b", closes=True)
    assert amendments.riding(here, [rider]) == ["a"]
    assert amendments.riding(here, [rider, closing]) == []
    assert amendments.riding(here, [closing, rider]) == []


def test_amendments_of_one_record_take_effect_in_the_order_of_their_ids(game: Table) -> None:
    now = game.progress
    both = [
        now.own_statement("amend", {"ops": [{"op": "option", "name": "absent", "value": value}]}, "gm")
        for value in ("skip", "stop")
    ]
    newest = max(both, key=lambda one: one.sid).amendment.ops[0]["value"]
    for listed in (both, both[::-1]):
        assert inforce.apply_all(now.roster, listed, now.open_stage).terms.absent == newest


def test_two_links_are_no_contradiction_and_two_orders_are(game: Table) -> None:
    order = game.gm.folder.of(2, "order")[0]
    outer: Any = {"game": order.game, "sender": order.sender, "stage": 2, "prev": order.prev}
    links = [make("link", {"link": f"{n:064}", "answers": order.sid}, **outer) for n in range(2)]
    again = make("order", {**order.body, "orders": [{"decision": "x", "answer": 1}]}, **outer)
    assert progress.equivocations(links) == []
    assert [{one.sid for one in pair} for pair in progress.equivocations([order, again, *links])] == [
        {order.sid, again.sid}
    ]


def test_an_invitation_to_terms_that_contradict_themselves_is_refused(game: Table) -> None:
    terms = game.gm.folder.need_roster().terms
    good = invitation(terms, "gm", game.gm.signer.public)
    assert accept_invitation(good.bytes, game.gm.signer.sign(good.bytes))[1] == "gm"
    forged = statements.build({**good.data, "dice": "pair"})
    with pytest.raises(BadRoster):
        accept_invitation(forged.bytes, game.gm.signer.sign(forged.bytes))


@pytest.mark.parametrize("system", [SYSTEM], ids=["open"])
def test_nothing_is_signed_in_a_game_that_has_ended(played: Any, tmp_path: Any, system: System) -> None:
    seat: Seat = played(system).players["north"].copy(tmp_path / "north")
    with pytest.raises(Refused) as refused:
        seat.order({}, standing=[{"reaction": {"retreat_at_most": 1}}])
    assert refused.value.diagnostics[0].code == "game-over"


@pytest.mark.parametrize("word", ["press_opened=no", "press=loud"])
def test_a_word_of_the_terms_that_means_nothing_is_named_with_its_value(word: str) -> None:
    with pytest.raises(Refused) as refused:
        press.parse([word])
    (fault,) = refused.value.diagnostics
    assert fault.code == "bad-option" and word.partition("=")[2] in fault.message


def test_a_deputy_has_an_id_that_nobody_has_or_had(game: Table) -> None:
    now = game.progress
    for party in ("north", "gm"):
        op = {"op": "deputy", "party": party, **{name: ENTRY[name] for name in ENTRY if name != "anchor"}}
        with pytest.raises(BadStatement, match=party):
            inforce.apply(now.roster, now.own_statement("amend", {"ops": [op]}, "gm"), now.open_stage)
