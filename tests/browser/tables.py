"""Tables that a browser opens: the server of one person, games with others, what the browser is told."""

from __future__ import annotations

import json
import subprocess
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from pbem.archive import GM, new_game, read_invitation, receive, sign_roster
from pbem.archive import adjudicate as run_stage
from pbem.archive import join as join_by_command
from pbem.cli.games.table import Table, turn_of
from pbem.cli.games.telling import renderer
from pbem.cli.web import forms
from pbem.cli.web.desk import Desk
from pbem.cli.web.serve import listening, run, stop
from pbem.engine.system import find
from pbem.mail.read import read_path
from pbem.model.codec import schema_of
from pbem.trust.keys import make_key
from tests.browser.conftest import HERE, browser

Step = dict[str, Any]
IDLE = "document.body.classList.contains('ready') && !document.body.hasAttribute('aria-busy')"
SIGNABLE = "document.getElementById('sign').getAttribute('aria-disabled') === 'false'"
ANSWER = "#ask .answers button, #pages .list button"


def flat(field: forms.Field) -> list[tuple[str, str, str]]:
    """The inputs of a form: how each is filled in, its name, what goes in."""
    if field.parts:
        return [each for part in field.parts for each in flat(part)]
    return [("pick" if field.kind == "choice" else "fill", field.name, field.value)]


@contextmanager
def serving(place: Desk) -> Iterator[Callable[[], str]]:
    """What gives links to a table that is open at a place, each for one use."""
    server, gate = listening(place, 0)
    thread = threading.Thread(target=run, args=(server,), daemon=True)
    thread.start()
    try:
        yield gate.link
    finally:
        stop(server)
        thread.join(10)


