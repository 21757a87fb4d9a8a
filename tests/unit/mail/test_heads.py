"""What the head of a mail says: who sent it, whether a program did, and how the rest is to be read."""

from __future__ import annotations

import base64

import pytest

from pbem.mail import plain
from pbem.mail.logging_in import Tokens, for_imap, mechanism
from pbem.mail.mime import MAX_HEADER, Entity
from pbem.mail.parts import looks_like_mail
from pbem.mail.read import read
from pbem.trust import armour

from .conftest import signed

HEX = "0123456789ab"


@pytest.mark.parametrize(
    ("text", "like"),
    [
        (f"game: {HEX}\nanswers:\n", True),
        ("stage: 3\nanswers:\n", True),
        ("stage: 3\nstanding:\n", True),
        ("answers:\nstanding:\n", True),
        ("> | 'stage': 3\n>> \"answers\" :\n", True),
        (" " * 20 + "stage: 3\n" + ">" * 20 + "answers:\n", True),
        (" " * 21 + "stage: 3\nanswers:\n", False),
        (f"game: {HEX}\nstage: 3\n", False),
        ("answers:\n", False),
        ("stage: three\nanswers:\n", False),
        ("stage: 1234567890\nanswers:\n", False),
        (f"game: {HEX[:11]}\nanswers:\n", False),
        ("my stage: 3\nmy answers:\n", False),
        (f"{'x' * 262_120}\nstage: 3\nanswers:\n", True),
        (f"{'x' * 262_130}\nstage: 3\nanswers:\n", False),
        ("", False),
    ],
)
def test_two_members_at_the_start_of_lines_make_a_text_look_like_orders(text: str, like: bool) -> None:
    assert plain.like_orders([text]) is like
    assert plain.like_orders(["nothing", text]) is like


@pytest.mark.parametrize(
    ("head", "address"),
    [
        ("From: ann@example.org", "ann@example.org"),
        ("from: Ann <Ann@Example.ORG>", "ann@example.org"),
        ('From: "Ann, of x@y" <ann@example.org>', "ann@example.org"),
        ("From: Ann", ""),
        ("From: ann@", ""),
        (f"From: {'a' * 64}@example.org", f"{'a' * 64}@example.org"),
        (f"From: {'a' * 65}@example.org", ""),
        ("To: ann@example.org", ""),
        (f"X: {'x' * (8 * MAX_HEADER - 40)}\nFrom: ann@example.org", "ann@example.org"),
        (f"X: {'x' * 8 * MAX_HEADER}\nFrom: ann@example.org", ""),
    ],
)
def test_the_address_of_a_sender_is_told_in_small_letters_or_not_at_all(head: str, address: str) -> None:
    assert plain.sender(f"{head}\n\nFrom: bob@example.org\n".encode()) == address


def test_a_subject_is_told_as_people_read_it() -> None:
    assert plain.decoded("=?utf-8?q?Gr=C3=BC=C3=9Fe?= to all") == "Grüße to all"
    assert plain.decoded("=?no-such-code?q?x?=") == "=?no-such-code?q?x?="


@pytest.mark.parametrize(
    ("head", "by_itself"),
    [
        ("Subject: orders", False),
        ("Auto-Submitted: no", False),
        ("Auto-Submitted:  No", False),
        ("Auto-Submitted: auto-replied", True),
        ("List-Id: <games.example.org>", True),
        ("Precedence: bulk", True),
        ("List-Unsubscribe: <mailto:x@y>", True),
        (f"X: {'x' * 8 * MAX_HEADER}\nPrecedence: bulk", False),
    ],
)
def test_mail_of_programs_and_lists_is_known(head: str, by_itself: bool) -> None:
    assert plain.automatic(f"{head}\n\nPrecedence: bulk\n".encode()) is by_itself


