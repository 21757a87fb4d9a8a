"""The files of a rules system: code, data, words, scenarios and options, each read when first used."""

from __future__ import annotations

import importlib
from collections.abc import Mapping, Sequence
from dataclasses import field
from functools import cache, cached_property
from pathlib import Path
from pkgutil import iter_modules
from types import ModuleType
from typing import TYPE_CHECKING, Any

from pbem.engine.decisions import Decision
from pbem.engine.outline import Node, labels_of, parse
from pbem.engine.pins import digest_of, hashes
from pbem.engine.registry import Procedure, Registry
from pbem.model.whereabouts import Label
from pbem.text.canonical import Json
from pbem.text.catalogues import patterns
from pbem.text.dataclass import dataclass
from pbem.text.diagnostics import Diagnostic, Refused
from pbem.text.messages import Message, add_home
from pbem.text.suggest import did_you_mean

if TYPE_CHECKING:
    from pbem.engine.scenarios.whole_scenario import WholeScenario
    from pbem.text.yaml import Document

LOOK = "look/look.yaml"
OLD_LOOK = "look.yaml"
RULES = "rules"
BESIDE = ("bot/", "examples/", "look/", "words/", "README.md", "changelog.yaml", "rulings.yaml")
"""Files beside the folder `rules` of a package: they decide nothing, and no game pins them (protocol
17.33)."""
TOLD_IN_EVENTS = ("board", "engine", "kit", "model", "text")
"""Rooms whose messages rules put into events, and so into reports: mostly refusals."""


@cache
def _registered(modules: tuple[ModuleType, ...]) -> Registry:
    """Collect what modules registered: once, as a system is copied for options and for older engines."""
    registry = Registry()
    for module in modules:
        for item in list(vars(module).values()):
            registry.add(item)
    return registry


