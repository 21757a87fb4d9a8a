"""What the pages name is there: commands, options, their values, files, modules, options of the game."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import get_args

import click
import pytest

from pbem.cli.main import cli
from pbem.engine.system import find
from pbem.stages.receipts import Outcome
from tests.docs.pages import ROOT, blocks, pages

TOOLS = r"(?:~/|\.venv/bin/|\.venv\\Scripts\\)?"
CALL = re.compile(rf"(?:^|[;&|(] *|uvx --from \. )\s*{TOOLS}pbem(?: |$)(.*)")
INLINE = re.compile(r"`([^`\n]+)`")
OPTION = re.compile(r"--[a-z][a-z-]*")
MODULE = re.compile(r"python3? -m ((?:tests|pbem)[\w.]*)")
#: options in the text that are not ours: of git, pip, systemctl, buildah, the tests and their tools
FOREIGN = {
    "--no-local", "--smoke", "--update-golden", "--now", "--user", "--exclude-editable", "--follow-tags",
    "--no-deps", "--version", "--wheel-dir", "--ids", "--list", "--isolation", "--reports",
}  # fmt: skip
#: words that stand for a name which the reader puts in
ANY = re.compile(r"[A-Z][A-Z|.\[\]/_]*$|\.\.\.$")


def texts() -> list[tuple[str, str]]:
    """Every page as (name, text); those about the inside of the program are held by tests/architecture."""
    inside = {"docs/architecture.md"}
    named = [(page.relative_to(ROOT).as_posix(), page.read_text("utf-8")) for page in pages()]
    return [(name, text) for name, text in named if name not in inside]


def options(command: click.Command) -> dict[str, click.Option]:
    """Its options by every name they have."""
    found = [param for param in command.params if isinstance(param, click.Option)]
    named = {name: param for param in found for name in (*param.opts, *param.secondary_opts)}
    helps = command.get_help_option(click.Context(command, **command.context_settings))
    return named | (dict.fromkeys(helps.opts, helps) if helps else {})


def calls(text: str) -> Iterator[list[str]]:
    """What is typed after `pbem` in code blocks and in code within sentences."""
    lines = [
        line for block in blocks(text) if block.language in ("", "sh") for line in block.text.split("\n")
    ]
    lines += [code for code in INLINE.findall(text) if code.startswith("pbem ")]
    for line in lines:
        found = CALL.search(re.sub(r"(?<!\S)#.*", "", line))
        if found and not found[1].startswith(("--version", "-h")):
            words = shlex.split(re.split(r" (?:[|;>]|&&)", found[1])[0])
            yield words


def command_in(words: list[str]) -> tuple[click.Command, list[str]]:
    """The command that is meant, and what follows it; the words it lacks if there is none."""
    while words[:1] == ["-C"]:
        words = words[2:]
    command: click.Command = cli
    while isinstance(command, click.Group) and words and not words[0].startswith("-"):
        following = command.get_command(click.Context(command, info_name="pbem"), words[0])
        if following is None:
            break
        command, words = following, words[1:]
    return command, words


def faults_in(words: list[str]) -> Iterator[str]:
    """What is wrong with a call of `pbem`: commands, options, or values that do not exist."""
    command, rest = command_in(words)
    if isinstance(command, click.Group) and rest and not rest[0].startswith("-"):
        yield f"no command '{' '.join(words)}'"
        return
    known = options(command)
    for number, word in enumerate(rest):
        if not re.match(r"--?[a-z]", word, re.IGNORECASE) or word == "-":
            continue
        option = known.get(word.split("=")[0])
        if option is None:
            yield f"'{command.name}' has no option {word}"
        elif isinstance(option.type, click.Choice) and number + 1 < len(rest):
            value = rest[number + 1]
            if not ANY.match(value) and value not in option.type.choices:
                yield f"{word} of '{command.name}' cannot be {value}"


@pytest.mark.parametrize(("name", "text"), texts(), ids=[name for name, _ in texts()])
def test_commands_and_options_that_a_page_names_exist(name: str, text: str) -> None:
    faults = [f"{name}: {fault}" for words in calls(text) for fault in faults_in(words)]
    assert not faults, "\n".join(faults)


@cache
def all_options() -> frozenset[str]:
    """Every long option of every command."""
    found: set[str] = set()
    waiting: list[click.Command] = [cli]
    while waiting:
        command = waiting.pop()
        found |= set(options(command))
        if isinstance(command, click.Group):
            context = click.Context(command, info_name="pbem")
            names = {*command.list_commands(context), *getattr(command, "known", ())}
            waiting += [one for one in (command.get_command(context, each) for each in sorted(names)) if one]
    return frozenset(found)


@pytest.mark.parametrize(("name", "text"), texts(), ids=[name for name, _ in texts()])
def test_options_that_a_sentence_names_exist(name: str, text: str) -> None:
    named = {option for code in INLINE.findall(text) for option in OPTION.findall(code)}
    assert not named - all_options() - FOREIGN


@pytest.mark.parametrize(("name", "text"), texts(), ids=[name for name, _ in texts()])
def test_modules_that_a_page_tells_to_run_exist(name: str, text: str) -> None:
    missing = [module for module in MODULE.findall(text) if find_spec(module) is None]
    assert not missing


def test_scripts_of_the_page_for_contributors_exist() -> None:
    text = (ROOT / "CONTRIBUTING.md").read_text("utf-8")
    scripts = re.findall(r"(?m)^    (\.ci/\w+|sample_games/\S+)", text)
    assert scripts
    assert all((ROOT / script).exists() for script in scripts)


@pytest.mark.parametrize(("name", "text"), texts(), ids=[name for name, _ in texts()])
def test_links_lead_somewhere_headings_included(name: str, text: str) -> None:
    missing = []
    for target in re.findall(r"\]\((?!https?:|mailto:)([^)\s]+)\)", text):
        way, _, heading = target.partition("#")
        page = ((ROOT / name).parent / way).resolve() if way else ROOT / name
        if not page.exists() or (heading and heading not in headings(page)):
            missing.append(target)
    assert not missing


def headings(page: Path) -> set[str]:
    """The headings of a page as links name them."""
    lines = re.findall(r"(?m)^#+ (.+)$", page.read_text("utf-8"))
    return {re.sub(r"[^\w\- ]", "", line).strip().lower().replace(" ", "-") for line in lines}


def test_game_options_and_their_defaults_are_those_of_the_rules() -> None:
    text = (ROOT / "docs/systems/victory.md").read_text("utf-8").split("## Options")[1].split("\n## ")[0]
    rows = [row.split("|")[1:4] for row in text.split("\n") if row.startswith("| `")]
    listed = {name.strip(" `"): [*words(default), *words(other)] for name, default, other in rows}
    declared = find("victory").data("system.yaml")["options"]
    assert set(listed) == set(declared)
    for name, option in declared.items():
        values = [str(value).lower() for value in option["values"]]
        assert listed[name][0] == str(option["default"]).lower(), name
        assert sorted(listed[name]) == sorted(values), name


def words(cell: str) -> list[str]:
    """The code in a cell of a table."""
    return re.findall(r"`([^`]+)`", cell)


def test_scenarios_of_the_rules_page_are_those_that_are_there() -> None:
    text = (ROOT / "docs/systems/victory.md").read_text("utf-8")
    listed = re.findall(r"(?m)^\| `victory/(\w+)`", text)
    assert sorted(listed) == sorted(find("victory").scenarios())


def test_the_game_master_is_told_of_every_kind_of_receipt() -> None:
    text = (
        (ROOT / "docs/game-master.md").read_text("utf-8").split("## What `receive` says")[1].split("\n## ")[0]
    )
    listed = {row.split("|")[1].strip() for row in text.split("\n") if row.startswith("| ")} - {"receipt"}
    assert listed == set(get_args(Outcome))


def test_both_commands_of_the_readme_are_as_the_checks_look_for_them() -> None:
    text = (ROOT / "README.md").read_text("utf-8")
    found = re.findall(r"(?m)^    (python3 -m venv \.venv && .+)$", text)
    commands = [line.split("  ")[0] for line in found]
    assert commands == [
        "python3 -m venv .venv && .venv/bin/pip install . && .venv/bin/pbem demo",
        "python3 -m venv .venv && .venv/bin/pip install '.[test]' && .venv/bin/pytest",
    ]
    assert all(re.search(r" {2,}# \w", line) for line in found)


@pytest.mark.parametrize(
    ("typed", "fault"),
    [
        ("adjudicate --by Sunday", None),
        ("-C my-game orders check FILE", None),
        ("orders chekc FILE", "no command"),
        ("adjudicate --bye Sunday", "no option --bye"),
        ("new victory/x y --absent stopp", "cannot be stopp"),
        ("adjudicates", "no command"),
    ],
)
def test_a_wrong_call_would_be_found(typed: str, fault: str | None) -> None:
    faults = list(faults_in(typed.split()))
    assert (not faults) if fault is None else (len(faults) == 1 and fault in faults[0])
