"""The program as a whole: help, mistyped words, exit codes, completion, and how it fails."""

from __future__ import annotations

import errno
import json
import os
from collections.abc import Iterator
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from pbem.cli.main import COMMANDS, cli
from pbem.cli.shell import lazy
from pbem.text.messages import Message
from tests.cli.play import Table, pbem

NAMES = [name for group in COMMANDS.values() for name in group]


def _all() -> Iterator[tuple[str, ...]]:
    for name in NAMES:
        yield (name,)
        command = cli.get_command(click.Context(cli), name)
        if isinstance(command, lazy.LazyGroup):
            yield from ((name, inner) for inner in sorted(command.known))


@pytest.mark.parametrize("words", list(_all()), ids=" ".join)
def test_every_command_has_help_with_an_example(words: tuple[str, ...]) -> None:
    said = pbem(*words, "--help")
    assert f"Usage: pbem {' '.join(words)}" in said.out
    assert "Example:" in said.out


@pytest.mark.parametrize("words", [(), *_all()], ids=" ".join)
def test_all_help_of_ours_is_a_message(words: tuple[str, ...]) -> None:
    """An English text would be told in English to everybody: none is where help is made."""
    command: click.Command = cli
    for word in words:
        assert isinstance(command, click.Group)
        command = command.get_command(click.Context(command), word) or cli
    said = [command.help, *(param.help for param in command.params if isinstance(param, click.Option))]
    if isinstance(command, lazy.LazyGroup):
        said += [text for title, group in command.table.items() if title for text in group.values()]
    assert command.help is not None
    assert all(Message(text) for text in said if text not in (None, "Show the version and exit."))


@pytest.mark.parametrize("args", [("help",), ("--all",)])
def test_help_lists_every_command(args: tuple[str, ...]) -> None:
    said = pbem(*args)
    assert all(f"  {name} " in said.out for name in NAMES)


def test_help_begins_with_the_seven_a_player_needs() -> None:
    said = pbem("--help")
    first = ["demo", "join", "next", "status", "orders", "report", "table"]
    assert [name for name in NAMES if f"  {name} " in said.out] == first
    assert f"`pbem help` lists {len(NAMES) - 7} more" in said.out
    cli.get_help_option(click.Context(cli))  # whoever looks first, however
    assert pbem("-h").out == said.out


@pytest.mark.parametrize("words", [("status",), ("orders", "sign"), ("orders",)])
def test_help_explains_one_command(words: tuple[str, ...]) -> None:
    assert pbem("help", *words).out == pbem(*words, "--help").out
    assert "there is no command" in pbem("help", "frobnicate", code=2).err
    assert "has no subcommands" in pbem("help", "status", "now", code=2).err


def test_words_that_people_try_lead_to_commands_that_are_there() -> None:
    from pbem.cli.shell.advice import MEANT

    assert not set(MEANT) & set(NAMES)
    for word in MEANT:
        assert Message(MEANT[word]) in pbem(word, code=2).err


def test_without_a_game_it_says_how_to_begin(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "nobody's"))  # and none was opened before
    said = pbem("-C", tmp_path)
    assert "pbem demo --play" in said.out and "pbem join" in said.out
    assert "pbem demo --play" in pbem("-C", tmp_path, "next", code=1).out


def test_without_a_command_it_says_where_the_game_stands(table: Table) -> None:
    said = table.players["north"].pbem()
    status = table.players["north"].pbem("status")
    assert said.out == status.out and "pbem next" in said.err
    several = pbem("-C", table.gm.root.parent)
    assert "you are north" in several.out and "you are gm" in several.out


@pytest.mark.parametrize(
    ("args", "words"),
    [
        (("reprot",), "did you mean 'report'?"),
        (("orders", "chekc", "x"), "did you mean 'check'?"),
        (("key", "shwo"), "did you mean 'show'?"),
        (("orders", "submit"), "pbem orders sign"),
        (("key", "lost"), "pbem amend takeover"),
        (("frobnicate",), "pbem --help"),
        (("orders", "frobnicate"), "pbem orders --help"),
        (("status", "--jsno"), "--json"),
        (("receive", "no-such-file"), "no-such-file"),
        (("orders", "check", "no-such-file"), "no-such-file"),
    ],
)
def test_wrong_usage_exits_with_2_and_says_what_is_right(args: tuple[str, ...], words: str) -> None:
    said = pbem(*args, code=2)
    assert words in said.err
    assert said.out == ""


def test_version() -> None:
    from pbem import __version__

    assert pbem("--version").out == f"pbem {__version__}\n"


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish", "powershell"])
def test_completion_scripts_call_pbem(shell: str) -> None:
    said = pbem("completion", shell)
    assert "_PBEM_COMPLETE" in said.out and f"{shell}_complete" in said.out


