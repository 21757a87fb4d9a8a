"""The reader's language, and the program's words in it.

A message (`text/messages.py`) gets its words where it is printed, by its id and fields. Texts of events, of
files and of click are English, so that signed and recorded bytes are the same for everybody. They are
translated by patterns: `words/CODE/*.yaml` has the English text with its fields as {a}, {b}, {c} on the left,
and catalogues add their own sentences. A text without a pattern stays English.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from functools import cache, partial
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

import click

from pbem.text.messages import Message, Worded, in_language, languages, rooms

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

    from pbem.archive import Folder
    from pbem.engine.system import System

    F = TypeVar("F", bound=Folder)

ENGLISH = "en"
VARIABLE = "PBEM_LANG"
_SETTINGS = ("LC_ALL", "LC_MESSAGES", "LANG")  # in the order in which POSIX asks them
_PREFERRED = "LANGUAGE"  # GNU's list (`de:en`) wins if any language is set
_NO_LANGUAGE = ("c", "posix")
_OF_MACOS = "Library/Preferences/.GlobalPreferences.plist"
CHOSEN = "pbem.lang"
"""Where the root context keeps what `--lang` says."""
GAME = "pbem.lang.game"
FOLDER = Path(__file__).parents[1] / "words"
_METAVAR = re.compile(r"INTEGER RANGE|\b[A-Z]{2,}\b")
_ADDED = re.compile(r"(.*?) ?\[([^][]*)\]")  # what click puts behind the help of an option


def code() -> str:
    """Return the language of the running command: `--lang` anywhere, PBEM_LANG, the computer's."""
    ctx = click.get_current_context(silent=True)
    meta = ctx.find_root().meta if ctx is not None else {}
    if meta.get("pbem.json"):  # output for programs is the same in every language
        return ENGLISH
    return str(meta.get(CHOSEN) or os.environ.get(VARIABLE) or of_computer())


def of_user() -> str:
    """Return the language for what is written, not printed: `--json` does not change it."""
    ctx = click.get_current_context(silent=True)
    meta = ctx.find_root().meta if ctx is not None else {}
    return str(meta.get(CHOSEN) or os.environ.get(VARIABLE) or of_computer())


def of_computer() -> str:
    """Return the computer's language, if `pbem` has it; else English."""
    variable = next((os.environ[name] for name in _SETTINGS if os.environ.get(name)), "")
    wanted = os.environ.get(_PREFERRED, "").split(":") if _short(variable) not in ("", *_NO_LANGUAGE) else []
    wanted += [variable] if variable else _of_system()
    return next((short for wanted_code in wanted if (short := _short(wanted_code)) in languages()), ENGLISH)


def _short(setting: str) -> str:
    """Return `de` of `de_DE.UTF-8`, `de-AT`, `de`."""
    return re.split("[_.@-]", setting)[0].lower()


def _of_system() -> list[str]:
    """Return the languages of a system that sets no variable, the preferred one first.

    Windows has its own. macOS keeps a list (terminals set `LANG` from it, unless language and country do not
    go together).
    """
    if sys.platform == "win32":
        import ctypes
        import locale

        return [str(locale.windows_locale.get(ctypes.windll.kernel32.GetUserDefaultUILanguage(), ""))]
    if sys.platform == "darwin":
        import plistlib

        try:
            kept = plistlib.loads((Path.home() / _OF_MACOS).read_bytes())
            return [str(code) for code in (*kept.get("AppleLanguages", ()), kept.get("AppleLocale", ""))]
        except (OSError, ValueError, AttributeError):  # a system without it, or with another one
            return []
    return []


@cache
def words(language: str) -> Mapping[str, str]:
    """Return English sentence -> sentence; {} for English and for unknown languages."""
    if language == ENGLISH or language not in languages():
        return {}
    from pbem.text import render
    from pbem.text.catalogues import patterns
    from pbem.text.diagnostics import Refused
    from pbem.text.loading import load_file

    own: dict[str, str] = {}
    for path in sorted((FOLDER / language).glob("*.yaml")):
        try:
            own |= load_file(path, f"cli/words/{language}/{path.name}").data
        except Refused as fault:  # a faulty translation file must not silence the others
            click.echo(render.concise(fault.diagnostics), err=True)
    for room in rooms():  # messages inside texts that are no messages yet
        own = {**patterns(room, language), **own}
    return own


def spoken(text: str) -> str:
    """Return a message, or a line or several, in the reader's language."""
    return spoken_in(code(), text, _game())


def spoken_in(language: str, text: str, folder: Folder | None = None) -> str:
    """Return a text in this language: a message by id and fields, others by patterns.

    The rules of a game have patterns too. A text that is no known sentence stays as it is.
    """
    if isinstance(text, Worded):
        return text
    if isinstance(text, Message):
        return in_language(text, language, partial(spoken_in, language, folder=folder))
    known = words(language)
    if known and folder is not None:
        known = _both(language, folder)
    return _by_patterns(text, known) if known and text else text


def _by_patterns(text: str, known: Mapping[str, str]) -> str:
    from pbem.text.translating import translated

    return "\n".join(translated(line, known) for line in text.split("\n"))


def _game() -> Folder | None:
    """Return the game of the running command, if it has one."""
    ctx = click.get_current_context(silent=True)
    return ctx.find_root().meta.get(GAME) if ctx is not None else None


def in_its_language(folder: F) -> F:
    """Return a folder that from now on writes in the language of its game's letters."""
    folder.say = partial(_in_letters, folder)
    return folder


