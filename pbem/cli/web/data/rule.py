"""Rules, cards and charts as fragments in our own words, from what a rules system says of itself."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from html import escape
from typing import TYPE_CHECKING, Any

from pbem.cli.shell.language import code, of_rules, spoken
from pbem.cli.shell.tables import cell_text, table_names, table_of
from pbem.cli.web.words import words
from pbem.text.diagnostics import Diagnostic, Refused
from pbem.text.messages import Message

if TYPE_CHECKING:
    from pbem.archive import Folder
    from pbem.engine.outline import Node
    from pbem.engine.system import System

Data = dict[str, str]
NUMBER = re.compile(r"[A-Z]?-?[0-9]+(\.[0-9]+){0,4}[a-z]?")
_LISTED = re.compile(r"\|([^|]*)\|([^|]*)\|")


def rule(folder: Folder, number: str) -> Data:
    """Return what a rule is about: where it is in the turn, what it asks, how doubts were decided.

    Refused if nothing is known of that number.
    """
    system, say = folder.system, words(code()).say
    if NUMBER.fullmatch(number) is None:
        raise _unknown(number)
    parts = [
        *_block(say("board-rule-covers"), _covered(system, number), "en"),
        *_block(say("board-rule-turn"), _in_turn(system.outline, number, system)),
        *_block(say("board-rule-asks"), _asked(system, number)),
        *_block(say("board-rule-doubts"), _rulings(system, number), "en"),
        *_block(say("board-rule-charts"), _charts(system, number)),
    ]
    if not parts:
        raise _unknown(number)
    return {"title": say("board-rule", number=number), "html": "".join(parts)}


def _unknown(what: str) -> Refused:
    return Refused(Diagnostic("unknown-rule", Message("cli.web.no-such-rule", what=what)))


def _block(title: str, lines: Iterator[str], lang: str = "") -> Iterator[str]:
    """Yield a heading and its list, or nothing without lines."""
    listed = list(dict.fromkeys(lines))
    if listed:
        marked = f' lang="{lang}"' if lang and lang != code() else ""
        items = "".join(f"<li>{escape(line)}</li>" for line in listed)
        yield f"<h3>{escape(title)}</h3><ul{marked}>{items}</ul>"


def _within(rule: str, number: str) -> bool:
    """Return True if a number, or a span of them (4.1.2-4.1.3), is this rule or a part of it."""
    for part in re.split(r"[,;]\s*", rule):
        first, _, last = part.strip().partition("-")
        if first == number or first.startswith(f"{number}."):
            return True
        if last and _key(first) <= _key(number) <= _key(last):
            return True
    return False


def _key(number: str) -> list[int]:
    return [int(digits) for digits in re.findall(r"\d+", number)]


def _covered(system: System, number: str) -> Iterator[str]:
    path = system.folder / "README.md"
    if not path.is_file():
        return
    for line in path.read_text("utf-8").splitlines():
        match = _LISTED.match(line)
        if match is not None and match[1].strip()[:1].isdigit() and _within(match[1], number):
            yield f"{match[1].strip()}: {match[2].strip()}"


def _in_turn(node: Node, number: str, system: System) -> Iterator[str]:
    for part in node.walk():
        if part.rule == number and part.label:
            yield of_rules(re.sub(r"\s*\{\w+\}", "", part.label), system)


def _asked(system: System, number: str) -> Iterator[str]:
    sentences = system.wording_in(code()).get("decisions", {})
    for kind, asked in sorted(system.registry.decisions.items()):
        text = sentences.get(kind) or system.wording.get("decisions", {}).get(kind, "")
        if _within(asked.rule, number) and text:
            yield re.sub(r"\[\[.*?\]\]|\{[^}]*\}", "…", text)


def _rulings(system: System, number: str) -> Iterator[str]:
    from pbem.text.loading import load_file

    path = system.folder / "rulings.yaml"
    if not path.is_file():
        return
    for ruling in load_file(path, "rulings.yaml").data.get("rulings", ()):
        if ruling["id"] == number or _within(str(ruling["rule"]), number):
            yield f"{ruling['id']} [{ruling['rule']}] {ruling['question']} {ruling['ruling']}"


def _charts(system: System, number: str) -> Iterator[str]:
    for name in table_names(system):
        if _within(str(table_of(system, name).get("rule", "")), number):
            yield name


# ---- cards ---------------------------------------------------------------------------------------------


def card(folder: Folder, id: str) -> Data:
    """Return the text of a card, or of another thing with a title, as the reader's board has it.

    Refused if there is none of that id.
    """
    game, system = folder.view().game, folder.system
    title = system.titles(game).get(id)
    word = re.compile(rf"(?<![\w-]){re.escape(id)}(?![\w-])")
    about = [entry for entry in system.background(game) if word.search(entry.title)]
    if title is None and not about:
        raise Refused(Diagnostic("unknown-card", Message("cli.web.no-such-card", what=id)))
    lines = [f"<p>{escape(of_rules(entry.title, system))}</p>" for entry in about]
    for entry in about:
        if entry.parts:
            lines.append(
                "<ul>" + "".join(f"<li>{escape(of_rules(p, system))}</li>" for p in entry.parts) + "</ul>"
            )
    return {"title": f"{id} {spoken(title or '')}".strip(), "html": "".join(lines)}


# ---- charts --------------------------------------------------------------------------------------------


def chart(folder: Folder, name: str, row: str, column: str) -> Data:
    """Return a table of the rules; the row and the column of a fight are marked. Refused for another name."""
    data = table_of(folder.system, name)
    number = str(data.get("rule", ""))
    body = _table_of({key: value for key, value in data.items() if key not in ("table", "rule")}, row, column)
    return {"title": f"{name} [{number}]" if number else name, "html": body}


def chart_of(system: System, odds: str) -> Data | None:
    """Return the table, and its column, that decides a fight at these odds; None if no table has it."""
    for name in table_names(system):
        data = table_of(system, name)
        for heads in (_heads(part) for part in (data, *data.values()) if isinstance(part, Mapping)):
            column = next((head for head in heads if _meets(head, odds)), None)
            if column is not None:
                return {"name": name, "column": column}
    return None


def _heads(data: Mapping[str, Any]) -> list[str]:
    """Return the heads of the columns of a table, where it gives them beside its rows."""
    heads = data.get("columns", [])
    listed = heads.get("values", []) if isinstance(heads, Mapping) else heads
    return [str(head) for head in listed] if isinstance(listed, list) else []


def _meets(head: str, odds: str) -> bool:
    """Return True if odds equal a head, or are in its span of per cent, such as 132-165 or 301+."""
    share = re.match(r"(\d+)%", odds)
    if share is None:
        return re.fullmatch(r"\d+[:-]\d+", head) is not None and head in odds.split()
    span = re.fullmatch(r"(\d+)(?:-(\d+)|\+)", head)
    return span is not None and int(span[1]) <= int(share[1]) <= int(span[2] or share[1])


def _table_of(data: Any, row: str, column: str, title: str = "", beside: Sequence[str] = ()) -> str:
    """Return data as tables: mappings of mappings or of rows in columns, the rest line by line.

    `beside` are the heads that stand beside the rows.
    """
    if not isinstance(data, Mapping):
        return f"<p>{escape(title)} {escape(cell_text(data))}</p>"
    if data and all(isinstance(row_data, Mapping | list) for row_data in data.values()):
        if all(isinstance(row_data, Mapping) for row_data in data.values()):
            heads = list(dict.fromkeys(str(key) for row_data in data.values() for key in row_data))
            inner = Mapping | list if beside else Mapping  # rows below heads are a table of their own
            flat = all(
                not isinstance(cell, inner) for row_data in data.values() for cell in row_data.values()
            )
            rows = {
                str(key): [cell_text(row_data.get(head, "")) for head in heads]
                for key, row_data in data.items()
            }
        else:
            lists = {key: cells for key, cells in data.items() if isinstance(cells, list)}
            wide = max((len(cells) for cells in lists.values()), default=0)
            heads = list(beside) if len(beside) == wide else [str(n) for n in range(1, wide + 1)]
            flat = len(lists) == len(data)
            rows = {str(key): [cell_text(cell) for cell in cells] for key, cells in lists.items()}
        if flat:
            return _html(title, heads, rows, row, column)
    heads = _heads(data) or list(beside)
    rest = {key: part for key, part in data.items() if key != "columns" or not heads}
    parts = [_table_of(part, row, column, str(key), heads) for key, part in rest.items()]
    return (f"<h3>{escape(title)}</h3>" if title else "") + "".join(parts)


def _html(title: str, heads: list[str], rows: dict[str, list[str]], row: str, column: str) -> str:
    def cell(tag: str, text: str, here: bool) -> str:
        marked = ' class="here"' if here else ""
        return f"<{tag}{marked}>{escape(text)}</{tag}>"

    top = "".join(cell("th", head, head == column) for head in heads)
    body = "".join(
        "<tr>"
        + cell("th", key, key == row)
        + "".join(
            cell("td", text, key == row and head == column) for head, text in zip(heads, cells, strict=False)
        )
        + "</tr>"
        for key, cells in rows.items()
    )
    named = f"<caption>{escape(title)}</caption>" if title else ""
    return f"<table>{named}<thead><tr><td></td>{top}</tr></thead><tbody>{body}</tbody></table>"
