"""The author's gate names each kind of breach, at its place, and lets sound systems through."""

from __future__ import annotations

import importlib
import itertools
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner

from pbem.cli.main import cli
from pbem.engine.system import System
from pbem.testing.gate import faults
from pbem.testing.unread import unread
from pbem.text import messages
from pbem.text.diagnostics import Diagnostic, Refused
from tests.imported import forget
from tests.primer import FOG, SYSTEM

NUMBER = itertools.count()
SOUND = {
    "__init__.py": '"""A game."""\nfrom pbem.rules import System\n'
    'SYSTEM = System("{name}", __name__, "1", 1, modules=[__name__ + ".rules"], title="A game")\n',
    "rules.py": '''"""Rules."""
from pbem.rules import Decision, Event, Option, PlayerName
from pbem.rules import ask_all, condition, decision, event, fact, procedure


@decision("guess", rule="1.1", answer=int, facts=("most",))
class Guess(Decision[int]):
    """How many?"""

    player: str
    most: int

    def options(self, game):
        for number in range(self.most + 1):
            yield Option(number, str(number))

    def default(self, game):
        return 0

    @fact
    def turn(self, game) -> int:
        return game.tracks["turn"]


@event(rule="1.2", to="public")
class Guessed(Event):
    player: PlayerName
    number: int


@condition("turns_left")
def turns_left(game, phasing):
    return game.tracks["turn"] < game.options["turns"]


@procedure("guessing", rule="1.0")
async def guessing(game, phasing):
    """1.0 Each guesses."""
    game.tracks["turn"] += 1
    most = game.system.data("tables/limits.yaml")["numbers"]["most"]
    guesses = await ask_all([Guess(player, most) for player in game.players])
    for player, number in zip(game.players, guesses):
        game.emit(Guessed(player, number))
''',
    "sequence.yaml": 'id: T\nrepeat_while: turns_left\nphase: "Turn {n}"\n'
    "do: [{leaf: guessing, phase: Guessing, rule: '1.0'}]\n",
    "system.yaml": "title: A game\nplayers: {least: 2, most: 2}\n"
    "options: {turns: {default: 2, values: [1, 2], rule: '1.0', words: how many turns}}\n",
    "scenarios/one.yaml": "title: One\nseats: [ann, ben]\n"
    "counters: {coin: {owner: ann, hex: '0101'}}\ntracks: {turn: 0}\n",
    "wording.yaml": 'events: {guessed: "{player} said {number}"}\n'
    'decisions: {guess: "How many, up to {most}?"}\n'
    "facts: {turn: the turn, most: the most}\n",
    "tables/limits.yaml": "table: limits\nrule: '1.0'\nnumbers: {most: 3}\n",
    "look.yaml": "look: a-game\nowners: {ann: red}\n",
    "examples/one.yaml": "- example: E-1\n  rule: '1.0'\n  play: guessing\n"
    "  orders: {ann: {guess: 1}, ben: {guess: 2}}\n  expect: {events: [guessed, guessed]}\n",
}  # fmt: skip