def _in_letters(folder: Folder, text: str) -> str:
    from pbem.cli.post.mail import letters_in
    from pbem.text.diagnostics import Refused

    if isinstance(text, Worded):
        return text  # without reading the settings
    try:
        language = letters_in(folder)
    except Refused:  # faulty settings are reported when letters are sent
        language = of_user()
    return spoken_in(language, text, folder)


def writing(text: str) -> str:
    """Return a line of an email in the user's language, before there is a game."""
    return spoken_in(of_user(), text)


@contextmanager
def speaking(language: str) -> Iterator[None]:
    """Use a language where no command runs: on the pages of the table."""
    with click.Context(click.Command("pbem"), info_name="pbem") as ctx:
        ctx.meta[CHOSEN] = language
        yield


def of_game(folder: Folder) -> None:
    """Use the words of a game's rules in this command, and let it write in its own language."""
    click.get_current_context().find_root().meta[GAME] = in_its_language(folder)


def of_rules(text: str, system: System) -> str:
    """Return a text of a system's data in the reader's language, where the command has no game."""
    from pbem.text.translating import translated

    return translated(text, system.wording_in(code()).get("values", {})) if words(code()) else text


def known_in(language: str, system: System) -> Mapping[str, str]:
    """Return the words of the program and of a system in a language; the program's come first."""
    own = words(language)
    return {**system.wording_in(language).get("values", {}), **own} if own else own


_MERGED: dict[tuple[str, str, tuple[str, ...]], Mapping[str, str]] = {}
"""What was merged: for a language, rules and the ids of those who play."""


def _both(language: str, folder: Folder) -> Mapping[str, str]:
    """Return the words of the program and of a game's rules in a language; the program's come first."""
    ids = tuple(party.id for party in folder.roster.parties) if folder.roster is not None else ()
    key = (language, folder.terms.module.name if ids else "", ids)
    if not ids or key not in _MERGED:
        known = words(language)
        _MERGED[key] = {**known, **{k: v for k, v in _of_rules(folder, language).items() if k not in known}}
    return _MERGED[key]


def _of_rules(folder: Folder, language: str) -> Mapping[str, str]:
    """Return the rules' words for their texts; players keep the id that commands use."""
    from pbem.text.diagnostics import PbemError

    try:
        wording = folder.system.wording_in(language).get("values", {})
    except PbemError:  # rules missing or different: the command says so itself
        return {}
    if folder.roster is not None:
        ids = {party.id for party in folder.roster.parties}
    else:
        ids = set(folder.system.players(folder.system.scenario(folder.terms.scenario.name.split(" ")[0])))
    return {text: to for text, to in wording.items() if text not in ids}


_ID = re.compile(r"cli(?:\.[a-z0-9-]+){2,}")


def help_of(text: str) -> str:
    """Return a text of help in the reader's language. Ours are ids of messages, click's own are English."""
    return spoken(Message(text) if _ID.fullmatch(text) else text)


class SpokenFormatter(click.HelpFormatter):
    """Help in the reader's language: headings, what options and commands do, and paragraphs."""

    def write_usage(self, prog: str, args: str = "", prefix: str | None = None) -> None:
        super().write_usage(prog, metavars(args), prefix if prefix is not None else f"{spoken('Usage:')} ")

    def write_heading(self, heading: str) -> None:
        super().write_heading(help_of(heading))

    def write_text(self, text: str) -> None:
        super().write_text("\n\n".join(map(_kept, help_of(text).split("\n\n"))))

    def write_dl(self, rows: Iterable[tuple[str, str]], col_max: int = 30, col_spacing: int = 2) -> None:
        definitions = [(metavars(first), _help_of_option(" ".join(second.split()))) for first, second in rows]
        super().write_dl(definitions, col_max, col_spacing)


def _kept(paragraph: str) -> str:
    """Return a paragraph with the mark of click that its lines are kept, if it has lines or columns."""
    return f"\b\n{paragraph}" if "\n" in paragraph or "  " in paragraph else paragraph


def metavars(text: str) -> str:
    """Return the placeholder for a value in the reader's language: `--out FILE`, `--out DATEI`."""
    known = words(code())
    return _METAVAR.sub(lambda match: known.get(match[0], match[0]), text) if known else text


def _help_of_option(text: str) -> str:
    """Return the help of an option, and click's addition: `[default: swift; required]`."""
    match = _ADDED.fullmatch(text)
    if match is None:
        return help_of(text)
    return f"{help_of(match[1])} [{'; '.join(spoken(part) for part in match[2].split('; '))}]".lstrip()


class SpokenContext(click.Context):
    """A context whose help is in the reader's language."""

    formatter_class = SpokenFormatter


class Command(click.Command):
    """A command whose help, also that for a shell, is in the reader's language."""

    context_class = SpokenContext

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        items = super().shell_complete(ctx, incomplete)
        for item in items:
            item.help = help_of(item.help) if item.help else None
        return items


def choose(ctx: click.Context, param: click.Parameter, value: str | None) -> str | None:
    """Keep the choice of `--lang` for everything that the command prints.

    The variable is no choice. A command's own `--lang` defaults to the one before its name.
    """
    from click.core import ParameterSource

    meta = ctx.find_root().meta
    if ctx.get_parameter_source(param.name or "") == ParameterSource.COMMANDLINE:
        meta[CHOSEN] = value
    return meta.get(CHOSEN, value)
