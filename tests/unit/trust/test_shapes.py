"""The small checks that a statement's shape is put together from, each on its own."""

from __future__ import annotations

import base64
import gzip
from typing import Any

import pytest

from pbem.text.canonical import dumps
from pbem.trust import hypertext, keys, letters, repairs, shapes, sshsig
from pbem.trust.accept import validly_signed
from pbem.trust.armour import Signed
from pbem.trust.errors import BadKey, BadSeal, BadShape
from pbem.trust.keys import FileSigner
from pbem.trust.shapes import Check, array, members, nullable, number, one_of, table, word
from pbem.trust.statements import make

HASH = "ab" * 32
LINE = sshsig.public_line(FileSigner.from_seed(bytes(32)).public)
DIGIT = word("[0-9]", "trust.shapes.line-wanted")
PAIR = members({"a": DIGIT, "b": number(2, 5)}, {"c": nullable(DIGIT)})
GOOD: list[tuple[str, Check, list[Any]]] = [
    ("members", PAIR, [{"a": "1", "b": 2}, {"a": "1", "b": 5, "c": None}, {"a": "1", "b": 3, "c": "4"}]),
    ("table", table(DIGIT, number(1)), [{"1": 1}, {"1": 1, "2": 2**31 - 1}]),
    ("empty table", table(DIGIT, DIGIT, empty=True), [{}]),
    ("array", array(DIGIT), [["1"], ["2", "1", "2"]]),
    ("empty array", array(DIGIT, empty=True), [[]]),
    ("unique", array(DIGIT, unique=True), [["2", "1"]]),
    ("ascending", array(DIGIT, ascending=True), [["1", "2"], ["1"]]),
    ("one of", one_of("a", 1), ["a", 1]),
    ("hash", shapes.HEX32, [HASH]),
    ("blob", shapes.BLOB, ["YQ==", "YWJj"]),
    ("sign", shapes.SIGN, [LINE]),
    ("party", shapes.PARTY, ["a", "a1-b", "a" * 16]),
    ("key", shapes.KEY, ["A/b.c:d_e-1", "x" * 100]),
    ("line", shapes.LINE, ["x", "x y "]),
    ("text", shapes.TEXT, ["x", "\n x\n"]),
    ("mail", shapes.MAIL, ["a@b", "a.b+c@d.example"]),
    ("any", shapes.ANY, [None, {}, 1.5]),
]
BAD: list[tuple[str, Check, list[tuple[Any, tuple[Any, ...]]]]] = [
    (
        "members",
        PAIR,
        [
            ([], ()),
            (None, ()),
            ({"a": "1"}, ()),
            ({"a": "1", "b": 2, "d": 1}, ()),
            ({"a": "x", "b": 2}, ("a",)),
            ({"a": "1", "b": 2, "c": "x"}, ("c",)),
            ({"a": "1", "b": 6}, ("b",)),
            ({"a": "1", "b": 1}, ("b",)),
            ({"a": "1", "b": True}, ("b",)),
            ({"a": "1", "b": "2"}, ("b",)),
        ],
    ),
    ("table", table(DIGIT, number(1)), [([], ()), ({}, ()), ({"x": 1}, ("x",)), ({"1": 0}, ("1",))]),
    ("table of much", table(DIGIT, number(1)), [({"1": 2**31}, ("1",))]),
    ("array", array(DIGIT), [({}, ()), ([], ()), ("12", ()), (["1", 2], (1,))]),
    ("unique", array(DIGIT, unique=True), [(["1", "2", "1"], ())]),
    ("ascending", array(DIGIT, ascending=True), [(["1", "1"], ()), (["2", "1"], ())]),
    ("one of", one_of("a", 1), [("b", ()), (True, ()), (1.0, ()), (None, ()), (["a"], ())]),
    ("hash", shapes.HEX32, [(HASH.upper(), ()), (HASH[:-1], ()), (HASH + "a", ()), (1, ()), ("g" * 64, ())]),
    (
        "blob",
        shapes.BLOB,
        [("YQ", ()), ("", ()), ("YQ==\n", ()), ("YR==", ()), (1, ()), ("\u00e4", ()), ("!", ())],
    ),
    ("sign", shapes.SIGN, [(None, ()), (f"{LINE} ann", ()), (LINE[:-4], ()), ("ssh-rsa AAAA", ())]),
    ("party", shapes.PARTY, [("", ()), ("1a", ()), ("A", ()), ("a" * 17, ()), ("a\n", ()), ("a_b", ())]),
    ("key", shapes.KEY, [("", ()), ("x" * 101, ()), ("a b", ()), ("\u00e4", ())]),
    ("line", shapes.LINE, [("", ()), (" x", ()), ("x\ny", ()), ("x\ty", ()), ("x\n", ())]),
    ("text", shapes.TEXT, [("", ()), (" \n", ()), (3, ())]),
    (
        "mail",
        shapes.MAIL,
        [("a", ()), ("a@", ()), ("a@b@c", ()), ("a b@c", ()), ("a@b,c@d", ()), ("<a@b>", ())],
    ),
]


@pytest.mark.parametrize(
    ("check", "value"), [(check, value) for _, check, values in GOOD for value in values]
)
def test_what_has_the_shape_is_taken(check: Check, value: Any) -> None:
    check(value, ())


@pytest.mark.parametrize(
    ("check", "value", "place"), [(check, *bad) for _, check, values in BAD for bad in values]
)
def test_what_has_another_shape_is_refused_at_its_place(
    check: Check, value: Any, place: tuple[Any, ...]
) -> None:
    with pytest.raises(BadShape) as error:
        check(value, ("here",))
    assert error.value.path == ("here", *place)


