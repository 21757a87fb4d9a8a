"""Packaged data is read by the same loader as all else, with room for large tables."""

import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from pbem.text.diagnostics import Refused
from pbem.text.loading import load_data, load_file


def test_a_table_comes_as_plain_data() -> None:
    source = b'table: crt\nrule: "9.4"\ncells:\n  2: [AL2, "-"]\n'
    assert load_data(source, "crt.yaml") == {"table": "crt", "rule": "9.4", "cells": {"2": ["AL2", "-"]}}


def test_a_table_may_be_larger_than_a_players_file() -> None:
    assert len(load_data("[" + "1, " * 50_000 + "]", "big.yaml")) == 50_000


def test_a_fault_names_the_file() -> None:
    with pytest.raises(Refused, match=r"^victory/terrain\.yaml:2:1: error\[duplicate-key\]: "):
        load_data(b"a: 1\na: 2\n", "victory/terrain.yaml")


def test_a_file_of_a_package_is_read_again_when_its_bytes_are_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "dont_write_bytecode", False)
    file = tmp_path / "crt.yaml"
    for text, data in (("a: [1, true, x]\n", {"a": [1, True, "x"]}), ("a: {b: 2}\n", {"a": {"b": 2}})):
        file.write_text(text)
        first, again = load_file(file, "crt.yaml"), load_file(file, "crt.yaml")
        assert first.data == again.data == data and again.data is not first.data
        assert again.span(("a",)) == first.span(("a",)) and again.text == text
    assert [path.name.split(".")[:2] for path in (tmp_path / "__pycache__").iterdir()] == [["crt", "yaml"]]


def test_what_is_kept_of_a_file_saves_reading_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "dont_write_bytecode", False)
    file = tmp_path / "crt.yaml"
    file.write_text("a: 1\n")
    load_file(file, "crt.yaml")
    monkeypatch.setattr("pbem.text.loading.load", None)
    assert load_file(file, "crt.yaml").data == {"a": 1}


@pytest.mark.parametrize("damage", [lambda data: data[:-1], lambda data: b"", lambda data: data[:32] + b"?"])
def test_half_a_kept_file_does_no_harm(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, damage: Callable[[bytes], bytes]
) -> None:
    monkeypatch.setattr(sys, "dont_write_bytecode", False)
    file = tmp_path / "crt.yaml"
    file.write_text("a: [1, 2]\n")
    load_file(file, "crt.yaml")
    (kept,) = (tmp_path / "__pycache__").iterdir()
    kept.write_bytes(damage(kept.read_bytes()))
    assert load_file(file, "crt.yaml").data == {"a": [1, 2]}


def test_a_fault_is_never_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "dont_write_bytecode", False)
    (tmp_path / "crt.yaml").write_text("a: 1\na: 2\n")
    for _ in range(2):
        with pytest.raises(Refused, match="duplicate-key"):
            load_file(tmp_path / "crt.yaml", "crt.yaml")
    assert not (tmp_path / "__pycache__").exists()


def test_nothing_is_kept_where_python_keeps_no_bytecode(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    (tmp_path / "crt.yaml").write_text("a: 1\n")
    load_file(tmp_path / "crt.yaml", "crt.yaml")
    assert not (tmp_path / "__pycache__").exists()
