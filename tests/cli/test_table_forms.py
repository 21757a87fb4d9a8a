"""Standing orders as forms: what is filled in is what an order file would say, for every form there is."""

from __future__ import annotations

import html
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlencode

import pytest

from pbem.archive import order_file
from pbem.cli.web import forms
from pbem.cli.web.desk import Desk
from pbem.engine.system import find
from pbem.model.codec import faults_in, schema_of
from pbem.text.yaml import load
from tests.cli.test_table import Visitor
from tests.practising import practising

SYSTEMS = ("victory", "wbts", "ocs", "totaler-krieg", "wif")
EVERY = [(name, form) for name in SYSTEMS for form in sorted(find(name).standing_forms)]
FORM = {"CONTENT_TYPE": "application/x-www-form-urlencoded"}


def filled(field: forms.Field) -> Iterator[tuple[str, str]]:
    """What a browser sends of a form as it stands."""
    if field.parts:
        for part in field.parts:
            yield from filled(part)
    else:
        yield field.name, field.value


@pytest.mark.parametrize(("system", "form"), EVERY)
def test_a_form_says_what_was_put_into_it(system: str, form: str) -> None:
    """The example that the system prints goes into its form and comes out of it the same."""
    found = find(system)
    kind, example = found.standing_type(form), found.wording.get("standing", {}).get(form)
    assert example, "each form has an example"
    value = load(example, "example").data[form]
    assert not faults_in(kind, value)
    schema = schema_of(kind)
    again = forms.value_of(schema, "f", dict(filled(forms.fields(schema, "f", form, value))))
    assert again == value


@pytest.mark.parametrize(("system", "form"), EVERY)
def test_an_empty_form_says_nothing(system: str, form: str) -> None:
    schema = schema_of(find(system).standing_type(form))
    assert forms.value_of(schema, "f", dict(filled(forms.fields(schema, "f", form)))) is forms.EMPTY


def test_a_standing_order_is_filled_in_tried_kept_and_dropped(tmp_path: Path) -> None:
    place = Desk(tmp_path)
    name = practising(place, "victory", "red")
    visitor, folder = Visitor(place), place.open(name)

    def post(path: str, **fields: str) -> str:
        return html.unescape(
            visitor.ask("POST", f"/g/{name}/{path}", urlencode(fields).encode(), **FORM).text
        )

    sent = {"f.value": "2", "f.turn": "any"}
    tried = post("standing/bid", **sent, **{"try": "1"})
    assert "it would have answered one question" in tried and "bid 2" in tried
    wrong = post("standing/bid", **{"f.value": "many"})
    assert "wanted" in wrong and "many" in wrong
    post("standing/bid", **sent)
    text = (folder.root / "private" / "orders-0001.yaml").read_text("utf-8")
    document = order_file.load(folder, text, "orders")
    assert document.data["standing"] == [{"bid": {"value": 2, "turn": "any"}}]
    page = html.unescape(visitor.ask("GET", f"/g/{name}/standing").text)
    assert "Replaces those in force" in page
    post("standing", number="0")
    assert (
        order_file.load(folder, (folder.root / "private" / "orders-0001.yaml").read_bytes(), "o").data[
            "standing"
        ]
        == []
    )
    post("standing", back="1")
    assert "standing" not in (folder.root / "private" / "orders-0001.yaml").read_text("utf-8")
