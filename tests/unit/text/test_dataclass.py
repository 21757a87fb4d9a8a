"""`pbem.text.dataclass` gives the classes of the standard library; it has them made when they are used."""

from __future__ import annotations

import copy
import dataclasses
import inspect
import pickle
from collections.abc import Callable
from dataclasses import FrozenInstanceError, InitVar, field
from functools import cached_property
from typing import Any, ClassVar

import pytest

from pbem.text import dataclass as late
from pbem.text.dataclass import dataclass as ours

Make = Callable[[Any], Any]
BOTH = pytest.mark.parametrize("make", [ours, dataclasses.dataclass], ids=["late", "library"])


def full(make: Make) -> Any:
    """A frozen class with every usual kind of field."""

    @make(frozen=True)  # type: ignore[call-arg]
    class Full:
        a: int
        b: str = "b"
        c: tuple[int, ...] = field(default_factory=tuple)
        d: int = field(default=4, compare=False)
        e: list[int] = field(default_factory=list, init=False, repr=False, hash=False)
        f: int = field(default=6, kw_only=True)
        g: int = field(kw_only=True)

        @cached_property
        def twice(self) -> int:
            return 2 * self.a

    return Full


@BOTH
def test_arguments_defaults_and_how_it_is_shown(make: Make) -> None:
    one = full(make)(1, c=(2, 3), g=7)
    assert [getattr(one, name) for name in "abcdefg"] == [1, "b", (2, 3), 4, [], 6, 7]
    assert repr(one).endswith("Full(a=1, b='b', c=(2, 3), d=4, f=6, g=7)")
    assert [*vars(one)] == [*"abcdefg"], "fields are set in their order"
    assert one.e is not full(make)(1, g=7).e
    with pytest.raises(TypeError):
        full(make)(1)


@BOTH
def test_the_same_fields_are_equal_and_have_one_hash(make: Make) -> None:
    made = full(make)
    one, same, other = made(1, g=7), made(1, d=9, g=7), made(2, g=7)
    assert one == same and hash(one) == hash(same) and one != other
    assert one != full(make)(1, g=7), "another class, another thing"
    assert len({one, same, other}) == 2


@BOTH
def test_a_frozen_object_does_not_change(make: Make) -> None:
    one = full(make)(1, g=7)
    for change in (lambda: setattr(one, "a", 2), lambda: setattr(one, "z", 2), lambda: delattr(one, "a")):
        with pytest.raises(FrozenInstanceError):
            change()
    assert one.twice == 2 and one.a == 1


@BOTH
def test_an_open_object_changes_and_has_no_hash(make: Make) -> None:
    @make
    class Open:
        a: int = 1

    one = Open()
    one.a = 2
    assert one == Open(2)
    with pytest.raises(TypeError):
        hash(one)


@BOTH
def test_what_a_class_says_itself_stays(make: Make) -> None:
    @make(frozen=True)  # type: ignore[call-arg]
    class Own:
        a: int

        def __eq__(self, other: object) -> bool:
            return True

        def __repr__(self) -> str:
            return "own"

        def __hash__(self) -> int:
            return 5

    assert Own(1) == Own(2) and repr(Own(1)) == "own" and hash(Own(1)) == 5


@BOTH
def test_fields_of_bases_come_first_and_are_replaced(make: Make) -> None:
    @make(frozen=True)  # type: ignore[call-arg]
    class Base:
        a: int
        b: int = 2

        def __post_init__(self) -> None:
            object.__setattr__(self, "seen", self.a + self.b)

    class Between(Base):
        def more(self) -> int:
            return 1

    @make(frozen=True)  # type: ignore[call-arg]
    class Derived(Between):
        b: int = 3
        c: int = 4

    assert [f.name for f in dataclasses.fields(Derived)] == ["a", "b", "c"]
    assert Derived(1).b == 3 and Derived(1).seen == 4 and Between(1).seen == 3
    assert Derived.__match_args__ == ("a", "b", "c")


