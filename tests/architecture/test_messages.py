"""Every id of a message in the code is in a catalogue, every one in a catalogue is in the code, and each is
given the fields of its sentence. Every language has every message, with the same fields."""

from __future__ import annotations

import ast
import re
from functools import cache

import pytest

from pbem.engine.installed import entry_points
from pbem.engine.system import find
from pbem.text import catalogues, messages
from pbem.text.sentences import used
from tests.architecture.code import PACKAGE, modules
from tests.tools.syntax import nodes

_ID = re.compile(r"""["']([a-z][a-z-]*(?:\.[a-z0-9-]+){2,})["']""")
LANGUAGES = sorted(path.name for path in messages.FOLDER.iterdir() if path.is_dir())


@cache
def names() -> list[str]:
    """The rooms and systems that have messages."""
    systems = [name for name in sorted(entry_points("pbem.systems")) if find(name).name]
    return [*messages.rooms(), *(name for name in systems if messages.home(name, "en").is_dir())]


@cache
def known() -> dict[str, str]:
    return {id: text for name in names() for id, text in messages.catalogue(name, "en").items()}


@cache
def said() -> dict[str, str]:
    """The texts in the code that look like ids, with a file that has each."""
    found: dict[str, str] = {}
    for module in modules():
        for id in _ID.findall(module.text):
            if id.split(".")[0] in names() and not id.endswith((".j2", ".yaml", ".json")):
                found.setdefault(id, module.file)
    return found


def test_every_id_in_the_code_has_a_sentence() -> None:
    lacking = {id: file for id, file in said().items() if id not in known()}
    assert not lacking, "\n".join(f"{file}: {id}" for id, file in lacking.items())


def test_every_sentence_is_said_somewhere() -> None:
    assert len(known()) > 100
    unused = sorted(known().keys() - said().keys())
    assert not unused, "no code has these ids:\n" + "\n".join(unused)


def test_each_message_is_given_the_fields_of_its_sentence() -> None:
    wrong = []
    for module in modules():
        ours = re.search(
            r"from pbem\.(?:text\.messages|rules) import [^\n]*(?:\([^)]*)?\bMessage(?: as (\w+))?",
            module.text,
        )
        for node in nodes(module.tree) if ours else ():
            if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Name) or not ours:
                continue
            if node.func.id != (ours[1] or "Message"):
                continue
            first = node.args[0]
            fields = {each.arg for each in node.keywords}
            if isinstance(first, ast.Constant) and None not in fields and first.value in known():
                if fields != set(used(known()[first.value])):
                    wrong.append(
                        f"{module.file}:{node.lineno}: {first.value} has {set(used(known()[first.value]))}"
                    )
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_language_has_every_message(language: str) -> None:
    found = [one for name in names() for one in catalogues.complaints(name, language)]
    found += [
        f"{language}: {id} is not translated" for name in names() for id in catalogues.gaps(name, language)
    ]
    assert not found, "\n".join(found)


def test_the_wheel_has_a_module_for_each_catalogue() -> None:
    homes = set(catalogues.homes(PACKAGE))
    assert homes == {(name, language) for name in names() for language in LANGUAGES}
