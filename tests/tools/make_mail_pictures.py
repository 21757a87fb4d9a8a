"""Draws the pictures of docs/mail-programs.md: where a mail program saves what came and attaches what goes.

    python -m tests.tools.make_mail_pictures

Schematic, each two windows side by side, with a number in a circle at each place to click. Light or dark as
the reader's screen is.
"""

from __future__ import annotations

from html import escape
from pathlib import Path

from pbem.text.writing import write_all
from tests.docs.pages import ROOT

FOLDER = ROOT / "docs" / "mail-programs"
WIDTH, HEIGHT, PANE = 760, 300, 360

STYLE = """\
.paper{fill:#ffffff}.window{fill:#fbfaf6;stroke:#5b5648;stroke-width:1.5}.bar{fill:#ece6d6}
.card{fill:#ffffff;stroke:#8b8574;stroke-width:1.2}.go{fill:#2f5d8a}.menu{fill:#ffffff;stroke:#5b5648;stroke-width:1.2}
text{fill:#2b2820}.dim{fill:#6b6555}.on{fill:#ffffff}.line{stroke:#5b5648;stroke-width:1.8;fill:none}
.chosen{fill:#e3d7b4}.mark{fill:#a3341f}.number{fill:#ffffff;font-weight:bold}.ring{stroke:#a3341f;stroke-width:2;fill:none}
@media (prefers-color-scheme:dark){.paper{fill:#1d1c19}.window{fill:#292722;stroke:#b9b29f}.bar{fill:#3a372f}
.card,.menu{fill:#33302a;stroke:#b9b29f}.go{fill:#5f93c4}text{fill:#efeadd}.dim{fill:#b9b29f}.on{fill:#10161c}
.line{stroke:#d8d2c2}.chosen{fill:#5d5641}.mark{fill:#e07a5f}.number{fill:#1d1c19}.ring{stroke:#e07a5f}}"""

ICONS = {
    "clip": "M9 3v11a3 3 0 0 1-6 0V5a2 2 0 0 1 4 0v8",
    "down": "M7 2v9M3 8l4 4 4-4M2 15h10",
    "dots": "M7 3v.1M7 8v.1M7 13v.1",
    "row": "M2 8v.1M7 8v.1M12 8v.1",
    "chevron": "M3 6l4 4 4-4",
    "share": "M7 11V2M4 5l3-3 3 3M3 8H1v8h12V8h-2",
    "reply": "M6 4L2 8l4 4M2 8h6a5 5 0 0 1 5 5",
    "drive": "M5 2h4l5 9-2 4H2L0 11z",
    "plane": "M1 2l13 6-13 6 3-6z",
}


