"""Offering a standing order to a player who gives the same "nothing" a second time."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pbem.trust.said import OrderSaid

if TYPE_CHECKING:
    from pbem.archive import Folder, RowStep
    from pbem.cli.web.draft import OrderDraft

LOOKED_AT = 40
"""Stages that are looked through for the last answer of the same kind."""


def again(orders: OrderDraft, step: RowStep) -> dict[str, Any] | None:
    """Return an entry that gives this answer until the game turn is over, where it was given before.

    It is offered for an answer that does nothing (the default of a silent player) to an open
    question.
    """
    from pbem.archive import answers_ahead

    folder, kind = orders.folder, step.decision.kind
    if step.number or step.answer is None or not answers_ahead.may_wait(folder.system, kind):
        return None
    if not _nothing(step) or _last(folder, kind) != step.answer:
        return None
    part = _turn(folder, step)
    if part is None:
        return None
    name = f"always-{kind}-{folder.progress.open_stage}"
    return {"decision": kind, "name": name, "until": part, "answer": step.answer}


def _nothing(step: RowStep) -> bool:
    """Return True if the answer is the default of the rules."""
    from pbem.engine.decisions import NoDefault
    from pbem.model.codec import to_json

    try:
        return bool(to_json(step.decision.default(step.game)) == step.answer)
    except NoDefault:
        return False


def _last(folder: Folder, kind: str) -> Any:
    """Return my last open answer to a question of this kind, or None."""
    progress, me = folder.progress, folder.need_me()
    for stage in range(progress.stage, max(0, progress.stage - LOOKED_AT), -1):
        sid = progress.accepted(stage, me)
        order = folder.find(stage, sid) if sid else None
        body = order.said if order is not None else None
        for given in body.given if isinstance(body, OrderSaid) else ():
            if f"/{kind}/" in f"{given.decision}/":
                return given.answer
    return None


def _turn(folder: Folder, step: RowStep) -> str | None:
    """Return the id of the innermost loop around the question: the game turn or the part that repeats."""
    from pbem.engine.cursor import Cursor, frames_at

    game = step.game
    frames = frames_at(game, step.question.key)
    if not frames:
        return None
    around = Cursor(game.system, game.system.outline, frames).around()
    loops = [node.id for node in around if node.kind == "repeat"]
    return loops[0] if loops else None
