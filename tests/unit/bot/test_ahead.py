"""What an ordinary player sends ahead with the answers that he owes."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any, cast

from pbem.bot.ahead import _Made
from pbem.engine.rehearsal import Foreseen, Rehearsed
from tests.primer import SYSTEM


def foreseen(kind: str, key: str) -> Foreseen:
    """A secret question that the player foresees."""
    decision = SimpleNamespace(kind=kind, secrecy="together")
    return cast(Foreseen, SimpleNamespace(decision=decision, question=SimpleNamespace(key=key), answer=1))


def test_a_secret_of_a_kind_that_is_asked_is_not_sent_ahead() -> None:
    """It goes by its kind alone, so it would answer the question that is asked a second time."""
    view = cast(Any, SimpleNamespace(system=SYSTEM, stage=1))
    made = _Made(view, [cast(Any, SimpleNamespace(kind="bid", key="now/bid"))], {"now/bid": 2})
    for kind in ("bid", "stake", "stake"):
        made.add(foreseen(kind, f"later/{kind}"), cast(Rehearsed, None), secrets=True)
    assert made.secrets == {"stake": 1}