# kind of breach: file, what stands there, what is written instead, the code of the fault, words in it
BREACHES = {
    "a clock": ("rules.py", '"""Rules."""', '"""Rules."""\nimport time', "outside-world", "time"),
    "rows of unequal members": (
        "tables/limits.yaml", "{most: 3}", "{most: 3}\nrows:\n  a: {most: 1}\n  b: {}\n  c: {most: 1}",
        "uneven-rows", "'b' has no 'most', as 2 of 3 rows have",
    ),
    "a leaf that there is not": (
        "sequence.yaml", "leaf: guessing", "leaf: gessing", "unknown-name", "no leaf"
    ),
    "a condition that there is not": (
        "sequence.yaml", "while: turns_left", "while: turnsleft", "unknown-name", "no condition"
    ),
    "an order that there is not": (
        "sequence.yaml", "do: [", "do: [{id: P, each_player: clockwise, do: [{leaf: guessing, id: G}]}, ",
        "unknown-name", "no order",
    ),
    "an order of powers that there is not": (
        "sequence.yaml", "do: [", "do: [{id: P, each_power: by_money, do: [{leaf: guessing, id: G}]}, ",
        "unknown-name", "no power_order",
    ),
    "a step that there is not": (
        "rules.py", '    game.tracks["turn"] += 1', '    game.at("7")\n    game.tracks["turn"] += 1',
        "unknown-name", "no leaf of the outline has a step '7'",
    ),
    "a step that is not played": (
        "sequence.yaml", "{leaf: guessing, ", "{leaf: guessing, steps: [{id: T.1, segment: One}], ",
        "unused", "the step 'T.1'",
    ),
    "a step that acts": (
        "sequence.yaml", "{leaf: guessing, ", "{leaf: guessing, steps: [{id: T.1, when: turns_left}], ",
        "unknown-key", "a step can't have",
    ),
    "a power without a seat": (
        "scenarios/one.yaml", "title: One", "title: One\npowers: {italy: {seat: cid}}",
        "bad-power", "Use one of",
    ),
    "a word of the outline that there is not": (
        "sequence.yaml", "repeat_while", "repeat_wile", "unknown-key", "not a key of an outline"
    ),
    "a leaf that is not used": (
        "rules.py", "@condition",
        '@procedure("idle", rule="1")\nasync def idle(game, phasing):\n    """1."""\n\n\n@condition',
        "unused", "the leaf 'idle'",
    ),
    "a leaf that cannot wait": ("rules.py", "async def guessing", "def guessing", "cannot-import", "await"),
    "a condition that waits": (
        "rules.py", "def turns_left", "async def turns_left", "wrong-signature", "must not wait"
    ),
    "a condition without phasing": (
        "rules.py", "turns_left(game, phasing)", "turns_left(game)", "wrong-signature", "(game, phasing)"
    ),
    "an event without a sentence": (
        "wording.yaml", 'guessed: "{player} said {number}"', "", "no-sentence", "'guessed' has no sentence"
    ),
    "a sentence for no event": ("wording.yaml", "events: {", "events: {gone: x, ", "unknown-name", "'gone'"),
    "a field that there is not": ("wording.yaml", "{number}", "{nubmer}", "unknown-name", "nubmer"),
    "a decision without a sentence": (
        "wording.yaml", 'guess: "How many, up to {most}?"', "", "no-sentence", "decision 'guess'"
    ),
    "a fact without words": ("wording.yaml", "turn: the turn, ", "", "no-sentence", "fact 'turn'"),
    "words for no fact": ("wording.yaml", "facts: {", "facts: {odds: x, ", "unknown-name", "'odds'"),
    "a section that there is not": ("wording.yaml", "facts:", "fact:", "unknown-name", "section 'fact'"),
    "a default among no values": (
        "system.yaml", "default: 2", "default: 7", "bad-option", "none of its values"
    ),
    "a default of another type": (
        "system.yaml", "default: 2", "default: '2'", "bad-option", "none of its values"
    ),
    "values of two types": ("system.yaml", "[1, 2]", "[1, 2, many]", "bad-option", "of one type"),
    "yes among numbers": ("system.yaml", "[1, 2]", "[true, 2]", "bad-option", "of one type"),
    "an option without words": ("system.yaml", ", words: how many turns", "", "bad-option", "words"),
    "a scenario that nobody plays": (
        "scenarios/one.yaml", "seats: [ann, ben]", "seat: [ann, ben]", "no-seats", "say who plays"
    ),
    "a scenario with an option that there is not": (
        "scenarios/one.yaml", "title: One", "title: One\noptions: {trns: 1}", "unknown-option", "trns"
    ),
    "a scenario with a value that is none": (
        "scenarios/one.yaml", "title: One", "title: One\noptions: {turns: 3}", "bad-option", "Use one of"
    ),
    "a question that doesn't say what it decides": (
        "rules.py", '    """How many?"""\n', "", "no-docstring", "guess"
    ),
    "a decision without a player": (
        "rules.py", "    player: str\n    most: int", "    most: int\n    player: str", "no-player", "guess"
    ),
    "a fact that is no value": ("rules.py", ") -> int:", ") -> dict:", "bad-type", "fact turn"),
    "an answer without JSON": ("rules.py", "answer=int", "answer=float", "bad-type", "the answer of guess"),
    "an event without JSON": ("rules.py", "    number: int", "    number: set", "bad-type", "event guessed"),
    "an event for an owner that it has not": (
        "rules.py", '"1.2", to="public"', '"1.2", to="owner"', "no-owner", "guessed"
    ),
    "an illegal default": ("rules.py", "return 0", "return 9", "bad-default", "guess is illegal"),
    "an attack without a target": (
        "rules.py", "Option(number, str(number))",
        'Option(number, "x", points=__import__("pbem.rules").rules.Points(("A",), kind="attack"))',
        "bad-points", "says no place",
    ),
    "no options": ("rules.py", "self.most + 1", "0", "no-options", "guess has no options"),
    "an option whose rule is no number": (
        "system.yaml", "rule: '1.0'", "rule: the first", "bad-rule", "option turns: 'the first'"
    ),
    "a decision whose rule is no number": (
        "rules.py", 'rule="1.1"', 'rule="page four"', "bad-rule", "question guess: 'page four'"
    ),
    "an event whose rule is no number": (
        "rules.py", 'rule="1.2"', 'rule="see above"', "bad-rule", "event guessed: 'see above'"
    ),
    "a leaf with a body": (
        "sequence.yaml", "{leaf: guessing, ", "{leaf: guessing, do: [{leaf: guessing, id: G}], ",
        "two-kinds", "a leaf has no `do`",
    ),
    "a node of nothing": (
        "sequence.yaml", "do: [{leaf", "do: [{id: T.0, phase: Rest}, {leaf", "empty-node", "`do` or `leaf`"
    ),
    "nobody is asked": (
        "rules.py", "for player in game.players]", "for player in ()]", "nobody-asked", "asks no questions"
    ),
    "options that fail": (
        "rules.py", "range(self.most + 1)", "range(self.most // 0)", "cannot-look", "ZeroDivisionError"
    ),
    "a look that names no colour": ("look.yaml", "ann: red", "ann: rde", "unknown-name", "rde"),
    "a map that reaches nobody": (
        "scenarios/one.yaml", "title: One", "title: One\nmap: {terrain: ['.'], legend: {'.': clear}}",
        "no-map-hook", "doesn't say where its world keeps it",
    ),
    "a number that nobody reads": (
        "tables/limits.yaml", "most: 3", "most: 3, least: 1", "unread-data", "'least'"
    ),
    "an example with a word that there is not": (
        "examples/one.yaml", "  expect:", "  expcet:", "unknown-key", "expcet"
    ),
    "an example that does not come out": (
        "examples/one.yaml", "[guessed, guessed]", "[guessed]", "example-differs", "expected 1"
    ),
    "an example of no node": (
        "examples/one.yaml", "play: guessing", "play: gessing", "example-differs", "no node"
    ),
}  # fmt: skip


