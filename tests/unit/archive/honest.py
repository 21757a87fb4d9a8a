"""Honest games by chance: whatever the protocol lets people do happens in them, and nobody cheats."""

from __future__ import annotations

import random
import shutil
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from pbem.archive.adjudicating import correcting
from pbem.archive.adjudicating.unsealing import unseal
from pbem.archive.amending import new_rules, proposing, wishes
from pbem.archive.amending.joining_late import join_running
from pbem.archive.amending.new_keys import fresh_chain
from pbem.archive.folder.game_over import unsealed
from pbem.archive.letters.acknowledging import acknowledge
from pbem.archive.letters.protesting import protest
from pbem.archive.ordering import signing
from pbem.archive.ordering.order_file import Checked
from pbem.archive.verifying.public_evidence import public_evidence
from pbem.archive.verifying.results_note import Verified
from pbem.archive.verifying.verification import Verification
from pbem.archive.verifying.verify import verify
from pbem.bot.answers import answer as bot_answer
from pbem.cli.games.telling import renderer, renderers
from pbem.cli.games.verified import own_side
from pbem.engine.resolve import Question
from pbem.engine.system import System
from pbem.model.facts import Fact
from pbem.text.diagnostics import Refused
from pbem.trust import sshsig
from tests.browser.auditing import audited
from tests.unit.archive.table import Choose, Seat, Table, signer_of, statements_in
from tests.unit.archive.test_amendments import revised
from tests.unit.archive.test_takeovers import Newcomer

NAMES = ("Cora", "Dora", "Emil", "Fritz", "Gerda", "Hugo", "Ida", "Jan")


class NotNow(Exception):
    """This cannot be done at this point of the game."""


