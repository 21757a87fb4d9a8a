"""Letters that did not reach somebody: refused addresses and delivery reports, named until somebody sees to
them; and what an unattended run of `pbem mail out` leaves behind."""

from __future__ import annotations

import email
from email import policy
from pathlib import Path

import pytest

from pbem.mail.returned import returned
from tests.cli.play import Seat, Table
from tests.unit.mail.smtp_server import Manners, smtp_server

ALL = ("gm@example.org", "north@example.org", "south@example.org")


def _smtp(seat: Seat, port: int) -> None:
    text = f"out: {{way: smtp, server: 127.0.0.1, port: {port}, security: none}}\n"
    (seat.root / "private" / "mail.yaml").write_text(text)


def _signed(table: Table) -> Seat:
    north = table.players["north"]
    table.answer(north)
    return north


def test_an_address_that_is_refused_for_good_is_named_until_somebody_sees_to_it(table: Table) -> None:
    north, manners = _signed(table), Manners(refuse={ALL[2]: "550 no such user"})
    with smtp_server(manners) as port:
        _smtp(north, port)
        north.pbem("mail", "out", code=1)
        again = north.pbem("mail", "out")
        assert "did not reach south (south@example.org): 550 no such user" in again.err
        assert "stage-0001-north-orders-rev1 did not reach south" in north.pbem("status").out
        assert "partly     outbox/stage-0001-north-orders-rev1.eml" in north.pbem("mail", "list").out
        manners.refuse.clear()
        north.pbem("mail", "out", "--to", "south@example.net", "stage-0001-north-orders-rev1")
        assert "did not reach" not in north.pbem("mail", "out").err + north.pbem("status").out
    assert [to for to, _ in manners.mails] == [(ALL[0],), ("south@example.net",)]


def test_somebody_who_has_it_by_another_way_is_not_named_any_more(table: Table) -> None:
    north, manners = _signed(table), Manners(refuse={ALL[2]: "550 no such user"})
    with smtp_server(manners) as port:
        _smtp(north, port)
        north.pbem("mail", "out", code=1)
        north.pbem("mail", "out", "--sent", "stage-0001-north-orders-rev1")
        assert "did not reach" not in north.pbem("status").out


def test_a_letter_without_an_address_is_named_once(table: Table) -> None:
    manners = Manners()
    with smtp_server(manners) as port:
        _smtp(table.gm, port)
        first = table.gm.pbem("mail", "out")
        second = table.gm.pbem("mail", "out")
    assert "at-dawn.eml has no address" in first.err
    assert "no address" not in second.err


def test_what_leaves_while_nobody_looks_says_so(table: Table) -> None:
    north, manners = _signed(table), Manners()
    with smtp_server(manners) as port:
        _smtp(north, port)
        north.pbem("mail", "out")
    message = email.message_from_bytes(manners.mails[0][1], policy=policy.default)
    assert message["Auto-Submitted"] == "auto-generated"
    assert message["Subject"].startswith("At dawn 1: orders of north [pbem ")


def test_the_receipt_of_the_order_that_completes_a_stage_leaves(table: Table) -> None:
    """`pbem mail in && pbem adjudicate && pbem mail out`: the stage is over when letters leave."""
    manners = Manners()
    for seat in table.players.values():
        seat.mails()
        if seat.owes:
            table.answer(seat)
            (eml,) = seat.mails()
            table.gm.pbem("receive", eml)
    with smtp_server(manners) as port:
        _smtp(table.gm, port)
        table.gm.pbem("mail", "out", "--dry-run")
        table.gm.pbem("adjudicate")
        said = table.gm.pbem("mail", "out")
    assert "received-order" in said.out


# ---- letters that come back -------------------------------------------------------------------------------


