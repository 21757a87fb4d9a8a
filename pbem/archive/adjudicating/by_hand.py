"""Adjudication without a game folder, for a GM who keeps files by hand (product 3).

A state file and signed orders go in; the next state and the report come out. The same code runs the stage as
in a folder.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from pbem.archive.adjudicating.gm_stage import StageResult, check_forfeits, finish
from pbem.archive.adjudicating.publishing import Render, publish
from pbem.archive.folder import layout
from pbem.archive.folder import private_side as private_side
from pbem.archive.folder.changes import Changes, commit
from pbem.archive.folder.private_side import Private
from pbem.archive.folder.stage_files import PUBLIC_FORMAT, kept_from
from pbem.engine import pins
from pbem.engine.scenarios.whole_scenario import WholeScenario
from pbem.mail import read as mails
from pbem.model import state as states
from pbem.model.migrations import migrate
from pbem.model.state import GameState
from pbem.stages import running
from pbem.stages.arrived_orders import collect, with_own_link
from pbem.stages.attempt import Live, unopened_commitments
from pbem.stages.progress import Progress, check_content, check_place, when
from pbem.stages.receipts import words_for
from pbem.stages.running import Setting
from pbem.stages.scenario_terms import brought, is_pinned, system_as_played
from pbem.stages.sealed_orders import open_sealed
from pbem.text.canonical import NotCanonical, dumps
from pbem.text.dataclass import dataclass
from pbem.text.diagnostics import Diagnostic, Refused
from pbem.text.json_first import read_state_text
from pbem.text.messages import Message
from pbem.trust.accept import accept
from pbem.trust.armour import Signed
from pbem.trust.errors import NotAccepted, TrustError
from pbem.trust.keys import Passphrase, Signer
from pbem.trust.roster import Roster, Terms
from pbem.trust.statements import Statement

_HOW = "archive.adjudicating.name-private-folder-of-gm"


@dataclass(frozen=True)
class StateFile:
    """A GM's state file: the state, and the game's progress from its `game`."""

    path: Path
    state: GameState
    progress: Progress

    @classmethod
    def open(cls, path: Path) -> StateFile:
        """Return the state file.

        Raises Refused if it is no whole state, or the game is over.
        """
        state = load_state(path)
        return cls(path, state, line_of(state, str(path)))


def adjudicate_files(
    file: StateFile,
    order_paths: Sequence[Path],
    out: Path | None,
    side: Private,
    signer: Signer,
    *,
    forfeits: Collection[str] = (),
    dry_run: bool = False,
    by: str | None = None,
    render: Render | None = None,
) -> StageResult:
    """Run the stage after a state file with the orders in the given files; write everything below `out`.

    `side` is the GM's private side (`side_of`). Refused as in a folder, or if results would spoil a game
    folder or the state file; statements that do not count are named in `refused`.
    """
    state, progress = file.state, file.progress
    setting = _setting(progress, side, signer, file.path)
    refused: list[str] = []
    arrived = _arrived(progress, setting.system.hidden, order_paths, refused)
    gm, seal_key = setting.gm, side.seal_key
    collected = collect(_readable(arrived, progress, gm, seal_key, refused), progress, gm, seal_key)
    check_forfeits(progress, forfeits, collected.orders)
    missing = collected.missing(progress, forfeits)
    if missing:
        return StageResult(progress.open_stage, False, missing, refused=refused)
    kept = kept_from(_kept(file.path, side, unopened_commitments(state)))
    given = collected.given(progress, frozenset(forfeits), kept)
    given = with_own_link(progress, given, gm, side.chain(progress.roster.terms.chain_length))
    done = running.run(setting, state, given)
    if dry_run:
        return StageResult(progress.open_stage, True, {}, done, refused=refused)
    assert out is not None, "a run that is not dry has a place for its results"
    publication = publish(setting, signer, progress, done, collected.signed, by, render)
    publication.changes.write(private_side.IGNORE, private_side.IGNORE_ALL)
    _check_place(out, file.path, setting, publication.changes)
    out.mkdir(parents=True, exist_ok=True)
    written = commit(out, publication.changes)
    return replace(finish(out, publication, progress.open_stage, done, written), refused=refused)


# --- reading --------------------------------------------------------------------------------------------


def load_state(path: Path) -> GameState:
    """Return a state file, in JSON or restricted YAML.

    Raises Refused with its faults.
    """
    from pbem.text.schema import check, find

    try:
        data = path.read_bytes()
    except OSError as fault:
        message = Message(
            "archive.adjudicating.cannot-read", path=path, reason=(fault.strerror or str(fault)).lower()
        )
        raise Refused(Diagnostic("unreadable-file", message)) from None
    try:
        document = read_state_text(data, str(path))
    except Refused:
        if mails.read(data, str(path)).signed:
            message = Message("archive.adjudicating.path-holds-what-somebody-signed", path=path)
            raise Refused(Diagnostic("no-state", message)) from None
        raise
    _check_format(document.data, path)
    loaded = migrate(document.data, states.FORMAT)
    faults = check(loaded, find("state"), document)
    if faults:
        raise Refused(faults)
    if "game" not in loaded:
        message = Message("archive.adjudicating.missing-key", path=path)
        raise Refused(Diagnostic("missing-key", message))
    return states.from_json(loaded)


def _check_format(data: Any, path: Path) -> None:
    """Check that a file is a state; Refused if not (the schema finds faults of a state)."""
    format_ = data.get("format") if isinstance(data, dict) else None
    help_ = Message("archive.adjudicating.gms-whole-state-is-state-yaml")
    if isinstance(format_, str) and format_.startswith(PUBLIC_FORMAT):
        message = Message("archive.adjudicating.file-is-public-part-of-state", path=path)
    elif not isinstance(format_, str):
        message = Message("archive.adjudicating.path-is-no-state-file", path=path, format=states.FORMAT)
    else:
        return
    raise Refused(Diagnostic("no-state", message, help=(help_,)))


def side_of(state_path: Path, named: Path | None, passphrase: Passphrase | None = None) -> Private:
    """Return the GM's private side: the folder named, else beside the state file or in `private` there.

    Refused if it is not there, or is another party's.
    """
    folder = named if named is not None else state_path.absolute().parent
    places = [folder, folder / layout.PRIVATE]
    side = next(
        (private for private in (Private(p, passphrase, side=p) for p in places) if private.me is not None),
        None,
    )
    if side is None:
        message = Message("archive.adjudicating.no-secret", place=places[0], other_place=places[1])
        raise Refused(Diagnostic("no-secret", message, help=(Message(_HOW),)))
    assert side.me is not None
    if side.me.role != "gm":
        message = Message(
            "archive.adjudicating.wrong-role", side=side.side, party=side.me.party, role=side.me.role
        )
        raise Refused(Diagnostic("wrong-role", message, help=(Message(_HOW),)))
    return side


def line_of(state: GameState, name: str) -> Progress:
    """Return the game's progress from the state's `game`.

    Raises Refused if that does not say it.
    """
    game: Mapping[str, Any] = state.game
    try:
        roster = Roster.parse(dumps(game["roster"]))
        asked = {party: tuple(keys) for party, keys in game["asked"].items()}
        head, stage, seed = game["head"], game["stage"], game.get("seed")
        progress = Progress(roster, stage, head, bytes.fromhex(seed) if seed else roster.game_id, asked)
        bytes.fromhex(head)
    except (KeyError, TypeError, ValueError, AttributeError):
        message = Message("archive.adjudicating.game-must-have-roster-stage-head", name=name)
        raise Refused(Diagnostic("bad-game", message, path=("game",))) from None
    except (TrustError, NotCanonical) as fault:
        raise Refused(
            Diagnostic(
                "bad-game",
                Message("text.diagnostics.about", what=name, message=fault),
                path=("game", "roster"),
            )
        ) from None
    if progress.over:
        raise Refused(Diagnostic("game-over", Message("archive.adjudicating.game-over")))
    return progress


def _scenario(terms: Terms, state_path: Path, side: Private) -> WholeScenario | None:
    """Return the scenario of the game, which is beside the state file or in the folder of its GM."""
    for root in (state_path.parent, state_path.parent.parent, side.side.parent):
        data = layout.read(root, layout.SCENARIO, layout.PLAYER_LIMIT)
        if data is not None:
            return brought(terms, data)
    return None


def _setting(progress: Progress, side: Private, signer: Signer, state_path: Path) -> Setting:
    roster = progress.roster
    signed = Terms.of(roster.statement.data)
    scenario = _scenario(signed, state_path, side)
    system = system_as_played(roster.terms, whole=scenario)
    if not is_pinned(system, signed):
        help_ = (Message("archive.adjudicating.scenario-lies-beside-state"),)
        message = Message("stages.scenario-terms.other-scenario")
        raise Refused(Diagnostic("other-scenario", message, help=help_))
    if not pins.plays(system, roster.terms.module.sha256, roster.terms.module.version):
        message = Message(
            "archive.adjudicating.other-rules", version=roster.terms.module.version, installed=system.version
        )
        raise Refused(Diagnostic("other-rules", message))
    if side.salt != roster.terms.salt:
        message = Message("archive.adjudicating.other-game", side=side.side)
        raise Refused(Diagnostic("other-game", message, help=(Message(_HOW),)))
    setting = Setting(system, roster, side.gm_secret)
    if signer.public != roster.by_id[setting.gm].sign:
        raise Refused(Diagnostic("other-key", Message("archive.adjudicating.other-key", party=setting.gm)))
    return setting


def _kept(state_path: Path, side: Private, live: Iterable[Live]) -> Any:
    """Return the openings that wait, written beside the state or on the private side.

    Refused if one that the state waits for is not among them.
    """
    name = Path(private_side.KEPT).name
    for path in (state_path.parent / name, state_path.parent / layout.PRIVATE / name, side.side / name):
        if path.is_file():
            break
    try:
        kept = json.loads(path.read_bytes()) if path.is_file() else {}
        missing = [opening for opening in live if opening.commit not in kept.get(opening.party, {})]
    except (ValueError, AttributeError, TypeError):
        raise Refused(
            Diagnostic("damaged-file", Message("archive.adjudicating.damaged-file", path=path))
        ) from None
    if missing:
        message = Message(
            "archive.adjudicating.no-opening", key=missing[0].key, party=missing[0].party, path=path
        )
        help_ = Message("archive.adjudicating.kept-json-was-written-beside-this-state-file")
        raise Refused(Diagnostic("no-opening", message, help=(help_,)))
    return kept


def _check_place(out: Path, state_path: Path, setting: Setting, changes: Changes) -> None:
    """Check that results spoil neither a game folder nor the state file; Refused if they would."""
    if (out / layout.ROSTER).exists():
        help_ = Message("archive.adjudicating.receive-orders-there", out=out)
        raise Refused(
            Diagnostic("game-folder", Message("archive.adjudicating.game-folder", out=out), help=(help_,))
        )
    own_file = private_side.STATE if setting.system.hidden else layout.STATE
    spoilt = [name for name in changes.files if name != own_file and _same(out / name, state_path)]
    if spoilt:
        message = Message("archive.adjudicating.would-overwrite", state_path=state_path)
        raise Refused(
            Diagnostic("would-overwrite", message, help=(Message("archive.adjudicating.choose-another-out"),))
        )


def _same(path: Path, other: Path) -> bool:
    return path.exists() and path.samefile(other)


def _arrived(
    progress: Progress, hidden: bool | str, paths: Sequence[Path], refused: list[str]
) -> list[tuple[Statement, Signed]]:
    """Return the statements for the current stage in some files; name the others with the reason."""
    arrived: dict[str, tuple[Statement, Signed]] = {}
    for path in paths:
        try:
            carried = mails.read_path(path).signed
        except OSError as fault:
            raise Refused(
                Diagnostic(
                    "unreadable-file",
                    Message("text.diagnostics.about", what=path, message=(fault.strerror or "").lower()),
                )
            ) from None
        if not carried:
            refused.append(Message("archive.adjudicating.path-nothing-in-it-is-signed", path=path))
        for signed in carried:
            try:
                accepted, signature = _accepted(progress, signed)
                _judge(progress, accepted, hidden)
            except NotAccepted as fault:
                refused.append(Message("text.diagnostics.about", what=path, message=fault))
            else:
                arrived[accepted.sid] = (accepted, Signed(signed.data, (signature,)))
    return list(arrived.values())


def _accepted(progress: Progress, signed: Signed) -> tuple[Statement, str]:
    """Return the statement and its sender's signature; NotAccepted if there is none."""
    roster, worst = progress.roster, NotAccepted("unsigned", Message("archive.adjudicating.unsigned"))
    for signature in signed.signatures:
        try:
            statement = accept(
                signed.data, signature, parties=roster.active, game=roster.game, dice=roster.terms.dice
            )
        except NotAccepted as fault:
            worst = fault
        else:
            return statement, signature
    raise worst


def _judge(progress: Progress, statement: Statement, hidden: bool | str) -> None:
    if statement.kind.group != "orders":
        raise NotAccepted("role", Message("archive.adjudicating.role", what=words_for(statement)))
    if when(progress, statement) != "now":
        raise NotAccepted(
            "stage",
            Message(
                "archive.adjudicating.not-stage", what=words_for(statement), open_stage=progress.open_stage
            ),
        )
    check_place(progress, statement)
    check_content(statement, hidden)


def _readable(
    arrived: list[tuple[Statement, Signed]], progress: Progress, gm: str, seal_key: bytes, refused: list[str]
) -> list[tuple[Statement, Signed]]:
    """Return those whose seal opens; name the others."""
    good = []
    for statement, signed in arrived:
        try:
            open_sealed(statement, progress, gm, seal_key)
        except NotAccepted as fault:
            refused.append(Message("text.diagnostics.about", what=words_for(statement), message=fault))
        else:
            good.append((statement, signed))
    return good
