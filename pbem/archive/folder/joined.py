"""The entries of players before the game begins, and the seats of the scenario (4.2)."""

from __future__ import annotations

from pbem.archive.folder import layout
from pbem.archive.folder.parts import Readable
from pbem.stages import scenario_terms
from pbem.trust import joining
from pbem.trust.roster import Party


def joined(folder: Readable) -> dict[str, Party]:
    """Return the entries in this folder by party id; only the GM's folder collects them all."""
    entries: dict[str, Party] = {}
    for entry in layout.entries(folder.root / layout.JOINS):
        if entry.name.endswith(".json") and entry.is_file(follow_symlinks=False):
            name = entry.name.removesuffix(".json")
            data = layout.read(folder.root, f"{layout.JOINS}/{name}.json", layout.PLAYER_LIMIT) or b""
            sig = layout.read(folder.root, f"{layout.JOINS}/{name}.sig", layout.SIG_LIMIT) or b""
            party = joining.accept_join(data, sig.decode("ascii", "replace"), folder.terms)
            entries[party.id] = party
    return entries


def seats(folder: Readable) -> tuple[str, ...]:
    """Return the seats of the scenario, in order."""
    name, _ = scenario_terms.parse_scenario_name(folder.system, folder.terms.scenario.name)
    return folder.system.players(folder.system.scenario(name))


def missing_seats(folder: Readable) -> list[str]:
    """Return seats that nobody has taken yet, as far as this folder knows."""
    have = joined(folder)
    return [seat for seat in seats(folder) if seat not in have]
