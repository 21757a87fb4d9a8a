"""Before the game: invitation, joins, and the roster that everybody signs (protocol 4.2, 4.3)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import field, replace
from pathlib import Path

from pbem.archive.adjudicating.between_two import begin
from pbem.archive.adjudicating.publishing import Render
from pbem.archive.folder import layout, private_side
from pbem.archive.folder.changes import Changes, commit
from pbem.archive.folder.game_folder import Folder
from pbem.archive.folder.game_yaml import ATTRIBUTES, GITIGNORE, before_roster
from pbem.archive.folder.joined import joined, missing_seats, seats
from pbem.archive.folder.parts import Readable
from pbem.archive.folder.private_side import Me
from pbem.archive.folder.seat_letters import addresses_file
from pbem.archive.letters import outbox
from pbem.archive.letters.outbox import Letter
from pbem.archive.setting_up.invitation_text import Places, invitation_lines
from pbem.archive.setting_up.roster_files import roster_files, roster_letter
from pbem.engine import pins
from pbem.engine import system as systems
from pbem.engine.scenarios.scenario_check import need_sound
from pbem.engine.scenarios.whole_scenario import WholeScenario, of_object
from pbem.engine.system import System
from pbem.mail.write import MUCH_ATTACHED, Subject
from pbem.stages import gunboat, press, scenario_terms
from pbem.stages.agreements import NOTHING, Agreement
from pbem.text import canonical, narrow
from pbem.text.canonical import Json, NotCanonical
from pbem.text.dataclass import dataclass
from pbem.text.diagnostics import Diagnostic, Refused
from pbem.text.messages import Message, Voice
from pbem.text.suggest import did_you_mean
from pbem.trust import armour, joining, roster, sshsig, statements
from pbem.trust.armour import Signed
from pbem.trust.errors import BadRoster, TrustError
from pbem.trust.keys import Signer
from pbem.trust.roster import ABSENT, DICE, OUTSIDE, Party, Role, Roster, Terms
from pbem.trust.statements import Statement

GM = "gm"


@dataclass(frozen=True)
class Person:
    """A player's name and address for the roster, and their signing key.

    `key_file` is remembered so that later commands find it; the key itself is never copied. `say` puts the
    first email into words, before there is a folder.
    """

    name: str
    mail: str
    signer: Signer
    key_file: str | None = None
    passphrase: str | None = None
    say: Voice = field(default=str, compare=False)


@dataclass(frozen=True)
class Invitation:
    """An invitation: the terms, the inviting party and key, the address for the answer, the scenario."""

    terms: Terms
    sender: str
    sign: bytes
    mail: str = ""
    whole: WholeScenario | None = None

    @property
    def system(self) -> System:
        """Return the installed rules with the scenario of the game; Refused if they are not installed."""
        system = systems.find_pinned(self.terms.module.name, self.terms.module.sha256)
        return system if self.whole is None else system.with_scenario(self.whole)

    @property
    def seats(self) -> tuple[str, ...]:
        """Return the seats of the scenario, in order; Refused if its rules system is not installed."""
        system = self.system
        name, _ = scenario_terms.parse_scenario_name(system, self.terms.scenario.name)
        return system.players(system.scenario(name))


# --- the initiator --------------------------------------------------------------------------------------


def need_free(root: Path) -> None:
    """Check that a folder holds no game; Refused if it does, with how to begin anew."""
    if not (root / layout.ROSTER).exists() and not (root / private_side.INVITATION).exists():
        return
    begun = (root / layout.ROSTER).exists()
    help_ = (
        Message("archive.setting-up.game-in-folder-goes-on")
        if begun
        else Message("archive.setting-up.nothing-is-settled-in-it-yet")
    )
    raise Refused(
        Diagnostic("folder-in-use", Message("archive.setting-up.folder-in-use", root=root), help=(help_,))
    )


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
    agreed: Agreement = NOTHING,
    seat: str | None = None,
    site: str = "",
    program: str = "",
) -> list[Path]:
    """Make the initiator's folder and the invitation to be sent, and return the files written.

    With dice `pair` the initiator has the `seat`, else is the GM. `site` is an address where others play in
    a browser, `program` one where they get pbem.
    """
    need_free(root)
    if system.own is not None:
        need_sound(systems.find(system.name), system.own)
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
    _check_agreed(terms, len(system.players(system.scenario(scenario))))
    statement = _invitation(terms, me, person, whole := system.whole(scenario))
    invitation = Invitation(terms, me, person.signer.public, whole=whole)
    role: Role = "player" if terms.arbiter is None else "gm"
    readable = outbox.heading(
        person.say(Message("archive.setting-up.invitation", title=terms.title)),
        invitation_lines(terms, invitation.seats, person.name, person.mail, Places.of(site, program)),
    )
    letter = Letter(
        name=outbox.slug(terms.title),
        subject=Subject("", terms.title, None, Message("archive.setting-up.invitation-subject")),
        sender=Party(me, role, person.name, person.mail, person.signer.public),
        others=[],
        readable=readable,
        items=[Signed.by(person.signer, statement.bytes)],
        id=outbox.invitation_id(terms.salt),
        ending=".pbem-invitation",
        once=len(statement.bytes) > MUCH_ATTACHED,  # a large scenario travels packed
    )
    changes = _enter(invitation, person, me, role)[0]
    changes.update(letter.changes(person.say))
    root.mkdir(parents=True, exist_ok=True)
    return commit(root, changes)


def _invitation(terms: Terms, me: str, person: Person, whole: WholeScenario) -> Statement:
    """Return the invitation with the scenario in it (17.34)."""
    try:
        carried = canonical.loads(whole.bytes)
        return joining.invitation(terms, me, person.signer.public, person.mail, carried)
    except (BadRoster, NotCanonical) as fault:
        raise Refused(Diagnostic("bad-terms", str(fault))) from None


def _place(system: System, scenario: str, chosen: Mapping[str, Json], dice: str, seat: str | None) -> str:
    """Return the party id of the person who begins the game; Refused if these rules cannot be
    played so.
    """
    players = system.players(system.scenario(scenario))
    if dice != "pair":
        if GM in players:
            message = Message("archive.setting-up.seat-has-id-of-gm", gm=GM)
            raise Refused(Diagnostic("seat-taken", message))
        return GM
    if len(players) != 2:
        message = Message(
            "archive.setting-up.only-two-can-play-without-gm", scenario=scenario, count=len(players)
        )
        two = [name for name in system.scenarios() if len(system.players(system.scenario(name))) == 2]
        help_ = (
            (Message("archive.setting-up.two", two=tuple(f"{system.name}/{name}" for name in two)),)
            if two
            else ()
        )
        raise Refused(
            Diagnostic(
                "not-for-pair", message, help=(*help_, Message("archive.setting-up.have-gm-leave-pair-out"))
            )
        )
    if system.as_played(chosen).hidden:
        message = Message(
            "archive.setting-up.nobody-can-hold-what-is-hidden", title=system.title or system.name
        )
        help_ = (Message("archive.setting-up.have-gm-leave-pair-out"),)
        raise Refused(Diagnostic("not-for-pair", message, help=help_))
    if seat not in players:
        message = Message("archive.setting-up.name-your-own-seat", players=tuple(players))
        raise Refused(Diagnostic("unknown-seat", message, help=(Message("archive.setting-up.say-seat"),)))
    return seat


# --- joining --------------------------------------------------------------------------------------------


def read_invitation(data: bytes | str | Signed) -> Invitation:
    """Return the invitation in a file's text or a statement; Refused if there is none."""
    carried: tuple[Signed, ...]
    if isinstance(data, Signed):
        carried = (data,)
    else:
        text = data if isinstance(data, str) else data.decode("utf-8", "replace")
        carried = armour.sound(armour.read(text))
    for signed in carried:
        for signature in signed.signatures:
            try:
                terms, sender = joining.accept_invitation(signed.data, signature)
            except (TrustError, NotCanonical):
                continue
            terms_data = statements.parse(signed.data).data
            whole = of_object(narrow.mapping(terms_data["whole"])) if "whole" in terms_data else None
            mail = narrow.text(terms_data.get("mail", ""))
            return Invitation(terms, sender, sshsig.decode(signature)[0], mail, whole)
    help_ = (Message("archive.setting-up.ask-for-pbem-invitation-file-once-more"),)
    raise Refused(Diagnostic("no-invitation", Message("archive.setting-up.no-invitation"), help=help_))


