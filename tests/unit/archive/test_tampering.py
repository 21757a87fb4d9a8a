"""Every kind of tampering with a finished archive is found, at its stage and with its party."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pbem.archive.verifying.verify import verify
from tests.primer import FOG
from tests.unit.archive.conftest import Played
from tests.unit.archive.forger import (
    Forger,
    stages_of,
    tree_of,
)
from tests.unit.archive.tampering_results import RESULTS
from tests.unit.archive.tampering_said import SAID

BY_STAGE = {**SAID, **RESULTS}


@pytest.mark.parametrize("name", BY_STAGE)
def test_tampering_is_named_at_its_stage(archive: Path, name: str) -> None:
    change, wanted = BY_STAGE[name]
    forger = Forger(archive)
    stage = forger.stage_with("order", "north")
    before = tree_of(archive)
    change(forger, stage)
    touched = min(stages_of(before, tree_of(archive)), default=stage)
    found = verify(archive)
    assert not found.ok
    bad = found.first_bad
    assert bad is not None
    at_stage = [one for one in found.of("false") if one.stage == bad.stage]
    assert wanted.code in {one.code for one in at_stage}, [str(one) for one in found.of("false")]
    assert bad.stage in (touched, touched + 1), (bad, touched)
    if wanted.party:
        named = {one.party for one in at_stage if one.code == wanted.code}
        assert wanted.party in named


def test_the_tables_have_at_least_thirty_kinds() -> None:
    assert len(BY_STAGE) >= 30


@pytest.fixture(scope="module")
def scratch(tmp_path_factory: pytest.TempPathFactory, played: Played) -> Path:
    """One copy that is damaged and mended again and again."""
    root = tmp_path_factory.mktemp("flips") / "copy"
    shutil.copytree(played(FOG).gm.root, root)
    return root


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_no_byte_of_the_evidence_can_be_changed(scratch: Path, data: st.DataObject) -> None:
    names = [p for p in sorted(scratch.rglob("*")) if p.is_file() and _is_evidence(p.relative_to(scratch))]
    path = data.draw(st.sampled_from(names), label="file")
    raw = path.read_bytes()
    at = data.draw(st.integers(0, len(raw) - 1), label="offset")
    bit = data.draw(st.integers(0, 7), label="bit")
    path.write_bytes(raw[:at] + bytes([raw[at] ^ (1 << bit)]) + raw[at + 1 :])
    try:
        assert not verify(scratch).ok
    finally:
        path.write_bytes(raw)


def _is_evidence(path: Path) -> bool:
    if path.parts[0] == "stages":
        return len(path.stem) == 64 or path.suffix == ".bin"
    return path.name == "roster.json" or (path.name.startswith("roster.") and path.suffix == ".sig")


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(garbage=st.binary(max_size=200), name=st.sampled_from(["roster.json", "roster.gm.sig", "module.lock"]))
def test_garbage_is_a_finding_and_never_a_crash(scratch: Path, garbage: bytes, name: str) -> None:
    raw = (scratch / name).read_bytes()
    (scratch / name).write_bytes(garbage)
    try:
        assert not verify(scratch).ok
    finally:
        (scratch / name).write_bytes(raw)
