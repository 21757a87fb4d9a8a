"""Deputies by their vectors: op, handover, ready, charges, one report and a fork (protocol-letters 8)."""

from __future__ import annotations

import hashlib
import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from pbem.stages import handovers
from pbem.stages.handovers import Handover
from pbem.stages.progress import one_report
from pbem.trust import amend, inforce, seal, sshsig
from pbem.trust.accept import accept
from pbem.trust.chain import Chain
from pbem.trust.errors import BadRoster, BadSeal, BadStatement, NotAccepted
from pbem.trust.keys import FileSigner, seal_public
from pbem.trust.roster import Party, Roster, check_parties, secret_commitment
from pbem.trust.statements import Statement, make, parse

_VECTORS = Path(__file__).parents[2] / "data/protocol-letters-vectors.json"


@pytest.fixture(scope="module")
def told() -> dict[str, Any]:
    data: dict[str, Any] = json.loads(_VECTORS.read_text("utf-8"))
    return data["deputy"]


@pytest.fixture
def named(told: dict[str, Any], roster: Roster) -> Roster:
    return inforce.apply(roster, parse(told["amend"]["canonical"].encode()), 2)


def heard(vector: dict[str, Any], roster: Roster) -> Statement:
    data = vector["canonical"].encode()
    return accept(data, vector["signature"], parties=roster.active, game=roster.game, dice="swift")


def test_every_statement_of_a_deputy_is_accepted_with_its_bytes(told: dict[str, Any], named: Roster) -> None:
    for name, vector in told.items():
        if isinstance(vector, str):
            continue
        one = heard(vector, named)
        assert (one.sid, len(one.bytes)) == (vector["sid"], vector["bytes"]), name


def test_a_deputy_is_named_by_all_and_the_new_key_and_rides_along(
    told: dict[str, Any], roster: Roster
) -> None:
    op = parse(told["amend"]["canonical"].encode())
    needed = amend.needed_keys(op, roster.active, "swift")
    armours = told["amend"]["signatures"]
    assert amend.signed_by(op, armours.values(), needed) == needed
    for left in armours:
        others = [armour for name, armour in armours.items() if name != left]
        assert amend.signed_by(op, others, needed) != needed, left
    assert not amend.closes(op)


def test_a_deputy_is_outside_the_audience_and_those_who_must_sign(named: Roster, roster: Roster) -> None:
    assert named.deputy is not None and named.deputy.id == "dora"
    assert named.everybody == roster.everybody
    assert named.contributors(["north", "south"]) == roster.contributors(["north", "south"])
    option = make(
        "amend",
        {"ops": [{"op": "option", "name": "absent", "value": "skip"}]},
        game=named.game,
        sender="gm",
        stage=3,
        prev=named.game,
    )
    assert named.deputy.sign not in amend.needed_keys(option, named.active, "swift")
    assert "dora@" in named.allowed_signers()


def test_the_gm_alone_ends_a_deputy_and_then_nothing_of_his_counts(
    told: dict[str, Any], named: Roster, signers: dict[str, FileSigner]
) -> None:
    end = parse(told["amend_end"]["canonical"].encode())
    needed = amend.needed_keys(end, named.active, "swift")
    assert needed == {signers["gm"].public}
    after = inforce.apply(named, end, 4)
    assert after.deputy is None
    with pytest.raises(NotAccepted) as fault:
        heard(told["charge_by_deputy"], after)
    assert fault.value.code == "signer"
    with pytest.raises(BadStatement):  # the id is not new any more
        inforce.apply(after, parse(told["amend"]["canonical"].encode()), 5)


def test_a_player_may_say_that_the_deputy_ends_with_the_deputys_signature(named: Roster) -> None:
    end = make(
        "amend",
        {"ops": [{"op": "deputy", "party": "dora"}]},
        game=named.game,
        sender="north",
        stage=4,
        prev=named.game,
    )
    assert named.deputy is not None
    assert amend.needed_keys(end, named.active, "swift") == {named.deputy.sign}


def test_a_new_gm_ends_the_deputy_and_a_second_deputy_is_refused(
    told: dict[str, Any], named: Roster, secret: Any
) -> None:
    again = json.loads(told["amend"]["canonical"])
    again["body"]["ops"][0] |= {
        "party": "dan",
        "sign": sshsig.public_line(FileSigner.from_seed(secret("dan")).public),
        "seal": seal_public(secret("x25519 dan")).hex(),
    }
    with pytest.raises(BadStatement):
        inforce.apply(named, parse(json.dumps(again, separators=(",", ":"), sort_keys=True).encode()), 3)
    takeover: dict[str, Any] = {
        "op": "party",
        "party": "gm",
        "name": "Gil",
        "mail": "gil@example.org",
        "sign": sshsig.public_line(FileSigner.from_seed(secret("gil")).public),
        "seal": seal_public(secret("x25519 gil")).hex(),
        "anchor": secret("anchor gil").hex(),
        "secret": secret("secret gil").hex(),
    }
    body = {"ops": [takeover]}
    op = make("amend", body, game=named.game, sender="north", stage=3, prev=named.game)
    assert inforce.apply(named, op, 3).deputy is None


