"""Before the game: invitation, joins, and the roster that everybody signs (protocol 4.2, 4.3)."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from pbem.archive.adjudicating.between_two import begin
from pbem.archive.adjudicating.publishing import Render
from pbem.archive.folder import layout, private_side
from pbem.archive.folder.changes import Changes, commit
from pbem.archive.folder.game_folder import Folder
from pbem.archive.folder.game_yaml import ATTRIBUTES, GITIGNORE, before_roster
from pbem.archive.folder.joined import joined, missing_seats, seats
from pbem.archive.folder.parts import Inviting
from pbem.archive.folder.private_side import Me
from pbem.archive.letters import outbox
from pbem.archive.letters.outbox import Letter
from pbem.archive.setting_up.roster_files import roster_files, roster_letter
from pbem.engine import pins
from pbem.engine import system as systems
from pbem.engine.system import System
from pbem.mail.write import subject
from pbem.stages import scenario_terms
from pbem.stages.deadlines import NOTHING, Deadlines
from pbem.text import narrow
from pbem.text.canonical import Json, NotCanonical
from pbem.text.dataclass import dataclass
from pbem.text.diagnostics import Diagnostic, Refused
from pbem.text.suggest import did_you_mean
from pbem.text.voice import told
from pbem.trust import armour, joining, roster, sshsig, statements
from pbem.trust.armour import Signed
from pbem.trust.errors import BadRoster, TrustError
from pbem.trust.keys import Signer
from pbem.trust.roster import ABSENT, DICE, Party, Role, Roster, Terms

GM = "gm"

SAME_KEY = (
    "it is yours if you invited yourself to try: make another with `pbem key new --file OTHERKEY`",
    "and join with it: `pbem join ... --key OTHERKEY`; the game folder remembers which",
)
"""The way out where one person takes two seats."""


@dataclass(frozen=True)
class Person:
    """How somebody wants to stand in the roster, and the key he signs with.

    `key_file` is remembered so that later commands find it; the key itself is never copied.
    """

    name: str
    mail: str
    signer: Signer
    key_file: str | None = None
    passphrase: str | None = None


@dataclass(frozen=True)
class Invitation:
    """The terms somebody is invited to, who invites, with which key, and where the answer goes."""

    terms: Terms
    sender: str
    sign: bytes
    mail: str = ""

    @property
    def seats(self) -> tuple[str, ...]:
        """The seats of the scenario, in order; Refused if its rules system is not installed."""
        system = systems.find(self.terms.module.name)
        name, _ = scenario_terms.parse_scenario_name(system, self.terms.scenario.name)
        return system.players(system.scenario(name))


# --- the initiator --------------------------------------------------------------------------------------


def need_free(root: Path) -> None:
    """Refused if a folder holds a game already; says how one comes to begin anew."""
    if not (root / layout.ROSTER).exists() and not (root / private_side.INVITATION).exists():
        return
    begun = (root / layout.ROSTER).exists()
    help_ = (
        "the game in it goes on as it is; name another folder for a new one"
        if begun
        else "nothing is settled in it yet: delete it to begin anew (another seat, another key), "
        "or name another folder"
    )
    raise Refused(Diagnostic("folder-in-use", f"{root} holds a game already", help=(help_,)))


def new_game(
    root: Path,
    system: System,
    scenario: str,
    person: Person,
    *,
    options: Mapping[str, Json] | None = None,
    title: str | None = None,
    dice: str = "swift",
    absent: str = "stop",
    chain_length: int = 4096,
    agreed: Deadlines = NOTHING,
    seat: str | None = None,
) -> list[Path]:
    """Make the initiator's folder and the invitation. Gives the files written; the invitation is to be sent.

    The initiator is the GM; with dice `pair` he has the `seat` that he names.
    """
    need_free(root)
    chosen = system.options(system.scenario(scenario), options or {})
    me = _place(system, scenario, chosen, dice, seat)
    terms = Terms(
        salt=roster.new_salt(),
        title=title or f"{system.title or system.name}: {scenario}",
        module=scenario_terms.pin_module(system),
        scenario=scenario_terms.pin_scenario(system, scenario, chosen, agreed),
        arbiter=None if dice == "pair" else GM,
        dice=narrow.word(dice, DICE),
        absent=narrow.word(absent, ABSENT),
        chain_length=chain_length,
    )
    try:
        statement = joining.invitation(terms, me, person.signer.public, person.mail)
    except (BadRoster, NotCanonical) as fault:
        raise Refused(Diagnostic("bad-terms", str(fault))) from None
    signed = Signed.by(person.signer, statement.bytes)
    invitation = Invitation(terms, me, person.signer.public)
    role: Role = "player" if dice == "pair" else "gm"
    changes, _ = _enter(invitation, person, me, role)
    readable = outbox.heading(told(f"Invitation: {terms.title}"), _invitation_lines(invitation))
    letter = Letter(
        name=outbox.slug(terms.title),
        subject=subject("", terms.title, None, told("invitation")),
        sender=Party(me, role, person.name, person.mail, person.signer.public),
        others=[],
        readable=readable,
        items=[signed],
        id=outbox.invitation_id(terms.salt),
        ending=".pbem-invitation",
    )
    changes.update(letter.changes())
    root.mkdir(parents=True, exist_ok=True)
    return commit(root, changes)


def _place(system: System, scenario: str, chosen: Mapping[str, Json], dice: str, seat: str | None) -> str:
    """The party id of who begins the game; Refused if these rules cannot be played so."""
    players = system.players(system.scenario(scenario))
    if dice != "pair":
        if GM in players:
            message = f"the scenario has a seat '{GM}', which is the GM's id here"
            raise Refused(Diagnostic("seat-taken", message))
        return GM
    if len(players) != 2:
        message = f"{scenario} has {len(players)} seats; without a GM exactly two can play"
        two = [name for name in system.scenarios() if len(system.players(system.scenario(name))) == 2]
        help_ = (f"for two: {', '.join(f'{system.name}/{name}' for name in two)}",) if two else ()
        raise Refused(Diagnostic("not-for-pair", message, help=(*help_, "have a GM: leave --pair out")))
    if system.as_played(chosen).hidden:
        message = (
            f"{system.title or system.name} hides units, and without a GM nobody can hold what is hidden"
        )
        help_ = ("have a GM: leave --pair out",)
        raise Refused(Diagnostic("not-for-pair", message, help=help_))
    if seat not in players:
        message = f"name your own seat, one of: {', '.join(players)}"
        raise Refused(Diagnostic("unknown-seat", message, help=("say it with --as SEAT",)))
    return seat


def _invitation_lines(invitation: Invitation) -> list[str]:
    terms = invitation.terms
    return [
        f"rules     {terms.module.name} {terms.module.version}",
        f"scenario  {terms.scenario.name}",
        f"seats     {', '.join(invitation.seats)}",
        f"dice      {terms.dice}; a player who does not answer: {_ABSENT[terms.absent]}",
        "",
        "This is played with the program pbem; whoever invites you knows where to get it.",
        "To join, save this mail or file among your downloads, open a terminal, and type:",
        "",
        "    pbem next",
        "",
        "It asks which seat you take, and names the file to send back. In a browser: `pbem table`, and drop",
        "the file onto the page. Nothing is settled before everybody has signed the roster.",
    ]


_ABSENT = {"stop": "the game waits", "skip": "it goes on after the deadline, on defaults"}


# --- joining --------------------------------------------------------------------------------------------


def read_invitation(data: bytes | str | Signed) -> Invitation:
    """The invitation in a file's text, or in a statement found in a mail; Refused if there is none."""
    found: tuple[Signed, ...]
    if isinstance(data, Signed):
        found = (data,)
    else:
        text = data if isinstance(data, str) else data.decode("utf-8", "replace")
        found = armour.sound(armour.read(text))
    for signed in found:
        for signature in signed.signatures:
            try:
                terms, sender = joining.accept_invitation(signed.data, signature)
            except (TrustError, NotCanonical):
                continue
            mail = narrow.text(statements.parse(signed.data).data.get("mail", ""))
            return Invitation(terms, sender, sshsig.decode(signature)[0], mail)
    help_ = ("ask for the .pbem-invitation file once more, as an attachment",)
    raise Refused(Diagnostic("no-invitation", "there is no invitation in this file", help=help_))


