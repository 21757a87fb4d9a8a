"""Digests of drawings and pages, a line for each layer or section, so that a difference names its part."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from hashlib import sha256
from xml.etree import ElementTree

Element = ElementTree.Element
_NUMBERED = re.compile(r"(?<=#)[\w-]*[dg][0-9a-f]+(?![\w-])")
_SVG = re.compile(r"<svg\b.*?</svg>", re.S)
_FILES = re.compile(r"<(style|script)\b[^>]*>.*?</\1>|sha256-[A-Za-z0-9+/=]+", re.S)
_PARTS = re.compile(r"(?=<(?:section|header|footer|nav|main)\b)")
_NAMED = re.compile(r'^<\w+[^>]*? id="([^"]+)"|<h[1-3][^>]*>([^<]+)')
_TAGS = re.compile(r"<([a-z][a-z0-9]*)")


def drawing(drawn: str) -> list[str]:
    """Return a line for each layer of a drawing, for its key, its switches, its style and the rest."""
    root = ElementTree.fromstring(drawn)
    return list(_layers(root, _Names([root])))


def page(html: str) -> list[str]:
    """Return a line for each section of a page, and those of the drawings in it.

    Style sheets and scripts are files, whose changes are to be seen in them.
    """
    lines = []
    for part in _PARTS.split(_FILES.sub("", _SVG.sub("<svg>", html))):
        lines.append(_line(_title(part), _TAGS.findall(part), [" ".join(part.split())]))
    roots = [ElementTree.fromstring(one) for one in _SVG.findall(html)]
    names, signs = _Names(roots), [root for root in roots if root.get("class") != "map"]
    for number, root in enumerate([root for root in roots if root.get("class") == "map"], 1):
        lines += (f"map {number}, {line}" for line in _layers(root, names))
    return [*lines, _line("signs", ["svg"] * len(signs), map(names.flat, signs))] if signs else lines


def _title(part: str) -> str:
    """Return the id of a section, else its heading."""
    named = _NAMED.search(part)
    return "head" if named is None else named[1] or " ".join(named[2].split())


def digest(text: str) -> str:
    return sha256(text.encode()).hexdigest()[:12]


class _Names:
    """What is defined in drawings. Names are numbered as they are needed: what they stand for is compared."""

    def __init__(self, roots: Iterable[Element]) -> None:
        self._defined = {f"{one.get('id')}": one for root in roots for one in root.iter() if one.get("id")}
        self._meant: dict[str, str] = {}

    def flat(self, one: Element, *, inside: bool = False) -> str:
        """Return an element as text, with what is defined in place of its name."""
        said = [_bare(one.tag)]
        for key, value in sorted(one.items()):
            if key != "id" or not inside:
                said.append(f"{key}={_NUMBERED.sub(self._mean, value) if '#' in value else value}")
        said += [one.text or "", *(self.flat(each, inside=inside) for each in one), one.tail or ""]
        return "\x1f".join(said)

    def _mean(self, name: re.Match[str]) -> str:
        if name[0] not in self._meant and name[0] in self._defined:
            self._meant[name[0]] = digest(self.flat(self._defined[name[0]], inside=True))
        return self._meant.get(name[0], name[0])


def _layers(root: Element, names: _Names) -> Iterator[str]:
    parts: dict[str, list[Element]] = {}
    for one in root:
        if _bare(one.tag) != "defs":
            parts.setdefault(_name(one), []).append(one)
    yield f"size {root.get('viewBox')}"
    for name, listed in parts.items():
        yield _line(name, [_bare(each.tag) for one in listed for each in one.iter()], map(names.flat, listed))


def _name(one: Element) -> str:
    """Return the name of a part of a drawing: that of its layer, or what it is."""
    own, tag = one.get("class", ""), _bare(one.tag)
    if tag == "g" and not own:
        return "key"
    return own.split()[0].removeprefix("m-").removeprefix("L-") if own else tag


def _line(name: str, tags: Sequence[str], texts: Iterable[str]) -> str:
    counts = ", ".join(f"{count} {tag}" for tag, count in sorted(Counter(tags).items()))
    return f"{name}: {counts} {digest(''.join(texts))}"


def _bare(tag: str) -> str:
    return tag.rpartition("}")[2]
