"""The table of a game by mail: who may write, what is sent back on a page, what others sent, what waits."""

from __future__ import annotations

import html
import json
import re
from pathlib import Path
from urllib.parse import urlencode

import pytest

from pbem.archive import order_file
from pbem.cli.games.memory import Memory
from pbem.cli.web.desk import Desk, name_of
from pbem.cli.web.intake import entries, look_at
from pbem.cli.web.post import invitations
from tests.cli.play import Seat, Table
from tests.cli.test_table import Visitor

FORM = {"CONTENT_TYPE": "application/x-www-form-urlencoded"}


class At(Visitor):
    """Somebody at their own folder of a game."""

    def __init__(self, seat: Seat) -> None:
        self.desk = Desk(seat.root, Memory(seat.root.with_suffix(".json")))
        self.base = f"/g/{name_of(seat.root)}"
        self.folder = self.desk.open(name_of(seat.root))
        super().__init__(self.desk)

    def page(self, name: str) -> str:
        return html.unescape(self.ask("GET", f"{self.base}/{name}").text)

    def fill(self, name: str, *pairs: tuple[str, str]) -> str:
        return html.unescape(self.ask("POST", f"{self.base}/{name}", urlencode(pairs).encode(), **FORM).text)


def test_only_who_is_asked_finds_an_order_file_to_write(table: Table) -> None:
    asked = [seat.owes for seat in table.everybody]
    assert True in asked and False in asked
    for seat, owes in zip(table.everybody, asked, strict=True):
        at = At(seat)
        page = at.page("orders")
        assert ('<textarea id="text" name="text"' in page) == owes == ("answers:" in page)


def test_a_preview_carries_what_was_typed_and_no_passphrase(table: Table) -> None:
    """The form that signs sends it again; the passphrase is typed anew, and nothing empty is sent."""
    at = At(table.gm)
    sent = [("what", "amend-option"), ("setting", "turns=3"), ("passphrase", "moon and sun"), ("empty", "")]
    page = at.fill("do", *sent)
    hidden = dict(re.findall(r'type="hidden" name="([^"]+)" value="([^"]*)"', page))
    assert hidden == {"what": "amend-option", "setting": "turns=3"}, page
    assert "moon and sun" not in page and 'name="yes"' in page


@pytest.mark.parametrize("who", ["gm", "north"])
def test_the_entry_of_somebody_else_can_be_proposed_and_no_own_one(table: Table, who: str) -> None:
    """An entry is the same email as at the beginning of a game; before that there is nothing to propose."""
    (join,) = table.players["north"].root.glob("outbox/join-*.eml")
    sent = [("join.eml", join.read_bytes()), ("other.eml", b"hello")]
    folder = At(table.gm if who == "gm" else table.players[who]).folder
    found = entries(folder, sent)
    assert [(one.seat, one.name, one.deputy) for one in found] == [("north", "North", False)] * (who == "gm")


def test_an_invitation_that_was_answered_is_for_its_game_and_not_answered_again(
    table: Table, tmp_path: Path
) -> None:
    """A GM may answer the own one, for a player without a program."""
    sent = [("a.eml", table.invitation.read_bytes())]
    for seat, invited in ((table.players["north"], 0), (table.gm, 1)):
        arrived = look_at(At(seat).desk, sent)
        assert (len(arrived.invitations), len(arrived.games)) == (invited, 1 - invited)
        assert arrived.foreign == 0
    (tmp_path / "empty").mkdir()
    arrived = look_at(Desk(tmp_path / "empty", Memory(tmp_path / "none.json")), sent)
    assert (len(arrived.invitations), len(arrived.games)) == (1, 0)


def test_a_list_of_standing_orders_is_the_written_one_else_the_one_in_force(fog: Table) -> None:
    seat = next(one for one in fog.players.values() if one.owes)
    at = At(seat)
    for most in ("1", "2"):
        at.fill("standing/reaction", ("f.retreat_at_most", most))
    listed = [{"reaction": {"retreat_at_most": 1}}, {"reaction": {"retreat_at_most": 2}}]

    def written() -> object:
        path = next((seat.root / "private").glob("orders-*.yaml"))
        return order_file.load(at.folder, path.read_bytes(), "orders").data.get("standing")

    assert written() == listed
    for wrong in ("2", "x", ""):
        at.fill("standing", ("number", wrong))
        assert written() == listed
    at.fill("standing", ("number", "0"))
    assert written() == listed[1:]


def test_a_page_of_somebody_who_is_asked_nothing_gets_its_state_without_options(table: Table) -> None:
    at = At(table.players["south"])
    said = at.ask("GET", f"{at.base}/state")
    state = json.loads(said.body)
    assert said.status == 200 and state["questions"] == [] and "options" not in state


def test_an_invitation_that_leads_elsewhere_is_not_offered_to_be_sent(tmp_path: Path) -> None:
    table = Table(tmp_path, "primer", ("north", "south"))
    assert invitations(At(table.gm).folder) == [table.invitation.name]
    (tmp_path / "secret").write_text("not yours")
    table.invitation.with_name("more.pbem-invitation").symlink_to(tmp_path / "secret")
    at = At(table.gm)
    assert invitations(at.folder) == [table.invitation.name] and "not yours" not in at.page("post")


def test_a_rule_of_a_system_without_rulings_is_shown_or_unknown(table: Table) -> None:
    at = At(table.players["north"])
    assert [at.ask("GET", f"{at.base}/rule/{number}").status for number in ("2.1", "99.9")] == [200, 404]
