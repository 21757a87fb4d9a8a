"""An amendment in plain words: what is shown before anybody signs it, in emails, reports and `verify`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from pbem.stages.amendments import Proposal
from pbem.stages.progress import Progress
from pbem.text.flow import flow
from pbem.text.messages import Message, in_turn
from pbem.trust import sshsig
from pbem.trust.armour import single_dashes

Op = Mapping[str, Any]


def words_of(progress: Progress, proposal: Proposal) -> list[str]:
    """Return the effects of an amendment, a sentence for each op, and the consequences."""
    lines = [op_words(progress, op) for op in proposal.ops]
    if proposal.closes:
        lines.append(Message("stages.amendment-words.nothing-is-played-in-stage", stage=progress.open_stage))
    return lines


def op_words(progress: Progress, op: Op) -> str:
    """Return one op as a sentence without its full stop."""
    return _WORDS[op["op"]](progress, op)


def _key(progress: Progress, op: Op) -> str:
    parts: list[str] = []
    if "sign" in op:
        parts.append(Message("stages.amendment-words.signs-with-new-key", key=_fingerprint(op["sign"])))
    if "seal" in op:
        parts.append(Message("stages.amendment-words.has-new-seal-key"))
    if "name" in op:
        parts.append(Message("stages.amendment-words.is-now-called", name=op["name"]))
    if "mail" in op:
        parts.append(Message("stages.amendment-words.has-new-address", mail=op["mail"]))
    if "proxy" in op and op["proxy"] is None:
        parts.append(Message("stages.amendment-words.holds-his-own-keys-again"))
    elif "proxy" in op:
        parts.append(Message("stages.amendment-words.lets-proxy-hold-his-keys", proxy=op["proxy"]))
    changes = in_turn(parts, "stages.amendment-words.and-also")
    return Message("stages.amendment-words.changes-of-party", party=op["party"], changes=changes)


def _taken_over(progress: Progress, op: Op) -> str:
    before = progress.roster.by_id.get(op["party"])
    return Message(
        "stages.amendment-words.taken-over",
        name=op["name"],
        mail=op["mail"],
        gm="secret" in op,
        party=op["party"],
        before=before.name if before is not None and before.name != op["name"] else "",
        key=_fingerprint(op["sign"]),
    )


def _drop(progress: Progress, op: Op) -> str:
    return Message("stages.amendment-words.party-is-out", party=op["party"])


def _deputy(progress: Progress, op: Op) -> str:
    if "sign" not in op:
        return Message("stages.amendment-words.deputy-ends", party=op["party"])
    return Message(
        "stages.amendment-words.deputy-is-named",
        party=op["party"],
        name=op["name"],
        mail=op["mail"],
        key=_fingerprint(op["sign"]),
    )


def _chain(progress: Progress, op: Op) -> str:
    return Message("stages.amendment-words.has-new-chain", party=op["party"], anchor=op["anchor"][:16])


def _option(progress: Progress, op: Op) -> str:
    return Message("stages.amendment-words.option-is-from-now-on", name=op["name"], value=flow(op["value"]))


def _module(progress: Progress, op: Op) -> str:
    was, new = progress.roster.terms.module, op["module"]
    return Message(
        "stages.amendment-words.rules-are-from-now-on",
        name=new["name"],
        version=new["version"],
        digest=new["sha256"][:12],
        before=was.version,
        digest_before=was.sha256[:12],
    )


def _ruling(progress: Progress, op: Op) -> str:
    if "commit" in op:
        what: str = Message("stages.amendment-words.what-it-changes-is-sealed")
    else:
        what = in_turn(map(_change, op["changes"]))
    return Message("stages.amendment-words.gm-rules", what=what, reason=single_dashes(op["reason"]))


def _rewind(progress: Progress, op: Op) -> str:
    if op["to"] == progress.stage:
        return Message("stages.amendment-words.stage-begins-anew", stage=progress.open_stage)
    return Message("stages.amendment-words.play-goes-on-from-stage", stage=op["to"])


def _change(change: Any) -> str:
    return change_words(change) if isinstance(change, Mapping) else flow(change)


def change_words(change: Op) -> str:
    """Return one change of a ruling in words."""
    if "move" in change:
        return Message("stages.amendment-words.moves", unit=change["move"], place=change["to"])
    if "remove" in change:
        return Message("stages.amendment-words.is-removed", unit=change["remove"])
    if "add" in change:
        return Message("stages.amendment-words.is-added", unit=change["add"], fields=flow(change["fields"]))
    if "set" in change:
        return f"{change['set']}: {flow(change['fields'])}"
    if str(change.get("track", "")).startswith("seats/"):
        power = change["track"].removeprefix("seats/")
        return Message("stages.amendment-words.comes-under", power=power, seat=change["value"])
    if "track" in change:
        return Message("stages.amendment-words.track-is", track=change["track"], value=flow(change["value"]))
    if "override" in change:
        return Message("stages.amendment-words.against-check", check=change["override"])
    return flow(dict(change))


def _fingerprint(line: str) -> str:
    return sshsig.fingerprint(sshsig.parse_public_line(line))


_WORDS: Mapping[str, Callable[[Progress, Op], str]] = {
    "key": _key,
    "party": _taken_over,
    "drop": _drop,
    "deputy": _deputy,
    "chain": _chain,
    "option": _option,
    "module": _module,
    "ruling": _ruling,
    "rewind": _rewind,
}
