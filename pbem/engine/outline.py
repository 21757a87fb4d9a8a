"""The sequence of play as data.

Eight words act (`do leaf steps each_player each_power when repeat_while like`); labels are for people.

There are no expressions: the values of the acting words name functions registered by the rules system.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any, Literal

from pbem.model.whereabouts import Label
from pbem.text.dataclass import dataclass
from pbem.text.diagnostics import Diagnostic, Refused
from pbem.text.messages import Message

LABELS = ("id", "phase", "segment", "rule")
WORDS = ("do", "leaf", "steps", "each_player", "each_power", "when", "repeat_while", "like", *LABELS)
_ID = re.compile(r"[A-Za-z0-9_.-]{1,24}")
_COUNT = re.compile(r"\{n(?:\+([0-9]{1,5})| from ([a-z][a-z0-9_]{0,31}))\}")
_FIELD = re.compile(r"\{([^{}]*)\}")
RESERVED = ("letter", "plain")
"""Beginnings of decision ids that no rules have: letters and plain replies commit under them (17.38)."""
Kind = Literal["group", "leaf", "each", "powers", "repeat", "step"]


@dataclass(frozen=True)
class Node:
    """One line of the outline.

    `name` is the procedure of a leaf, the order of `each_player` or `each_power`, the condition of
    `repeat_while`.

    `more` is added to the count of the innermost loop where the label says `{n}`: the outline writes
    `Spring {n+1900}`, and everything else reads `Spring {n}`. `since` names the member of the scenario from
    which it counts instead: `Spring {n from first_year}`.

    A step is a named place inside a leaf: questions, events and people know it as if it were a leaf of its
    own, but the procedure of its leaf decides when the game comes to it (`Game.at`).
    """

    id: str
    kind: Kind
    name: str
    label: str
    rule: str
    when: str | None
    children: tuple[Node, ...]
    steps: tuple[Node, ...] = ()
    more: int = 0
    since: str = ""

    def walk(self) -> Iterator[Node]:
        """Yield this node and all below in order, steps of leaves included."""
        yield self
        yield from self.steps
        for child in self.children:
            yield from child.walk()

    def find(self, id_: str) -> Node | None:
        """Return the node with this id, or None."""
        return next((node for node in self.walk() if node.id == id_), None)

    def leaf_of(self, step: Node) -> Node:
        """Return the leaf that has this step."""
        return next(node for node in self.walk() if any(own_step is step for own_step in node.steps))

    def step(self, name: str) -> Node:
        """Return the step of this leaf with this id or ending: `6` for `B.2.c.6`, in every copy of the
        leaf."""
        matches = [step for step in self.steps if step.id == name]
        matches = matches or [step for step in self.steps if step.id.endswith(f".{name}")]
        known = ", ".join(step.id for step in self.steps) or "none"
        assert len(matches) == 1, f"the leaf {self.id} has no step '{name}', its steps are: {known}"
        return matches[0]

    @property
    def width(self) -> int:
        """Return how many places of the cursor this node takes up.

        A leaf has one for each step, so that leaves can become the steps of one leaf in the middle of a game.
        """
        return len(self.steps) or 1


def parse(data: Mapping[str, Any], name: str = "sequence.yaml") -> Node:
    """Return the outline of loaded YAML; all faults are raised at once."""
    faults: list[Diagnostic] = []
    root = _node(_copied(data, data, (), faults), (), faults, "root")
    seen: set[str] = set()
    for node in root.walk():
        if node.id in seen:
            faults.append(
                Diagnostic(
                    "duplicate-id", Message("engine.outline.duplicate-id", node=node.id), notes=(name,)
                )
            )
        seen.add(node.id)
    if faults:
        raise Refused(faults)
    return root


def label_of(node: Node, scenario: Mapping[str, Any]) -> Label:
    """Return the label of a node as a scenario counts in it."""
    return Label(node.id, node.label, node.more + (int(scenario[node.since]) - 1 if node.since else 0))


def labels_of(
    node: Node, scenario: Mapping[str, Any], around: tuple[Label, ...] = ()
) -> dict[str, tuple[Label, ...]]:
    """Return the labels around each leaf and step below a node, by its id, its own last."""
    here = (*around, label_of(node, scenario))
    known: dict[str, tuple[Label, ...]] = {}
    for child in node.children:
        known |= labels_of(child, scenario, here)
    if node.kind == "leaf":
        known[node.id] = here
        known |= {step.id: (*here, label_of(step, scenario)) for step in node.steps}
    return known


def _copied(
    data: Mapping[str, Any], whole: Mapping[str, Any], path: tuple[str | int, ...], faults: list[Diagnostic]
) -> Mapping[str, Any]:
    """Return the data with each `like: X` replaced by the body of X, whose ids begin with the new id."""
    if "like" in data:
        wanted = data["like"]
        entry = next((node for node in _listed(whole) if node.get("id") == wanted), None)
        if (
            entry is None
            or "do" in data
            or "id" not in data
            or any("like" in part for part in _listed(entry))
        ):
            message = Message("engine.outline.bad-like", wanted=wanted)
            faults.append(Diagnostic("bad-like", message, path=(*path, "like")))
            return {**data, "do": []}
        return {**data, "do": [_renamed(node, str(wanted), str(data["id"])) for node in entry.get("do", [])]}
    body = data.get("do", [])
    done = [_copied(node, whole, (*path, "do", i), faults) for i, node in enumerate(body)]
    return {**data, "do": done} if body else data


def _listed(data: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    yield data
    for child in data.get("do", []):
        yield from _listed(child)


def _renamed(data: Mapping[str, Any], old: str, new: str) -> Mapping[str, Any]:
    """Return a node of a copied body: B.1.a in the copy C of B is C.1.a."""
    id_ = str(data.get("id", ""))
    named = {**data, "id": new + id_.removeprefix(old)} if id_.startswith(f"{old}.") else dict(data)
    for body in ("do", "steps"):
        if body in data:
            named[body] = [_renamed(child, old, new) for child in data[body]]
    return named


def _node(
    data: Mapping[str, Any], path: tuple[str | int, ...], faults: list[Diagnostic], fallback: str
) -> Node:
    for key in data:
        if key not in WORDS:
            faults.append(
                Diagnostic(
                    "unknown-key", Message("engine.outline.no-word-outline", key=key), path=(*path, key)
                )
            )
    kind, name = _kind(data)
    node_id = str(data.get("id", name if kind == "leaf" else fallback))
    if not _ID.fullmatch(node_id):
        faults.append(
            Diagnostic(
                "bad-id", Message("engine.outline.cannot-stand-in-key", node_id=node_id), path=(*path, "id")
            )
        )
    if node_id in RESERVED:
        faults.append(
            Diagnostic("bad-id", Message("engine.outline.reserved-id", node_id=node_id), path=(*path, "id"))
        )
    if kind == "leaf" and "do" in data:
        faults.append(Diagnostic("two-kinds", Message("engine.outline.two-kinds"), path=path))
    body = data.get("do", [])
    children = tuple(_node(c, (*path, "do", i), faults, f"{node_id}.{i + 1}") for i, c in enumerate(body))
    if kind != "leaf" and not children:
        faults.append(Diagnostic("empty-node", Message("engine.outline.empty-node"), path=path))
    if kind != "leaf" and "steps" in data:
        faults.append(
            Diagnostic("steps-outside", Message("engine.outline.steps-outside"), path=(*path, "steps"))
        )
    listed = data.get("steps", [])
    steps = tuple(_step(step, (*path, "steps", i), faults) for i, step in enumerate(listed))
    label, more, since = _label(data, path, faults)
    return Node(
        node_id, kind, name, label, str(data.get("rule", "")), data.get("when"), children, steps, more, since
    )


def _step(data: Mapping[str, Any], path: tuple[str | int, ...], faults: list[Diagnostic]) -> Node:
    """Return a step, which has an id and labels and nothing that acts."""
    for key in data:
        if key not in LABELS:
            message = Message("engine.outline.cannot-stand-in-step-procedure", key=key)
            faults.append(Diagnostic("unknown-key", message, path=(*path, key)))
    step_id = str(data.get("id", ""))
    if not _ID.fullmatch(step_id):
        faults.append(
            Diagnostic(
                "bad-id", Message("engine.outline.cannot-stand-in-key", node_id=step_id), path=(*path, "id")
            )
        )
    label, more, since = _label(data, path, faults)
    return Node(step_id, "step", "", label, str(data.get("rule", "")), None, (), more=more, since=since)


def _label(
    data: Mapping[str, Any], path: tuple[str | int, ...], faults: list[Diagnostic]
) -> tuple[str, int, str]:
    """Return the label with a plain `{n}`, what is added to the count, and what the count begins with."""
    key = "phase" if "phase" in data else "segment"
    written = str(data.get(key, ""))
    match = _COUNT.search(written)
    label = _COUNT.sub("{n}", written)
    for field in _FIELD.findall(label):
        if field not in ("n", "player", "power"):
            message = Message("engine.outline.no-field-of-label", field=field)
            faults.append(Diagnostic("unknown-field", message, path=(*path, key)))
    return label, int(match[1] or 0) if match else 0, (match[2] or "") if match else ""


def _kind(data: Mapping[str, Any]) -> tuple[Kind, str]:
    if "leaf" in data:
        return "leaf", str(data["leaf"])
    if "each_player" in data:
        return "each", str(data["each_player"])
    if "each_power" in data:
        return "powers", str(data["each_power"])
    if "repeat_while" in data:
        return "repeat", str(data["repeat_while"])
    return "group", ""