def join(
    root: Path,
    invitation: Invitation,
    seat: str,
    person: Person,
    *,
    observer: bool = False,
    proxy: bool = False,
) -> list[Path]:
    """Make a player's or observer's folder and the mail with his entry. Gives the files written.

    `proxy`: the player has agreed that the GM holds these keys and writes down the orders he mails (4.3).
    """
    if proxy and (observer or invitation.terms.arbiter != invitation.sender):
        message = "only a player's keys can be held, and only by the GM who invites"
        raise Refused(Diagnostic("no-proxy", message))
    terms = invitation.terms
    need_free(root)
    _check_pins(terms)
    seats = invitation.seats
    if not observer and seat not in seats:
        near = did_you_mean(seat, list(seats))
        help_ = (f"did you mean '{near}'?",) if near else ()
        raise Refused(
            Diagnostic(
                "unknown-seat", f"there is no seat '{seat}', wanted one of: {', '.join(seats)}", help=help_
            )
        )
    if seat == invitation.sender:
        raise Refused(Diagnostic("seat-taken", f"'{seat}' is who invited you"))
    if observer and seat in seats:
        raise Refused(Diagnostic("seat-taken", f"'{seat}' is a seat; an observer takes another id"))
    if person.signer.public == invitation.sign:
        message = "this key is that of whoever invited you; each party needs a key of its own"
        raise Refused(Diagnostic("same-key", message, help=SAME_KEY))
    holder = invitation.sender if proxy else None
    changes, party = _enter(invitation, person, seat, "observer" if observer else "player", holder)
    statement = changes.files[f"{layout.JOINS}/{seat}.json"]
    signature = changes.files[f"{layout.JOINS}/{seat}.sig"].decode()
    host_role: Role = "player" if terms.arbiter is None else "gm"
    host = Party(invitation.sender, host_role, invitation.sender, invitation.mail, invitation.sign)
    lines = [f"{person.name} joins as {seat}", f"key {sshsig.fingerprint(party.sign)}"]
    letter = Letter(
        name=f"join-{seat}",
        subject=subject("", terms.title, None, told(f"{seat} joins")),
        sender=party,
        others=[host],
        readable=outbox.heading(terms.title, lines),
        items=[Signed(statement, (signature,))],
        id=f"join-{terms.salt.hex()[:16]}-{seat}",
        answers=outbox.invitation_id(terms.salt),
    )
    changes.update(letter.changes())
    root.mkdir(parents=True, exist_ok=True)
    return commit(root, changes)