class HonestGame:
    """A game in which one thing after another is done, as `rng` says; `done` lists what."""

    def __init__(
        self, root: Path, system: System, scenario: str, seats: tuple[str, ...], rng: random.Random, dice: str
    ) -> None:
        terms: dict[str, Any] = {"absent": "skip"} if dice == "swift" and rng.random() < 0.7 else {}
        self.root, self.rng, self.dice = root, rng, dice
        self.table = Table(root, system, scenario, seats, chain_length=256, dice=dice, **terms)
        for seat in self.table.everybody:
            seat.renderer = renderer
        self.table.start()
        self.gone: list[Seat] = []
        self.notes: dict[Path, Verified] = {}
        self.done: list[str] = []
        self.names = list(NAMES)
        self.choose: Choose = self._choose

    def _choose(self, seat: Seat, question: Question) -> Any:
        view = seat.folder.view()
        asked = view.system.decision(question.kind, question.party, question.fields)
        return bot_answer(view.game, asked, self.rng)

    # --- what people do ---------------------------------------------------------------------------------

    def play(self) -> None:
        """Everybody answers, and the stage runs."""
        try:
            self.table.play_stage(self.choose)
        except Refused as fault:
            if fault.diagnostics[0].code != "no-opening":
                raise
            self._agree({"op": "rewind", "to": 0})  # who had committed to it is gone
            self._close()

    def _one_answers(self) -> None:
        """The first who is asked answers, if nobody took the place who lacks what was committed to."""
        try:
            self.table.asked()[0].answer_all(self.choose)
        except Refused as fault:
            if fault.diagnostics[0].code != "no-opening":
                raise
            raise NotNow from None

    def forfeit(self) -> None:
        """One of those who are asked says nothing until the deadline has passed."""
        progress = self.table.progress
        if progress.roster.terms.dice == "swift" and (
            progress.fresh or progress.roster.terms.absent != "skip"
        ):
            raise NotNow
        late, *others = self.rng.sample(self.table.asked(), len(self.table.asked()))
        for seat in others:
            seat.answer_all(self.choose)
        self._post()
        self._run(forfeits=[late.name])

    def come_too_late(self) -> None:
        """A second order reaches the players and not the GM, who runs the stage with the first.

        Under locks there is no report before everybody's word.
        """
        if self.table.progress.roster.terms.dice != "swift":
            raise NotNow
        for seat in self.table.asked():
            seat.answer_all(self.choose)
        self._post()
        self.table.asked()[0].answer_all(self.choose)
        mails = self.table.asked()[0].mails()
        for seat in self.table.players.values():
            if seat is not self.table.asked()[0]:
                seat.receive(*mails)
        asked = self.table.asked()[0]
        report = self._report()
        for seat in self.table.players.values():
            seat.receive(*report, late=seat is asked)

    def protest(self) -> None:
        """Somebody protests."""
        seat = self._anybody()
        protest(seat.folder, seat.signer, "----- BEGIN of a protest -----\nI do not like it")
        self._post()

    def acknowledge(self) -> None:
        """The GM says what has come."""
        self._one_answers()
        self._post()
        acknowledge(self.table.gm.folder, self.table.gm.signer)
        self._post()

    def standing(self) -> None:
        """A list of standing orders, filed at any time."""
        seat = self._player()
        signing.sign_orders(seat.folder, Checked(standing=[], only_standing=True), seat.signer)
        self._post()
        self.play()

    def key(self) -> None:
        """Somebody has a new key, another name and another address."""
        seat, called = self._anybody(), self._name()
        new = signer_of(f"{seat.name}, later {called}")
        op: dict[str, Any] = {"op": "key", "party": seat.name, "mail": f"{called.lower()}@example.org"}
        op |= {"name": called} if self.rng.random() < 0.7 else {}
        op |= {"sign": sshsig.public_line(new.public)} if self.rng.random() < 0.5 else {}
        proposing.propose(seat.folder, [op], [seat.signer, *([new] if "sign" in op else [])])
        self._post()
        self.play()
        seat.signer = new if "sign" in op else seat.signer

    def proxy(self) -> None:
        """A player gives his keys to the GM, or takes them back."""
        seat = self._player()
        now = seat.folder.need_roster().by_id[seat.name].proxy
        op = {"op": "key", "party": seat.name, "proxy": "gm" if now is None else None}
        proposing.propose(seat.folder, [op], [seat.signer])
        self._post()
        self.play()

    def option(self) -> None:
        """All agree that the game may or may not go on without somebody."""
        if self.table.progress.roster.terms.dice != "swift":
            raise NotNow
        value = "stop" if self.table.progress.roster.terms.absent == "skip" else "skip"
        self._agree({"op": "option", "name": "absent", "value": value})
        self.play()

    def ruling(self) -> None:
        """The GM changes the position; between two both do."""
        state = self.table.everybody[0].folder.state()
        unit = self.rng.choice(sorted(state.position.counters))
        fields = dict(sorted(state.position.counters[unit].items())[:1])
        changes: list[dict[str, Any]] = [{"set": unit, "fields": fields}]
        if self.table.pair:
            self._agree({"op": "ruling", "changes": changes, "reason": "--- so it was meant ---"})
            try:
                self.play()
            except Refused:  # the phase under way does not go with it: the stage begins anew without it
                self._agree({"op": "rewind", "to": self.table.progress.stage})
                self._close()
            return
        else:
            gm = self.table.gm
            proposing.rule(gm.folder, changes, "--- so it was meant ---", gm.signer)
            self._post()
            self.play()

    def module(self) -> None:
        """All install a new revision of the rules, and agree on it; the stage goes on or begins anew."""
        self.table.system = revised(self.table, self.patch)
        folder, restart = self.table.everybody[0].folder, self.rng.random() < 0.5
        try:
            ops = new_rules.module_ops(folder, restart=restart)
        except Refused:  # the stage cannot be kept: it says so, and that it can begin anew
            restart = True
            ops = new_rules.module_ops(folder, restart=True)
        self._agree(*ops)
        if restart:
            self._close()
        else:
            self.play()

    def dice_mode(self) -> None:
        """All agree on locks, or to do without."""
        now = self.table.progress.roster.terms.dice
        if now == "swift" and self.table.progress.roster.terms.absent == "skip":
            raise NotNow
        self._agree({"op": "option", "name": "dice", "value": "locked" if now == "swift" else "swift"})
        self.play()

    def chain(self) -> None:
        """Somebody has lost the chain of links."""
        seat = self._anybody()
        self._agree(fresh_chain(seat.folder))
        self._close()

    def rewind(self) -> None:
        """Play goes on from an earlier stage; sometimes after orders were sent."""
        if self.rng.random() < 0.3 and not self.table.pair:
            self._one_answers()
            self._post()
        last = self.table.progress.stage
        self._agree({"op": "rewind", "to": max(0, last - self.rng.randrange(3))})
        self._close()

    def take_over(self) -> None:
        """Somebody of another name takes over a place; the old key signs, or does not."""
        table, called = self.table, self._name()
        hidden = bool(table.system.hidden)
        old = self._player() if table.pair or self.rng.random() < 0.7 else table.gm
        others = [seat for seat in table.everybody if seat is not old]
        source, handed = self.root / f"handed-to-{called}", None
        shutil.copytree(others[0].root, source, ignore=shutil.ignore_patterns("private", "outbox", "inbox"))
        if old is table.gm and hidden:
            handed = self.root / f"old-private-{called}"
            shutil.copytree(old.root / "private", handed)
        new = Newcomer(self.root / called, old.name, called)
        new.renderer = renderer
        join_running(
            source, new.root, old.name, new.person, game_id=others[0].folder.need_roster().game, handed=handed
        )
        op = wishes.takeover_op(others[0].folder, statements_in(*new.mails()))
        made = proposing.propose(others[0].folder, [op], [others[0].signer], aware=True)
        signing_too = [new, *others[1:], *([old] if table.pair else [])]
        table.players["new"] = new
        self._post()
        for seat in signing_too:
            proposing.co_sign(seat.folder, made.proposal.statement.sid[:12], [seat.signer], aware=True)
            self._post()
        if old is table.gm:
            table.gm = table.players.pop("new")
            self._close()
        else:
            self._close()
            table.players[old.name] = table.players.pop("new")
        self.gone.append(old)

    def drop(self) -> None:
        """A player leaves, sometimes after an order; the others go on without."""
        table = self.table
        old = self._player()
        if len(table.progress.roster.players) < 2:
            raise NotNow
        if old in table.asked() and self.rng.random() < 0.7:
            old.answer_all(self.choose)
            self._post()
        others = [seat for seat in table.everybody if seat is not old]
        op = {"op": "drop", "party": old.name}
        made = proposing.propose(others[0].folder, [op], [others[0].signer], aware=True)
        self._post()
        for seat in others[1:]:
            proposing.co_sign(seat.folder, made.proposal.statement.sid[:12], [seat.signer], aware=True)
            self._post()
        self._close()
        del table.players[old.name]
        self.gone.append(old)

    def correct(self) -> None:
        """A stage is reported wrongly, by a program with a bug, and once more rightly."""
        usual = System.facts
        with pytest.MonkeyPatch.context() as patch:
            moon = Fact("track/moon", "full")
            patch.setattr(System, "facts", lambda self, game: [*usual(self, game), moon])
            self.play()
        gm = self.table.gm
        correcting.correct(gm.folder, gm.signer, render=gm.render, by="the day after")
        self._post()

    # --- what everybody can find ------------------------------------------------------------------------

    def wrong(self) -> list[str]:
        """Whatever `verify` calls false in any folder, as the command looks at it."""
        found: list[str] = []
        for seat in [*self.table.everybody, *self.gone]:
            for how, said in self._looked_at(seat.root):
                found += [f"{seat.root.name} {how}: {finding}" for finding in said.of("false")]
        return found

    def _on_the_page(self) -> None:
        """What the page "Check it yourself" of a book says of every folder."""
        seats = [*self.table.everybody, *self.gone]
        for seat, said in zip(
            seats, audited([public_evidence(seat.root) for seat in seats], self.root), strict=True
        ):
            assert said.get("wrong") == [], (seat.root.name, said, self.done)

    def _looked_at(self, root: Path) -> list[tuple[str, Verification]]:
        own = verify(root, own=own_side(root), renderers=renderers)
        said = [("own", own), ("a stranger", verify(root, renderers=renderers))]
        note = self.notes.get(root)
        if note is not None:
            with suppress(Refused):
                said.append(("since", verify(root, own=own_side(root), renderers=renderers, since=note)))
        if own.note is not None:
            self.notes[root] = own.note
        return said

    def run(self, steps: int, patch: pytest.MonkeyPatch) -> None:
        """Do so many things that can be done, look after each, unseal, and look again."""
        self.patch = patch
        for _ in range(steps):
            if self.table.progress.over:
                break
            self._step()
            wrong = self.wrong() if self.rng.random() < 0.4 else []
            assert not wrong, (wrong, self.done)
        if not self.table.pair and not unsealed(self.table.gm.folder):
            gm = self.table.gm
            unseal(gm.folder, gm.signer, early=not self.table.progress.over)
            self._post()
        wrong = self.wrong()
        assert not wrong, (wrong, self.done)
        if shutil.which("node"):
            self._on_the_page()

    def _step(self) -> None:
        acts: list[Callable[[], None]] = [self.play, self.protest, self.key, self.ruling, self.module]
        acts += [self.chain, self.rewind, self.take_over, self.standing]
        if not self.table.pair:
            acts += [self.forfeit, self.acknowledge, self.proxy, self.option, self.drop, self.correct]
            acts += [self.dice_mode, self.come_too_late]
        new = [act for act in acts if act.__name__ not in self.done]
        act = self.rng.choice(new if new and self.rng.random() < 0.7 else acts)
        try:
            act()
        except NotNow:
            return
        self.done.append(act.__name__)

    # --- how --------------------------------------------------------------------------------------------

    def _post(self) -> None:
        bad = [receipt for receipt in self.table.post() if not receipt.good]
        assert not bad, (bad, self.done)

    def _agree(self, *ops: Any) -> None:
        """One proposes, all others sign, each by mail."""
        by, *others = self.rng.sample(self.table.everybody, len(self.table.everybody))
        made = proposing.propose(by.folder, ops, [by.signer], aware=True)
        self._post()
        for seat in others:
            proposing.co_sign(seat.folder, made.proposal.statement.sid[:12], [seat.signer], aware=True)
            self._post()

    def _close(self) -> None:
        if self.table.pair:
            self.table.follow()
        else:
            assert self._run().done

    def _run(self, **options: Any) -> Any:
        return self.table.run(by=self.rng.choice([None, "Sunday -- at ten"]), **options)

    def _report(self) -> list[Path]:
        """The report, which nobody has yet."""
        from pbem.archive.adjudicating.gm_stage import adjudicate

        gm = self.table.gm
        assert adjudicate(gm.folder, gm.signer, render=gm.render).done
        return gm.mails()

    def _anybody(self) -> Seat:
        return self.rng.choice(self.table.everybody)

    def _player(self) -> Seat:
        return self.rng.choice(list(self.table.players.values()))

    def _name(self) -> str:
        if not self.names:
            self.names = [f"{name} the Second" for name in NAMES]
        return self.names.pop(0)
