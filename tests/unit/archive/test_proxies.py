"""A friend without the tool: the GM holds his keys and writes down what he mails; everybody is told so."""

from __future__ import annotations

from pathlib import Path

from pbem.archive.setting_up import before_the_game
from pbem.archive.verifying.verify import verify
from pbem.engine.system import System
from tests.unit.archive.table import Seat, Table, chooser
from tests.unit.archive.test_amendments import is_sound
from tests.unit.archive.test_takeovers import newcomer, taken_over


class ProxyTable(Table):
    """South has no computer: his folder is kept by the GM."""

    def __init__(self, root: Path, system: System) -> None:
        self.system = system
        self.gm = Seat(root / "gm", "gm")
        self.players = {name: Seat(root / name, name) for name in ("north", "south")}
        self.sent = []
        before_the_game.new_game(
            self.gm.root, system, "ford", self.gm.person, title="Test at dawn", chain_length=64
        )
        (invitation,) = (self.gm.root / "outbox").glob("*.pbem-invitation")
        found = before_the_game.read_invitation(invitation.read_bytes())
        for name, seat in self.players.items():
            before_the_game.join(seat.root, found, name, seat.person, proxy=name == "south")


def test_his_word_is_the_gms_until_he_takes_over_his_keys(tmp_path: Path, system: System) -> None:
    table = ProxyTable(tmp_path, system)
    table.start()
    table.play_stage(chooser(1))
    assert table.gm.folder.need_roster().by_id["south"].proxy == "gm"
    assert [one.party for one in verify(table.gm.root).of("claimed") if one.code == "proxy"] == ["south"]
    shared = table.players["south"]
    table.players["south"], table.players["north"] = table.players["north"], shared
    new = newcomer(table, "south")  # from the archive that north gives him
    table.players["south"], table.players["north"] = shared, table.players["south"]
    taken_over(table, new, [table.gm, table.players["north"]])
    table.run()
    table.players["south"] = table.players.pop("new")
    assert table.gm.folder.need_roster().by_id["south"].proxy is None
    table.play_stage(chooser(2))
    texts = [one.text for one in verify(new.root).of("claimed") if one.code == "proxy"]
    assert len(texts) == 1 and "from the start to stage 2" in texts[0]
    is_sound(table)
