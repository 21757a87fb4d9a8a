"""A search for English in another language's output: whole games, shown by every command.

`python -m tests.tools.tongues [SYSTEM...] [--lang de] [--turns 1]` plays each system, runs the commands of
players and game master in that language, and prints the lines that are English still. Two searches:

- `english(text, data)`: words that English has and the other language has not, in its words beside data.
- `unmarked(text, data)`: in the pretended language `BRACKETED`, whose every sentence is the English between
  brackets, the words outside of brackets: what no translator could reach.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import shutil
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cache, partial
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

from click.testing import CliRunner

from pbem.cli.games.reporting import meta
from pbem.cli.main import cli
from pbem.cli.shell import language as _language
from pbem.cli.web import words as table
from pbem.engine.installed import entry_points
from pbem.engine.pins import WORDS
from pbem.engine.system import System, find
from pbem.report import language as reports
from pbem.report.translation import SIGNS
from pbem.text import catalogues, messages
from pbem.text.loading import load_data
from pbem.text.writing import thrown_away

_ENV = {"PBEM_LANG": None, "COLUMNS": "110"}
BRACKETED = "qps"  # the tag of languages that are only pretended
OPEN, CLOSE = "\N{MATHEMATICAL LEFT WHITE SQUARE BRACKET}", "\N{MATHEMATICAL RIGHT WHITE SQUARE BRACKET}"

# what each party asks in his folder, after a game has gone on for a while; some of it to be refused
ASKED = """
status
orders new -o -
orders new -o private/try.yaml --force
orders check private/try.yaml
orders sign private/try.yaml
orders legal
orders legal nowhere
orders ahead
orders withdraw
orders again
bid 77
report
map
map --words
board use private/try.yaml
board drop
odds
odds nowhere
stats
dice
mail list
amend list
amend drop nobody --yes
remind
undo --yes
sequence
verify
archive
claim late
compare
ack
link
correct
unseal
sign
rewind 77 --yes
status --foo
stauts
rules list
adjudicate --dry-run
"""
_COLOURS = re.compile(r"\x1b\[[0-9;]*m")
# what is the same in every language: commands, options, files, quoted names, numbers with signs
_CODE = re.compile(
    r"`[^`]*`|\"[^\"\n]*\"|'[^'\n]*'|(?<=rror)\[[\w-]+\]|(?<=ehler)\[[\w-]+\]"
    r"|\b(?:pbem|cli)(?: -C \S+)?(?: [a-z-]+)*"
    r"|--?[a-zA-Z][\w-]*|\S*[/\\@|~<>]\S*|\S+\.(?:yaml|eml|json|txt|html|svg)\b|[0-9a-f]{10,}|\b\w+\.\w+\b"
)
_FLOW = re.compile(r"[\w-]+: (?=[\[{])|[\[{][^\[\]{}]*[\]}]")
_ENTRY = re.compile(r"[\w -]+(?:/[\w .-]+){2,}|\s*#? *(?:[\w./-]+|\"[^\"]*\"): *(?:[\[{\"\d].*|[\w-]*)$")
_DEEP = 8  # of lists and mappings within each other
_MOST = 2000  # characters of data over several lines
_WORD = re.compile(r"[^\W\d_]+")
_FUNCTION = frozenset("""
the of for and with from at nobody nothing not then by into or is are has have had were been this that
which it its you your he his they their who what when where there only each every other more than but
after before two three may must can cannot would no if as to on
""".split())  # fmt: skip


def play(system: System, root: Path, turns: int = 1) -> list[Path]:
    """Play a short game by email; return the folders of the game master and of the players."""
    from pbem.cli.games.table import Table

    scenario = system.scenarios()[0]
    with thrown_away():
        played = Table(root, system, scenario, dice="swift")
        played.sit_down(str(system.scenario(scenario).get("title") or system.name))
        for seat in played.players:
            seat.standing = system.standing_well(seat.id)
        played.play(turns, lambda done, turn: None)
    return [played.gm.root, *(seat.root for seat in played.players)]


def told(folders: Sequence[Path], lang: str, asked: str = ASKED) -> Iterator[tuple[str, str]]:
    """Return what each command prints in each folder, with what was typed."""
    runner = CliRunner()
    for folder in folders:
        stages = sorted(int(path.name) for path in (folder / "stages").iterdir() if path.name.isdigit())
        for typed in (*asked.strip().split("\n"), *(f"report {stage}" for stage in stages)):
            here = os.getcwd()
            os.chdir(folder)
            try:
                done = runner.invoke(
                    cli, ["--lang", lang, *typed.split()], env={"PBEM_LANG": None, "COLUMNS": "110"}
                )
            finally:
                os.chdir(here)
            yield f"{folder.name}: pbem {typed}", done.output


def data_of(system: System, folders: Sequence[Path]) -> frozenset[str]:
    """Return words of no language: names and ids of a scenario, kinds and fields of the rules, who plays."""
    found: set[str] = {system.name, "pbem", "gm", "git", "ssh", "yaml", "json", "html", "svg"}

    def look(value: Any, names: bool) -> None:
        if isinstance(value, Mapping):
            for key, item in value.items():
                found.update(_WORD.findall(str(key)))
                look(item, names)
        elif isinstance(value, list | tuple):
            for item in value:
                look(item, names)
        elif isinstance(value, str) and (names or not value.islower()):
            found.update(_WORD.findall(value))

    for name in system.scenarios():
        found.update(_WORD.findall(name))
        look(system.scenario(name), names=False)
    kinds = system.registry
    for each in (
        *kinds.decisions,
        *system.standing_forms,
        *system.files("tables/*.yaml"),
        *system.option_specs(),
    ):
        found.update(_WORD.findall(each))
    for cls in kinds.decisions.values():
        found.update(word for fact in cls.known_facts() for word in _WORD.findall(fact))
    for folder in folders:
        found.update(_WORD.findall(folder.name))
    return frozenset(word.casefold() for word in found)


def prose(text: str) -> Iterator[tuple[str, str]]:
    """Return lines, each with its part that is no data. Data over several lines is one line."""
    held = ""
    for line in _COLOURS.sub("", text).split("\n"):
        whole = f"{held} {line.strip().lstrip('#')}" if held else line
        if len(re.findall(r"[\[{]", whole)) > len(re.findall(r"[\]}]", whole)) and len(whole) < _MOST:
            held = whole
            continue
        held = ""
        plain = whole
        if _ENTRY.match(plain):
            continue  # an entry of a file: data
        data, mark, remark = plain.partition("   # ")
        plain = remark if mark and ":" in data else plain
        for pattern in (_CODE, *(_FLOW,) * _DEEP):
            plain = pattern.sub(" ", plain)
        yield whole, plain


def english(text: str, data: frozenset[str], lang: str) -> list[str]:
    """Return lines with English, the words found after each."""
    known = vocabulary(lang)
    found = []
    for line, plain in prose(text):
        words = [
            word
            for word in _WORD.findall(plain)
            if word.casefold() not in data
            and len(word) > 1
            and (word in _FUNCTION or (len(word) > 3 and word.casefold() in known))
        ]
        if words:
            found.append(f"{line.strip()}   <- {', '.join(dict.fromkeys(words))}")
    return found


@cache
def vocabulary(lang: str) -> frozenset[str]:
    """Return words of English sentences that no sentence of the other language has."""
    ours: set[str] = set()
    theirs: set[str] = set()
    for english, other in _pairs(lang):
        ours.update(word.casefold() for word in _WORD.findall(re.sub(r"`[^`]*`", "", english)))
        theirs.update(word.casefold() for word in _WORD.findall(other))
    return frozenset(ours - theirs)


def _pairs(lang: str) -> Iterator[tuple[str, str]]:
    yield from _language.words(lang).items()
    own = reports.own_words(lang)
    yield from ((text, own.get(key, "")) for key, text in reports.own_words("en").items())
    for name in entry_points("pbem.systems"):
        system = find(name)
        other = system.translation(lang)
        yield from other.get("values", {}).items()
        for section, texts in system.wording.items():
            if section not in SIGNS:
                yield from ((text, other.get(section, {}).get(key, "")) for key, text in texts.items())


def unmarked(text: str, data: frozenset[str]) -> list[str]:
    """Return lines with words outside the brackets, those words after each."""
    found = []
    for paragraph in WORDS.sub("", text).split("\n\n"):
        outside, depth = [], 0
        for sign in paragraph:
            depth += sign == OPEN
            outside.append(sign if not depth or sign == "\n" else " ")
            depth -= sign == CLOSE and depth > 0
        for line, plain in prose("".join(outside)):
            words = [
                word
                for word in _WORD.findall(plain)
                if len(word) > 2 and word.islower() and word.casefold() not in data
            ]
            if words:
                found.append(f"{' '.join(line.split())}   <- {', '.join(dict.fromkeys(words))}")
    return found


# ---- pages ---------------------------------------------------------------------------------------------


class Tongues(HTMLParser):
    """The texts of a page, each with the language that its element says, and what is seen of it nowhere
    else: titles, labels and descriptions. Code is in no language."""

    SAID = ("title", "alt", "aria-label", "placeholder", "content")
    OPEN = ("meta", "link", "br", "img", "input", "hr", "wbr", "source", "col", "area", "base")

    def __init__(self) -> None:
        super().__init__()
        self.inside: list[tuple[str, str]] = []
        self.found: list[tuple[str, str]] = []

    @property
    def language(self) -> str:
        return self.inside[-1][1] if self.inside else ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        have = dict(attrs)
        language = have.get("lang") or self.language
        said = self.SAID if have.get("name") == "description" or tag != "meta" else ()
        self.found += [(language, text) for name in said if name != "content" and (text := have.get(name))]
        if tag not in self.OPEN:
            code = (
                tag in ("script", "style", "code", "kbd", "pre", "textarea") or have.get("translate") == "no"
            )
            self.inside.append((tag, "" if code or language == "" else language))

    def handle_endtag(self, tag: str) -> None:
        while self.inside:
            if self.inside.pop()[0] == tag:
                return

    def handle_data(self, data: str) -> None:
        if data.strip() and self.language:
            self.found.append((self.language, " ".join(data.split())))


def texts_of(page: str) -> list[tuple[str, str]]:
    """Return the language and the words of each text on a page."""
    reader = Tongues()
    reader.feed(page)
    return reader.found


# ---- the pretended language ----------------------------------------------------------------------------


def _between(text: str) -> str:
    return f"{OPEN}{text}{CLOSE}"


@contextmanager
def pretended(
    root: Path, systems: Sequence[str], leave_out: Callable[[str], bool] = lambda key: False
) -> Iterator[str]:
    """Return a language made by machine, complete but for the sentences of `leave_out`."""
    made = {
        module: root / module.__name__.replace(".", "-") for module in (reports, _language, table, messages)
    }
    names = {module: "_FOLDER" if module is reports else "FOLDER" for module in made}
    kept = [(module, name, getattr(module, name)) for module, name in names.items()]
    for module, name, folder in kept:
        shutil.copytree(folder, made[module])
        setattr(module, name, made[module])
    words = {
        k: v if k == "decimal-mark" else _between(v)
        for k, v in reports.own_words("en").items()
        if not leave_out(k)
    }
    (made[reports] / f"{BRACKETED}.yaml").write_text(json.dumps(words), "utf-8")
    shown = {k: _between(v) for k, v in table.own("en").items() if not leave_out(k)}
    (made[table] / f"{BRACKETED}.yaml").write_text(json.dumps(shown), "utf-8")
    said: dict[str, str] = {}
    for path in sorted((made[_language] / "de").glob("*.yaml")):
        said |= load_data(path.read_bytes(), path.name)
    (made[_language] / BRACKETED).mkdir()
    own = {key: _between(key) for key in said if not leave_out(key)}
    (made[_language] / BRACKETED / "all.yaml").write_text(json.dumps(own), "utf-8")
    homes = _pretend_messages(root, systems, leave_out)
    changed = []
    for name in systems:
        system = find(name)
        folder = root / f"{system.folder.name}_words"
        shutil.copytree(system.words_folder, folder)
        (folder / BRACKETED).mkdir()
        sections: dict[str, dict[str, str]] = {
            section: {k: _between(v) for k, v in texts.items() if not leave_out(k)}
            for section, texts in system.wording.items()
            if section not in (*SIGNS, "values")
        }
        keys = {*system.translation("de")["values"], *system.wording.get("values", {})}
        sections["values"] = {key: _between(key) for key in sorted(keys) if not leave_out(key)}
        (folder / BRACKETED / "all.yaml").write_text(json.dumps(sections), "utf-8")
        changed.append((system, system.__dict__.get("words_folder"), dict(system._translations)))
        system.__dict__["words_folder"] = folder
    _forget()
    try:
        yield BRACKETED
    finally:
        for module, name, folder in kept:
            setattr(module, name, folder)
        for system, before, translations in changed:
            if before is None:
                system.__dict__.pop("words_folder", None)
            else:
                system.__dict__["words_folder"] = before
            system._translations.clear()
            system._translations.update(translations)
        messages._HOMES.update(homes)
        _forget()


def _pretend_messages(
    root: Path, systems: Sequence[str], leave_out: Callable[[str], bool]
) -> dict[str, Callable[[], Path]]:
    """Write the messages of the rooms and of systems between brackets; return where those of systems are."""
    homes = dict(messages._HOMES)
    for name in systems:
        if find(name) and messages.home(name, "en").is_dir():
            shutil.copytree(messages.home(name, "en").parents[1], root / f"{name}_messages")
            messages.add_home(name, partial(root.joinpath, f"{name}_messages"))
    for name in (*messages.rooms(), *systems):
        said = {
            id: _between(text) for id, text in messages.catalogue(name, "en").items() if not leave_out(id)
        }
        if said:
            messages.home(name, BRACKETED).mkdir(parents=True)
            (messages.home(name, BRACKETED) / "all.yaml").write_text(json.dumps(said), "utf-8")
    return homes


def _forget() -> None:
    for one in (
        reports.language,
        _language.words,
        table.words,
        messages.catalogue,
        catalogues.patterns,
        meta._own_words,
    ):
        one.cache_clear()
    _language._MERGED.clear()


def main() -> None:
    """Print the lines that are English still."""
    parser = argparse.ArgumentParser()
    parser.add_argument("systems", nargs="*")
    parser.add_argument("--lang", default="de")
    parser.add_argument("--turns", type=int, default=1)
    parser.add_argument("--all", metavar="FILE", help="write everything that was said to this file")
    said = parser.parse_args()
    for name in said.systems or sorted(entry_points("pbem.systems")):
        system = find(name)
        with tempfile.TemporaryDirectory() as root:
            folders = play(system, Path(root) / name, said.turns)
            data = data_of(system, folders)
            everything = []
            if said.lang == BRACKETED:
                with pretended(Path(root) / "words", [name]):
                    everything = list(told(folders, BRACKETED))
            else:
                everything = list(told(folders, said.lang))
        if said.all:
            Path(said.all).write_text(
                "".join(f"##### {typed}\n{text}\n" for typed, text in everything), "utf-8"
            )
        seen: set[str] = set()
        for typed, text in everything:
            for line in unmarked(text, data) if said.lang == BRACKETED else english(text, data, said.lang):
                if re.sub(r"\d+", "", line) not in seen:
                    seen.add(re.sub(r"\d+", "", line))
                    print(f"{name}  {typed}\n    {line}")


if __name__ == "__main__":
    main()
