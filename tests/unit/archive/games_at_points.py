"""Games at various points for tests of what is refused: before the roster, under a lock, with a deputy."""

from __future__ import annotations

import shutil
from functools import cached_property
from pathlib import Path
from typing import Any

import pytest

from pbem.archive.adjudicating import unsealing
from pbem.archive.folder.game_folder import Folder
from pbem.archive.setting_up import before_the_game
from pbem.archive.setting_up.before_the_game import Invitation
from pbem.stages.agreements import Agreement
from pbem.stages.press import Press
from tests.primer import FOG, SYSTEM
from tests.unit.archive.table import Seat, Table, begun
from tests.unit.archive.test_deputies import Deputised, handed_over, with_deputy


class Rooms:
    """Games at various points. What is refused changes nothing, so that all cases of a group share them."""

    patch: pytest.MonkeyPatch

    def __init__(self, root: Path) -> None:
        self.root, self.count = root, 0

    def place(self) -> Path:
        """A folder for something of a case's own."""
        self.count += 1
        return self.root / f"place-{self.count}"

    @cached_property
    def fresh(self) -> Table:
        """All have joined, and the GM has made no roster."""
        table = Table(self.root / "fresh", SYSTEM, "ford", ["north", "south"], chain_length=64)
        table.post()
        return table

    @cached_property
    def half(self) -> Table:
        """The GM has made and signed the roster, and all have it; nobody else has signed."""
        table = self.fresh.copy(self.root / "half")
        before_the_game.sign_roster(table.gm.folder, table.gm.signer)
        table.post()
        return table

    @cached_property
    def open(self) -> Table:
        """Both are asked, and nobody has answered; nothing is hidden."""
        return begun(self.root / "open", SYSTEM, absent="skip")

    @cached_property
    def later(self) -> Table:
        """Two stages have been played, one is asked; nothing is hidden."""
        return begun(self.root / "later", SYSTEM, by=(5, 5))

    @cached_property
    def public(self) -> Table:
        """Only letters to all were agreed."""
        return begun(self.root / "public", SYSTEM, agreed=Agreement(press=Press("public")))

    @cached_property
    def fog(self) -> Table:
        return begun(self.root / "fog", FOG, by=(2, 2), absent="skip")

    @cached_property
    def pair(self) -> Table:
        return begun(self.root / "pair", SYSTEM, by=(5, 5), dice="pair")

    @cached_property
    def locked(self) -> Table:
        return begun(self.root / "locked", SYSTEM, by=(5, 5), dice="locked")

    @cached_property
    def over(self) -> Table:
        """The rules have ended the game; nothing hidden is open yet."""
        return begun(self.root / "over", FOG, over=4, absent="skip", options={"turns": 1})

    @cached_property
    def ended(self) -> Table:
        """The GM has opened everything."""
        table = self.over.copy(self.root / "ended")
        unsealing.unseal(table.gm.folder, table.gm.signer)
        table.post()
        return table

    @cached_property
    def named(self) -> Deputised:
        """All have named a deputy, who has no handover."""
        return with_deputy(self.root / "named", FOG, by=(3,))

    @cached_property
    def handed(self) -> Deputised:
        """The deputy has a handover, and all know it."""
        table = with_deputy(self.root / "handed", FOG, by=(3,))
        handed_over(table)
        return table

    @property
    def invitation(self) -> Invitation:
        (file,) = (self.fresh.gm.root / "outbox").glob("*.pbem-invitation")
        return before_the_game.read_invitation(file.read_bytes())

    def joined(self, role: Any) -> Seat:
        """Somebody who has joined in no seat, before the game."""
        seat = Seat(self.place(), "dora")
        before_the_game.join(seat.root, self.invitation, "dora", seat.person, role=role)
        return seat

    def alone(self, seat: Seat) -> Seat:
        """A copy of somebody's folder, to be spoilt."""
        return seat.copy(self.place() / seat.name)

    def without(self, seat: Seat, *names: str) -> Folder:
        """A copy of somebody's folder that lacks some files."""
        twin = self.alone(seat)
        for name in names:
            for path in twin.root.glob(name):
                shutil.rmtree(path) if path.is_dir() else path.unlink()
        return twin.folder

    def having(self, seat: Seat, name: str, text: str) -> Folder:
        """A copy of somebody's folder with a file that says something else."""
        twin = self.alone(seat)
        path = twin.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        return twin.folder

    def other_rules(self, folder: Folder) -> Folder:
        """The same folder where other rules are installed."""
        self.patch.setitem(vars(SYSTEM), "digest", "ab" * 32)
        return folder
