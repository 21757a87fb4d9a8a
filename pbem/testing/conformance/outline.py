"""Tests that the outline and the code agree: each names only what the other has."""

from __future__ import annotations

import inspect

from pbem.engine.registry import Registry
from pbem.engine.system import System

ROLES = ("leaf", "condition", "order", "power_order")


def named(system: System, role: str) -> set[str]:
    """Return the functions of a role that the outline names."""
    nodes = list(system.outline.walk())
    if role == "leaf":
        return {node.name for node in nodes if node.kind == "leaf"}
    if role in ("order", "power_order"):
        kind = "each" if role == "order" else "powers"
        return {node.name for node in nodes if node.kind == kind}
    return {node.name for node in nodes if node.kind == "repeat"} | {node.when for node in nodes if node.when}


def registered(registry: Registry, role: str) -> set[str]:
    return set(getattr(registry, role))


def test_every_name_in_the_outline_is_registered(system: System) -> None:
    for role in ROLES:
        missing = named(system, role) - registered(system.registry, role)
        assert not missing, f"no {role} is registered as {sorted(missing)}"


def test_nothing_is_registered_that_the_outline_does_not_use(system: System) -> None:
    for role in ROLES:
        unused = registered(system.registry, role) - named(system, role)
        assert not unused, f"no line of the outline uses the {role} {sorted(unused)}"


def test_leaves_are_coroutines_and_the_rest_are_not(system: System) -> None:
    for name, function in system.registry.leaf.items():
        assert inspect.iscoroutinefunction(function), f"the leaf {name} is no `async def`"
        assert list(inspect.signature(function).parameters) == ["game", "phasing"], name
        assert (function.__doc__ or "").strip(), f"the leaf {name} does not say what it is for"
    for name, function in system.registry.condition.items():
        assert not inspect.iscoroutinefunction(function), f"the condition {name} must not wait"
        assert list(inspect.signature(function).parameters) == ["game", "phasing"], name
    for name, function in [*system.registry.order.items(), *system.registry.power_order.items()]:
        assert not inspect.iscoroutinefunction(function), f"the order {name} must not wait"
        assert list(inspect.signature(function).parameters) == ["game"], name


def test_leaves_and_their_lines_in_the_outline_have_the_same_rule(system: System) -> None:
    for node in system.outline.walk():
        if node.kind == "leaf":
            _, _, rule = system.leaf(node.name).__pbem__  # type: ignore[attr-defined]
            assert rule, f"{node.name} has no rule number"
            assert node.rule.split(" ")[0] == rule, f"{node.id}: rule {node.rule}, the procedure says {rule}"


def test_ids_cannot_be_mistaken_for_decisions_or_players(system: System) -> None:
    """Check that ids are distinct, because keys combine them.

    Order files may name a decision by its kind alone.
    """
    ids = {node.id for node in system.outline.walk()}
    assert not ids & set(system.registry.decisions)
    seats = {seat for name in system.scenarios() for seat in system.players(system.scenario(name))}
    assert not ids & seats


def test_labels_hold_nothing_but_count_and_player(system: System) -> None:
    for node in system.outline.walk():
        left = node.label.replace("{n}", "").replace("{player}", "").replace("{power}", "")
        assert not set("{}") & set(left), f"{node.id}: {node.label}"
    counting = {inner.id for node in system.outline.walk() if node.kind == "repeat" for inner in node.walk()}
    for node in system.outline.walk():
        assert "{n}" not in node.label or node.id in counting, f"{node.id} counts nothing"


def test_every_leaf_says_where_the_game_stands(system: System) -> None:
    for node in system.outline.walk():
        if node.kind == "step" or (node.kind == "leaf" and not node.steps):
            assert node.label, f"the {node.kind} {node.id} has neither phase nor segment"
