"""A GM makes up events that the rules do not have: named at once, and no player's tool stumbles (17.32)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import pytest

from pbem.archive.receiving.receive import receive
from pbem.archive.verifying.verify import verify
from pbem.cli.games.telling import renderer
from pbem.model.events import Told
from pbem.stages.views import PlayerView
from tests.adversary.forge import Report, parsed, sid_of
from tests.adversary.play import Game
from tests.unit.archive.table import chooser


def no_kind(report: Report) -> None:
    report.events.append({"event": "meteor", "rule": "9.9", "hex": "0101"})


def strange_field(report: Report) -> None:
    report.events.append(dict(known(report), moon="full"))


def lacking(report: Report) -> None:
    event = known(report)
    field = next(name for name in event if name not in ("event", "rule", "at"))
    report.events.append({name: value for name, value in event.items() if name != field})


def known(report: Report) -> dict[str, Any]:
    """An event of the game as it is, or one that the rules know."""
    found = [one for one in report.events if set(one) - {"event", "rule", "at"}]
    return dict(found[0]) if found else {"event": "bids-opened", "rule": "3.1", "bids": {}}


@pytest.mark.parametrize("invent", [no_kind, strange_field, lacking])
def test_an_event_that_the_rules_do_not_have_makes_the_report_false_at_once(fog: Game, invent: Any) -> None:
    fog.answer()
    report = fog.report()
    invent(report)
    mail = report.mail()
    north = fog.seat("north")
    receipts = receive(north.folder, mail, render=renderer())
    (told,) = [one for one in receipts if parsed_type(mail, one.sid) == "report"]
    assert told.outcome == "refused" and "these rules" in told.reason
    assert north.folder.stage == 0
    assert "duplicate" in [one.outcome for one in receipts] or "taken" in [one.outcome for one in receipts]


def parsed_type(mail: Sequence[Any], sid: str) -> str:
    return next(str(parsed(one)["type"]) for one in mail if sid_of(one) == sid)


def test_verify_names_it_before_the_unseal(fog: Game) -> None:
    """Results wait for the unseal in a game with hidden units; this needs none."""
    fog.play(1)
    fog.answer()
    report = fog.report()
    no_kind(report)
    root = fog.gm.root
    path = next(p for p in (root / "stages/0002").glob("*.json") if p.stem == sid_of(report.honest_report))
    for file in (path, path.with_suffix(".sig")):
        file.unlink()
    for one in report.mail():
        if parsed(one)["type"] == "report":
            new = path.with_name(f"{sid_of(one)}.json")
            new.write_bytes(one.data)
            new.with_suffix(".sig").write_text(one.signatures[0])
    for name in ("record.json", "events.json"):
        (root / "stages/0002" / name).unlink()
    for file in (root / "stages/0002/views").glob("*.bin"):
        file.unlink()
    assert [(one.code, one.stage, one.party) for one in verify(root).of("false")] == [("event", 2, "gm")]


class Stumbling:
    """A renderer that cannot tell this report."""

    def __call__(
        self, reader: str | None, told: Sequence[Told], view: PlayerView, meta: Mapping[str, Any]
    ) -> str:
        raise KeyError("hex")

    say = str

    def to_each(self) -> bool:
        return False

    def news(self, reader: str | None = None) -> str:
        raise KeyError("hex")

    def page(self, reader: str | None) -> tuple[str, bytes]:
        raise KeyError("hex")


def test_whatever_a_renderer_raises_the_report_is_refused_with_a_reason(game: Game) -> None:
    game.answer()
    mail = game.report().mail()
    north = game.seat("north")
    receipts = receive(north.folder, mail, render=Stumbling())
    (told,) = [one for one in receipts if parsed_type(mail, one.sid) == "report"]
    assert told.outcome == "refused" and told.reason == "the report can't be shown (KeyError)"
    assert north.folder.stage == 0
    south = game.seat("south")
    assert all(one.good for one in receive(south.folder, mail, render=renderer()))
    south.answer_all(chooser(1))