def _enter(
    invitation: Invitation, person: Person, id_: str, role: Role, proxy: str | None = None
) -> tuple[Changes, Party]:
    """Secrets, entry and first files of a new folder."""
    terms = invitation.terms
    public = sshsig.public_line(person.signer.public)
    me = Me(id_, role, public, person.key_file)
    keys = private_side.create(me, terms.salt, terms.chain_length, passphrase=person.passphrase)
    chained = role != "observer"
    party = Party(
        id_,
        role,
        person.name,
        person.mail,
        person.signer.public,
        keys.seal if chained else None,
        keys.anchor if chained else None,
        proxy,
    )
    try:
        statement = joining.join(party, terms)
    except (TrustError, NotCanonical) as fault:
        raise Refused(Diagnostic("bad-entry", str(fault))) from None
    changes = keys.changes
    data: dict[str, Json] = {
        **terms.data(),
        "from": invitation.sender,
        "sign": sshsig.public_line(invitation.sign),
    }
    changes.write(private_side.INVITATION, private_side.to_text(data))
    changes.write(f"{layout.JOINS}/{id_}.json", statement.bytes)
    changes.write(f"{layout.JOINS}/{id_}.sig", person.signer.sign(statement.bytes))
    changes.write(layout.GAME, before_roster(terms))
    changes.write(".gitattributes", ATTRIBUTES)
    changes.write(".gitignore", GITIGNORE)
    return changes, party


