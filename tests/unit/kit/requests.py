"""Runs a coroutine of the rules as the engine does: what it waits for is answered from a list."""

from __future__ import annotations

from collections.abc import Coroutine
from typing import Any

from pbem.engine.requests import RollRequest, ShuffleRequest
from pbem.model.events import Roll, Shuffle


def run(coroutine: Coroutine[Any, Any, Any], *answers: tuple[Any, ...]) -> tuple[Any, list[Any]]:
    """The result, and everything that was asked for. A roll takes its dice, a shuffle its new order."""
    left, asked, send = list(answers), [], None
    while True:
        try:
            request = coroutine.send(send)
        except StopIteration as done:
            assert not left, f"nobody asked for {left}"
            return done.value, asked
        asked.append(request)
        assert left, f"no answer is left for {request}"
        answer = left.pop(0)
        if isinstance(request, RollRequest):
            send = Roll((*request.words, 1), request.dice, answer, hidden=request.hidden)
        else:
            assert isinstance(request, ShuffleRequest) and sorted(request.items) == sorted(answer)
            send = Shuffle((*request.words, 1), request.items, answer, hidden=request.hidden)