@BOTH
def test_the_functions_of_the_standard_library_know_the_class(make: Make) -> None:
    made = full(make)
    one = made(1, g=7)
    assert dataclasses.is_dataclass(made) and vars(made)["__dataclass_params__"].frozen
    assert [f.name for f in dataclasses.fields(one)] == [*"abcdefg"]
    assert [f.type for f in dataclasses.fields(one)][:2] == ["int", "str"]
    assert dataclasses.asdict(one)["c"] == () and dataclasses.astuple(one)[0] == 1
    assert copy.copy(one) == one == copy.deepcopy(one)
    signature = inspect.signature(made)
    assert [*signature.parameters] == ["a", "b", "c", "d", "f", "g"]
    assert signature.parameters["b"].default == "b"
    with pytest.raises((ValueError, TypeError), match="init=False"):  # TypeError since Python 3.13
        dataclasses.replace(one, e=[])


@BOTH
def test_a_copy_with_other_fields(make: Make) -> None:
    @make(frozen=True)  # type: ignore[call-arg]
    class Pair:
        a: int
        b: int = 0

    assert dataclasses.replace(Pair(1), b=2) == Pair(1, 2)


@ours(frozen=True)
class Kept:
    """At the top of a module, where pickle finds it."""

    a: int


def test_it_can_be_pickled() -> None:
    assert pickle.loads(pickle.dumps(Kept(1))) == Kept(1)


@BOTH
def test_rare_annotations(make: Make) -> None:
    @make
    class Rare:
        kind: ClassVar[str] = "k"
        start: InitVar[int]
        a: int = 0

        def __post_init__(self, start: int) -> None:
            self.a = start

    assert Rare(3).a == 3 and [f.name for f in dataclasses.fields(Rare)] == ["a"]


@pytest.mark.parametrize("base", [ours, dataclasses.dataclass])
@pytest.mark.parametrize("derived", [ours, dataclasses.dataclass])
def test_families_of_both_decorators(base: Make, derived: Make) -> None:
    @base(frozen=True)  # type: ignore[call-arg]
    class Base:
        a: int

    @derived(frozen=True)  # type: ignore[call-arg]
    class Derived(Base):
        b: int

    assert Derived(1, 2) == Derived(1, 2) and hash(Derived(1, 2)) == hash(Derived(1, 2))
    with pytest.raises(FrozenInstanceError):
        Derived(1, 2).a = 3
    with pytest.raises(TypeError, match="frozen"):
        derived(type("Open", (Base,), {"__annotations__": {"b": "int"}}))(1, 2)


@BOTH
def test_faults_of_a_class_are_told_when_it_is_first_used(make: Make) -> None:
    def late() -> None:
        make(type("Late", (), {"__annotations__": {"a": "int", "b": "int"}, "a": 1}))()

    def mutable() -> None:
        make(type("Mutable", (), {"__annotations__": {"a": "list[int]"}, "a": []}))()

    def bare() -> None:
        make(type("Bare", (), {"a": field(default=1)}))()

    for wrong, fault in ((late, TypeError), (mutable, ValueError), (bare, TypeError)):
        with pytest.raises(fault):
            wrong()


def small() -> Any:
    @ours(frozen=True)
    class Small:
        a: int

    return Small


def waits(kind: Any) -> bool:
    return not inspect.isfunction(vars(kind)["__init__"])


def test_a_class_waits_until_it_is_used(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(late, "_waiting", {})

    uses: list[Callable[[Any], object]] = [
        lambda kind: kind(1),
        dataclasses.fields,
        dataclasses.is_dataclass,
        inspect.signature,
        lambda kind: kind.__match_args__,
        lambda kind: object.__new__(kind) == 1,
        lambda kind: type("Heir", (kind,), {})(1),
    ]
    for use in uses:
        kind = small()
        assert waits(kind)
        use(kind)
        assert not waits(kind)
        assert dataclasses.fields(kind)[0].name == "a" and kind(1) == kind(1)


def test_a_program_of_several_threads_has_no_class_that_waits(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(late, "_waiting", {})
    before = small()
    assert waits(before)
    late.no_waiting()
    assert not waits(before) and not waits(small())
