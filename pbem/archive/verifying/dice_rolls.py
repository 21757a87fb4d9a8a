"""The dice ledger of a folder: every roll with label, result, seed, and a recipe without pbem.

Protocol 9.2.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from pbem.archive.folder.parts import Readable
from pbem.text import narrow
from pbem.text.canonical import Json
from pbem.text.dataclass import dataclass
from pbem.text.messages import Message
from pbem.trust import dice
from pbem.trust.hashing import lp

_SHOWN = 24


@dataclass(frozen=True)
class Rolled:
    """One roll of a stage's events.

    `made_in` is the stage whose seed it comes from, `fits` whether that seed gives it.

    `command` prints the bytes the roll is made from, `how` says how they become the result; both are None,
    and so is `fits`, where the seed is not known here (a hidden roll before the game is unsealed).
    """

    stage: int
    made_in: int
    label: Sequence[str | int]
    what: str
    result: Sequence[Json]
    hidden: bool
    seed: str | None
    fits: bool | None
    command: str | None
    how: str | None


def dice_ledger(folder: Readable, stages: Iterable[int] | None = None) -> list[Rolled]:
    """Return the rolls in the public events of these (or all) stages, in the order they were made."""
    numbers = range(1, folder.stage + 1) if stages is None else sorted(stages)
    return [roll for stage in numbers for roll in _of_stage(folder, stage)]


def _of_stage(folder: Readable, stage: int) -> Iterator[Rolled]:
    for roll in dice.rolls_in(folder.events(stage)):
        made_in = narrow.number(roll.get("stage", stage))
        hidden = roll.get("hidden") is True
        seed = seed_of(folder, made_in, hidden)
        label = _label(roll)
        command, how = dice_recipe(roll, seed) if seed is not None else (None, None)
        fits = dice.recompute(roll, seed) == roll["result"] if seed is not None else None
        shown = seed.hex() if seed is not None else None
        result = narrow.items(roll["result"])
        yield Rolled(stage, made_in, label, _what(roll), result, hidden, shown, fits, command, how)


def seed_of(folder: Readable, stage: int, hidden: bool = False) -> bytes | None:
    """Return the seed of a stage's rolls; of hidden ones None if the GM's secret is unknown."""
    seed = folder.record(stage).seed
    if seed is None or not hidden or not folder.system.hidden:
        return seed
    if folder.knows_all:
        secret: bytes | None = folder.secret_for(stage)
    else:
        secret = _unsealed(folder, stage)
    if secret is None:
        return None
    return dice.hidden_seed(seed, dice.hidden_key(secret, folder.need_roster().game_id, stage))


def _unsealed(folder: Readable, stage: int) -> bytes | None:
    from pbem.stages.unseal_checks import secrets_in
    from pbem.trust.roster import secret_commitment

    published = secrets_in(folder.of(folder.stage + 1, "unseal"))
    committed, salt = folder.need_roster().secret_at(stage), folder.terms.salt
    return next((secret for secret in published if secret_commitment(salt, secret) == committed), None)


def _label(roll: dict[str, Json]) -> list[str | int]:
    return [part if isinstance(part, int) else narrow.text(part) for part in narrow.items(roll["label"])]


def dice_recipe(roll: dict[str, Json], seed: bytes) -> tuple[str, str]:
    """Return a command line that prints the bytes of a roll's stream, and how they become the result."""
    label = _label(roll)
    message = lp(b"pbem/v1/roll") + lp(seed) + lp(dice.label_bytes(label))
    length = max(_SHOWN, 4 * _numbers(roll))
    command = f"echo {message.hex()} | xxd -r -p | openssl dgst -shake256 -xoflen {length}"
    return command, _how(roll)


def _numbers(roll: dict[str, Json]) -> int:
    """Return how many random numbers the roll takes."""
    if isinstance(roll.get("dice"), str):
        return dice.parse_dice(narrow.text(roll["dice"]))[0]
    items = roll.get("shuffle", roll.get("from"))
    return len(items) if isinstance(items, list) else 0


def _what(roll: dict[str, Json]) -> str:
    if isinstance(roll.get("dice"), str):
        return narrow.text(roll["dice"])
    if "draw" in roll:
        return Message("archive.verifying.draw", drawn=roll["draw"], count=len(narrow.items(roll["from"])))
    return Message("archive.verifying.shuffle", count=len(narrow.items(roll["shuffle"])))


def _how(roll: dict[str, Json]) -> str:
    if isinstance(roll.get("dice"), str):
        sides = dice.parse_dice(narrow.text(roll["dice"]))[1]
        width = max(1, ((sides - 1).bit_length() + 7) // 8)
        limit = 256**width - 256**width % sides
        return Message(
            "archive.verifying.dice-from-bytes", many=width > 1, width=width, limit=limit, sides=sides
        )
    return Message("archive.verifying.for-place-n-from-last-to-second")
