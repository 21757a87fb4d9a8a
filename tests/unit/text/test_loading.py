"""Packaged data is read by the same loader as all else, with room for large tables."""

import pytest

from pbem.text.diagnostics import Refused
from pbem.text.loading import load_data


def test_a_table_comes_as_plain_data() -> None:
    source = b'table: crt\nrule: "9.4"\ncells:\n  2: [AL2, "-"]\n'
    assert load_data(source, "crt.yaml") == {"table": "crt", "rule": "9.4", "cells": {"2": ["AL2", "-"]}}


def test_a_table_may_be_larger_than_a_players_file() -> None:
    assert len(load_data("[" + "1, " * 50_000 + "]", "big.yaml")) == 50_000


def test_a_fault_names_the_file() -> None:
    with pytest.raises(Refused, match=r"^victory/terrain\.yaml:2:1: error\[duplicate-key\]: "):
        load_data(b"a: 1\na: 2\n", "victory/terrain.yaml")