class Drawing:
    """Two windows and what is in them; places are counted from the left upper corner of a window."""

    def __init__(self, title: str, telling: str, phone: bool = False) -> None:
        self.title, self.telling = title, telling
        self.parts: list[str] = []
        self.left = 0
        self.phone = phone

    def window(self, number: int, heading: str) -> None:
        """Begin one of the two, its heading above it."""
        self.left = 10 + number * (PANE + 20)
        self._add(f'<text x="{self.left}" y="20" font-weight="bold">{escape(heading)}</text>')
        self.box(0, 0, PANE, 262, "window", 8)

    def box(self, x: int, y: int, width: int, height: int, kind: str, round: int = 4) -> None:
        at = f'x="{self.left + x}" y="{30 + y}" width="{width}" height="{height}"'
        self._add(f'<rect {at} rx="{round}" class="{kind}"/>')

    def text(self, x: int, y: int, words: str, kind: str = "", size: int = 13) -> None:
        look = f' class="{kind}"' if kind else ""
        self._add(f'<text x="{self.left + x}" y="{30 + y}" font-size="{size}"{look}>{escape(words)}</text>')

    def icon(self, name: str, x: int, y: int) -> None:
        wide = ' stroke-linecap="round" stroke-width="3"' if name in ("dots", "row") else ""
        self._add(
            f'<path d="{ICONS[name]}" class="line"{wide} transform="translate({self.left + x} {30 + y})"/>'
        )

    def mark(self, number: int, x: int, y: int, width: int = 0, height: int = 0) -> None:
        """Return a number in a circle; with a size, also a frame around what it marks."""
        if width:
            at = f'x="{self.left + x}" y="{30 + y}" width="{width}" height="{height}"'
            self._add(f'<rect {at} rx="5" class="ring"/>')
        x, y = self.left + x, 30 + y
        self._add(f'<circle cx="{x}" cy="{y}" r="10" class="mark"/>')
        self._add(
            f'<text x="{x}" y="{y + 4.5}" font-size="13" text-anchor="middle" class="number">{number}</text>'
        )

    def menu(self, x: int, y: int, width: int, lines: list[str], chosen: int) -> None:
        """Return an open menu with its lines, one of them chosen."""
        self.box(x, y, width, 22 * len(lines) + 8, "menu")
        self.box(x + 4, y + 5 + 22 * chosen, width - 8, 21, "chosen", 3)
        for n, line in enumerate(lines):
            self.text(x + 12, y + 20 + 22 * n, line)

    def attachment(self, x: int, y: int, width: int = 190) -> None:
        self.box(x, y, width, 40, "card")
        self.icon("clip", x + 10, y + 11)
        self.text(x + 30, y + 25, "report.pbem.txt", size=12)

    def button(self, x: int, y: int, width: int, words: str) -> None:
        self.box(x, y, width, 24, "go", 12)
        self.text(x + 14, y + 17, words, "on")

    def _add(self, part: str) -> None:
        self.parts.append(part)

    def svg(self) -> str:
        inner = "\n".join(self.parts)
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" '
            f'height="{HEIGHT}" font-family="system-ui, sans-serif" font-size="15" role="img" '
            f'aria-labelledby="t d">\n<title id="t">{escape(self.title)}</title>\n'
            f'<desc id="d">{escape(self.telling)}</desc>\n<style>{STYLE}</style>\n'
            f'<rect width="{WIDTH}" height="{HEIGHT}" class="paper" rx="6"/>\n{inner}\n</svg>\n'
        )


def gmail() -> Drawing:
    d = Drawing(
        "Gmail in a browser",
        "Left, a mail that came: 1, the arrow pointing down on the attachment at its end saves it; 2, "
        "the three dots at the right of the sender open a menu with Download message. Right, a new "
        "mail: 3, the paper clip in the row at its foot, right of Send, attaches the file.",
    )
    d.window(0, "A mail that came")
    d.box(0, 0, 76, 262, "bar", 8)
    d.text(12, 34, "Compose", size=12)
    d.text(12, 66, "Inbox", size=12)
    d.text(12, 90, "Sent", "dim", 12)
    d.text(90, 30, "First blood: report of stage 12", size=14)
    d.text(90, 62, "Ann Example", size=12)
    d.text(90, 78, "to me, Cid", "dim", 11)
    d.icon("reply", 292, 52)
    d.icon("dots", 326, 52)
    d.menu(206, 80, 148, ["Reply", "Forward", "Download message"], 2)
    d.mark(2, 346, 44)
    d.attachment(90, 196)
    d.icon("down", 256, 207)
    d.mark(1, 288, 216)
    d.window(1, "A mail that you write")
    d.box(60, 20, 280, 230, "card", 8)
    d.box(60, 20, 280, 28, "bar", 8)
    d.text(74, 39, "New Message", size=12)
    d.text(74, 72, "To   everybody in the game", size=12)
    d.text(74, 98, "Subject   whatever you like", size=12)
    d.attachment(74, 150)
    d.button(74, 214, 64, "Send")
    d.text(152, 231, "A", "dim")
    d.icon("clip", 180, 217)
    d.mark(3, 200, 206)
    d.icon("drive", 222, 218)
    return d