def _check_pins(terms: Terms) -> None:
    """Refused unless the installed rules and scenario are the ones the terms name."""
    system = systems.find_pinned(terms.module.name, terms.module.sha256)
    if not pins.plays(system, terms.module.sha256, terms.module.version):
        here = scenario_terms.pin_module(system)
        message = (
            f"the game is to be played with {terms.module.name} {terms.module.version} "
            f"({terms.module.sha256[:12]}), installed is {here.version} ({here.sha256[:12]})"
        )
        help_ = ("install the same version of pbem as the GM",)
        raise Refused(Diagnostic("other-rules", message, help=help_))
    name, chosen = scenario_terms.parse_scenario_name(system, terms.scenario.name)
    options = system.options(system.scenario(name), chosen)
    if scenario_terms.pin_scenario(system, name, options).sha256 != terms.scenario.sha256:
        raise Refused(Diagnostic("other-scenario", f"the scenario {name} here has another start position"))


# --- the roster -----------------------------------------------------------------------------------------


def build_roster(folder: Inviting) -> Roster:
    """The roster from all entries: the GM, the seats in the scenario's order, observers by id.

    Refused while a seat is free; only in the GM's folder.
    """
    if not folder.initiates:
        folder.need_me("gm")
    have = joined(folder)
    free = missing_seats(folder)
    if free:
        message = f"nobody has joined yet as {', '.join(free)}"
        help_ = ("`pbem receive` their joins first",)
        raise Refused(Diagnostic("seats-free", message, help=help_))
    gm = [folder.terms.arbiter] if folder.terms.arbiter is not None else []
    others = sorted(set(have) - {*gm, *seats(folder)})
    parties = [have[one] for one in (*gm, *seats(folder), *others)]
    return roster.make_roster(parties, folder.terms, folder.private.gm_secret if gm else None)


def sign_roster(folder: Folder, signer: Signer, *, render: Render | None = None) -> list[Path]:
    """Sign the roster; who invited makes it first. Gives the files written, with the mail to all.

    Whose signature is the last of two who play without a GM begins the game in his folder with it.

    Refused if it was signed already, differs from the own entry or the invitation, or the key is another.
    """
    with folder.working():
        me = folder.need_me()
        made = folder.roster is None and folder.initiates
        roster_ = build_roster(folder) if made else folder.need_roster()
        if not made and me in folder.roster_signatures():
            raise Refused(
                Diagnostic("signed-already", f"{me} has signed the roster of game {roster_.game[:12]}")
            )
        check_entry(folder, roster_)
        if signer.public != roster_.by_id[me].sign:
            wanted = sshsig.fingerprint(roster_.by_id[me].sign)
            message = f"this key is {sshsig.fingerprint(signer.public)}, {me} joined with {wanted}"
            raise Refused(Diagnostic("other-key", message))
        signature = signer.sign(roster_.statement.bytes)
        changes = roster_files(folder, roster_)
        changes.write(layout.roster_signature_name(me), signature)
        signatures = {**({} if made else folder.roster_signatures()), me: signature}
        changes.update(roster_letter(roster_, me, signatures).changes())
        written = folder.commit(changes)
        if roster_.terms.dice == "pair" and not folder.unsigned():
            written += folder.commit(begin(folder, render))
        return written


def check_entry(folder: Inviting, found: Roster) -> None:
    """Refused unless a roster is on the terms of the invitation and has one's own entry as one joined."""
    mine = joined(folder).get(folder.need_me())
    if mine is None or found.by_id.get(mine.id) != mine:
        message = f"the entry of {folder.me} in the roster is not the one you joined with"
        raise Refused(Diagnostic("wrong-entry", message, help=("do not sign it; ask the GM",)))
    invited = folder.private.json(private_side.INVITATION)
    if found.terms != Terms.of(invited):
        raise Refused(Diagnostic("wrong-terms", "the roster is not on the terms of the invitation"))
    host = found.by_id.get(invited["from"])
    if host is None or sshsig.public_line(host.sign) != invited["sign"]:
        raise Refused(Diagnostic("wrong-gm", "whoever invited you is not in the roster with the same key"))
    if {party.id for party in found.parties if party.role == "player"} != set(seats(folder)):
        raise Refused(
            Diagnostic("wrong-seats", "the players in the roster are not the seats of the scenario")
        )
    _check_pins(found.terms)
