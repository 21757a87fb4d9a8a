"""Which names the determinism lint takes for a function's own, and what they were bound to."""

from __future__ import annotations

import pytest

from pbem.engine.linting.lint import lint

OWN = {
    "a loop": "for input in xs:\n        input()",
    "a comprehension": "return [input() for input in xs]",
    "unpacking": "a, input = xs\n    input()",
    "unpacking in depth": "(a, [*input]) = xs\n    input()",
    "several targets": "a = input = xs\n    input()",
    "with": "with xs as input:\n        input()",
    "with and unpacking": "with xs as (a, input):\n        input()",
    "except": "try:\n        xs()\n    except KeyError as input:\n        input()",
    "match": "match xs:\n        case [input, *_]:\n            input()",
    "the rest of a match": "match xs:\n        case [_, *input]:\n            input()",
    "a match as": "match xs:\n        case int() as input:\n            input()",
    "an import": "from pbem.rules import input\n    input()",
    "an import under a name": "from pbem.rules import ask as input\n    input()",
    "an assignment in an expression": "if (input := xs):\n        input()",
    "an annotated name": "input: int = xs\n    input()",
    "an inner function": "def input():\n        pass\n    input()",
    "the function around": "input = xs\n    return lambda a: input()",
}
OTHERS = {
    "another loop": "for a in xs:\n        input()",
    "another name of the match": "match xs:\n        case [a, *_]:\n            input()",
    "except without a name": "try:\n        xs()\n    except KeyError:\n        input()",
    "with without a name": "with xs:\n        input()",
    "an attribute": "xs.input = 1\n    input()",
    "an index": "xs[input], a = 1, 2\n    input()",
    "an argument of an inner function": "def g(input):\n        pass\n    input()",
    "a name of a class": "class A:\n        input = 1\n\n        def g(self):\n            input()",
}


@pytest.mark.parametrize("name", OWN)
def test_a_name_that_a_function_binds_is_no_builtin(name: str) -> None:
    assert lint(f"def f(xs):\n    {OWN[name]}\n", "x.py") == []


@pytest.mark.parametrize("name", OTHERS)
def test_what_binds_other_names_leaves_the_builtin(name: str) -> None:
    (fault,) = lint(f"def f(xs):\n    {OTHERS[name]}\n", "x.py")
    assert fault.rule == "D5"


@pytest.mark.parametrize("kind", ["*input", "**input", "a, *, input", "input, /, a"])
def test_arguments_of_every_kind_are_the_function_s_own(kind: str) -> None:
    assert lint(f"def f({kind}):\n    input()\n", "x.py") == []


@pytest.mark.parametrize(("then", "breaches"), [("us = g.units", ["D7"]), ("us = list(g.units)", [])])
def test_what_was_bound_last_counts(then: str, breaches: list[str]) -> None:
    before = "us = list(g.units)" if breaches else "us = g.units"
    source = f"async def f(g):\n    {before}\n    {then}\n    for x in us:\n        await x\n"
    assert [fault.rule for fault in lint(source, "x.py")] == breaches


@pytest.mark.parametrize("body", ["x = x / 2", "a = b / 2\n    b = a / 2", "x, y = 1, 2\n    x /= y"])
def test_a_name_that_is_made_of_itself(body: str) -> None:
    assert {fault.rule for fault in lint(f"def f(x):\n    {body}\n    return x / 3\n", "x.py")} == {"D3"}
    exact = (
        "from fractions import Fraction\n\ndef f(x):\n    x = Fraction(x)\n    x = x / 2\n    return x / 3\n"
    )
    assert lint(exact, "x.py") == []


def test_an_import_or_a_class_of_the_module_is_changed_by_nobody() -> None:
    """Within a function; what a function imports for itself is its own, and so is an instance."""
    for source, breaches in (
        ("import a.b\n\ndef f():\n    a.c = 1\n", ["D8"]),
        ("import a.b as c\n\ndef f():\n    c.d = 1\n", ["D8"]),
        ("class A:\n    pass\n\ndef f():\n    A.n = 1\n", ["D8"]),
        ("class A:\n    pass\n\nA = A()\n\ndef f(A):\n    A.n = 1\n", []),
        ("def f():\n    from pbem import rules\n    rules.n = 1\n", []),
    ):
        assert [fault.rule for fault in lint(source, "x.py")] == breaches, source