def outlook() -> Drawing:
    d = Drawing(
        "Outlook: the new one on Windows, and in a browser",
        "Left, a mail that came: 1, the small arrow on the attachment, above the text, opens a menu "
        "with Download or Save as; 2, the three dots at the upper right of the mail, then Save as, or "
        "Download, gives an eml file. Right, a new mail: 3, Insert above it, then Attach file, Browse "
        "this computer.",
    )
    d.window(0, "A mail that came")
    d.box(0, 0, PANE, 30, "bar", 8)
    d.text(12, 20, "New mail", size=12)
    d.text(82, 20, "Delete   Archive   Move", "dim", 12)
    d.text(14, 56, "First blood: report of stage 12", size=14)
    d.text(14, 80, "Ann Example", size=12)
    d.icon("reply", 256, 66)
    d.icon("reply", 284, 66)
    d.icon("row", 316, 66)
    d.mark(2, 340, 62)
    d.attachment(14, 92)
    d.icon("chevron", 182, 104)
    d.menu(14, 138, 150, ["Preview", "Download", "Copy"], 1)
    d.mark(1, 180, 150)
    d.menu(222, 88, 128, ["Print", "Save as", "Download"], 1)
    d.text(226, 182, "then: as EML", "dim", 11)
    d.window(1, "A mail that you write")
    d.box(0, 0, PANE, 30, "bar", 8)
    d.text(12, 20, "Message", size=12)
    d.text(84, 20, "Insert", size=12)
    d.mark(3, 134, 15)
    d.text(152, 20, "Format text   Options", "dim", 12)
    d.menu(70, 34, 180, ["Attach file", "Browse this computer"], 1)
    d.button(14, 106, 64, "Send")
    d.text(14, 152, "To   everybody in the game", size=12)
    d.text(14, 176, "Whatever you like", "dim", 12)
    d.attachment(14, 196)
    return d


def outlook_classic() -> Drawing:
    d = Drawing(
        "Outlook, the classic one of Office",
        "Left, a mail that came: 1, a click with the right button on the attachment, then Save As. Do "
        "not save the whole mail: that makes a msg file. Right, a new mail: 2, Attach File in the "
        "ribbon Message, with the paper clip, then Browse This PC; Send is the large button left of "
        "the addresses.",
    )
    d.window(0, "A mail that came")
    d.box(0, 0, PANE, 54, "bar", 8)
    d.text(12, 20, "File   Home   Send / Receive", size=12)
    d.text(14, 80, "First blood: report of stage 12", size=14)
    d.text(14, 102, "Ann Example", size=12)
    d.attachment(14, 114)
    d.menu(130, 142, 170, ["Open", "Save As", "Save All Attachments"], 1)
    d.mark(1, 218, 128)
    d.window(1, "A mail that you write")
    d.box(0, 0, PANE, 76, "bar", 8)
    d.text(12, 20, "File   Message   Insert   Options", size=12)
    d.icon("clip", 196, 34)
    d.text(172, 68, "Attach File", size=12)
    d.mark(2, 222, 38)
    d.box(14, 92, 52, 60, "card")
    d.icon("plane", 32, 102)
    d.text(24, 142, "Send", size=12)
    d.text(80, 112, "To   everybody in the game", size=12)
    d.text(80, 142, "Subject   whatever you like", size=12)
    d.attachment(80, 164)
    return d


def apple() -> Drawing:
    d = Drawing(
        "Apple Mail on a Mac",
        "Left, a mail that came: 1, a click on the attachment with the Control key held, then Save "
        "Attachment; 2, in the menu bar File, Save As, with the format Raw Message Source, saves the "
        "whole mail. Right, a new mail: 3, the paper clip at the top right of its window; the paper "
        "plane at the top left sends it.",
    )
    d.window(0, "A mail that came")
    d.box(0, 0, PANE, 26, "bar", 8)
    d.text(12, 18, "Mail   File   Edit   View   Mailbox", size=12)
    d.mark(2, 52, 36)
    d.menu(40, 48, 210, ["Save As…", "Format: Raw Message Source"], 0)
    d.text(14, 128, "First blood: report of stage 12", size=14)
    d.attachment(14, 144)
    d.menu(130, 170, 170, ["Quick Look", "Save Attachment…", "Share"], 1)
    d.mark(1, 216, 152)
    d.window(1, "A mail that you write")
    d.box(0, 0, PANE, 40, "bar", 8)
    d.icon("plane", 74, 12)
    d.text(96, 25, "send", "dim", 11)
    d.text(150, 25, "New Message", size=12)
    d.icon("clip", 300, 11)
    d.mark(3, 326, 20)
    d.text(14, 70, "To:   everybody in the game", size=12)
    d.text(14, 98, "Subject:   whatever you like", size=12)
    d.attachment(14, 130)
    return d