@pytest.mark.parametrize(
    ("line", "wanted", "unwanted"),
    [
        ("pbem st", "status", "verify"),
        ("pbem orders ", "check", "status"),
        ("pbem report --", "--format", "check"),
    ],
)
def test_completion_offers_what_fits(
    line: str, wanted: str, unwanted: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    env = {
        "_PBEM_COMPLETE": "bash_complete",
        "COMP_WORDS": line,
        "COMP_CWORD": str(len(line.split()) - (0 if line.endswith(" ") else 1)),
    }
    offered = CliRunner().invoke(cli, [], env=env, prog_name="pbem").stdout
    assert wanted in offered and unwanted not in offered


def test_powershell_is_offered_values_with_their_help() -> None:
    env = {"_PBEM_COMPLETE": "powershell_complete", "COMP_WORDS": "pbem orders ch", "COMP_WORD": "ch"}
    done = CliRunner().invoke(cli, [], env=env, prog_name="pbem")
    assert done.stdout.splitlines() == [
        "plain\tcheck\tlist all errors of a file at once, then what was understood"
    ]


# ---- how it fails --------------------------------------------------------------------------------------


def _break(monkeypatch: pytest.MonkeyPatch, fault: BaseException) -> None:
    def broken(*_: object, **__: object) -> None:
        raise fault

    monkeypatch.setattr("pbem.engine.system.installed", broken)


def _run(*args: str, **env: str) -> tuple[int, str, str]:
    done = CliRunner().invoke(cli, list(args), env=env, prog_name="pbem")
    return done.exit_code, done.stdout, done.stderr


def test_our_own_mistake_asks_for_a_report_without_a_traceback(monkeypatch: pytest.MonkeyPatch) -> None:
    _break(monkeypatch, ZeroDivisionError("oh\x1b[2Jno"))
    code, out, err = _run("rules", "list")
    assert (code, out) == (1, "")
    assert "has a bug (ZeroDivisionError: oh?[2Jno)" in err
    assert "please report it" in err and "Traceback" not in err


def test_the_traceback_is_there_for_those_who_ask(monkeypatch: pytest.MonkeyPatch) -> None:
    _break(monkeypatch, ZeroDivisionError("oh no"))
    code, _, err = _run("rules", "list", PBEM_DEBUG="1")
    assert code == 1 and "Traceback" in err and "ZeroDivisionError: oh no" in err


@pytest.mark.parametrize(
    ("fault", "words"),
    [
        (
            PermissionError(13, "Permission denied", "/somewhere/roster.json"),
            "/somewhere/roster.json: permission",
        ),
        (OSError(5, "Input/output error"), "input/output error"),
        (KeyboardInterrupt(), "stopped"),
        (click.Abort(), "stopped"),
    ],
)
def test_what_the_machine_refuses_is_one_line(
    monkeypatch: pytest.MonkeyPatch, fault: BaseException, words: str
) -> None:
    _break(monkeypatch, fault)
    code, out, err = _run("rules", "list")
    assert (code, out) == (1, "")
    assert words in err and len(err.strip().splitlines()) == 1


@pytest.mark.parametrize("fault", [KeyboardInterrupt(), click.Abort()])
def test_who_stops_a_command_is_told_in_their_language(
    monkeypatch: pytest.MonkeyPatch, fault: BaseException
) -> None:
    _break(monkeypatch, fault)
    code, _, err = _run("--lang", "de", "rules", "list")
    assert (code, err.strip()) == (1, "abgebrochen")


def test_a_full_disk_says_what_to_do(monkeypatch: pytest.MonkeyPatch) -> None:
    _break(monkeypatch, OSError(errno.ENOSPC, os.strerror(errno.ENOSPC)))
    _, _, err = _run("rules", "list")
    assert "no space left on device" in err.lower() and "free some space on that disk" in err


def test_refusals_are_json_where_json_was_asked_for(table: Table) -> None:
    said = table.players["north"].pbem("adjudicate", "--json", code=1)
    assert said.out == ""
    (fault,) = json.loads(said.err)
    assert fault["code"] == "wrong-role"


def test_nothing_is_coloured_that_goes_into_a_file(table: Table) -> None:
    for args in (("status",), ("verify",), ("sequence",), ("rules", "show", "primer")):
        said = table.gm.pbem(*args)
        assert "\x1b" not in said.out + said.err


def test_colour_is_for_terminals_and_no_color_turns_it_off(table: Table) -> None:
    args = ["-C", str(table.gm.root), "status"]
    colourful = CliRunner().invoke(cli, args, color=True, prog_name="pbem").stdout
    plain = CliRunner().invoke(cli, args, color=True, env={"NO_COLOR": "1"}, prog_name="pbem").stdout
    assert "\x1b[" in colourful and "\x1b" not in plain
    assert click.unstyle(colourful) == plain


# ---- rules ---------------------------------------------------------------------------------------------


def test_rules_list_and_show() -> None:
    names = {system["name"] for system in pbem("rules", "list", "--json").json}
    assert {"primer", "primer-fog", "victory"} <= names
    assert "victory/sarn_strait" in pbem("rules", "list").out
    shown = pbem("rules", "show", "victory", "--json").json
    assert "bid" in shown["decisions"] and "units" in shown["tables"]
    assert "infantry" in pbem("rules", "show", "victory", "units").out
    assert "did you mean 'units'?" in pbem("rules", "show", "victory", "unist", code=1).err
    assert "did you mean 'victory'?" in pbem("rules", "show", "victroy", code=1).err


def test_rules_lint_finds_what_is_wrong_in_a_folder(tmp_path: object) -> None:
    from pathlib import Path

    assert isinstance(tmp_path, Path)
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "battle.py").write_text("import random\n")
    said = pbem("rules", "lint", tmp_path / "mine", code=1)
    assert "mine/battle.py:1:1: error[outside-world]" in said.out
    assert pbem("rules", "lint", tmp_path / "mine", "--json", code=1).json[0]["rule"] == "D1"
    (tmp_path / "mine" / "battle.py").write_text("ODDS = 3\n")
    assert "0 errors" in pbem("rules", "lint", tmp_path / "mine").err


def test_sequence_of_a_system_without_a_game() -> None:
    said = pbem("sequence", "victory")
    assert "Award initiative" in said.out and "->" not in said.out
