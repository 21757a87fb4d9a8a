"""The checks of `pbem rules lint`: everything that can be seen without playing a game.

Outline against what is registered, words against events and decisions, options, scenarios, defaults, types,
schemas, looks, translations, examples, numbers that nobody reads. Every fault with its place in the file.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import fields, replace
from itertools import islice
from pathlib import Path
from typing import Any, get_args, get_origin

from pbem.engine import schemas
from pbem.engine.adjudicate import game_of, start
from pbem.engine.decisions import NoDefault
from pbem.engine.drawn import drawing_faults
from pbem.engine.game import Game
from pbem.engine.knowing import is_simple
from pbem.engine.linting.lint import lint_folder
from pbem.engine.package import LOOK, OLD_LOOK
from pbem.engine.resolve import faults_of
from pbem.engine.system import System
from pbem.model.codec import schema_of, to_json
from pbem.model.fields import listed_fields
from pbem.model.typed import Counter, Record, Tracks
from pbem.report.svg import look
from pbem.report.translation import translation_faults
from pbem.testing.examples import examples, shape_faults
from pbem.testing.playing import asked_first
from pbem.testing.rows import placed, uneven
from pbem.testing.runner import run
from pbem.testing.stepping import steps
from pbem.testing.unread import unread
from pbem.testing.wording import faults as wording_faults
from pbem.text.catalogues import complaints, gaps
from pbem.text.diagnostics import Diagnostic, Refused
from pbem.text.messages import Message
from pbem.text.sentences import ENGLISH
from pbem.text.suggest import did_you_mean
from pbem.text.yaml import Document, load

# word of the outline -> what its value names
NAMES = {
    "leaf": "leaf", "when": "condition", "repeat_while": "condition", "each_player": "order",
    "each_power": "power_order",
}  # fmt: skip
_LOOKED_AT = 200  # options of a first question
RULE = re.compile(r"[0-9]+(\.[0-9]+)*[a-z]?")
Faults = Iterator[Diagnostic]


def faults(system: System, *, play: bool = True) -> list[Diagnostic]:
    """Return all faults of a system; with `play`, run its examples and ask its first questions."""
    faults_ = list(lint_folder(system.folder.resolve()))
    try:
        assert system.registry
    except Exception as broken:
        return [
            *faults_,
            Diagnostic(
                "cannot-import",
                Message("text.diagnostics.about", what=type(broken).__name__, message=broken),
            ),
        ]
    if unread_outline := _part(_read_outline, system):  # every other check would only name it again
        return [*faults_, *unread_outline]
    static = (
        outline, steps, decisions, events, views, wording, translations, catalogues, options, looks,
        scenarios, unread, uneven,
    )  # fmt: skip
    faults_of_parts = [fault for part in static for fault in _part(part, system)]
    if play and not faults_of_parts:  # if it cannot be played, playing would only repeat the faults above
        faults_of_parts = [*_part(defaults, system), *_part(worked_examples, system)]
    return list(dict.fromkeys([*faults_, *faults_of_parts]))


def _part(part: Callable[[System], Iterable[Diagnostic]], system: System) -> list[Diagnostic]:
    """Return the faults of one check.

    Rules that fail during the check are a fault, not a traceback.
    """
    try:
        return list(part(system))
    except Refused as refused:
        return list(refused.diagnostics)
    except Exception as broken:
        words = Message(
            "testing.gate.cannot-look",
            way=part.__name__.replace("_", " "),
            name=type(broken).__name__,
            broken=broken,
        )
        return [Diagnostic("cannot-look", words)]


def _near(word: str, known: Any) -> tuple[str, ...]:
    near = did_you_mean(word, sorted(known))
    return (Message("text.suggest.did-you-mean", near=near),) if near else ()


# ---- outline -----------------------------------------------------------------------------------------


def _read_outline(system: System) -> Faults:
    """Yield the faults that make the sequence of play unreadable."""
    try:
        assert system.outline
    except Refused as refused:
        document = system.document("sequence.yaml")
        yield from (fault.at(document) for fault in refused.diagnostics)


def outline(system: System) -> Faults:
    """Yield faults of leaves, conditions and orders.

    They are unregistered, unused in the outline, or leaves that are no coroutines.
    """
    document = system.document("sequence.yaml")
    registry = system.registry
    known: dict[str, Mapping[str, Any]] = {
        "leaf": registry.leaf, "condition": registry.condition, "order": registry.order,
        "power_order": registry.power_order,
    }  # fmt: skip
    used: dict[str, set[str]] = {role: set() for role in known}
    for path, word, name in _named(document.data, ()):
        role = NAMES[word]
        used[role].add(name)
        if name not in known[role]:
            message = Message("testing.gate.no-registered", role=role, name=name)
            yield Diagnostic("unknown-name", message, path=path, help=_near(name, known[role])).at(document)
    for role, there in known.items():
        for name in sorted(set(there) - used[role]):
            yield Diagnostic("unused", Message("testing.gate.unused", role=role, name=name))
    for role, there in known.items():
        for name, function in there.items():
            wanted = ["game"] if role in ("order", "power_order") else ["game", "phasing"]
            if list(inspect.signature(function).parameters) != wanted:
                yield Diagnostic(
                    "wrong-signature",
                    Message("testing.gate.must-take", role=role, name=name, wanted=tuple(wanted)),
                )
            if inspect.iscoroutinefunction(function) != (role == "leaf"):
                id = "testing.gate.must-be-async" if role == "leaf" else "testing.gate.must-not-wait"
                yield Diagnostic("wrong-signature", Message(id, role=role, name=name))


def _named(value: Any, path: tuple[str | int, ...]) -> Iterator[tuple[tuple[str | int, ...], str, str]]:
    if isinstance(value, Mapping):
        for key, item in value.items():
            if key in NAMES and isinstance(item, str):
                yield (*path, key), str(key), item
            else:
                yield from _named(item, (*path, key))
    elif isinstance(value, list):
        for n, item in enumerate(value):
            yield from _named(item, (*path, n))


# ---- words -------------------------------------------------------------------------------------------


def wording(system: System) -> Faults:
    """Yield events and decisions without a sentence, unused sentences, and unknown fields."""
    documents = [system.document(name) for name in system.wording_files()]
    for fault in wording_faults(system.wording, system.registry.events, system.registry.decisions):
        yield _at(fault, documents)


def translations(system: System) -> Faults:
    """Yield missing and unused translations, those of the sequence of play, map and seats too."""
    for language in system.languages():
        documents = system.translation_files(language)
        there = system.translation(language)
        for fault in translation_faults(system.wording, there):
            yield _at(
                replace(
                    fault, message=Message("text.diagnostics.about", what=language, message=fault.message)
                ),
                documents,
            )
        for text in sorted(texts_for_readers(system) - set(there.get("values", {}))):
            message = Message("testing.gate.no-sentence", language=language, text=text)
            yield _at(Diagnostic("no-sentence", message, path=("values",)), documents)


def catalogues(system: System) -> Faults:
    """Name messages whose form or fields are wrong, and those that a language lacks."""
    folders = system.words_folder.glob("*/messages/")
    for language in sorted({ENGLISH, *system.languages(), *(path.parent.name for path in folders)}):
        for fault in complaints(system.name, language):
            yield Diagnostic("bad-message", Message("testing.gate.bad-message", fault=fault))
        for id in gaps(system.name, language):
            message = Message("testing.gate.message-lacks", language=language, id=id)
            yield Diagnostic("no-message", message)


def texts_for_readers(system: System) -> set[str]:
    """Return the texts in a system's data that people read.

    They are labels and conditions of the outline, terrain, seats, results, options.
    """
    texts = {node.label for node in system.outline.walk() if node.label}
    texts |= {f"if {node.when.replace('_', ' ')}" for node in system.outline.walk() if node.when}
    texts |= {str(spec["words"]) for spec in system.option_specs().values() if "words" in spec}
    for section in ("terrain", "hexsides", "links"):
        texts |= set(system.wording.get(section, {}))
    for name in system.scenarios():
        scenario = system.scenario(name)
        texts |= {*scenario["seats"], *re.findall(r"'result': '([^']+)'", repr(scenario))}
    return texts


def _at(fault: Diagnostic, documents: list[Document]) -> Diagnostic:
    """Return the fault with its place in the first file with such an entry, or in its section."""
    for depth in (len(fault.path), 1):
        for document in documents:
            if _has(document.data, fault.path[:depth]):
                return replace(fault, path=fault.path[:depth]).at(document) if depth else fault
    return fault


def _has(data: Any, path: tuple[str | int, ...]) -> bool:
    for key in path:
        if not isinstance(data, Mapping) or key not in data:
            return False
        data = data[key]
    return True


# ---- options and scenarios ---------------------------------------------------------------------------


def options(system: System) -> Faults:
    """Yield options with values of mixed types, an impossible default, or no rule and words."""
    document = system.document("system.yaml")
    for name, spec in system.option_specs().items():
        path = ("options", name)
        wanted = {"default", "values", "rule", "words"}
        if not isinstance(spec, Mapping) or {*spec} - {"added"} != wanted:
            message = Message("testing.gate.option", name=name, wanted=tuple(sorted(wanted)))
            yield Diagnostic("bad-option", message, path=path).at(document)
            continue
        values, types = spec["values"], {type(value) for value in spec["values"]}
        if len(types) != 1 or not types <= {bool, int, str} or len(values) < 2:
            message = Message("testing.gate.option-two-more-values-one", name=name)
            yield Diagnostic("bad-option", message, path=(*path, "values")).at(document)
        elif not any(spec["default"] == value and type(spec["default"]) in types for value in values):
            message = Message(
                "testing.gate.option-default-none-values", name=name, spec=repr(spec["default"])
            )
            yield Diagnostic("bad-option", message, path=(*path, "default")).at(document)
        if not RULE.fullmatch(str(spec["rule"])):
            message = Message("testing.gate.option-no-number-rule", name=name, spec=spec["rule"])
            yield Diagnostic("bad-rule", message, path=(*path, "rule")).at(document)
    if (hiding := system.hiding) is not None:
        values = system.option_specs().get(hiding[0], {}).get("values", [])
        if not any(value == hiding[1] and type(value) is type(hiding[1]) for value in values):
            yield Diagnostic(
                "unknown-name", Message("testing.gate.hidden-no-such-option", hidden=system.hidden)
            )


def scenarios(system: System) -> Faults:
    """Yield scenarios that do not load, have no usable map, or start by breaking invariants."""
    if not system.scenarios():
        yield Diagnostic("no-scenario", Message("testing.gate.no-scenario"))
    for name in system.scenarios():
        document = system.document(f"scenarios/{name}.yaml")
        if not (unseated := list(_seat_faults(document.data))):
            yield from (fault.at(document) for fault in system.map_faults(document.data))
        yield from (fault.at(document) for fault in unseated)
        if unseated:
            continue
        try:
            game = game_of(system, start(system, name))
        except Refused as refused:
            yield from (placed(system, fault, document) for fault in refused.diagnostics)
            continue
        for words in (*system.invariants(game), *system.census(game)):
            yield Diagnostic(
                "broken-invariant", Message("testing.gate.broken-invariant", name=name, words=words)
            ).at(document)
        yield from (_at(fault, [document]) for fault in _off_the_map(game))


def _seat_faults(scenario: Any) -> Faults:
    """Yield the fault of a scenario that does not say who plays."""
    seats = scenario.get("seats") if isinstance(scenario, Mapping) else None
    if not isinstance(seats, list) or not seats or not all(isinstance(seat, str) for seat in seats):
        meant = did_you_mean("seats", list(scenario)) if isinstance(scenario, Mapping) else None
        help_ = (Message("text.suggest.did-you-mean", near="seats"),) if meant not in (None, "seats") else ()
        words = Message("testing.gate.no-seats")
        yield Diagnostic("no-seats", words, path=(meant,) if meant else (), on_key=bool(meant), help=help_)


def _off_the_map(game: Game) -> Faults:
    """Yield counters that are not on the map at the start."""
    chart = game.system.map_of(game.world)
    if chart is None:
        return
    for id, counter in sorted(game.position.counters.items()):
        if isinstance(hex := counter.get("hex"), str):
            try:
                chart.index(hex)
            except Refused as refused:
                for fault in refused.diagnostics:
                    yield replace(
                        fault,
                        message=Message("text.diagnostics.about", what=id, message=fault.message),
                        path=("counters", id, "hex"),
                    )


# ---- types -------------------------------------------------------------------------------------------


def decisions(system: System) -> Faults:
    """Yield decisions without a docstring, with types that have no JSON, or with faulty facts."""
    for kind, cls in system.registry.decisions.items():
        if not re.fullmatch(r"[a-z][a-z0-9-]*", kind):
            yield Diagnostic("bad-name", Message("testing.gate.bad-name", kind=kind))
        if not RULE.fullmatch(cls.rule):
            yield Diagnostic(
                "bad-rule", Message("testing.gate.decision-no-number-rule", kind=kind, rule=cls.rule)
            )
        if not (cls.__doc__ or "").strip() or (cls.__doc__ or "").startswith(f"{cls.__name__}("):
            yield Diagnostic("no-docstring", Message("testing.gate.no-docstring", kind=kind))
        if [field.name for field in fields(cls)][:1] != ["player"]:  # type: ignore[arg-type]
            yield Diagnostic("no-player", Message("testing.gate.no-player", kind=kind))
        yield from _type_faults(f"decision {kind}", cls)
        yield from _type_faults(f"the answer of {kind}", cls.answer)
        for form, shape in cls.standing_forms.items():
            yield from _type_faults(f"standing order {form}", shape)
        for known in cls.known_facts().values():
            if not is_simple(known.type):
                message = Message("testing.gate.fact-text-whole-number-yes", known=known.name, kind=kind)
                yield Diagnostic("bad-type", message)
    yield from _schema_faults(system)


def events(system: System) -> Faults:
    """Yield events without JSON types, audience (if units are hidden) or an owner of losses."""
    for kind, cls in system.registry.events.items():
        names = {field.name for field in fields(cls)}  # type: ignore[arg-type]
        if not RULE.fullmatch(cls.rule):
            yield Diagnostic(
                "bad-rule", Message("testing.gate.event-no-number-rule", kind=kind, rule=cls.rule)
            )
        if cls.to == "owner" and cls.owned_by not in names:
            yield Diagnostic("no-owner", Message("testing.gate.no-owner", kind=kind, owned_by=cls.owned_by))
        if system.hidden is True and cls.to is None:
            yield Diagnostic("no-audience", Message("testing.gate.event-does-not-say-told", kind=kind))
        if isinstance(system.hidden, str) and cls.to is None and cls.owned_by not in names:
            yield Diagnostic("no-audience", Message("testing.gate.event-would-told-nobody-units", kind=kind))
        yield from _type_faults(f"event {kind}", cls)


def views(system: System) -> Faults:
    """Yield fields of counters, tracks and records with types that cannot be read."""
    for base in (Counter, Tracks, Record):
        for cls in _below(base):
            if cls.__module__.startswith(f"{system.package}."):
                for name, field in listed_fields(cls).items():
                    if _is_unreadable(field.kind):
                        what = f"{cls.__name__}.{name}"
                        message = Message("testing.gate.type-no-json-form", what=what, member=str(field.kind))
                        yield Diagnostic("bad-type", message)


def _is_unreadable(kind: Any) -> bool:
    """Return True for a type with a list or a set: the codec reads tuples alone."""
    return get_origin(kind) in (list, set, frozenset) or any(map(_is_unreadable, get_args(kind)))


def _below(cls: type) -> Iterator[type]:
    classes: list[type] = cls.__subclasses__()
    for subclass in classes:
        yield subclass
        yield from _below(subclass)


def _type_faults(what: str, kind: Any) -> Faults:
    try:
        shape = schema_of(kind)
    except (TypeError, KeyError, NameError, AttributeError) as wrong:
        yield Diagnostic("bad-type", Message("testing.gate.cannot-written-json", what=what, wrong=wrong))
        return
    for path in _shapeless(shape, ()):
        member = ".".join(path) or "the whole of it"
        yield Diagnostic("bad-type", Message("testing.gate.type-no-json-form", what=what, member=member))


def _shapeless(shape: Any, path: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
    """Yield the members of a schema that accept anything: types that the codec does not know."""
    if shape == {}:
        yield path
    elif isinstance(shape, Mapping):
        for name, member in shape.get("properties", {}).items():
            yield from _shapeless(member, (*path, name))
        for name in ("items", "additionalProperties"):
            yield from _shapeless(shape.get(name), (*path, "each"))


def _schema_faults(system: System) -> Faults:
    import json

    from jsonschema import Draft202012Validator
    from jsonschema.exceptions import SchemaError

    for name, text in schemas.files(system).items():
        try:
            Draft202012Validator.check_schema(json.loads(text))
        except SchemaError as wrong:
            yield Diagnostic(
                "bad-schema", Message("text.diagnostics.about", what=name, message=wrong.message)
            )


# ---- looks -------------------------------------------------------------------------------------------


def looks(system: System) -> Faults:
    """Yield names in look/look.yaml that do not exist, and faults of the shapes of areas."""
    if system.look_file:
        document = system.document(system.look_file)
        yield from (f.at(document) for f in look.faults(document.data, system.registry.events))
    yield from drawing_faults(system)


def look_in(folder: Path) -> list[Diagnostic]:
    """Return what is wrong with the look of a folder that holds no system yet; events are not known there."""
    path = next((path for name in (LOOK, OLD_LOOK) if (path := folder / name).is_file()), None)
    if path is None:
        return []
    try:
        document = load(path.read_bytes(), path.relative_to(folder.parent).as_posix())
    except Refused as refused:
        return list(refused.diagnostics)
    return [fault.at(document) for fault in look.faults(document.data, None)]


# ---- what is played ----------------------------------------------------------------------------------


def defaults(system: System) -> Faults:
    """Yield questions at the start without options, and illegal defaults."""
    for scenario in system.scenarios():
        outcome = asked_first(system, scenario)
        if not outcome.pending:
            yield Diagnostic("nobody-asked", Message("testing.gate.nobody-asked", scenario=scenario))
        game = game_of(system, outcome.state, outcome.position)
        for question in outcome.pending:
            asked = system.decision(question.kind, question.party, question.fields)
            listed = list(islice(asked.options(game), _LOOKED_AT))
            if not listed:
                yield Diagnostic(
                    "no-options", Message("testing.gate.no-options", scenario=scenario, kind=question.kind)
                )
            for wrong in dict.fromkeys(fault for option in listed for fault in option.points.faults()):
                message = Message(
                    "testing.gate.bad-points", scenario=scenario, kind=question.kind, message=wrong
                )
                yield Diagnostic("bad-points", message)
            try:
                default = to_json(asked.default(game))
            except NoDefault:
                continue
            for fault in faults_of(game, asked, default):
                message = Message(
                    "testing.gate.bad-default", scenario=scenario, kind=question.kind, message=fault.message
                )
                yield Diagnostic("bad-default", message, rule=fault.rule)


def worked_examples(system: System) -> Faults:
    """Yield malformed example files, and examples with another result."""
    wrong = shape_faults(system)
    yield from wrong
    if wrong:
        return
    results = {}
    for name in system.files("examples/*.yaml"):
        document = system.document(name)
        for n, example in enumerate(document.data or ()):
            results[str(example["example"])] = (document, n)
    for _, example in examples(system):
        document, n = results[str(example["example"])]
        for words in run(system, example):
            message = Message("text.diagnostics.about", what=example["example"], message=words)
            yield Diagnostic("example-differs", message, path=(n, "example")).at(document)
