"""A statement is found whatever mail programs did to it; where there is none, none is; nothing raises."""

from __future__ import annotations

import base64
import gzip
import io
import tracemalloc
import zipfile
import zlib
from collections.abc import Callable, Iterable
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pbem.mail import boxes, parts
from pbem.mail.read import read, read_path
from pbem.trust import armour
from pbem.trust.armour import Signed

from .conftest import signed
from .damage import DAMAGES, mail
from .more_damage import MORE
from .programs import tnef

EVERY = DAMAGES | MORE


def test_there_are_damages_enough() -> None:
    assert len(EVERY) == len(DAMAGES) + len(MORE) > 90


@pytest.mark.parametrize("name", EVERY)
def test_the_order_survives(name: str, letter: str, order: Signed) -> None:
    reading = read(EVERY[name](letter))
    assert reading.signed == (order,), [note.text for note in reading.notes]


@pytest.mark.parametrize("name", EVERY)
def test_nothing_is_found_where_the_signed_bytes_were_changed(name: str, letter: str, order: Signed) -> None:
    other = Signed(order.data.replace(b"nobody", b"anybody"), order.signatures)
    changed = armour.write("Sarn Strait", [other])
    reading = read(EVERY[name](changed))
    assert reading.signed == ()
    assert any("damaged or changed" in note.text for note in reading.notes)


def test_one_mail_brings_several_statements_and_each_once(letter: str) -> None:
    orders = [signed(f"order {number}") for number in range(5)]
    text = armour.write("five of them", orders)
    assert read(mail((text + letter + text).encode())).signed[:5] == tuple(orders)
    assert len(read(mail((text + letter + text).encode())).signed) == 6


def test_forty_statements_in_body_and_attachment_stay_forty() -> None:
    orders = [signed(f"order {number}") for number in range(40)]
    text = armour.write("", orders)
    head = b"From: a@b.c\nContent-Type: multipart/mixed; boundary=xx\n\n"
    data = (
        head + b"".join(b"--xx\nContent-Type: text/plain\n\n" + text.encode() for _ in range(2)) + b"--xx--\n"
    )
    reading = read(data)
    assert reading.signed == tuple(orders)
    assert reading.notes == []


def test_more_than_64_statements_in_a_message_are_cut_and_said() -> None:
    head = b"From: a@b.c\nContent-Type: multipart/mixed; boundary=xx\n\n"
    data = head
    for part in range(3):
        text = armour.write("", [signed(f"order {part}/{number}") for number in range(30)])
        data += b"--xx\nContent-Type: text/plain\n\n" + text.encode()
    reading = read(data + b"--xx--\n")
    assert len(reading.signed) == 64
    assert any("more than 64 signed statements" in note.text for note in reading.notes)


def _box(texts: Iterable[str]) -> bytes:
    """A mailbox of mails with these texts."""
    return b"".join(b"From a@b Fri Nov 20 12:00:00 2026\n" + mail(one.encode()) + b"\n\n" for one in texts)


def test_a_text_beside_several_statements_takes_the_room_of_one() -> None:
    """Hundreds of report mails at once, each with the statements of its stage: all are compared."""
    words = "The report of this stage says what happened.\n" * 600
    blocks = [armour.write("", [signed(f"order {stage}.{n}") for n in range(3)]) for stage in range(150)]
    found = read(_box(f"Stage {stage}\n{words}{block}" for stage, block in enumerate(blocks))).statements
    assert len(found) == 450
    assert all(any(f"Stage {n // 3}\n" in text for text in one.beside) for n, one in enumerate(found))


def test_what_is_kept_for_comparison_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pbem.mail.read._ALL_BESIDE", 10_000)
    text = "much to read " * 300
    found = read(_box(f"{n} {text}\n" + armour.write("", [signed(f"{n}")]) for n in range(5))).statements
    assert [bool(one.beside) for one in found] == [True, True, False, False, False]