@pytest.mark.parametrize(
    ("data", "mail"),
    [
        (b"From: a@b.c\n\nx", True),
        (b"subject:x\r\n\r\nx", True),
        (b"X-Own: 1\nSubject: x\n\n", True),
        (b"From a@b.c Mon\nSubject: x\n\n", True),
        (b">From a@b.c Mon\nSubject: x\n\n", True),
        (b"\xef\xbb\xbf\r\n \tSubject: x\n\n", True),
        (b"From a@b.c Mon\n\nSubject: x\n\n", False),
        (b"X-Own: 1\n\nSubject: x\n\n", False),
        (b"X-Own: 1\r\n\r\nSubject: x\n\n", False),
        (b"game: 1\nstage: 2\n", False),
        (b"hello\nSubject: x\n", False),
        (b"", False),
    ],
)
def test_a_mail_begins_with_headers_that_only_mail_has(data: bytes, mail: bool) -> None:
    assert looks_like_mail(data) is mail


@pytest.mark.parametrize("before", [b"", b"\xef\xbb\xbf", b"\n\n", b" \t\r\n"])
@pytest.mark.parametrize("ends", [b"\n", b"\r\n", b"\r\r\n", b"\r"])
def test_whatever_comes_before_the_headers_the_body_is_decoded(before: bytes, ends: bytes) -> None:
    body = base64.encodebytes(armour.write("", [signed("x")]).encode())
    mail = before + b"Subject: x\nContent-Transfer-Encoding: base64\n\n" + body
    assert len(read(mail.replace(b"\r\n", b"\n").replace(b"\n", ends)).signed) == 1


def test_a_file_of_apple_mail_holds_one_mail_of_the_size_it_says() -> None:
    mail = b"Subject: x\n\n" + armour.write("", [signed("x")]).encode()
    behind = armour.write("", [signed("behind it")]).encode()
    for size in (b"%d", b"  %d", b"%d  "):
        first = size % len(mail)
        assert len(read(first + b"\n" + mail + behind).signed) == 1
    assert len(read(mail + behind).signed) == 2


# ---- parts of a message -----------------------------------------------------------------------------------


def test_a_header_is_found_in_the_head_alone_and_is_one_line() -> None:
    mail = Entity(b"Subject: a\r\n  b\r\nsubject: c\r\nX:\r\nY: %s\n\nTo: nobody\n" % (b"y" * 9000))
    assert mail.header("SUBJECT") == "a b"
    assert (mail.header("X"), mail.header("To"), mail.header("ubject")) == ("", "", "")
    assert mail.header("Y") == "y" * (MAX_HEADER - 1)


@pytest.mark.parametrize(
    ("head", "kind", "charset", "encoding", "flowed"),
    [
        (b"X: y", "text/plain", None, "", ""),
        (b"Content-Type: Text/HTML; charset=UTF-8", "text/html", "utf-8", "", ""),
        (b"Content-Type: text/plain;\n format=Flowed; delsp=yes", "text/plain", None, "", "flowed"),
        (b"Content-Type: rubbish", "text/plain", None, "", ""),
        (b'Content-Transfer-Encoding: "Base64" ; x', "text/plain", None, "base64", ""),
        (b"Content-Transfer-Encoding: 8bit (as it is)", "text/plain", None, "8bit", ""),
    ],
)
def test_a_part_says_what_it_is(
    head: bytes, kind: str, charset: str | None, encoding: str, flowed: str
) -> None:
    part = Entity(head + b"\n\nbody\n")
    assert (part.kind, part.charset, part.encoding, part.param("format")) == (kind, charset, encoding, flowed)


