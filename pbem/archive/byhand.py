"""Adjudicating without a game folder, for a GM who keeps files by hand (product 3): a state file and signed
orders in, the next state and the report out. The same code runs the stage as in a folder.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, cast

from pbem.archive import layout, swift
from pbem.archive import private as private_side
from pbem.archive.advance import kept_from
from pbem.archive.changes import commit
from pbem.archive.line import Line, check_content, check_place, when
from pbem.archive.opening import open_sealed
from pbem.archive.private import Private
from pbem.archive.receipts import words_for
from pbem.archive.stage import Render, StageResult, check_forfeits, collect, finish, publish, with_own_link
from pbem.archive.swift import Setting
from pbem.engine import system as systems
from pbem.model import state as states
from pbem.model.state import GameState
from pbem.text.canonical import NotCanonical, dumps
from pbem.text.diagnostics import Diagnostic, Refused
from pbem.text.json_first import read_state_text
from pbem.trust import armour
from pbem.trust.accept import accept
from pbem.trust.armour import Signed
from pbem.trust.errors import NotAccepted, TrustError
from pbem.trust.keys import Passphrase, Signer
from pbem.trust.roster import Roster
from pbem.trust.statements import Statement

Read = Callable[[bytes], Iterable[Signed]]
"""Finds the signed statements in the bytes of a file."""


def adjudicate_files(
    state_path: Path,
    order_paths: Sequence[Path],
    out: Path | None,
    private: Path,
    signer: Signer,
    *,
    forfeits: Collection[str] = (),
    dry_run: bool = False,
    by: str | None = None,
    render: Render | None = None,
    read: Read | None = None,
    passphrase: Passphrase | None = None,
) -> StageResult:
    """Run the stage after a state file with the orders in the given files; write everything below `out`.

    The state file is the GM's whole state, whose `game` has roster, stage, head, seed and asked. `private` is
    the GM's `private` folder. `read` finds statements in a file; without it the text is searched for armour,
    which does for `.pbem.txt`. Refused as in a folder; statements that do not count are named in `refused`.
    """
    state = load_state(state_path)
    line = line_of(state, str(state_path))
    setting, side = _setting(line, private, passphrase)
    refused: list[str] = []
    arrived = _arrived(line, order_paths, read or _armoured, refused)
    gm, seal_key = setting.gm, side.seal_key
    _check_key(line, gm, signer)
    collected = collect(_readable(arrived, line, gm, seal_key, refused), line, gm, seal_key)
    check_forfeits(line, forfeits)
    missing = collected.missing(line, forfeits)
    if missing:
        return StageResult(line.open_stage, False, missing, refused=refused)
    kept = kept_from(_kept(state_path, private))
    given = collected.given(line, frozenset(forfeits), kept)
    given = with_own_link(line, given, gm, side.chain(line.roster.terms.chain_length))
    done = swift.run(setting, state, given)
    if dry_run:
        return StageResult(line.open_stage, True, {}, done, refused=refused)
    assert out is not None, "a run that is not dry has a place for its results"
    publication = publish(setting, signer, line, done, collected.signed, by, render)
    out.mkdir(parents=True, exist_ok=True)
    written = commit(out, publication.changes)
    return replace(finish(out, publication, line.open_stage, done, written), refused=refused)


# --- reading --------------------------------------------------------------------------------------------


def load_state(path: Path) -> GameState:
    """A state file, in JSON or restricted YAML; Refused with what is wrong with it."""
    try:
        data = path.read_bytes()
    except OSError as fault:
        message = f"{path} cannot be read: {(fault.strerror or str(fault)).lower()}"
        raise Refused(Diagnostic("unreadable-file", message)) from None
    from pbem.text.schema import check, find

    document = read_state_text(data, str(path))
    faults = check(document.data, find("state"), document)
    if faults:
        raise Refused(faults)
    loaded = cast(dict[str, Any], document.data)
    if "game" not in loaded:
        message = f"{path} has no `game`: it is not the GM's whole state"
        raise Refused(Diagnostic("missing-key", message))
    return states.from_json(loaded)


def line_of(state: GameState, name: str) -> Line:
    """Where the game stands, from the state's `game`; Refused if it does not say so."""
    game = cast(dict[str, Any], state.game)
    try:
        roster = Roster.parse(dumps(game["roster"]))
        asked = {party: tuple(keys) for party, keys in game["asked"].items()}
        head, stage, seed = game["head"], game["stage"], game.get("seed")
        line = Line(roster, stage, head, bytes.fromhex(seed) if seed else roster.game_id, asked)
        bytes.fromhex(head)
    except (KeyError, TypeError, ValueError, AttributeError):
        message = f"{name}: `game` must have roster, stage, head, seed and asked, as pbem writes it"
        raise Refused(Diagnostic("bad-game", message, path=("game",))) from None
    except (TrustError, NotCanonical) as fault:
        raise Refused(Diagnostic("bad-game", f"{name}: {fault}", path=("game", "roster"))) from None
    if line.over:
        raise Refused(Diagnostic("game-over", "the game is over: nobody is asked anything"))
    return line


