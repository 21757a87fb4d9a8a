"""Messages are English texts that know their id and fields, and are told in any language that has words."""

from __future__ import annotations

import copy
import json
import pickle
from collections.abc import Iterator
from pathlib import Path

import pytest

from pbem.text import catalogues, messages
from pbem.text.canonical import dumps, loads
from pbem.text.diagnostics import Diagnostic
from pbem.text.messages import Message, UnknownMessage, as_data, catalogue, in_language
from pbem.text.plurals import rule
from pbem.text.render import as_json, concise, full
from pbem.text.sentences import English, faults, fill, used

ENGLISH = """
fort.gate.closed: "the gate of {place} is closed"
fort.gate.why: "{what}, because {why}"
fort.gate.guards: "{n|guard|guards} at {place}[[; {extra} more]]"
fort.gate.names: "{names} {names:stands|stand} there"
"""
GERMAN = """
fort.gate.closed: "das Tor von {place} ist zu"
fort.gate.why: "{what}, denn {why}"
fort.gate.guards: "{n|Wache|Wachen} bei {place}[[; {extra} weitere]]"
"""
MORE = {
    "en": 'fort.gate.watch: "one is {n|watch|watches} here"\nfort.gate.gate: "gate"\n'
    'fort.gate.both: "{names} and {place}"\n',
    "de": 'fort.gate.watch: "hier ist {n} da"\nfort.gate.gate: "Tor"\n'
    'fort.gate.both: "{names} und {place}"\n',
}
POLISH = 'fort.gate.guards: "{n|strażnik|strażnicy|strażników} w {place}[[; {extra} więcej]]"\n'