def join(
    root: Path,
    invitation: Invitation,
    seat: str,
    person: Person,
    *,
    role: Role = "player",
    proxy: bool = False,
) -> list[Path]:
    """Make the folder of a player, an observer or a deputy and the email with the entry. Return the files.

    `proxy`: the player has agreed that the GM holds these keys and writes down the player's emailed orders
    (4.3).
    """
    if role == "deputy" and invitation.terms.arbiter is None:
        raise Refused(Diagnostic("no-deputy", Message("archive.setting-up.no-gm-no-deputy")))
    if proxy and (role != "player" or invitation.terms.arbiter != invitation.sender):
        message = Message("archive.setting-up.no-proxy")
        raise Refused(Diagnostic("no-proxy", message))
    terms = invitation.terms
    need_free(root)
    _check_pins(invitation.system, terms)
    if invitation.whole is not None:
        need_sound(systems.find(terms.module.name), invitation.whole)
    _check_seat(invitation, seat, person, role)
    holder = invitation.sender if proxy else None
    hidden = gunboat.of(terms) and role == "player"
    entered = replace(person, name=seat, mail=invitation.mail) if hidden else person
    changes, party = _enter(invitation, entered, seat, role, holder)
    if hidden:
        changes.update(addresses_file({seat: person.mail}))
    statement = changes.files[f"{layout.JOINS}/{seat}.json"]
    signature = changes.files[f"{layout.JOINS}/{seat}.sig"].decode()
    host_role: Role = "player" if terms.arbiter is None else "gm"
    host = Party(invitation.sender, host_role, invitation.sender, invitation.mail, invitation.sign)
    lines = [
        Message("archive.setting-up.joins", person=entered.name, seat=seat),
        Message("archive.setting-up.key", fingerprint=sshsig.fingerprint(party.sign)),
    ]
    letter = Letter(
        name=f"join-{seat}",
        subject=Subject("", terms.title, None, Message("archive.setting-up.seat-joins", seat=seat)),
        sender=replace(party, mail=person.mail),  # the GM's tool keeps it; the statement lacks it
        others=[host],
        readable=outbox.heading(terms.title, lines),
        items=[Signed(statement, (signature,))],
        id=f"join-{terms.salt.hex()[:16]}-{seat}",
        answers=outbox.invitation_id(terms.salt),
    )
    changes.update(letter.changes(person.say))
    root.mkdir(parents=True, exist_ok=True)
    return commit(root, changes)