def _setting(line: Line, private: Path, passphrase: Passphrase | None) -> tuple[Setting, Private]:
    if private.name != layout.PRIVATE or not private.is_dir():
        message = f"{private} is not the GM's `private` folder, where seal key and chain secret lie"
        raise Refused(Diagnostic("no-secret", message))
    side = Private(private.parent, passphrase)
    system = systems.find(line.roster.terms.module.name)
    if system.digest != line.roster.terms.module.sha256:
        message = f"the game is played with {line.roster.terms.module.version}, installed is {system.version}"
        raise Refused(Diagnostic("other-rules", message))
    return Setting(system, line.roster, side.gm_secret), side


def _check_key(line: Line, gm: str, signer: Signer) -> None:
    if signer.public != line.roster.by_id[gm].sign:
        raise Refused(Diagnostic("other-key", f"this key is not the one {gm} has in the roster"))


def _kept(state_path: Path, private: Path) -> Any:
    """The openings that wait, which were written beside the state: there, or in the private folder."""
    name = Path(private_side.KEPT).name
    for path in (state_path.parent / name, state_path.parent / layout.PRIVATE / name, private / name):
        if path.is_file():
            return json.loads(path.read_bytes())
    return None


def _armoured(data: bytes) -> Iterable[Signed]:
    return armour.sound(armour.read(data.decode("utf-8", "replace")))


def _arrived(
    line: Line, paths: Sequence[Path], read: Read, refused: list[str]
) -> list[tuple[Statement, Signed]]:
    """The statements for the open stage in some files; the others are named with the reason."""
    roster = line.roster
    arrived: dict[str, tuple[Statement, Signed]] = {}
    for path in paths:
        try:
            found = list(read(path.read_bytes()))
        except OSError as fault:
            raise Refused(
                Diagnostic("unreadable-file", f"{path}: {(fault.strerror or '').lower()}")
            ) from None
        if not found:
            refused.append(f"{path}: nothing in it is signed")
        for signed in found:
            for signature in signed.signatures[:1]:
                try:
                    one = accept(
                        signed.data,
                        signature,
                        parties=roster.parties,
                        game=roster.game,
                        dice=roster.terms.dice,
                    )
                    _judge(line, one)
                except NotAccepted as fault:
                    refused.append(f"{path}: {fault}")
                else:
                    arrived[one.sid] = (one, Signed(signed.data, (signature,)))
    return list(arrived.values())


def _judge(line: Line, one: Statement) -> None:
    if one.type not in ("order", "standing"):
        raise NotAccepted("role", f"the {words_for(one)} is not needed here")
    if when(line, one) != "now":
        raise NotAccepted("stage", f"the {words_for(one)} is not for stage {line.open_stage}")
    check_place(line, one)
    check_content(one, systems.find(line.roster.terms.module.name).hidden)


def _readable(
    arrived: list[tuple[Statement, Signed]], line: Line, gm: str, seal_key: bytes, refused: list[str]
) -> list[tuple[Statement, Signed]]:
    """Those whose seal opens; the others are named."""
    good = []
    for statement, signed in arrived:
        try:
            open_sealed(statement, line, gm, seal_key)
        except NotAccepted as fault:
            refused.append(f"{words_for(statement)}: {fault}")
        else:
            good.append((statement, signed))
    return good
