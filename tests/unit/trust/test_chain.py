"""Hash chains: one link per stage, checked against the anchor or the last link."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pbem.trust.chain import MAX_LENGTH, Chain, Checked, check_link, new_secret
from pbem.trust.errors import BadLink
from pbem.trust.hashing import H, u32
from pbem.trust.roster import Roster

SALT = bytes(range(32))


def test_the_chains_of_the_vectors(vectors: dict[str, Any], secret: Any, roster: Roster) -> None:
    for party in ("gm", "north", "south"):
        wanted = vectors["chain"][party]
        chain = Chain(bytes.fromhex(vectors["salt"]), party, secret(f"chain {party}"), 8)
        assert chain.link(8).hex() == wanted["c0"]
        assert chain.link(7).hex() == wanted["c1"]
        assert chain.link(1).hex() == wanted["c7_link_stage_1"]
        assert chain.anchor.hex() == wanted["c8_anchor"]
        assert chain.anchor == roster.by_id[party].anchor
    assert (
        Chain(bytes.fromhex(vectors["salt"]), "gm", secret("chain gm"), 8).link(2).hex()
        == (vectors["seed_2"]["links"]["gm"])
    )


def test_a_new_anchor_is_first_used_in_the_stage_after_its_record(
    vectors: dict[str, Any], secret: Any
) -> None:
    amend = vectors["amend"]
    assert secret("chain north 2").hex() == amend["north_c0"]
    chain = Chain(bytes.fromhex(vectors["salt"]), "north", secret("chain north 2"), 8)
    assert chain.anchor.hex() in amend["canonical"]
    assert chain.link(3, since=2).hex() == amend["seed_3"]["links"]["north"]
    with pytest.raises(BadLink, match="no link for stage 2: the chain begins after stage 2"):
        chain.link(2, since=2)
    with pytest.raises(BadLink, match="lasts 8 stages"):
        chain.link(11, since=2)


@settings(max_examples=25, deadline=None)
@given(
    length=st.integers(1, 60),
    since=st.integers(0, 40),
    data=st.data(),
    party=st.sampled_from(["a", "north-2"]),
)
def test_every_link_leads_to_its_anchor_and_to_every_earlier_link(
    length: int, since: int, data: st.DataObject, party: str
) -> None:
    chain = Chain(SALT, party, bytes(32), length)
    stage = data.draw(st.integers(since + 1, since + length))
    link = chain.link(stage, since)
    case: dict[str, Any] = {
        "salt": SALT,
        "party": party,
        "length": length,
        "anchor": chain.anchor,
        "since": since,
    }
    checked = check_link(link, stage=stage, **case)
    assert checked == (stage, link)
    later = data.draw(st.integers(stage, since + length))
    assert check_link(chain.link(later, since), stage=later, last=checked, **case) == (
        later,
        chain.link(later, since),
    )
    # an earlier link is still checked, from the anchor
    earlier = data.draw(st.integers(since + 1, stage))
    assert check_link(chain.link(earlier, since), stage=earlier, last=checked, **case).stage == earlier


def test_a_link_is_good_for_its_stage_party_and_game_only() -> None:
    chain = Chain(SALT, "north", bytes(32), 20)
    case: dict[str, Any] = {"salt": SALT, "party": "north", "length": 20, "anchor": chain.anchor, "stage": 5}
    link = chain.link(5)
    check_link(link, **case)
    last = Checked(4, chain.link(4))
    for change in (
        {"stage": 4},
        {"stage": 6},
        {"stage": 6, "last": last},
        {"party": "south"},
        {"salt": bytes(32)},
        {"since": 1},
        {"length": 21},
        {"anchor": bytes(32)},
        {"last": Checked(4, bytes(32))},
        {"last": Checked(5, bytes(32))},
        {"stage": 0},
        {"stage": 21},
    ):
        with pytest.raises(BadLink):
            check_link(link, **{**case, **change})
    for other in (b"", link[:31], link + b"\0", bytes(32)):
        with pytest.raises(BadLink):
            check_link(other, **case)


def test_the_last_checked_link_spares_the_way_to_the_anchor() -> None:
    # an anchor that nothing leads to: only the shorter way can succeed
    chain = Chain(SALT, "north", bytes(32), 20)
    case: dict[str, Any] = {"salt": SALT, "party": "north", "length": 20, "anchor": bytes(32), "stage": 9}
    check_link(chain.link(9), last=Checked(8, chain.link(8)), **case)
    with pytest.raises(BadLink):
        check_link(chain.link(9), **case)


def test_a_link_of_the_anchor_before_does_not_shorten_the_way() -> None:
    # north's new chain begins after stage 2, whose own link was of the old one
    old, new = Chain(SALT, "north", bytes(32), 20), Chain(SALT, "north", b"\1" * 32, 20)
    case: dict[str, Any] = {"salt": SALT, "party": "north", "length": 20, "anchor": new.anchor, "since": 2}
    last = Checked(2, old.link(2))
    assert check_link(new.link(3, since=2), stage=3, last=last, **case).stage == 3


def test_a_chain_is_what_the_protocol_says_it_is() -> None:
    value = bytes(32)
    for i in range(1, 6):
        value = H("chain", SALT, "north", u32(i), value)
    assert Chain(SALT, "north", bytes(32), 5).anchor == value


def test_a_chain_has_a_length_of_1_to_65536() -> None:
    for length in (0, -1, MAX_LENGTH + 1):
        with pytest.raises(ValueError, match="a chain can have a length"):
            Chain(SALT, "north", bytes(32), length)
    with pytest.raises(ValueError, match="32 bytes"):
        Chain(SALT, "north", b"short")
    assert len(new_secret()) == 32 and new_secret() != new_secret()