def thunderbird() -> Drawing:
    d = Drawing(
        "Thunderbird",
        "Left, a mail that came: 1, Save at the right of the line of the attachment, at the foot of "
        "the mail; 2, More at the upper right of the mail, then Save As, saves the whole mail. Right, "
        "a new mail: 3, Attach at the upper right; or a double click on the eml file in outbox, then "
        "More, Edit As New Message.",
    )
    d.window(0, "A mail that came")
    d.text(14, 30, "Ann Example", size=12)
    d.text(14, 54, "Report of stage 12", size=14)
    d.icon("reply", 236, 18)
    d.text(286, 31, "More ▾", size=12)
    d.mark(2, 344, 26)
    d.menu(206, 42, 148, ["Open in New Tab", "Edit As New", "Save As…"], 2)
    d.box(0, 214, PANE, 48, "bar", 8)
    d.icon("clip", 14, 230)
    d.text(34, 243, "report.pbem.txt", size=12)
    d.box(276, 224, 66, 26, "card")
    d.text(288, 242, "Save ▾", size=12)
    d.mark(1, 266, 238)
    d.window(1, "A mail that you write")
    d.box(0, 0, PANE, 40, "bar", 8)
    d.button(12, 8, 64, "Send")
    d.text(96, 25, "Contacts   Spelling   Save", "dim", 12)
    d.icon("clip", 280, 12)
    d.text(300, 26, "Attach", size=12)
    d.mark(3, 270, 34)
    d.text(14, 72, "To   everybody in the game", size=12)
    d.text(14, 100, "Subject   whatever you like", size=12)
    d.attachment(14, 190)
    return d


def phones() -> Drawing:
    d = Drawing(
        "Telephones",
        "Left, Mail on an iPhone: 1, hold the attachment, or open it and touch the square with the "
        "arrow, then Save to Files, into a folder that your computer sees (iCloud Drive). Right, "
        "Gmail on Android: 2, the arrow on the attachment saves it to the telephone, the triangle "
        "puts it on Google Drive.",
    )
    d.window(0, "iPhone: Mail")
    d.box(90, 8, 180, 246, "card", 18)
    d.text(106, 40, "report of stage 12", size=13)
    d.text(106, 60, "Ann Example", "dim", 11)
    d.box(102, 76, 156, 36, "window")
    d.icon("clip", 110, 85)
    d.text(128, 98, "report.pbem.txt", size=11)
    d.icon("share", 236, 84)
    d.mark(1, 280, 92)
    d.menu(102, 124, 156, ["Copy", "Save to Files", "Print"], 1)
    d.text(106, 226, "iCloud Drive ▸ mail", "dim", 11)
    d.window(1, "Android: Gmail")
    d.box(90, 8, 180, 246, "card", 18)
    d.text(106, 40, "report of stage 12", size=13)
    d.text(106, 60, "Ann Example", "dim", 11)
    d.box(102, 176, 156, 44, "window")
    d.text(112, 202, "report.pbe…", size=11)
    d.icon("down", 206, 190)
    d.icon("drive", 232, 191)
    d.mark(2, 280, 198)
    return d


PICTURES = {
    "gmail": gmail,
    "outlook": outlook,
    "outlook-classic": outlook_classic,
    "apple-mail": apple,
    "thunderbird": thunderbird,
    "telephones": phones,
}


def pictures() -> dict[Path, str]:
    """Return the pictures by file."""
    return {FOLDER / f"{name}.svg": draw().svg() for name, draw in PICTURES.items()}


if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    write_all({path: text.encode() for path, text in pictures().items()})
    print(f"written: {', '.join(path.name for path in pictures())}")
