"""What is refused in files that people write, and how it is told (protocol 6.4 and 7)."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pbem.text.diagnostics import Diagnostic, Refused
from pbem.text.yaml import Limits, load, read


def faults(source: str | bytes, schema: Any = None, pure: bool = False, **limits: int) -> list[Diagnostic]:
    with pytest.raises(Refused) as refusal:
        load(source, "a.yaml", schema, Limits(**limits), pure=pure)
    found = list(refusal.value.diagnostics)
    assert all(one.span is not None and one.span.file == "a.yaml" for one in found)
    return found


def places(found: list[Diagnostic]) -> list[tuple[str, int, int]]:
    return [(one.code, one.span.line, one.span.column) for one in found if one.span]


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("a: &x 1\n", ("anchor", 1, 4)),
        ("a: &x [1]\n", ("anchor", 1, 4)),
        ("a: 1\nb: *a\n", ("alias", 2, 4)),
        ("*a : 1\n", ("alias", 1, 1)),
        ("a: !x 1\n", ("tag", 1, 4)),
        ("a: !!python/object:os.system [x]\n", ("tag", 1, 4)),
        ("a:\n  <<: {b: 1}\n", ("merge-key", 2, 3)),
        ("a: 1\n---\nb: 1\n", ("several-documents", 2, 1)),
        ("a: 1\n...\nb\n", ("several-documents", 3, 1)),
        ("%YAML 1.1\n---\na: no\n", ("directive", 1, 1)),
        ("# c\n\n%TAG ! x\n---\na: 1\n", ("directive", 3, 1)),
        ("? [a]\n: b\n", ("key-not-text", 1, 3)),
        ("{{name}}: b\n", ("key-not-text", 1, 1)),
        ("a: [?x]\n", ("explicit-key", 1, 6)),
        ("? a\n: b\n", ("explicit-key", 1, 3)),
        ('"": 1\n', ("empty-key", 1, 1)),
        ("a: 12345678901234567\n", ("out-of-range", 1, 4)),
        ("a: 9007199254740992\n", ("out-of-range", 1, 4)),
        ('a: "\\u202e"\n', ("bad-character", 1, 4)),
        ('a: "\\0"\n', ("bad-character", 1, 4)),
        ("a: [1, 2\nb: 3\n", ("unclosed-bracket", 1, 4)),
        ("a: {b: 1\nc: 3\n", ("unclosed-bracket", 1, 4)),
        ('a: "x\nb: 1\n', ("unclosed-quote", 1, 4)),
        ("a: b: c\n", ("unexpected-colon", 1, 5)),
        ("a: - b\n", ("unexpected-dash", 1, 4)),
        ("a: 1\nfoo\nb: 2\n", ("missing-colon", 2, 1)),
        ("a: @b\n", ("needs-quotes", 1, 4)),
        ("a: ]\n", ("missing-value", 1, 4)),
        ("a: [1, 2,\n\n", ("unfinished", 1, 10)),
        ("a: |\n    x\n   y\n", ("bad-indentation", 3, 4)),
    ],
)
def test_what_the_language_does_not_have_is_refused_at_its_place(
    text: str, place: tuple[str, int, int], pure: bool
) -> None:
    assert place in places(faults(text, pure=pure))


@pytest.mark.parametrize("text", ['a: "\\ud83d\\ude00"\n', 'a: "\\ud800"\n', 'a: "\\q"\n', ": a\n"])
def test_both_scanners_refuse_what_only_one_of_them_understands(text: str, pure: bool) -> None:
    assert faults(text, pure=pure)[0].span


@pytest.mark.parametrize("text", ["a: 1\nb: 2\na: 3\n", "a: 1\nb: 2\n'a': 3\n"])
def test_a_key_that_stands_twice_is_told_with_both_lines(text: str, pure: bool) -> None:
    (fault,) = faults(text, pure=pure)
    assert (fault.code, fault.path) == ("duplicate-key", ("a",))
    assert fault.span and fault.span.line == 3
    assert "line 1" in fault.message


def test_keys_that_only_look_different_are_the_same(pure: bool) -> None:
    assert faults("\u00e9: 1\ne\u0301: 2\n", pure=pure)[0].code == "duplicate-key"


def test_a_key_that_stands_twice_deep_in_a_file_is_told_with_the_right_lines(pure: bool) -> None:
    text = "a:\n- {x: 1}\n- x: 1\n  y: {z: 1}\n  x: 2\nb: {x: 1}\n"
    (fault,) = faults(text, pure=pure)
    assert fault.path == ("a", 1, "x")
    assert fault.span and fault.span.line == 5
    assert "line 3" in fault.message


def test_all_faults_are_told_at_once_and_in_order(pure: bool) -> None:
    text = "a: !x 1\nb: &y 2\nc: *y\na: 3\nd: 99999999999999999\n"
    codes = [fault.code for fault in faults(text, pure=pure)]
    assert codes == ["tag", "anchor", "alias", "duplicate-key", "out-of-range"]


def test_a_flood_of_faults_is_cut_off(pure: bool) -> None:
    found = faults("".join(f"k{n}: &a 1\n" for n in range(1000)), pure=pure)
    assert 50 <= len(found) <= 60
    assert found[-1].code == "too-many-faults"


# ---- damage by mail programs (protocol 6.4) ------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("a: 1\n\u00a0b: 2\n", ("odd-blank", 2, 1)),
        ("a: 16\u00a0Pz\n", ("odd-blank", 1, 6)),
        ("a: [1,\u202f2]\n", ("odd-blank", 1, 7)),
        ("a: n\u201112\n", ("odd-hyphen", 1, 5)),
        ("a: n\u200b-12\n", ("invisible-character", 1, 5)),
        ("a: \u201c0612\u201d\n", ("curly-quote", 1, 4)),
        ("a: 1\n\u2018b\u2019: 2\n", ("curly-quote", 2, 1)),
        ("a:\n\u00a0 - x\n\u00a0 - y: [\n", ("odd-blank", 2, 1)),
        ("> a: 1\n> b: 2\n", ("quote-prefix", 1, 1)),
    ],
)
def test_what_a_mail_program_did_is_named(text: str, place: tuple[str, int, int], pure: bool) -> None:
    found = faults(text, pure=pure)
    assert place in places(found)
    (fault,) = [one for one in found if place == places([one])[0]]
    assert "probably from a mail program" in fault.message
    assert fault.help


def test_such_characters_are_welcome_in_quoted_text_and_in_comments(pure: bool) -> None:
    text = "# \u00a0\u201cx\u201d\na: '10\u00a0km'  # \u2011\nb: |\n  \u201cquoted\u201d\n"
    assert load(text, "a.yaml", pure=pure).data == {"a": "10\u00a0km", "b": "\u201cquoted\u201d\n"}


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("a:\n\tb: 1\n", ("tab", 2, 1)),
        ("a:\n  b: 1\n \tc: 2\n", ("tab", 3, 2)),
        ("{a: 1,\n\tb: 2}\n", ("tab", 2, 1)),
        ("a:\tb\n", ("tab", 1, 3)),
        ("a: b\t# c\n", ("tab", 1, 5)),
        ("a: b\tc\n", ("tab", 1, 5)),
        ("-\ta\n", ("tab", 1, 2)),
        ("a: b\n\t\n", ("tab", 2, 1)),
        ("[a,\n\t\n b]\n", ("tab", 2, 1)),
    ],
)
def test_tabs_are_refused_where_blanks_are_wanted(text: str, place: tuple[str, int, int], pure: bool) -> None:
    assert place in places(faults(text, pure=pure))


@pytest.mark.parametrize("text", ['a: "b\tc"\n', "a: |\n  b\tc\n", "a: b # c\td\n", "a: 'x # \ty'\n"])
def test_tabs_in_quoted_text_and_comments_are_left_alone(text: str, pure: bool) -> None:
    assert "a" in load(text, "a.yaml", pure=pure).data


# ---- encodings -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("source", "code", "words"),
    [
        ("a: ü\n".encode("utf-16"), "wrong-encoding", "UTF-16"),
        ("a: ü\n".encode("utf-16-le"), "wrong-encoding", "UTF-16"),
        ("a: ü\n".encode("utf-16-be"), "wrong-encoding", "UTF-16"),
        ("a: ü\n".encode("utf-32"), "wrong-encoding", "UTF-32"),
        ("a: 1\nb: ü\n".encode("latin-1"), "wrong-encoding", '"ü"'),
        ("a: 1\nb: “\n".encode("cp1252"), "wrong-encoding", '"“"'),
        (b"\0" * 50 + b"a" * 150 + b"b" * 900, "wrong-encoding", "UTF-16"),
        (b"\xef\xbb\xbfa: 1\n", "byte-order-mark", "byte order mark"),
        ("\ufeffa: 1\n", "byte-order-mark", "byte order mark"),
        ("a: 1\n\ufeffb: 2\n", "bad-character", "byte order mark"),
        ("a: \x07\n", "bad-character", "control character"),
        ("# \x1b[2J\n", "bad-character", "escape character"),
        ("a: \u202e\n", "bad-character", "direction"),
        ("a: \u2066\n", "bad-character", "direction"),
        ("a: \uffff\n", "bad-character", "not a character"),
        ("a: \ud800\n", "bad-character", "surrogate"),
        ("a: 1\rb: 2\n", "bad-character", "carriage return"),
        ("a: b\u2028c\n", "bad-character", "line separator"),
        ("a: b\u0085c\n", "bad-character", "next-line"),
    ],
)
def test_the_wrong_encoding_or_character_is_one_clear_fault(
    source: str | bytes, code: str, words: str, pure: bool
) -> None:
    (fault,) = faults(source, pure=pure)
    assert fault.code == code
    assert words in fault.message


def test_the_byte_that_is_not_utf_8_is_pointed_at() -> None:
    (fault,) = faults("a: 1\nbä: ü\n".encode() + b"c: \xfc\n")
    assert places([fault]) == [("wrong-encoding", 3, 4)]


def test_a_binary_file_is_told_in_a_few_faults(pure: bool) -> None:
    found = faults(bytes(range(1, 128)) * 50, pure=pure)
    assert len(found) <= 5
    assert any("more like it" in note for one in found for note in one.notes)


# ---- limits --------------------------------------------------------------------------------------


def test_a_file_that_is_too_big_is_not_even_decoded() -> None:
    (fault,) = faults(b"\xff" * (256 * 1024 + 1))
    assert fault.code == "too-big"
    assert load(b"#" * (256 * 1024), "a.yaml").data is None


def test_thirty_two_levels_are_read_and_thirty_three_are_not(pure: bool) -> None:
    load("[" * 32 + "]" * 32, "a.yaml", pure=pure)
    (fault,) = faults("[" * 33 + "]" * 33, pure=pure)
    assert (fault.code, fault.span.column if fault.span else 0) == ("too-deep", 33)


@pytest.mark.parametrize("bomb", ["[", "{", "{a: ", "- ", "? ", "[?", "a: [\n"])
def test_a_million_brackets_end_at_once(bomb: str, pure: bool) -> None:
    size = 1_000_000 if not pure else 100_000
    found = faults(bomb * size, pure=pure, size=10_000_000)
    assert found[0].code in (
        "too-deep",
        "key-not-text",
        "unclosed-bracket",
        "explicit-key",
        "unexpected-colon",
    )


def test_too_many_values_are_refused_where_they_become_too_many(pure: bool) -> None:
    assert load("[1, 2, 3]", "a.yaml", limits=Limits(values=4), pure=pure).data == [1, 2, 3]
    (fault,) = faults("[1, 2, 3]", pure=pure, values=3)
    assert places([fault]) == [("too-many-values", 1, 8)]
    (fault,) = faults("[" + "a," * 30_000 + "]", pure=pure)
    assert fault.code == "too-many-values"


def test_a_bomb_of_aliases_does_not_go_off(pure: bool) -> None:
    lines = ["a0: &a0 [x, x]"] + [f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 9)}]" for n in range(1, 21)]
    codes = {fault.code for fault in faults("\n".join(lines), pure=pure)}
    assert codes == {"anchor", "alias", "too-many-faults"}


# ---- types wanted by a schema --------------------------------------------------------------------


@pytest.mark.parametrize(
    ("written", "code", "help"),
    [
        ("final: no", "not-a-boolean", "write false"),
        ("final: OFF", "not-a-boolean", "write false"),
        ("final: yes", "not-a-boolean", "write true"),
        ("final: on", "not-a-boolean", "write true"),
        ("final: True", "not-a-boolean", "write true"),
        ("final: maybe", "not-a-boolean", "write true or false"),
        ("steps: 0612", "not-an-integer", "write 612"),
        ("steps: +3", "not-an-integer", "write 3"),
        ("steps: 1_000", "not-an-integer", "write 1000"),
        ("steps: 0x1F", "not-an-integer", "write 31"),
        ("steps: 0o17", "not-an-integer", "write 15"),
        ("steps: 1.5", "not-an-integer", "fractions"),
        ("steps: 1e3", "not-an-integer", "write the number out"),
        ("steps: \u22123", "not-an-integer", "write -3"),
        ("steps: three", "not-an-integer", ""),
        ("steps: 9007199254740992", "out-of-range", "quotes"),
    ],
)
def test_a_scalar_of_another_form_than_wanted_is_told_with_the_way_out(
    written: str, code: str, help: str, pure: bool
) -> None:
    schema = {"properties": {"final": {"type": "boolean"}, "steps": {"type": "integer"}}}
    (fault,) = faults(f"# one\n{written}\n", schema, pure)
    key = written.split(":")[0]
    assert (fault.code, fault.path) == (code, (key,))
    assert fault.span and (fault.span.line, fault.span.column) == (2, len(key) + 3)
    assert help in " ".join(fault.help)


def test_a_file_with_faults_can_be_read_as_far_as_it_goes() -> None:
    reading = read("a: 1\na: 2\nb: 3\n", "a.yaml")
    assert [fault.code for fault in reading.faults] == ["duplicate-key"]
    assert reading.whole and reading.document.data["b"] == 3
    assert not read("a: [1", "a.yaml").whole


# ---- whatever comes ------------------------------------------------------------------------------

PIECES = """a|b: |- |[|]|{|}|, |: |'|"|# |&x |*x |!t |? |%Y|---|...|<<: |\\u12|0612|1e5|~|>""".split("|")
pieces = st.sampled_from([*PIECES, "\n", "\n  ", "\n- ", "|\n ", "\t", "\u00a0", "\u201c", "\u2028"])


@given(
    st.lists(pieces, max_size=30).map("".join),
    st.booleans(),
    st.sampled_from([None, {"items": {"type": "string"}}]),
)
@settings(max_examples=300, deadline=None)
def test_any_mixture_of_yaml_is_read_or_refused_with_a_place(text: str, pure: bool, schema: Any) -> None:
    try:
        document = load(text, "a.yaml", schema, pure=pure)
    except Refused as refusal:
        assert all(fault.span for fault in refusal.diagnostics)
    else:
        document.span(())


@given(st.binary(max_size=80), st.booleans())
@settings(max_examples=200, deadline=None)
def test_any_bytes_are_read_or_refused(source: bytes, pure: bool) -> None:
    try:
        load(source, "a.yaml", pure=pure)
    except Refused as refusal:
        assert refusal.diagnostics


def test_comments_with_windows_line_ends_are_read_at_once() -> None:
    """Found by 10,000 mutations: two ways to read the end of each line gave two to the power of lines."""
    comments = "".join(f"# line {n}\r\n" for n in range(5000))
    assert load(f"{comments}a: 1\r\n", "a.yaml").data == {"a": 1}