@pytest.mark.parametrize(
    ("value", "said"),
    [
        ([1, 2], "a list of 2"),
        ({"a": 1}, "a object of 1"),
        (None, "null"),
        ("x" * 38, f"'{'x' * 38}'"),
        ("x" * 39, f"'{'x' * 39}..."),
        ("\x1b", r"'\x1b'"),
    ],
)
def test_a_value_is_quoted_short_and_harmless(value: Any, said: str) -> None:
    assert shapes.shown(value) == said


def test_a_statement_counts_by_type_and_signature() -> None:
    signer = FileSigner.from_seed(bytes(32))
    protest = make("protest", {"text": "No."}, game="0" * 64, sender="north", stage=2, prev="0" * 64)
    signed = Signed(protest.bytes, (signer.sign(protest.bytes),))
    assert validly_signed(signed, "protest") == protest
    assert validly_signed(signed, "order") is None
    assert validly_signed(Signed(protest.bytes, (signer.sign(b"x"),)), "protest") is None
    for other in (b'{"type":"protest"}', b'"type":"protest"', dumps({**protest.data, "type": "ack", "x": 1})):
        assert validly_signed(Signed(other, (signer.sign(other),)), "protest") is None
    inside = make("protest", {"text": '"type":"order"'}, game="0" * 64, sender="n", stage=2, prev="0" * 64)
    within = Signed(inside.bytes.replace(b'\\"', b'"'), (signer.sign(inside.bytes),))
    assert validly_signed(within, "order") is None
    ahead = dumps({"a": {"type": "order"}, **protest.data})
    assert validly_signed(Signed(ahead, (signer.sign(ahead),)), "order") is None


ODD_LETTERS = [
    b"x",
    b"{}",
    dumps({"openings": {}}),
    dumps({"openings": {"letter/2": {"nonce": HASH, "value": 1}}}),
    dumps({"openings": {"letter/1": {"nonce": HASH}}}),
    dumps({"openings": {"letter/1": {"nonce": HASH, "value": 1, "stage": 3}}}),
    dumps({"openings": {"letter/1": {"nonce": HASH, "value": 1}}, "more": 1}),
]


@pytest.mark.parametrize("data", ODD_LETTERS, ids=range(len(ODD_LETTERS)))
def test_what_no_letter_was_packed_as_is_not_unpacked(data: bytes) -> None:
    with pytest.raises(BadSeal):
        letters.unpack(data, 1)


def test_a_signer_does_not_show_its_key() -> None:
    signer = FileSigner.from_seed(bytes(32))
    assert repr(signer) == f"FileSigner({sshsig.fingerprint(signer.public)})"


def test_a_file_that_is_too_long_is_no_key(tmp_path: Any) -> None:
    path = tmp_path / "key"
    path.write_bytes(b"x" * (keys._MAX_FILE + 1))
    with pytest.raises(BadKey, match="key"):
        keys._read(path)
    path.write_bytes(b"x" * keys._MAX_FILE)
    assert len(keys._read(path)) == keys._MAX_FILE
    with pytest.raises(BadKey):
        keys._read(tmp_path / "none")


# --- text around blocks ---------------------------------------------------------------------------------


def test_a_page_of_very_many_tags_is_read_whole() -> None:
    many = 30_000
    assert hypertext.to_text("<b>x</b><p>y" * many) == "x\ny" * many
    assert hypertext.to_text("a<!-- b -->c<script>d</script>e&amp;f&nbsp;g<br/>h") == "ace&f g\nh"
    assert hypertext.to_text("&#0000065; &#x41 &unknown; &#99999999999;") == "A A &unknown; &#99999999999;"
    assert hypertext.looks_like_html("Hello<BR>") and not hypertext.looks_like_html("a < b > c")


@pytest.mark.parametrize("cut", ["&amp;", "=C3=A4", "\n"])
def test_a_long_text_is_not_cut_within_a_letter(cut: str) -> None:
    whole = "x" * ((1 << 18) - 2) + cut + "y" * 100
    first, *_ = pieces = list(hypertext.blocks(whole))
    assert "".join(pieces) == whole and len(pieces) == 2
    assert first == whole[: (1 << 18) - (2 if cut != "\n" else 1)]
    assert list(hypertext.blocks("x" * (1 << 19))) == ["x" * (1 << 18)] * 2


def test_a_block_longer_than_any_statement_is_none() -> None:
    data = base64.b64encode(gzip.compress(b"x")).decode()
    assert repairs.decodings(data) == (base64.b64decode(data),)
    assert repairs.decodings(data + "A" * repairs.MAX_BLOCK) == ()
    quoted = repairs.decodings("> YWJj\n> ZGVm\n")
    assert quoted[0] == b"abcdef"
    assert repairs.decodings("Ann> YWJj\nAnn> ZGVm\n")[-1] == b"abcdef"
    assert repairs.decodings("YWJjA") == repairs.decodings("") == ()


def test_what_others_wrote_opens_no_block() -> None:
    for name in ("PBEM STATEMENT", "SSH SIGNATURE"):
        for end in ("BEGIN", "END"):
            for text in (f"-----{end} {name}-----", f"> -----{end}\n> {name}-----"):
                made = repairs.defused(text)
                assert made.lower() == text.lower() and name.split()[0] not in made, text
                assert end.lower() in made and name.split()[1] in made
    assert repairs.defused("BEGIN PBEMS and END SSHD, BEGIN") == "BEGIN PBEMS and END SSHD, BEGIN"