def test_the_same_statement_in_two_mails_keeps_the_signatures_of_both(order: Signed) -> None:
    from pbem.trust.keys import FileSigner

    second = FileSigner.from_seed(b"somebody else who agrees with it").sign(order.data)
    one, two = (armour.write("", [Signed(order.data, (s,))]) for s in (order.signatures[0], second))
    data = b"".join(
        b"From x\n" + mail(text.encode()).replace(b"\r\n", b"\n") + b"\n\n" for text in (one, two)
    )
    (found,) = read(data).signed
    assert found.signatures == (order.signatures[0], second)


def test_a_mail_without_armour_says_how_to_send_it() -> None:
    (note,) = read(mail(b"I move A1 to 0305, I promise")).notes
    assert "no signed orders or report" in note.text
    assert ".pbem.txt" in note.text


def test_a_lost_end_marker_is_said(letter: str) -> None:
    reading = read(mail(letter[: letter.index("-----BEGIN SSH")].encode()))
    assert reading.signed == ()
    assert any("damaged or changed" in note.text for note in reading.notes)


def test_readable_text_is_never_taken_for_orders() -> None:
    assert (
        read(mail(b"-----BEGIN PBEM STATEMENT-----\nmove: A1\n-----END PBEM STATEMENT-----\n")).signed == ()
    )


# ---- limits (6.2, rule 8) ---------------------------------------------------------------------------------


def test_more_than_25_mib_are_not_looked_at(letter: str) -> None:
    reading = read(mail(letter.encode() + b"x" * boxes.MAX_MESSAGE))
    assert reading.signed == ()
    assert "larger than 25 MiB" in reading.notes[0].text


def test_more_than_ten_levels_are_left_unread(letter: str) -> None:
    from .damage import _forwarded

    reading = read(_forwarded(letter, 12))
    assert any("deeper than 10 levels" in note.text for note in reading.notes)
    assert reading.signed == ()


def test_more_than_200_parts_are_left_unread(letter: str) -> None:
    head = b"From: a@b.c\nContent-Type: multipart/mixed; boundary=xx\n\n"
    data = (
        head + b"--xx\nContent-Type: text/plain\n\nx\n" * 250 + b"--xx\n\n" + letter.encode() + b"\n--xx--\n"
    )
    reading = read(data)
    assert reading.signed == ()
    assert any("more than 200 parts" in note.text for note in reading.notes)


def test_what_is_in_the_two_hundredth_part_is_read(letter: str, order: Signed) -> None:
    head = b"From: a@b.c\nContent-Type: multipart/mixed; boundary=xx\n\n"
    text = b"--xx\nContent-Type: text/plain\n\nx\n"
    for count, there in ((parts.MAX_PARTS - 1, (order,)), (parts.MAX_PARTS, ())):
        data = head + text * count + b"--xx\n\n" + letter.encode() + b"\n--xx--\n"
        assert read(data).signed == there, count


def test_a_message_that_cannot_be_read_does_not_stop_the_next(
    letter: str, order: Signed, monkeypatch: pytest.MonkeyPatch
) -> None:
    usual = parts.leaf_parts

    def sometimes(data: bytes, walk: parts.Walk) -> object:
        if b"poison" in data:
            raise RuntimeError("boom")
        return usual(data, walk)

    monkeypatch.setattr("pbem.mail.read.leaf_parts", sometimes)
    box = b"From x\nSubject: poison\n\nx\n\nFrom x\n" + mail(letter.encode()).replace(b"\r\n", b"\n")
    reading = read(box)
    assert reading.signed == (order,)
    assert any("can't be read (RuntimeError)" in note.text for note in reading.notes)