@pytest.mark.parametrize(
    ("encoding", "body", "payload"),
    [
        ("7bit", b"as=20it is\n", b"as=20it is\n"),
        ("base64", b"aGVs\nbG8=\n", b"hello"),
        ("base64", b"> aGVsbG8=aGVsbG8=", b"hello"),
        ("base64", b"aGVsbG", b"hell"),
        ("base64", b"aGVsb", b"hel"),
        ("base64", b"!!!", b"!!!"),
        ("quoted-printable", b"h=65l=\nlo", b"hello"),
        ("uuencode", b"\nbegin 644 x\n%:&5L;&\\\n`\nend\n%:&5L;&\\\n", b"hello"),
        ("x-uuencode", b"begin 644 x\r\n%:&5L;&\\  \r\n#\xff\xff\xff\xff\r\n#:&5L\r\nend\r\n", b"hellohel"),
        ("uue", b"hello", b"hello"),
    ],
)
def test_a_body_is_decoded_or_stays_as_it_came(encoding: str, body: bytes, payload: bytes) -> None:
    assert Entity(b"Content-Transfer-Encoding: %s\n\n" % encoding.encode() + body).payload() == payload


def _parts(kind: str, body: bytes) -> list[tuple[str, bytes]]:
    head = f'Content-Type: {kind}; boundary="x+y"\n\n'.encode()
    return [(part.kind, part.payload()) for part in Entity(head + body).children()]


def test_parts_lie_between_their_boundaries() -> None:
    two = [("text/plain", b"a"), ("text/html", b"b\n")]
    body = b"before\n--x+y\n\na\n--x+y \t\nContent-Type: text/html\n\nb\n\n--x+y--\n--x+y\n\nafter"
    assert _parts("multipart/mixed", body) == two
    assert _parts("multipart/mixed", body.replace(b"\n", b"\r\n")) == [two[0], ("text/html", b"b\r\n")]
    assert _parts("multipart/mixed", b"--x+y\n\na\n--x+yz\n\n") == [("text/plain", b"a\n--x+yz\n\n")]
    assert _parts("text/plain", body) == [] == _parts("multipart/mixed", b"nothing\n")
    assert _parts("multipart/digest", b"--x+y\n\na\n--x+y--") == [("message/rfc822", b"a")]
    assert _parts("message/rfc822", b"Content-Type: text/html\n\na") == [("text/html", b"a")]
    assert _parts("message/rfc822", b"") == []


# ---- tokens -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("offered", "chosen"),
    [
        (["plain", "xoauth2", "oauthbearer"], "OAUTHBEARER"),
        (["XOAUTH2"], "XOAUTH2"),
        (["PLAIN"], None),
        ([], None),
    ],
)
def test_the_standard_form_of_a_token_goes_first(offered: list[str], chosen: str | None) -> None:
    assert mechanism(offered) == chosen


def test_a_token_is_sent_in_its_form_and_a_refusal_is_answered() -> None:
    google = Tokens("XOAUTH2", "ann@x", "t0", "mail.x", 993)
    assert google.answer(None) == google.answer(b"") == "user=ann@x\x01auth=Bearer t0\x01\x01"
    assert for_imap(google)(b"") == b"user=ann@x\x01auth=Bearer t0\x01\x01"
    other = Tokens("OAUTHBEARER", "a=n,n", "t0", "mail.x", 993)
    assert other.answer(None) == "n,a=a=3Dn=2Cn,\x01host=mail.x\x01port=993\x01auth=Bearer t0\x01\x01"
    assert (google.refused, other.refused) == ("", "")
    assert (
        google.answer(b'{"status": "401"}') == "" and other.answer(b'{"status": "invalid_token"}') == "\x01"
    )
    assert (google.refused, other.refused) == ("401", "invalid_token")


@pytest.mark.parametrize(
    "challenge", [b"[]", b"rubbish", b"{}", b'{"status": 401}', b'{"status": "t0 "}', b"\xff"]
)
def test_an_odd_refusal_is_not_quoted(challenge: bytes) -> None:
    tokens = Tokens("XOAUTH2", "ann", "t0", "mail.x", 993)
    tokens.answer(challenge)
    assert tokens.refused == "refused" and "(refused)" in tokens.why and "t0" not in repr(tokens)