def test_a_deputy_in_the_roster_has_a_seal_and_no_anchor(named: Roster) -> None:
    dora = named.deputy
    assert dora is not None
    assert Party.in_roster({**dora.entry(), "role": "deputy"}) == dora
    check_parties(named.active, named.terms)
    for wrong in (replace(dora, seal=None), replace(dora, anchor=bytes(range(32)))):
        with pytest.raises(BadRoster):
            wrong.check()
    with pytest.raises(BadRoster):  # no GM, no deputy
        check_parties(
            [party for party in named.active if party.role != "gm"],
            replace(named.terms, dice="pair", arbiter=None),
        )


def test_the_handover_opens_and_leads_to_everything_the_roster_commits_to(
    told: dict[str, Any], named: Roster, secret: Any
) -> None:
    vector, one = told["handover"], heard(told["handover"], named)
    sealed = vector["seal"]
    assert seal.info(named.game_id, one.stage, "handover", "gm", "dora").hex() == sealed["info"]
    found = handovers.opened(one, "dora", secret("x25519 deputy"))
    assert found.pack().decode() == sealed["plaintext"]
    padded = seal.pad(found.pack(), seal.HANDOVER_KIND)
    assert len(padded) == sealed["padded_len"]
    assert hashlib.sha256(padded).hexdigest() == sealed["padded_sha256"]
    assert len(one.said.sealed["dora"]) == sealed["blob_len"]
    gm = named.by_id["gm"]
    chain = Chain(named.terms.salt, "gm", found.chain, named.terms.chain_length)
    assert chain.anchor == found.anchor == gm.anchor
    assert seal_public(found.seal[0]) == gm.seal
    assert secret_commitment(named.terms.salt, found.secret) == named.secret
    for wrong in ("x25519 gm", "x25519 north"):
        with pytest.raises(BadSeal):
            handovers.opened(one, "dora", secret(wrong))
    assert secret("x25519 gm").hex() not in repr(found) and found.secret.hex() not in repr(found)


def test_a_handover_keeps_what_a_gm_has_of_the_gm_before_and_refuses_the_rest() -> None:
    before = Handover(b"a" * 32, b"b" * 32, b"c" * 32, (b"d" * 32,))
    whole = Handover(
        b"e" * 32,
        b"f" * 32,
        b"g" * 32,
        (b"h" * 32, b"i" * 32),
        proxies={"blue": {"chain": "00" * 32, "seal": "11" * 32, "sign": "22" * 32}},
        mail={"blue": "bob@example.org"},
        former=before,
    )
    assert Handover.unpack(whole.pack()) == whole
    assert whole.all() == [whole, before]
    for data in (b"{}", b'{"anchor":"00"}', whole.pack()[:-1], whole.pack().replace(b'"mail"', b'"male"')):
        with pytest.raises(BadSeal):
            Handover.unpack(data)


def test_gm_and_deputy_with_one_record_have_one_report_and_else_a_fork(
    told: dict[str, Any], named: Roster
) -> None:
    by_gm, by_deputy = heard(told["report_by_gm"], named), heard(told["report_by_deputy"], named)
    fork = heard(told["fork"], named)
    assert by_gm.report.record.head == by_deputy.report.record.head == told["head_of_both"]
    assert one_report(by_gm, by_deputy)
    assert fork.report.record.head == told["fork"]["head"]
    assert not one_report(by_gm, fork)


def test_a_deputy_sends_no_amendment_and_a_player_gives_no_charge(
    named: Roster, signers: dict[str, FileSigner], secret: Any
) -> None:
    wrong = [
        ("amend", {"ops": [{"op": "ruling", "reason": "why", "changes": []}]}, "dora"),
        ("order", {"orders": []}, "dora"),
        ("charge", {"to": "north"}, "north"),
        ("handover", {"sealed": {"gm": "AAAA"}}, "dora"),
    ]
    keys = {**signers, "dora": FileSigner.from_seed(secret("ed25519 deputy"))}
    for type_, body, sender in wrong:
        one = make(type_, body, game=named.game, sender=sender, stage=3, prev=named.game)
        with pytest.raises(NotAccepted) as fault:
            accept(
                one.bytes,
                keys[sender].sign(one.bytes),
                parties=named.active,
                game=named.game,
                dice="swift",
            )
        assert fault.value.code == "role", type_


@pytest.mark.parametrize(
    "op",
    [
        {"op": "deputy", "party": "dora", "name": "Dora"},
        {"op": "deputy", "party": "dora", "name": "Dora", "mail": "dora@example.org"},
        {"op": "deputy"},
        {"op": "deputy", "party": "dora", "secret": "00" * 32},
    ],
)
def test_an_op_names_a_deputy_with_all_members_or_ends_one(op: dict[str, Any]) -> None:
    with pytest.raises(BadStatement):
        make("amend", {"ops": [op]}, game="00" * 32, sender="gm", stage=3, prev="00" * 32)


def test_a_handover_is_sealed_to_one_and_a_charge_has_revision_1() -> None:
    two = {"sealed": {"dan": "AAAA", "dora": "AAAA"}}
    with pytest.raises(BadStatement):
        make("handover", two, game="00" * 32, sender="gm", stage=3, prev="00" * 32)
    with pytest.raises(BadStatement):
        make("charge", {"to": "dora"}, game="00" * 32, sender="gm", stage=3, rev=2, prev="00" * 32)