def _check_seat(invitation: Invitation, seat: str, person: Person, role: Role) -> None:
    """Check that the seat is free and the key not the inviter's; Refused if not."""
    seats = invitation.seats
    if role == "player" and seat not in seats:
        near = did_you_mean(seat, list(seats))
        help_ = (Message("text.suggest.did-you-mean", near=near),) if near else ()
        raise Refused(
            Diagnostic(
                "unknown-seat",
                Message("archive.amending.unknown-seat", seat=seat, seats=tuple(seats)),
                help=help_,
            )
        )
    if seat == invitation.sender:
        raise Refused(Diagnostic("seat-taken", Message("archive.setting-up.invited", seat=seat)))
    if role != "player" and seat in seats:
        raise Refused(
            Diagnostic("seat-taken", Message("archive.setting-up.observer-takes-another-id", seat=seat))
        )
    if person.signer.public == invitation.sign:
        message = Message("archive.setting-up.same-key")
        ways = (
            Message("archive.setting-up.it-is-yours-if-you-invited-yourself"),
            Message("archive.setting-up.join-with-other-key"),
        )
        raise Refused(Diagnostic("same-key", message, help=ways))


def _enter(
    invitation: Invitation, person: Person, id_: str, role: Role, proxy: str | None = None
) -> tuple[Changes, Party]:
    """Return secrets, entry and first files of a new folder."""
    terms = invitation.terms
    public = sshsig.public_line(person.signer.public)
    me = Me(id_, role, public, person.key_file)
    keys = private_side.create(me, terms.salt, terms.chain_length, passphrase=person.passphrase)
    party = Party(
        id_,
        role,
        person.name,
        person.mail,
        person.signer.public,
        keys.seal if role != "observer" else None,
        keys.anchor if role not in OUTSIDE else None,
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
    if invitation.whole is not None:
        changes.write(layout.SCENARIO, invitation.whole.bytes)
    changes.write(layout.GAME, before_roster(terms))
    changes.write(".gitattributes", ATTRIBUTES)
    changes.write(".gitignore", GITIGNORE)
    return changes, party


def _check_pins(system: System, terms: Terms) -> None:
    """Check that the installed rules and the scenario are those of the terms; Refused if not."""
    if not pins.plays(system, terms.module.sha256, terms.module.version):
        here = scenario_terms.pin_module(system)
        message = Message(
            "archive.setting-up.other-rules",
            module=terms.module.name,
            version=terms.module.version,
            digest=terms.module.sha256[:12],
            installed=here.version,
            installed_digest=here.sha256[:12],
        )
        help_ = (Message("archive.setting-up.install-same-version-of-pbem-as-gm"),)
        raise Refused(Diagnostic("other-rules", message, help=help_))
    name, _ = scenario_terms.parse_scenario_name(system, terms.scenario.name)
    if not scenario_terms.is_pinned(system, terms):
        raise Refused(Diagnostic("other-scenario", Message("archive.setting-up.other-scenario", name=name)))


# --- the roster -----------------------------------------------------------------------------------------


def build_roster(folder: Readable) -> Roster:
    """Return the roster of all entries: the GM, the seats in the scenario's order, observers by id.

    Refused while a seat is free; only in the GM's folder.
    """
    if not folder.initiates:
        folder.need_me("gm")
    have = joined(folder)
    free = missing_seats(folder)
    if free:
        message = Message("archive.setting-up.seats-free", free=tuple(free))
        help_ = (Message("archive.setting-up.pbem-receive-their-joins-first"),)
        raise Refused(Diagnostic("seats-free", message, help=help_))
    gm = [folder.terms.arbiter] if folder.terms.arbiter is not None else []
    others = sorted(set(have) - {*gm, *seats(folder)})
    parties = [have[id] for id in (*gm, *seats(folder), *others)]
    _check_agreed(folder.terms, len(seats(folder)), parties)
    return roster.make_roster(parties, folder.terms, folder.private.gm_secret if gm else None)


def sign_roster(folder: Folder, signer: Signer, *, render: Render | None = None) -> list[Path]:
    """Sign the roster, which the inviting party also makes. Return the files, with the email to
    all.

    Without a GM, the signature of the second player begins the game in that player's folder.

    Refused if it was signed already, differs from the own entry or the invitation, or the key is another.
    """
    with folder.working():
        me = folder.need_me()
        made = folder.roster is None and folder.initiates
        roster_ = build_roster(folder) if made else folder.need_roster()
        if not made and me in folder.roster_signatures():
            raise Refused(
                Diagnostic(
                    "signed-already",
                    Message("archive.setting-up.signed-already", party=me, game=roster_.game[:12]),
                )
            )
        check_entry(folder, roster_)
        if signer.public != roster_.by_id[me].sign:
            wanted = sshsig.fingerprint(roster_.by_id[me].sign)
            message = Message(
                "archive.setting-up.other-key",
                public=sshsig.fingerprint(signer.public),
                party=me,
                wanted=wanted,
            )
            raise Refused(Diagnostic("other-key", message))
        signature = signer.sign(roster_.statement.bytes)
        changes = roster_files(folder, roster_)
        changes.write(layout.roster_signature_name(me), signature)
        signatures = {**({} if made else folder.roster_signatures()), me: signature}
        changes.update(roster_letter(roster_, me, signatures).changes(folder.say))
        written = folder.commit(changes)
        if roster_.terms.dice == "pair" and not folder.unsigned():
            written += folder.commit(begin(folder, render))
        return written


def check_entry(folder: Readable, roster: Roster) -> None:
    """Check that a roster has the invitation's terms and my entry as I joined; Refused if not."""
    mine = joined(folder).get(folder.need_me())
    if mine is None or roster.by_id.get(mine.id) != mine:
        message = Message("archive.setting-up.wrong-entry", party=folder.me)
        raise Refused(Diagnostic("wrong-entry", message, help=(Message("archive.setting-up.do-not-sign"),)))
    invited = folder.private.json(private_side.INVITATION)
    if roster.terms != Terms.of(invited):
        raise Refused(Diagnostic("wrong-terms", Message("archive.setting-up.wrong-terms")))
    host = roster.by_id.get(invited["from"])
    if host is None or sshsig.public_line(host.sign) != invited["sign"]:
        raise Refused(Diagnostic("wrong-gm", Message("archive.setting-up.wrong-gm")))
    if {party.id for party in roster.parties if party.role == "player"} != set(seats(folder)):
        raise Refused(Diagnostic("wrong-seats", Message("archive.setting-up.wrong-seats")))
    _check_agreed(roster.terms, len(seats(folder)), roster.parties)
    _check_pins(folder.system, roster.terms)


def _check_agreed(terms: Terms, players: int, parties: Iterable[Party] = ()) -> None:
    """Check that players and their entries can have what the terms say; Refused if not."""
    fault = press.grey_fault(terms, players)
    if fault is not None:
        raise Refused(Diagnostic("bad-option", fault))
    named = gunboat.fault_of(terms, parties)
    if named is not None:
        raise Refused(Diagnostic("names-somebody", named))