def sit(
    sittings: Sequence[Mapping[str, Any]], others: Mapping[str, Callable[[], str | None]]
) -> list[dict[str, Any]]:
    """Play these sittings, all in one browser; `others` act when a step tells their names."""
    job = json.dumps({"chromium": browser(), "sittings": list(sittings)})
    with subprocess.Popen(
        ["node", str(HERE / "table.mjs")],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as running:
        assert running.stdin is not None and running.stdout is not None and running.stderr is not None
        running.stdin.write(job + "\n")
        running.stdin.flush()
        for line in running.stdout:
            said = json.loads(line)
            if "found" in said:
                found: list[dict[str, Any]] = said["found"]
                return found
            running.stdin.write(f"{others[said['tell']]() or ''}\n")
            running.stdin.flush()
        raise AssertionError(running.stderr.read()[-3000:])


def says(what: str) -> Step:
    return {"value": what}


def text(id: str) -> str:
    return f"document.getElementById('{id}').innerText"


def spot(hex: str, *, low: bool = False) -> str:
    """Where a hex is on the board, for the mouse; `low` is its lower rim."""
    down = 28 if low else 0
    return f"""(async () => {{
        const {{ M }} = await import("/static/board-sheets.js");
        const {{ T }} = await import("/static/board-state.js");
        const b = document.getElementById("sheet").getBoundingClientRect(), [x, y] = T.board.centres["{hex}"];
        return [b.left + x * b.width / M.wide, b.top + (y + {down}) * b.height / M.high];
    }})()"""


def hex(at: str, *, low: bool = False) -> list[Step]:
    """A click on a hex of the board."""
    return [{"at": spot(at, low=low)}, {"wait": IDLE}]


def answered(name: str) -> list[Step]:
    """Clicks on the table until the orders may be signed: the first answer, then the first after it."""
    return [
        {"wait": IDLE},
        {
            "again": SIGNABLE,
            "most": 14,
            "steps": [
                {
                    "time": f"{name}: a click",
                    "painted": True,
                    "steps": [{"click": ANSWER}, {"wait": IDLE}],
                },
            ],
        },
        {"wait": SIGNABLE},
    ]


SIGNED: list[Step] = [{"click": "#sign"}, {"wait": "document.body.dataset.signed"}, {"wait": IDLE}]
"""A click on Sign, and no page after it."""


def menu(page: str) -> list[Step]:
    """From the table to another page of the game."""
    return [{"click": ".menu summary"}, {"click": f".menu a[href='{page}']"}]


def pages(game: str, *names: str) -> list[Step]:
    """Every page of a game, looked at by the accessibility checker and for its width."""
    steps: list[Step] = []
    for name in names:
        steps += [{"goto": f"/g/{game}/{name}"}, {"axe": True}, {"wide": True}]
    return steps


class Evening:
    """A game turn by mail: the computer plays the game master and all seats but one, a browser the one.

    Mails lie as files in `post`; the browser takes them in, its letters are read out of the player's folder.
    """

    def __init__(self, root: Path, system: str) -> None:
        self.root, self.name, self.answers = root, system, 0
        self.system = find(system)
        self.scenario = self.system.scenarios()[0]
        self.seats = list(self.system.players(self.system.scenario(self.scenario)))
        self.me = self.seats[0]
        self.home = root / "player"
        self.home.mkdir(parents=True)
        self.desk = Desk(self.home)
        self.table = Table(root / "others", self.system, self.scenario)
        self.post = root / "post"
        self.post.mkdir()
        self.stages = 0
        self.coming: list[Path] = []
        gm = self.table._seat(GM, "Gm", make_key())
        self.table.seats[GM] = gm
        written = new_game(
            gm.root, self.system, self.scenario, self.table._person(gm), title=f"{system} evening"
        )
        self.invitation = next(path for path in written if path.suffix == ".pbem-invitation")

    @property
    def mine(self) -> Path:
        """The folder that the browser has made."""
        return next(iter(self.desk.games().values()))

    def letters(self) -> list[Path]:
        return sorted((self.mine / "outbox").glob("*.eml"))

    def _to_me(self, mails: Sequence[Path]) -> None:
        """What is to be taken in next, as one file, like a mailbox."""
        self.coming += mails
        head = b"From a@b Sun Nov 22 12:00:00 2026\n"
        (self.post / "new.mbox").write_bytes(
            b"".join(head + one.read_bytes() + b"\n\n" for one in self.coming)
        )

    def joined(self) -> None:
        """Everybody else joins, the game master makes and signs the roster."""
        found = read_invitation(read_path(self.invitation).signed[0])
        for seat in self.seats[1:]:
            party = self.table._seat(seat, seat.capitalize(), make_key())
            self.table.seats[seat] = party
            self.table.gm.take(
                self.table.post(join_by_command(party.root, found, seat, self.table._person(party)))
            )
        self.table.gm.take(self.letters())
        self._to_me(self._signed(GM))

    def _signed(self, who: str) -> list[Path]:
        seat = self.table.seats[who]
        mails = self.table.post(sign_roster(seat.folder, seat.signer, render=renderer()))
        self._among(mails, seat)
        return mails

    def _among(self, mails: Sequence[Path], sender: Any = None) -> None:
        for seat in self.table.seats.values():
            if seat is not sender:
                folder = seat.folder
                receive(folder, [s for one in mails for s in read_path(one).signed], render=renderer())

    def signed(self) -> None:
        """All have signed: the first report."""
        self.coming.clear()
        self._among(self.letters())
        for seat in self.seats[1:]:
            self._signed(seat)
        self._run()

    def _run(self) -> None:
        gm = self.table.gm
        done = run_stage(gm.folder, gm.signer, render=renderer())
        assert done.done, done.missing
        mails = self.table.post(done.written)
        self._among(mails, gm)
        self._to_me(mails)
        self.stages += 1

    def ordered(self) -> str:
        """The orders of the browser came; the others answer, and stages run until it is asked again. It is
        over where the second game turn has begun."""
        self.answers += 1
        self.coming.clear()
        self._among(self.letters())
        while True:
            progress = self.table.gm.folder.progress
            for party in progress.asked:
                if party != self.me:
                    self._among(self.table.answer(self.table.seats[party]))
            self._run()
            folder = self.table.gm.folder
            if folder.progress.over or turn_of(folder.state().at) > 1:
                return "over"
            if self.me in folder.progress.asked:
                return ""

    def standing(self) -> list[Step]:
        """What sensible players leave orders for: each form filled in and put into the list."""
        steps: list[Step] = []
        found = {form: one[form] for one in self.system.standing_well(self.me) for form in one}
        for form in sorted(self.system.standing_forms.keys() & found.keys()):
            schema = schema_of(self.system.standing_type(form))
            there = {name for _, name, _ in flat(forms.fields(schema, "f", form))}
            fields = flat(forms.fields(schema, "f", form, found[form]))
            sent = {name: value for _, name, value in fields if name in there}
            if forms.value_of(schema, "f", sent) != found[form]:
                continue  # with more lines than an empty form has, or a list that is empty on purpose
            steps += [
                {"click": "nav.book a[href$='/standing']"},
                {"click": f"main a[href$='/standing/{form}']"},
                *({how: [f'[name="{name}"]', value]} for how, name, value in fields if value),
                {"click": "main button.go"},
                {"wait": "document.getElementById('h-listed')"},
            ]
        return steps

    def take_in(self) -> list[Step]:
        return [
            {"again": "!!document.querySelector('nav.book')", "most": 1, "steps": menu("post")},
            {"wait": "document.querySelector('nav.book')"},
            {"click": "nav.book a[href$='/post']"},
            {"files": ["#file", str(self.post / "new.mbox")]},
            {"click": "form.drop button"},
            {"wait": "document.getElementById('h-done')"},
        ]

    def steps(self, *, looked_at: bool = False) -> list[Step]:
        """From the invitation to a report by clicks; `looked_at` by the accessibility checker on the way."""
        axe: list[Step] = [{"axe": True}] if looked_at else []
        steps: list[Step] = [
            {"files": ["#file", str(self.invitation)]},
            {"click": "form.drop button"},
            {"wait": "document.getElementById('seat')"},
            *axe,
            {"pick": ["#seat", self.me]},
            {"fill": ["#name", "Newcomer"]},
            {"fill": ["#mail", "new@example.org"]},
            {"click": "main button.go"},
            {"wait": "document.getElementById('h-out')"},
            says(text("h-out") + " + document.querySelector('.letters').innerText"),
            {"tell": f"{self.name} joined"},
            *self.take_in(),
            {"click": "nav.book a"},
            {"click": "section.game h2 a"},
            {"wait": "document.getElementById('h-roster')"},
            *axe,
            {"click": "button[value=sign-roster]"},
            {"wait": "document.querySelector('.said')"},
            *axe,
            {"tell": f"{self.name} signed"},
            *self.take_in(),
        ]
        one_round: list[Step] = [
            {"click": "nav.book a[href$='/table']"},
            *answered(self.name),
            *SIGNED,
            {"tell": f"{self.name} ordered"},
            *self.take_in(),
        ]
        return [
            *steps,
            *self.standing(),
            {"rounds": one_round},
            *self.take_in(),
            {"click": "nav.book a[href$='/g/" + "'], nav.book li:nth-child(3) a"},
            {"wait": "document.getElementById('summary')"},
            says(text("summary")),
            {"click": "nav.book a[href$='/trust']"},
            {"click": "main button"},
            {"wait": "document.getElementById('h-found')"},
            says(text("h-found")),
        ]

    def others(self) -> dict[str, Callable[[], str | None]]:
        return {
            f"{self.name} joined": self.joined,
            f"{self.name} signed": self.signed,
            f"{self.name} ordered": self.ordered,
        }