@pytest.fixture
def made(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The folder of a sound system of a name of its own."""
    name = f"gated{next(NUMBER)}"
    for file, text in SOUND.items():
        path = tmp_path / name / file
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text.replace("{name}", name), "utf-8")
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.setattr(messages, "_HOMES", {**messages._HOMES})
    yield tmp_path / name
    forget(name)


def system_in(folder: Path) -> System:
    importlib.invalidate_caches()
    found = importlib.import_module(folder.name).SYSTEM
    assert isinstance(found, System)
    return found


def test_a_sound_system_has_no_breach(made: Path) -> None:
    assert faults(system_in(made)) == []


@pytest.mark.parametrize("breach", BREACHES)
def test_each_breach_is_named(made: Path, breach: str) -> None:
    file, old, new, code, words = BREACHES[breach]
    text = (made / file).read_text("utf-8")
    assert old in text
    (made / file).write_text(text.replace(old, new), "utf-8")
    found = faults(system_in(made))
    assert any(one.code == code and words in one.message for one in found), shown(found)


# kind of breach: what System(...) is given besides, a change of rules.py, the code of the fault, words in it
BREACHES_OF_SYSTEMS = {
    "hidden units, and an event that does not say who is told": (
        "hidden=True", '"1.2", to="public"', '"1.2"', "no-audience", "guessed doesn't say who sees it"
    ),
    "units that an option hides, and an event for nobody": (
        "hidden='fog'", '"1.2", to="public"', '"1.2"', "no-audience", "nobody would see event guessed"
    ),
    "an invariant that the scenario breaks": (
        "invariants_hook=lambda game: ['the coin stands on its edge']", "", "",
        "broken-invariant", "scenario one: the coin stands on its edge",
    ),
}  # fmt: skip


@pytest.mark.parametrize("breach", BREACHES_OF_SYSTEMS)
def test_each_breach_of_a_system_as_a_whole_is_named(made: Path, breach: str) -> None:
    given, old, new, code, words = BREACHES_OF_SYSTEMS[breach]
    for file, before, after in (
        ("__init__.py", 'title="A game"', f'title="A game", {given}'),
        ("rules.py", old, new),
    ):
        text = (made / file).read_text("utf-8")
        assert before in text
        (made / file).write_text(text.replace(before, after), "utf-8")
    found = faults(system_in(made))
    assert any(one.code == code and words in one.message for one in found), shown(found)


def test_a_counter_that_stands_nowhere_on_the_map_is_named_at_its_place(made: Path) -> None:
    world = "GameMap.from_data(scenario['map'], legend={}, terrains=['land'], layers=['isle'])"
    hooks = f"world_hook=lambda system, scenario, options: {world}, map_hook=lambda world: world"
    for file, before, after in (
        ("__init__.py", "from pbem.rules", "from pbem.board.map import GameMap\nfrom pbem.rules"),
        ("__init__.py", 'title="A game"', f'title="A game", {hooks}'),
        ("scenarios/one.yaml", "'0101'", "Arm"),
        ("scenarios/one.yaml", "tracks:", "map: {areas: {isle: {Arn: {name: Arn}}}}\ntracks:"),
    ):
        path = made / file
        path.write_text(path.read_text("utf-8").replace(before, after), "utf-8")
    found = faults(system_in(made))
    (fault,) = [one for one in found if "coin" in one.message]
    assert (fault.code, fault.help) == ("unknown-location", ("did you mean Arn?",)), shown(found)
    assert fault.span is not None and (fault.span.line, fault.span.column) == (3, 36)


def test_a_game_without_a_scenario_is_none(made: Path) -> None:
    (made / "scenarios" / "one.yaml").unlink()
    found = faults(system_in(made))
    assert [one.code for one in found if "scenario" in one.message] == ["no-scenario"], shown(found)


def test_a_pattern_that_is_no_regular_expression_makes_no_schema(made: Path) -> None:
    path = made / "rules.py"
    text = path.read_text("utf-8").replace(
        "    number: int", '    number: Annotated[str, Pattern("[a-", "letters")]'
    )
    path.write_text(
        text.replace(
            '"""Rules."""', '"""Rules."""\nfrom typing import Annotated\nfrom pbem.rules import Pattern'
        ),
        "utf-8",
    )
    found = faults(system_in(made))
    assert "bad-schema" in [one.code for one in found], shown(found)


def shown(found: list[Diagnostic]) -> str:
    return "\n".join(f"{one.code}: {one.message} {one.help}" for one in found)


def test_a_breach_in_data_has_its_place_and_a_way_out(made: Path) -> None:
    path = made / "sequence.yaml"
    path.write_text(path.read_text("utf-8").replace("leaf: guessing", "leaf: gessing"), "utf-8")
    (fault, *_) = [one for one in faults(system_in(made)) if one.code == "unknown-name"]
    assert fault.span is not None and (fault.span.file, fault.span.line) == (f"{made.name}/sequence.yaml", 4)
    assert fault.help == ("did you mean 'guessing'?",)


def test_messages_with_faults_are_named_and_those_that_a_language_lacks(made: Path) -> None:
    for language, lines in {
        "en": ('{name}.guess.too-high: "{said} is more than {most}"', '{name}.guess.missing: "no guess"'),
        "de": ('{name}.guess.too-high: "{said} ist zu viel"', '{name}.guess.other: "etwas"'),
    }.items():
        path = made / "words" / language / "messages" / "guess.yaml"
        path.parent.mkdir(parents=True)
        path.write_text("\n".join(lines).replace("{name}", made.name) + "\n", "utf-8")
    found = [(one.code, one.message) for one in faults(system_in(made))]
    bad = [message for code, message in found if code == "bad-message"]
    assert any("too-high has the fields" in message for message in bad)
    assert any("other translates nothing" in message for message in bad)
    lacking = [message for code, message in found if code == "no-message"]
    assert lacking == [f"de: the message {made.name}.guess.missing is not translated"]
    assert len(found) == 3


def test_figures_for_people_alone_are_listed_as_such(made: Path) -> None:
    path = made / "tables" / "limits.yaml"
    path.write_text(path.read_text("utf-8").replace("most: 3", "most: 3, weight: 1"), "utf-8")
    assert [one.code for one in faults(system_in(made))] == ["unread-data"]
    path.write_text(path.read_text("utf-8") + "for_people: [weight]\n", "utf-8")
    system = system_in(made)
    system._data.clear()
    assert faults(system) == []


def test_an_outline_that_cannot_be_read_is_named_once(made: Path) -> None:
    path = made / "sequence.yaml"
    path.write_text(path.read_text("utf-8").replace("Turn {n}", "Turn {year}"), "utf-8")
    (found,) = faults(system_in(made))
    assert (found.code, found.span and found.span.line) == ("unknown-field", 3)


def test_a_row_that_rules_refuse_is_named_in_its_own_file(made: Path) -> None:
    (made / "tables/units.yaml").write_text("table: units\ntypes:\n  a: {most: 1}\n  b: {}\n", "utf-8")
    module = made / "__init__.py"
    typed = """
from dataclasses import dataclass
from pbem.kit.records import records

@dataclass(frozen=True)
class Type:
    most: int

def world(system, scenario, options):
    return records(Type, system.data("tables/units.yaml")["types"])
"""
    text = module.read_text("utf-8").replace("SYSTEM =", typed + "\nSYSTEM =")
    module.write_text(text.replace(', title="A', ', world_hook=world, title="A'), "utf-8")
    found = [
        (one.code, one.span and (one.span.file, one.span.line, one.span.column))
        for one in faults(system_in(made))
    ]
    assert found == [("missing-key", (f"{made.name}/tables/units.yaml", 4, 6))]


def add(file: Path, text: str) -> None:
    file.write_text(file.read_text("utf-8") + text, "utf-8")


ONE_READ = "table: limits\nrule: '1.0'\nnumbers: {most: 3, turn: 4}\n"
"""`turn` is the name of a track and of a fact as well, and is no number that code reads."""
WAYS = {
    "in its place": 'game.system.data("tables/limits.yaml")["numbers"]["most"]',
    "by a name of its own": '(limits := game.system.data("tables/limits.yaml")["numbers"])["most"]',
    "with get": 'game.system.data("tables/limits.yaml")["numbers"].get("most")',
    "as a typed record": "game.world.numbers.most",
    "under another name": "game.world.limits.most",
    "by two names at once": "one",
}
KEPT = """

def make(data, tables):
    tables(numbers=record(int, data["numbers"]))
    return tables(limits=data["numbers"])

def two(world):
    one, other = world.numbers, world.seats
    return one.most
"""


@pytest.mark.parametrize("way", WAYS)
def test_a_number_that_only_shares_its_name_with_something_that_is_read_is_found(
    made: Path, way: str
) -> None:
    (made / "tables/limits.yaml").write_text(ONE_READ, "utf-8")
    rules = made / "rules.py"
    text = rules.read_text("utf-8").replace(WAYS["in its place"], WAYS[way])
    rules.write_text(text + KEPT, "utf-8")
    system = system_in(made)
    assert [one.message for one in unread(system)] == ["'turn' is in tables/limits.yaml and no code reads it"]


@pytest.mark.parametrize(
    "use", ["sum(world.numbers.values())", "best(world.numbers)", "[world.numbers[name] for name in x]"]
)
def test_of_numbers_that_are_used_as_a_whole_each_that_code_names_counts_as_read(
    made: Path, use: str
) -> None:
    (made / "tables/limits.yaml").write_text(ONE_READ, "utf-8")
    rules = made / "rules.py"
    rules.write_text(
        rules.read_text("utf-8") + f"\n\ndef all_of(world, best, x):\n    return {use}\n", "utf-8"
    )
    assert unread(system_in(made)) == []


def test_a_method_that_is_called_like_a_table_is_no_use_of_it(made: Path) -> None:
    (made / "tables/limits.yaml").write_text(ONE_READ, "utf-8")
    rules = made / "rules.py"
    rules.write_text(
        rules.read_text("utf-8") + "\n\ndef ids(chart):\n    return chart.numbers([1])\n", "utf-8"
    )
    assert [one.message for one in unread(system_in(made))] == [
        "'turn' is in tables/limits.yaml and no code reads it"
    ]


def test_names_that_are_keywords_and_where_a_row_comes_from_are_no_unread_numbers(made: Path) -> None:
    rows = "types: {a: {class: 1, source: D}, b: {class: 2, source: D}}\n"
    (made / "tables" / "units.yaml").write_text(f"table: units\nrule: '1.0'\n{rows}", "utf-8")
    system = system_in(made)
    assert [one.message for one in faults(system)] == ["'class' is in tables/units.yaml and no code reads it"]
    rules = made / "rules.py"
    rules.write_text(rules.read_text("utf-8") + "\n\ndef worth(row):\n    return row.class_\n", "utf-8")
    assert faults(system) == []


def test_the_command_checks_a_folder_before_it_is_installed(made: Path) -> None:
    run = CliRunner().invoke(cli, ["rules", "lint", str(made)])
    assert run.exit_code == 0, run.output
    path = made / "wording.yaml"
    path.write_text(path.read_text("utf-8").replace("events: {", "events: {gone: x, "), "utf-8")
    forget(made.name)
    run = CliRunner().invoke(cli, ["rules", "lint", str(made)])
    assert run.exit_code == 1 and "wording.yaml:1" in run.output and "there is no event 'gone'" in run.output


def test_the_command_reminds_an_author_of_the_revision(made: Path) -> None:
    changelog = made / "changelog.yaml"
    changelog.write_text(f"revisions: [{{revision: 1, changes: [first], released: {'ab' * 32}}}]\n", "utf-8")
    run = CliRunner().invoke(cli, ["rules", "lint", str(made)])
    assert run.exit_code == 0 and "rules/ has changed since revision 1 was released" in run.output


def test_an_option_that_was_added_is_sound(made: Path) -> None:
    path = made / "system.yaml"
    text = path.read_text("utf-8")
    assert "words: how many turns" in text
    path.write_text(text.replace("words: how many", "added: true, words: how many"), "utf-8")
    assert faults(system_in(made)) == []


@pytest.mark.parametrize("system", [SYSTEM, FOG], ids=lambda system: system.name)
def test_the_primer_is_clean(system: System) -> None:
    assert faults(system) == []


# ---- values of options ---------------------------------------------------------------------------------


def test_the_values_that_are_listed_are_options() -> None:
    assert [SYSTEM.options({}, {"turns": value})["turns"] for value in (1, 2, 3)] == [1, 2, 3]


@pytest.mark.parametrize("value", [0, 4, 100, -1, True, "2", None, 2.0])
def test_no_other_value_is_one(value: object) -> None:
    with pytest.raises(Refused) as refused:
        SYSTEM.options({}, {"turns": value})
    assert [one.code for one in refused.value.diagnostics] == ["bad-option"]