# Quadratic readers take minutes over these; the test is that it comes to an end within the suite at all.
HOSTILE = {
    "open tags": b"Content-Type: text/html\n\n" + b"<a " * 400_000 + b">PBEM STATEMENT",
    "open comments": b"Content-Type: text/html\n\n" + b"<!--" * 400_000 + b"PBEM",
    "open tags in plain text": b"Subject: x\n\nPBEM STATEMENT > " + b"<a " * 400_000,
    "parameters": b"Content-Type: text/plain" + b"; a=b" * 400_000 + b"\n\nPBEM",
    "continued parameters": b"Content-Type: text/plain" + b"; charset*1*=a'b'c" * 100_000 + b"\n\nPBEM",
    "deep multiparts": b"".join(
        b"Content-Type: multipart/mixed; boundary=a%d\n\n--a%d\n" % (n, n) for n in range(20_000)
    ),
    "deep forwards": b"Content-Type: message/rfc822\n\n" * 20_000,
    "many parts": b"Content-Type: multipart/mixed; boundary=a\n\n" + b"--a\n\nx\n" * 200_000,
    "huge character reference": b"Subject: x\n\nPBEM &#" + b"9" * 100_000 + b";",
    "headers": b"Subject: x\n" + b"X: y\n" * 4_000_000 + b"\nPBEM",
    "markers": b"Subject: x\n\n" + b"-----BEGIN PBEM STATEMENT-----\n" * 20_000,
    "flowed lines": b"Content-Type: text/plain; format=flowed\n\nPBEM " + b"ab \n" * 1_000_000,
    "quote marks in an armour": (
        b"Subject: x\n\n-----BEGIN PBEM STATEMENT-----\n"
        + b">" * 5_000_000
        + b"\n-----END PBEM STATEMENT-----\n"
    ),
    "base64 without end": b"Subject: x\n\n" + b"A" * 60 + b"\n" + b"QUJD\n" * 500_000,
    "punycode": b"Content-Type: text/plain; charset=punycode\n\nPBEM-" + b"9" * 200_000,
}


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_mail_ends_and_holds_nothing(name: str) -> None:
    assert read(HOSTILE[name]).signed == ()


def test_quote_marks_in_an_armour_take_memory_in_proportion() -> None:
    data = HOSTILE["quote marks in an armour"]
    tracemalloc.start()
    read(data)
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert most < 20 * len(data)


def test_what_an_archive_unpacks_to_is_bounded_and_said() -> None:
    """A small gzip file that says PBEM a hundred million times."""
    packer = zlib.compressobj(9, zlib.DEFLATED, 31)
    packed = b"".join(packer.compress(b"PBEM" * 250_000) for _ in range(100)) + packer.flush()
    bomb = b"Subject: x\nContent-Transfer-Encoding: base64\n\n" + base64.encodebytes(packed)
    reading = read(bomb)
    assert reading.signed == ()
    (note,) = [note for note in reading.notes if note.kind == "limit"]
    assert "unpacks to more than 25 MiB" in note.text


def test_an_archive_that_is_damaged_is_said() -> None:
    damaged = b"Subject: x\nContent-Type: application/zip\n\nPK\x03\x04" + b"rubbish" * 40
    assert any("can't be unpacked" in note.text for note in read(damaged).notes)


# ---- archives (17.28) -------------------------------------------------------------------------------------


def _files(*files: bytes) -> bytes:
    """A mail with a letter in its text and these attachments."""
    made = b"From: a@b.c\nContent-Type: multipart/mixed; boundary=xx\n\n--xx\n\nhello\n"
    for file in files:
        made += b"--xx\nContent-Type: application/octet-stream\nContent-Transfer-Encoding: base64\n\n"
        made += base64.encodebytes(file) + b"\n"
    return made + b"--xx--\n"


def _zip(*files: bytes) -> bytes:
    held = io.BytesIO()
    with zipfile.ZipFile(held, "w", zipfile.ZIP_DEFLATED) as archive:
        for number, data in enumerate(files):
            archive.writestr(str(number), data)
    return held.getvalue()