@pytest.fixture
def fort(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A room with messages in three languages."""
    for code, text in (("en", ENGLISH), ("de", GERMAN), ("pl", POLISH)):
        (tmp_path / code / "fort").mkdir(parents=True)
        (tmp_path / code / "fort/gate.yaml").write_text(text, "utf-8")
    monkeypatch.setattr(messages, "FOLDER", tmp_path)
    forget()
    yield tmp_path
    monkeypatch.undo()
    forget()


def forget() -> None:
    messages._KNOWN.clear()
    for one in (messages.catalogue, catalogues.patterns):
        one.cache_clear()


def test_a_message_is_its_english_sentence(fort: Path) -> None:
    said = Message("fort.gate.closed", place="Haska")
    assert said == "the gate of Haska is closed" and isinstance(said, str)
    assert (said.id, said.fields) == ("fort.gate.closed", {"place": "Haska"})
    assert dumps([said]) == b'["the gate of Haska is closed"]' and loads(dumps([said])) == [said]
    assert f"{said}!" == "the gate of Haska is closed!" and hash(said) == hash(str(said))


def test_an_installed_package_has_each_catalogue_as_one_file(fort: Path) -> None:
    """Where there is one, no YAML is read, for a room and for a system."""
    compiled = catalogues.compiled("fort", "de")
    (fort / "de/fort.json").write_text(compiled.replace("Haska", "Velm"), "utf-8")
    (fort / "de/fort/gate.yaml").write_text("no: [YAML", "utf-8")
    (fort / "de/_systems").mkdir()
    (fort / "de/_systems/siege.json").write_text('{"siege.gate.open": "offen"}', "utf-8")
    forget()
    assert catalogues.compiled("fort", "de") == compiled
    messages.add_home("siege", lambda: fort / "nowhere")
    try:
        assert messages.catalogue("siege", "de") == {"siege.gate.open": "offen"}
        assert messages.catalogue("siege", "pl") == {}
    finally:
        del messages._HOMES["siege"]
    assert messages.rooms() == ["fort"] and messages.languages() == ["en", "de", "pl"]


def test_it_keeps_its_id_where_it_is_copied_or_made_a_text(fort: Path) -> None:
    said = Message("fort.gate.closed", place="Haska")
    for again in (copy.deepcopy(said), pickle.loads(pickle.dumps(said)), str(said), str(ValueError(said))):
        assert isinstance(again, Message) and again.fields == said.fields


def test_it_is_told_in_the_language_of_the_reader(fort: Path) -> None:
    inner = Message("fort.gate.closed", place="Haska")
    said = Message("fort.gate.why", what=inner, why="it is late")
    assert said == "the gate of Haska is closed, because it is late"
    words = {"it is late": "es ist spät"}
    told = in_language(said, "de", lambda text: words.get(text, text))
    assert told == "das Tor von Haska ist zu, denn es ist spät"
    assert in_language(said, "en") == said
    both = Message("fort.gate.why", what=[inner, Message("fort.gate.closed", place="Velm")], why="it is late")
    told = in_language(both, "de", lambda text: words.get(text, text))
    assert told == "das Tor von Haska ist zu, das Tor von Velm ist zu, denn es ist spät"


def test_what_a_language_lacks_is_english_and_says_so(fort: Path) -> None:
    said = Message("fort.gate.names", names=["Ann", "Bert"])
    assert said == "Ann, Bert stand there"
    assert isinstance(in_language(said, "de"), English) and in_language(said, "de") == said
    assert in_language(Message("fort.gate.closed", place="Haska"), "nl") == "the gate of Haska is closed"


@pytest.mark.parametrize(
    ("n", "english", "polish"),
    [
        (1, "1 guard at Haska", "1 strażnik w Haska"),
        (3, "3 guards at Haska", "3 strażnicy w Haska"),
        (5, "5 guards at Haska", "5 strażników w Haska"),
        (22, "22 guards at Haska", "22 strażnicy w Haska"),
        (12, "12 guards at Haska", "12 strażników w Haska"),
    ],
)
def test_each_language_has_its_own_plural_forms(fort: Path, n: int, english: str, polish: str) -> None:
    said = Message("fort.gate.guards", n=n, place="Haska", extra=0)
    assert said == english and in_language(said, "pl") == polish


def test_wrong_ids_and_fields_are_mistakes_of_the_program(fort: Path) -> None:
    with pytest.raises(UnknownMessage, match=r"there is no message fort\.gate\.open"):
        Message("fort.gate.open")
    for fields in ({}, {"place": "Haska", "who": "Ann"}, {"plaice": "Haska"}):
        with pytest.raises(UnknownMessage, match=r"has the fields \['place'\]"):
            Message("fort.gate.closed", **fields)


def test_json_gives_id_and_fields_beside_the_english(fort: Path) -> None:
    inner = Message("fort.gate.closed", place="Haska")
    why = Message("fort.gate.why", what=inner, why="late")
    fault = Diagnostic("gate-closed", why, help=("plain", inner))
    assert fault.id == "fort.gate.why" and fault.fields["why"] == "late"
    (plain,) = json.loads(as_json([fault]))
    assert plain["code"] == "gate-closed" and plain["message"] == "the gate of Haska is closed, because late"
    assert plain["id"] == "fort.gate.why"
    assert plain["fields"] == {"what": {"id": inner.id, "fields": {"place": "Haska"}}, "why": "late"}
    assert plain["help"] == ["plain", inner] and plain["help_messages"] == [as_data(inner)]
    assert (
        Diagnostic("old", "a plain text").id is None
        and "id" not in json.loads(as_json([Diagnostic("a", "b")]))[0]
    )


def test_a_diagnostic_is_told_from_id_and_fields(fort: Path) -> None:
    for code, word in (("en", "error"), ("de", "Fehler")):
        (fort / code / "text").mkdir()
        (fort / code / "text/render.yaml").write_text(f'text.render.error: "{word}"\n', "utf-8")
    fault = Diagnostic("gate-closed", Message("fort.gate.closed", place="Haska"))
    assert concise([fault]) == "error[gate-closed]: the gate of Haska is closed"

    def told(text: str) -> str:
        return in_language(text, "de") if isinstance(text, Message) else text.upper()

    assert full([fault], None, told) == "Fehler[gate-closed]: das Tor von Haska ist zu"


def test_the_faults_of_a_catalogue_are_named(fort: Path) -> None:
    (fort / "de/fort/gate.yaml").write_text(
        'fort.gate.closed: "das Tor von {ort} ist zu"\n'
        'fort.gate.open: "offen"\n'
        'fort.gate.guards: "{n|Wache} bei {place}[[; {extra} mehr"\n',
        "utf-8",
    )
    found = "\n".join(catalogues.complaints("fort", "de"))
    assert "fort.gate.closed has the fields {'ort'}, English {'place'}" in found
    assert "fort.gate.open translates nothing" in found
    assert "fort.gate.guards: double brackets without a partner" in found
    assert "fort.gate.guards: a field that is not understood" in found
    assert catalogues.gaps("fort", "de") == ["fort.gate.why", "fort.gate.names"]
    assert not list(catalogues.complaints("fort", "en"))
    assert not list(catalogues.complaints("fort", "pl")), "a language that has just begun"
    assert list(faults("{n|blok|bloki}", rule("pl"))) == ["n has 2 plural forms, and the language 3"]


def test_a_compiled_catalogue_says_the_same_and_needs_no_files(fort: Path) -> None:
    known = dict(catalogue("fort", "en"))
    (fort / "en/fort.json").write_text(catalogues.compiled("fort", "en"), "utf-8")
    (fort / "en/fort/gate.yaml").unlink()
    catalogue.cache_clear()
    assert catalogue("fort", "en") == known and len(known) == 4
    assert messages.rooms() == ["fort"]


def test_a_file_of_any_form_is_read(fort: Path) -> None:
    """Lines are read as almost JSON; anything else goes to the reader of YAML, with its messages."""
    (fort / "en/fort/gate.yaml").write_text(
        "fort.gate.closed: >-\n  the gate of\n  {place} is closed\n", "utf-8"
    )
    assert Message("fort.gate.closed", place="Haska") == "the gate of Haska is closed"


def test_sentences_that_became_part_of_others_are_told_by_patterns(fort: Path) -> None:
    for code, text in MORE.items():
        (fort / code / "fort/more.yaml").write_text(text, "utf-8")
    known = catalogues.patterns("fort", "de")
    assert known["the gate of {place} is closed"] == "das Tor von {place} ist zu"
    assert known["1 guard at {place}"] == "1 Wache bei {place}"
    assert known["one is 1 watch here"] == "hier ist 1 da", "a number that the other language says plainly"
    assert not known.keys() & {"gate", "{names} and {place}"}, "what would fit any text"
    assert known["{n} guards at {place}; {extra} more"] == "{n} Wachen bei {place}; {extra} weitere"


def test_one_less_is_one_too() -> None:
    said = [fill("{points|point|points}", {"points": n}, str) for n in (-2, -1, 0, 1)]
    assert said == ["-2 points", "-1 point", "0 points", "1 point"]


def test_parts_in_brackets_lie_in_each_other() -> None:
    sentence = "lost[[: {a}[[ and {b}]]]][[who=red?!]]"
    assert used(sentence) == ("a", "b", "who")
    said = [
        fill(sentence, {"a": a, "b": b, "who": w}, str) for a, b, w in ((1, 2, "red"), (1, 0, ""), (0, 2, ""))
    ]
    assert said == ["lost: 1 and 2!", "lost: 1", "lost"]
    assert fill("a list [[1]] of lists ]]", {}, str) == "a list 1 of lists ]]"


@pytest.mark.parametrize(
    ("code", "forms"),
    [
        ("en", {1: 0, 0: 1, 2: 1}),
        ("de-AT", {1: 0, 7: 1}),
        ("fr", {0: 0, 1: 0, 2: 1}),
        ("ja", {1: 0, 9: 0}),
        ("pl", {1: 0, 2: 1, 4: 1, 5: 2, 11: 2, 14: 2, 21: 2, 22: 1, 112: 2}),
        ("ru", {1: 0, 21: 0, 11: 2, 3: 1, 13: 2, 5: 2}),
        ("cs", {1: 0, 3: 1, 5: 2, 22: 2}),
        ("lt", {1: 0, 21: 0, 2: 1, 10: 2, 11: 2}),
        ("ro", {1: 0, 0: 1, 19: 1, 20: 2, 101: 1}),
        ("sl", {1: 0, 101: 0, 2: 1, 3: 2, 5: 3}),
    ],
)
def test_the_rule_of_a_language_says_the_form_of_a_number(code: str, forms: dict[int, int]) -> None:
    plural = rule(code)
    assert {n: plural.form(n) for n in forms} == forms and max(forms.values()) < plural.forms
