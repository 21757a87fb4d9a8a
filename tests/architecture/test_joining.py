"""What contributors rely on: pinned test versions, hooks that are the linters of CI, a changelog."""

from __future__ import annotations

import re
import tomllib

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from pbem import __version__
from pbem.text.yaml import load
from tests.architecture.code import ROOT

CI = (ROOT / ".ci/run").read_text("utf-8")
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]


def pins() -> dict[str, str]:
    """Return the pinned version of each package in the constraints."""
    lines = (ROOT / "tests/constraints.txt").read_text("utf-8").splitlines()
    pinned = [line.split("==") for line in lines if line and not line.startswith("#")]
    return {canonicalize_name(name): version for name, version in pinned}


def test_everything_that_ci_installs_is_pinned_to_a_version_that_the_project_allows() -> None:
    extras = PROJECT["optional-dependencies"]
    wanted = [Requirement(text) for text in (*PROJECT["dependencies"], *extras["test"], *extras["dev"])]
    pinned = pins()
    wrong = [
        str(each)
        for each in wanted
        if not each.specifier.contains(pinned.get(canonicalize_name(each.name), "0"))
    ]
    assert wanted and not wrong


def test_ci_installs_the_pinned_versions_and_the_wheel_without_them() -> None:
    before, _, wheel = CI.partition('/pip" wheel')
    assert 'export PIP_CONSTRAINT="$PWD/tests/constraints.txt"' in before
    first, *_ = re.findall(r"(?m)^.*install --quiet.*$", wheel)
    assert "env --unset PIP_CONSTRAINT" in first and "pbem-*.whl" in first


def test_the_hooks_are_the_linters_of_ci() -> None:
    hooks = load((ROOT / ".pre-commit-config.yaml").read_bytes(), "hooks").data["repos"][0]["hooks"]
    entries = {hook["entry"].replace("python -m ", "") for hook in hooks}
    linters = re.findall(r'(?m)^ *"\$tools/(ruff|mypy)"(.*?)(?: \.)?$', CI)
    assert len(linters) == 3 and entries == {f".venv/bin/{name}{options}" for name, options in linters}


def test_the_changelog_has_a_part_for_what_is_to_come_and_for_this_version() -> None:
    parts = re.findall(r"(?m)^## \[(.+?)\]", (ROOT / "CHANGELOG.md").read_text("utf-8"))
    assert parts[0] == "Unreleased" and __version__ in parts