LETTER = armour.write("x", [signed("in the archive")]).encode()
MANY = armour.write("", [signed(f"order {number}") for number in range(65)]).encode()
HEAVY = bytes(26 << 20)
# made when they are read: some take a second
BEYOND: dict[str, tuple[Callable[[], bytes], str]] = {
    "a second member": (lambda: gzip.compress(LETTER) + gzip.compress(b"x"), "after its end"),
    "bytes behind it": (lambda: gzip.compress(LETTER) + b"\0", "after its end"),
    "more than 25 MiB": (lambda: gzip.compress(HEAVY, 1), "more than 25 MiB"),
    "a good file before more than 25 MiB": (lambda: _zip(LETTER, HEAVY), "more than 25 MiB"),
    "25 MiB in two": (lambda: _zip(LETTER, HEAVY[: 13 << 20], HEAVY[: 13 << 20]), "more than 25 MiB"),
    "an archive within it that has more": (lambda: _zip(LETTER, gzip.compress(HEAVY, 1)), "more than 25 MiB"),
    "more than 64 statements": (lambda: gzip.compress(MANY, 1), "more than 64 statements"),
    "64 statements in two": (
        lambda: _zip(MANY[: len(MANY) // 2], MANY[len(MANY) // 2 :]),
        "more than 64 statements",
    ),
    "three archives within one another": (
        lambda: _zip(LETTER, gzip.compress(gzip.compress(LETTER))),
        "within archives",
    ),
    "more than 200 files": (lambda: _zip(*[LETTER] * 201), "more than 200 parts"),
    "winmail.dat with two members": (lambda: tnef(gzip.compress(LETTER) * 2), "after its end"),
}


@pytest.mark.parametrize("name", BEYOND)
def test_an_archive_beyond_a_limit_is_refused_whole_and_the_rest_counts(name: str) -> None:
    make, reason = BEYOND[name]
    bad = make()
    rest = signed("beside it")
    other = gzip.compress(armour.write("", [rest]).encode())
    for files in ((bad, other), (other, bad)):
        reading = read(_files(*files))
        assert reading.signed == (rest,)
        (note,) = [note for note in reading.notes if note.kind == "limit"]
        assert reason in note.text and "not read" in note.text


WITHIN: dict[str, Callable[[], bytes]] = {
    "a mail in a zip with a packed file": lambda: _zip(_files(gzip.compress(LETTER))),
    "a gzip file in a zip": lambda: _zip(b"read me", gzip.compress(LETTER)),
    "64 statements": lambda: gzip.compress(
        armour.write("", [signed(f"order {number}") for number in range(64)]).encode()
    ),
    "198 files and two parts around them": lambda: _zip(*[LETTER] * 198),
    "25 MiB": lambda: _zip(LETTER, HEAVY[: (25 << 20) - len(LETTER)]),
    "25 MiB in a gzip file": lambda: gzip.compress(LETTER + HEAVY[: (25 << 20) - len(LETTER)], 1),
    "winmail.dat": lambda: tnef(gzip.compress(LETTER), b"read me"),
}


@pytest.mark.parametrize("name", WITHIN)
def test_an_archive_within_the_limits_is_read(name: str) -> None:
    made = WITHIN[name]()
    for data in (_files(made), made):
        reading = read(data)
        assert len(reading.signed) == (64 if "64" in name else 1), [note.text for note in reading.notes]


def test_archives_of_one_message_share_their_limits(order: Signed) -> None:
    """13 MiB each: the second is refused, and what comes after it is read where there is room."""
    half = _zip(HEAVY[: 13 << 20])
    reading = read(_files(half, half, gzip.compress(armour.write("", [order]).encode())))
    assert reading.signed == (order,)
    assert [note.text for note in reading.notes if note.kind == "limit"] == [
        "unpacks to more than 25 MiB: it was not read"
    ]


# ---- letters that only tell -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "id", ["receipts-0123abcd", "drafts-0123abcd", "refused-0123abcd", "reminder-0123abcd-north-1"]
)
def test_a_letter_of_pbem_that_only_tells_is_no_mail_without_a_statement(id: str) -> None:
    head = f"From: a@b.c\nMessage-ID: <{id}@pbem.invalid>\n\nYour orders are here.\n"
    reading = read(head.encode())
    assert (reading.telling, reading.notes) == (1, [])
    other = read(head.replace("pbem.invalid", "example.org").encode())
    assert other.telling == 0 and "no signed orders or report" in other.notes[0].text


def test_a_report_that_lost_its_statements_is_told_all_the_same() -> None:
    head = f"From: a@b.c\nMessage-ID: <{'0' * 40}@pbem.invalid>\n\nStage 3.\n"
    assert "no signed orders or report" in read(head.encode()).notes[0].text


def test_of_messages_with_nothing_in_them_few_are_named_and_all_counted() -> None:
    reading = read(b"From a@b\nSubject: x\n\nhello\n\n" * 3000)
    assert (reading.messages, reading.empty) == (3000, 3000) and len(reading.notes) <= 100


def test_a_reminder_with_a_statement_brings_it(order: Signed) -> None:
    head = b"From: a@b.c\nMessage-ID: <reminder-0123abcd-north-1@pbem.invalid>\n\n"
    reading = read(head + armour.write("x", [order]).encode())
    assert (reading.signed, reading.telling) == ((order,), 0)


@given(st.binary(max_size=400))
@settings(max_examples=150, deadline=None)
def test_no_bytes_raise(data: bytes) -> None:
    assert read(data).signed == ()
    assert read(b"Content-Type: multipart/mixed; boundary=a\n\n--a\n" + data).signed == ()


@given(st.data())
@settings(max_examples=100, deadline=None)
def test_no_damage_to_a_good_mail_raises(data: st.DataObject) -> None:
    name = data.draw(st.sampled_from(sorted(EVERY)))
    good = bytearray(EVERY[name](armour.write("x", [signed()])))
    for _ in range(data.draw(st.integers(1, 8))):
        good[data.draw(st.integers(0, len(good) - 1))] = data.draw(st.integers(0, 255))
    assert read(bytes(good)).signed in ((), (signed(),))


# ---- where mails lie --------------------------------------------------------------------------------------


def test_folders_maildirs_and_files_are_read(tmp_path: Path, letter: str, order: Signed) -> None:
    loose = tmp_path / "loose"
    maildir = tmp_path / "maildir"
    for folder in (loose, maildir / "new", maildir / "cur", maildir / "tmp"):
        folder.mkdir(parents=True)
    (loose / "a.pbem.txt").write_text(letter, "utf-8")
    (loose / ".hidden").write_bytes(b"not mine to read")
    (maildir / "new" / "1.x").write_bytes(mail(letter.encode()))
    (maildir / "tmp" / "2.x").write_bytes(mail(b"half written"))
    for path in (loose, maildir, loose / "a.pbem.txt"):
        reading = read_path(path)
        assert (reading.signed, reading.messages, reading.notes) == ((order,), 1, [])


def test_every_statement_says_where_it_was(tmp_path: Path, letter: str) -> None:
    box = tmp_path / "mail.mbox"
    box.write_bytes(DAMAGES["in an mbox"](letter))
    (found,) = read_path(box).statements
    assert found.where == f"{box}, message 2"


@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_a_line_that_begins_with_from_ends_a_message_only_after_an_empty_line(
    tmp_path: Path, letter: str, end: str
) -> None:
    box = tmp_path / "mail.mbox"
    lines = ["From ann", "Subject: hello", "", "I greet you", "From here it is far.", "", "Bye", ""]
    told = [*lines, "From bob", "Subject: orders", "", *letter.splitlines(), ""]
    box.write_bytes(end.join(told).encode())
    reading = read_path(box)
    assert reading.messages == 2
    assert [found.where for found in reading.statements] == [f"{box}, message 2"]


def test_a_path_that_is_not_there_is_an_oserror(tmp_path: Path) -> None:
    with pytest.raises(OSError):
        read_path(tmp_path / "nothing")


def test_an_empty_file_holds_nothing(tmp_path: Path) -> None:
    (tmp_path / "empty").touch()
    reading = read_path(tmp_path / "empty")
    assert reading.signed == ()
    assert "no signed orders or report" in reading.notes[0].text


def test_readings_of_several_files_are_one(letter: str, order: Signed) -> None:
    from pbem.mail.read import together
    from pbem.trust.keys import FileSigner

    second = FileSigner.from_seed(b"somebody else who agrees with it").sign(order.data)
    other = armour.write("", [Signed(order.data, (second,)), signed("another")])
    reading = together([read(letter.encode()), read(other.encode()), read(b"nothing")])
    assert reading.signed == (Signed(order.data, (*order.signatures, second)), signed("another"))
    assert (reading.messages, len(reading.notes)) == (3, 1)