@dataclass
class Package:
    """The package of a rules system, and what is in its folder."""

    name: str
    package: str
    edition: str
    revision: int
    modules: Sequence[str]
    """The modules with decisions, events and procedures. Where a name begins with a dot it is in `rules`."""
    title: str = ""
    hidden: bool | str = False
    """True if units are hidden, or the option that says so: its name if it is yes or no, else `name=value`
    with the value that hides them. See `as_played`."""
    _data: dict[str, Any] = field(default_factory=dict, repr=False)
    _translations: dict[str, dict[str, dict[str, str]]] = field(default_factory=dict, repr=False)
    _wordings: dict[str, tuple[Any, Any, dict[str, dict[str, str]]]] = field(default_factory=dict, repr=False)
    _hashed: dict[Path, list[list[str]]] = field(default_factory=dict, repr=False)
    _worlds: dict[str, tuple[Any, Any, Any]] = field(default_factory=dict, repr=False)
    _listed: dict[str, tuple[str, ...]] = field(default_factory=dict, repr=False)
    own: WholeScenario | None = None
    """The scenario that a game brought along, if this is the system of such a game (`with_scenario`)."""

    @cached_property
    def registry(self) -> Registry:
        """Import the system's modules and collect what they registered."""
        return _registered(tuple(importlib.import_module(name) for name in self.module_names))

    @cached_property
    def module_names(self) -> tuple[str, ...]:
        """Return the full names of the modules.

        A name that begins with a dot is in the rules; a package stands for all modules in it, by name.
        """
        names: list[str] = []
        for name in self.modules:
            module = importlib.import_module(name, self.rules_package)
            inside = iter_modules(getattr(module, "__path__", ())) if name.startswith(".") else ()
            names += [module.__name__, *sorted(f"{module.__name__}.{module_.name}" for module_ in inside)]
        return tuple(names)

    def leaf(self, name: str) -> Procedure:
        return self.registry.leaf[name]

    def condition(self, name: str) -> Procedure:
        return self.registry.condition[name]

    def player_order(self, name: str) -> Procedure:
        return self.registry.order[name]

    def order(self, node: Node) -> Procedure:
        """Return the function that orders the players or powers of a node."""
        return (self.registry.order if node.kind == "each" else self.registry.power_order)[node.name]

    def decision(self, kind: str, player: str, fields: Mapping[str, Json]) -> Decision[Any]:
        """Make a decision again from the fields of its question."""
        from pbem.model.codec import from_json

        cls = self.registry.decisions[kind]
        made: Decision[Any] = from_json(cls, {"player": player, **fields})
        return made

    def standing_type(self, form: str) -> Any:
        """Return the type of a form of standing order, or None if there is no such form."""
        for cls in self.registry.decisions.values():
            if form in cls.standing_forms:
                return cls.standing_forms[form]
        return None

    @cached_property
    def standing_forms(self) -> dict[str, str]:
        """Return form of standing order -> kind of the decision it answers."""
        return {form: kind for kind, c in self.registry.decisions.items() for form in c.standing_forms}

    def __post_init__(self) -> None:
        add_home(self.name, lambda: self.folder / "words")

    @cached_property
    def folder(self) -> Path:
        """Return the folder of the package."""
        module = importlib.import_module(self.package)
        assert module.__file__ is not None
        return Path(module.__file__).parent

    @cached_property
    def rules_folder(self) -> Path:
        """Return the folder that decides results: `rules`, or the whole package if it has none."""
        rules = self.folder / RULES
        return rules if rules.is_dir() else self.folder

    @property
    def rules_package(self) -> str:
        """Return the importable name of `rules_folder`."""
        return self.package if self.rules_folder == self.folder else f"{self.package}.{RULES}"

    def path(self, name: str) -> Path:
        """Return the path of a file: beside the rules by its first part (`BESIDE`), else in the rules."""
        return (self.folder if name.startswith(BESIDE) else self.rules_folder) / name

    def data(self, name: str) -> Any:
        """Return the data of a file (`tables/limits.yaml`) in the rules or beside them; loaded once."""
        if name not in self._data:
            self._data[name] = self.document(name).data
        return self._data[name]

    def document(self, name: str) -> Document:
        """Return a data file with the places of its values, for messages; loaded anew."""
        from pbem.text.loading import load_file

        path = self.path(name)
        return load_file(path, f"{self.name}/{path.relative_to(self.folder).as_posix()}")

    def files(self, pattern: str) -> list[str]:
        """Return the names of matching data files, sorted; looked up once, as each is loaded once."""
        if pattern not in self._listed:
            folder = self.folder if pattern.startswith(BESIDE) else self.rules_folder
            as_posix = (path.relative_to(folder).as_posix() for path in folder.glob(pattern))
            self._listed[pattern] = tuple(sorted(as_posix))
        return list(self._listed[pattern])

    @cached_property
    def outline(self) -> Node:
        return parse(self.data("sequence.yaml"), f"{self.name}/sequence.yaml")

    @property
    def look_file(self) -> str:
        """Return the name of the file that describes maps and counters, or "" without one."""
        return next((name for name in (LOOK, OLD_LOOK) if self.files(name)), "")

    @cached_property
    def look(self) -> dict[str, Any]:
        """Return how maps and counters are drawn, or {} without such a file."""
        data: dict[str, Any] = self.data(self.look_file) if self.look_file else {}
        return data

    def wording_files(self) -> list[str]:
        """Return the files with English sentences; those of older packages are one, `wording.yaml`."""
        return self.files("words/en/*.yaml") or self.files("wording.yaml")

    @cached_property
    def wording(self) -> dict[str, dict[str, str]]:
        """Return English sentences by section (`events`, `decisions`, ...), merged from `wording_files`."""
        merged: dict[str, dict[str, str]] = {}
        for name in self.wording_files():
            for section, sentences in self.data(name).items():
                merged.setdefault(section, {}).update(sentences)
        return merged

    @cached_property
    def words_folder(self) -> Path:
        """Return the folder of the sentences, which has a folder for each language."""
        return self.folder / "words"

    def translation(self, language: str) -> dict[str, dict[str, str]]:
        """Return the sentences in a language's folder, by section; {} if there is no such folder."""
        if language not in self._translations:
            merged: dict[str, dict[str, str]] = {}
            for document in self.translation_files(language):
                for section, sentences in document.data.items():
                    merged.setdefault(section, {}).update(sentences)
            if merged:  # events hold messages as finished sentences
                for name in (self.name, *TOLD_IN_EVENTS):
                    known = patterns(name, language)
                    merged["values"] = {**known, **merged.get("values", {})}
            if self.own is not None and language in self.own.words:
                merged["values"] = {**merged.get("values", {}), **self.own.words[language]}
            self._translations[language] = merged
        return self._translations[language]

    def translation_files(self, language: str) -> list[Document]:
        """Return the files of a translation with the places of their sentences, for messages."""
        from pbem.text.loading import load_file

        paths = sorted((self.words_folder / language).glob("*.yaml"))
        return [load_file(p, f"{self.name}/words/{language}/{p.name}") for p in paths]

    def wording_in(self, language: str) -> dict[str, dict[str, str]]:
        """Return the sentences in a language, English for those without translation.

        The result is the same object each time: what is translated by it is remembered for it.
        """
        english, own = self.wording, self.translation(language)
        kept = self._wordings.get(language)
        if kept is None or kept[0] is not english or kept[1] is not own:
            merged = {section: dict(texts) for section, texts in english.items()}
            for section, texts in own.items():
                merged.setdefault(section, {}).update(texts)
            kept = self._wordings[language] = (english, own, merged)
        return kept[2]

    def languages(self) -> list[str]:
        """Return the languages of the translations, sorted; English is always there and not listed."""
        return sorted({path.parent.name for path in self.words_folder.glob("*/*.yaml")} - {"en"})

    def scenarios(self) -> list[str]:
        """Return the names of the scenarios, sorted; only that of the game if it brought one along."""
        if self.own is not None:
            return [self.own.id]
        return [
            name.removeprefix("scenarios/").removesuffix(".yaml") for name in self.files("scenarios/*.yaml")
        ]

    def scenario(self, name: str) -> dict[str, Any]:
        """Return the data of a scenario; Refused for an unknown name lists the known ones."""
        known = self.scenarios()
        if name not in known:
            near = did_you_mean(name, known)
            message = Message(
                "engine.system.unknown-scenario", name=self.name, name_2=name, known=tuple(known)
            )
            help_ = (Message("text.suggest.did-you-mean", near=near),) if near else ()
            raise Refused([Diagnostic("unknown-scenario", message, help=help_)])
        data: dict[str, Any] = self.data(f"scenarios/{name}.yaml")
        return data

    def option_specs(self) -> dict[str, Any]:
        """Return the options of the system: name -> {default, values, rule, words}, from `system.yaml`."""
        specs: dict[str, Any] = self.data("system.yaml").get("options", {})
        return specs

    def options(self, scenario: Mapping[str, Any], chosen: Mapping[str, Any]) -> dict[str, Any]:
        """Return the options in force: defaults, overridden by the scenario, then by `chosen`.

        An option that was `added` is left out at its default. Raises Refused for faults.
        """
        specs = self.option_specs()
        faults: list[Diagnostic] = []
        values = {name: spec["default"] for name, spec in specs.items()}
        for name, value in [*scenario.get("options", {}).items(), *chosen.items()]:
            if name not in specs:
                near = did_you_mean(name, list(specs))
                message = Message(
                    "engine.system.unknown-option", name=self.name, name_2=name, specs=tuple(specs)
                )
                meant = (Message("text.suggest.did-you-mean", near=near),) if near else ()
                more = Message("engine.system.pbem-rules-show-says-each", name=self.name)
                faults.append(Diagnostic("unknown-option", message, help=(*meant, more)))
            elif not any(value == v and type(value) is type(v) for v in specs[name]["values"]):
                words = ", ".join(str(v).lower() for v in specs[name]["values"])
                help_ = (Message("engine.system.pbem-rules-show-says-each", name=self.name),)
                message = Message("engine.system.bad-option", name=name, value=repr(value), words=words)
                faults.append(Diagnostic("bad-option", message, help=help_))
            else:
                values[name] = value
        if faults:
            raise Refused(faults)
        return {n: v for n, v in values.items() if not (specs[n].get("added") and v == specs[n]["default"])}

    def players(self, scenario: Mapping[str, Any]) -> tuple[str, ...]:
        """Return the seats of a scenario, clockwise."""
        return tuple(scenario["seats"])

    @cached_property
    def file_hashes(self) -> list[list[str]]:
        """17.33: Return [[path, SHA-256], …] of the files that decide results, sorted, for `module.lock`."""
        return hashes(self.folder, self.rules_folder)

    @cached_property
    def older_digest(self) -> str:
        """Return the digest of the installed rules and scenarios, as older games pinned them."""
        return digest_of(hashes(self.folder, self.rules_folder, scenarios=True))

    def hashes_of(self, folder: Path) -> list[list[str]]:
        """Return [[path, SHA-256], …] of the files of a folder such as `look`, sorted, as first read."""
        if folder not in self._hashed:
            self._hashed[folder] = hashes(folder.parent, folder)
        return self._hashed[folder]

    @cached_property
    def files_digest(self) -> str:
        """Return the digest of the installed rules, which a new game pins."""
        return digest_of(self.file_hashes)

    def labels(self, scenario: Mapping[str, Any]) -> dict[str, tuple[Label, ...]]:
        """Return the labelled nodes around each leaf and step, by its id, for places in words."""
        return labels_of(self.outline, scenario)
