"""A certificate of a game whose GM took a new key and whose deputy ran the last stage, and a stranger."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from pbem.cli.league.certificate import check, issue
from pbem.cli.league.results import judge
from pbem.text.canonical import dumps, loads
from pbem.text.diagnostics import Refused
from pbem.trust import sshsig, statements
from pbem.trust.armour import Signed, read, sound, write
from tests.cli.play import pbem
from tests.unit.archive.table import signer_of
from tests.unit.archive.test_amendments import good, propose
from tests.unit.archive.test_deputies import charged, handed_over, named
from tests.unit.league.voted_games import SEATS, Votes

NEW = signer_of("gm, later")
Parts = list[Signed]


def _hold(seat: Any, question: Any) -> Any:
    return {"orders": []}


def _draw(seat: Any, question: Any) -> Any:
    return {"orders": [], **({"vote": "draw"} if "moves" in question.key else {})}


@pytest.fixture(scope="module")
def text(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The certificate, as the GM issues it."""
    root = tmp_path_factory.mktemp("certified")
    votes = Votes(root, dict(zip(SEATS, ("Ann 1", "Bob 1", "Cem 1"), strict=True)))
    votes.start()
    op = {"op": "key", "party": "gm", "sign": sshsig.public_line(NEW.public)}
    propose(votes.gm, op, extra=[NEW])
    good(votes.post())
    votes.play_stage(_hold)
    votes.gm.signer = NEW
    table = named(votes, root, _hold)
    handed_over(table)
    charged(table, "dora", table.gm)
    while not table.progress.over:
        table.play_stage(_draw)
    result = judge(table.players["corva"].root)
    assert result.counts, result.why
    return issue(table.gm.root, result, "gm", NEW)


@pytest.fixture(scope="module")
def parts(text: str) -> Parts:
    return list(sound(read(text)))


def test_a_stranger_sees_who_signed_with_which_key(text: str, tmp_path: Path) -> None:
    faults = check(text)
    assert (faults.issuer, faults.reporter) == ("gm", "dora")
    assert faults.roster.by_id["gm"].sign == NEW.public != faults.signed.by_id["gm"].sign
    assert faults.charge is not None and faults.charge.sender == "gm"
    file = tmp_path / "certificate.txt"
    file.write_text(text, "utf-8")
    said = pbem("certificate", "--check", file).out
    assert "The certificate of " in said and "Changed since by amendments" in said
    assert f"  gm: Gm, {sshsig.fingerprint(NEW.public)}" in said and "  dora: Dora" in said
    assert f"The deputy signed it on the GM's charge of stage {faults.charge.stage}." in said
    data = pbem("certificate", "--check", file, "--json").json
    assert data["changed"] == ["gm", "dora"] and data["charge"] == faults.charge.stage


def claiming(parts: Parts, by: Any = NEW, **changes: Any) -> Parts:
    """The certificate with other claims, signed again."""
    claims = loads(parts[0].data)
    assert isinstance(claims, dict)
    return [Signed.by(by, dumps({**claims, **changes})), *parts[1:]]


def history(parts: Parts) -> list[Any]:
    claims = loads(parts[0].data)
    assert isinstance(claims, dict)
    return list(claims["history"])


def of_type(parts: Parts, *types: str) -> Parts:
    return [one for one in parts[3:] if statements.parse(one.data).type in types]


def seats(parts: Parts) -> list[Any]:
    claims: Any = loads(parts[0].data)
    return [{**claims["seats"][0], "name": "Eve"}, *claims["seats"][1:]]


def changed_record(parts: Parts) -> list[Any]:
    first, *others = history(parts)
    return [{**first, "amends": ["0" * 64]}, *others]


def report_of_a_player(parts: Parts) -> Parts:
    data: Any = loads(parts[2].data)
    false = Signed.by(signer_of("Bob 1"), dumps({**data, "from": "brenn"}))
    return [*parts[:2], false, *parts[3:]]


def charge_by_herself(parts: Parts) -> Parts:
    (charge,) = of_type(parts, "charge")
    data: Any = loads(charge.data)
    return [
        *parts[:3],
        *of_type(parts, "amend"),
        Signed.by(signer_of("dora"), dumps({**data, "from": "dora"})),
    ]


FALSE: dict[str, tuple[Callable[[Parts], Parts], str]] = {
    "another title": (lambda p: claiming(p, title="Another"), "of different games"),
    "another system": (lambda p: claiming(p, system="ocs"), "of different games"),
    "another game": (lambda p: claiming(p, game="0" * 64), "of different games"),
    "another head": (lambda p: claiming(p, head="0" * 64), "the certificate another"),
    "another stage": (lambda p: claiming(p, stage=1), "the certificate another"),
    "an amendment is left out": (lambda p: [*p[:3], *p[4:]], "an amendment in the record"),
    "a signature under an amendment is left out": (
        lambda p: [*p[:3], *(Signed(one.data, one.signatures[:1]) for one in p[3:])],
        "lacks the signatures",
    ),
    "the charge is left out": (lambda p: [*p[:3], *of_type(p, "amend")], "charge is missing"),
    "the deputy charged herself, which nobody agreed on": (charge_by_herself, "charge is missing"),
    "the first records are left out": (lambda p: claiming(p, history=history(p)[1:]), "lacks the signatures"),
    "a record between is left out": (
        lambda p: claiming(p, history=[history(p)[0], *history(p)[2:]]),
        "does not continue",
    ),
    "a record is changed": (lambda p: claiming(p, history=changed_record(p)), "is missing"),
    "what is no record": (lambda p: claiming(p, history=[5]), "cannot be read"),
    "what is no history": (lambda p: claiming(p, history={}), "cannot be read"),
    "the GM's old key": (lambda p: claiming(p, signer_of("gm")), "gm did not sign a part"),
    "another holder of a seat": (lambda p: claiming(p, seats=seats(p)), "the seats in it"),
    "a seat less": (lambda p: claiming(p, seats=seats(p)[1:]), "the seats in it"),
    "a report signed by a player": (report_of_a_player, "neither GM nor deputy"),
    "a stranger's signature under the report": (
        lambda p: [*p[:2], Signed.by(signer_of("eve"), p[2].data), *p[3:]],
        "dora did not sign a part",
    ),
}


@pytest.mark.parametrize("what", FALSE)
def test_what_does_not_hold_is_refused(parts: Parts, what: str) -> None:
    make, why = FALSE[what]
    with pytest.raises(Refused, match=why) as fault:
        check(write("", make(parts)))
    assert fault.value.diagnostics[0].code == "bad-certificate"
    assert check(write("", parts)).reporter == "dora"