def _report_of_a_server(letter: bytes, address: str, action: str = "failed") -> bytes:
    """As Postfix writes it."""
    head = letter.partition(b"\r\n\r\n")[0]
    return (
        b"From: MAILER-DAEMON@example.org\r\nTo: north@example.org\r\nSubject: Undelivered Mail\r\n"
        b"Auto-Submitted: auto-replied\r\nMIME-Version: 1.0\r\n"
        b'Content-Type: multipart/report; report-type=delivery-status; boundary="b"\r\n\r\n'
        b"--b\r\nContent-Type: text/plain\r\n\r\nI'm sorry to have to inform you ...\r\n"
        b"--b\r\nContent-Type: message/delivery-status\r\n\r\nReporting-MTA: dns; mail.example.org\r\n\r\n"
        + f"Final-Recipient: rfc822; {address}\r\nAction: {action}\r\nStatus: 5.1.1\r\n".encode()
        + b"Diagnostic-Code: smtp; 550 5.1.1 no such user\r\n\r\n"
        b"--b\r\nContent-Type: message/rfc822\r\n\r\n"
        + head
        + b"\r\n\r\n"
        + letter.partition(b"\r\n\r\n")[2]
        + b"\r\n--b--\r\n"
    )


@pytest.mark.parametrize(
    ("action", "late"),
    [("failed", [False]), ("delayed", [True]), ("delivered", []), ("relayed", []), ("expanded", [])],
)
def test_of_what_a_server_says_only_failure_and_delay_are_told(action: str, late: list[bool]) -> None:
    letter = b"Message-ID: <stage-0001-north@pbem.invalid>\r\n\r\norders\r\n"
    found = returned(_report_of_a_server(letter, "south@example.org", action), "bounce.eml")
    assert found is not None
    assert [one.late for one in found] == late


def test_a_delivery_report_is_read_and_the_letter_named(table: Table, tmp_path: Path) -> None:
    north, manners = _signed(table), Manners()
    with smtp_server(manners) as port:
        _smtp(north, port)
        north.pbem("mail", "out")
        back = tmp_path / "bounce.eml"
        back.write_bytes(_report_of_a_server(manners.mails[0][1], "south@example.org"))
        said = north.pbem("receive", back, code=None)
        assert "stage-0001-north-orders-rev1 did not reach south@example.org: smtp; 550" in said.out
        assert "duplicate" not in said.out and "damaged" not in said.err
        assert "did not reach south (south@example.org)" in north.pbem("status").out
        assert "did not reach" not in north.pbem("receive", back, code=None).out  # told once
        north.pbem("mail", "out")
    assert len(manners.mails) == 1, "nothing goes again because somebody says that it came back"


def test_a_report_of_the_last_stage_that_came_back_is_told(table: Table, tmp_path: Path) -> None:
    """A letter of an earlier stage would be: what came after it says that it was not needed."""
    manners = Manners()
    for seat in table.players.values():
        if seat.owes:
            table.answer(seat)
    table.post()
    with smtp_server(manners) as port:
        _smtp(table.gm, port)
        table.gm.pbem("mail", "out", "--dry-run")
        table.gm.pbem("adjudicate")
        table.gm.pbem("mail", "out")
    (report,) = [data for _, data in manners.mails if b"gm-report" in data]
    back = tmp_path / "bounce.eml"
    back.write_bytes(_report_of_a_server(report, "south@example.org"))
    table.gm.pbem("receive", back, code=None)
    assert "stage-0001-gm-report did not reach south" in table.gm.pbem("status").out


def test_a_report_that_says_try_later_makes_no_letter_go_again(table: Table, tmp_path: Path) -> None:
    north, manners = _signed(table), Manners()
    with smtp_server(manners) as port:
        _smtp(north, port)
        north.pbem("mail", "out")
        report = _report_of_a_server(manners.mails[0][1], "south@example.org")
        back = tmp_path / "bounce.eml"
        back.write_bytes(report.replace(b"smtp; 550 5.1.1 no such user", b"450 4.2.0 greylisted"))
        north.pbem("receive", back, code=None)
        assert "did not reach south (south@example.org)" in north.pbem("status").out
        north.pbem("mail", "out")
    assert len(manners.mails) == 1


def test_a_report_of_a_delivery_that_is_only_late_is_told_and_nothing_more(
    table: Table, tmp_path: Path
) -> None:
    north, manners = _signed(table), Manners()
    with smtp_server(manners) as port:
        _smtp(north, port)
        north.pbem("mail", "out")
    back = tmp_path / "late.eml"
    back.write_bytes(_report_of_a_server(manners.mails[0][1], "south@example.org", "delayed"))
    assert "has not reached south@example.org yet" in north.pbem("receive", back, code=None).out
    assert "did not reach" not in north.pbem("status").out
