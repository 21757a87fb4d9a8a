"""An amendment in plain words: what is shown before anybody signs it, in mails, reports and `verify`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from pbem.stages.amendments import Proposal
from pbem.stages.progress import Progress
from pbem.text.flow import flow
from pbem.trust import sshsig
from pbem.trust.armour import single_dashes

Op = Mapping[str, Any]


def words_of(progress: Progress, proposal: Proposal) -> list[str]:
    """What an amendment does, a sentence for each op, and what follows from it."""
    lines = [op_words(progress, op) for op in proposal.ops]
    if proposal.closes:
        lines.append(f"nothing is played in stage {progress.open_stage}; what follows has fresh dice")
    return lines


def op_words(progress: Progress, op: Op) -> str:
    """One op as a sentence without its full stop."""
    return _WORDS[op["op"]](progress, op)


def _key(progress: Progress, op: Op) -> str:
    parts = []
    if "sign" in op:
        parts.append(f"signs with a new key from now on, {_fingerprint(op['sign'])}")
    if "seal" in op:
        parts.append("has a new seal key")
    if "name" in op:
        parts.append(f"is now called {op['name']}")
    if "mail" in op:
        parts.append(f"has the new address {op['mail']}")
    if "proxy" in op and op["proxy"] is None:
        parts.append("holds his own keys again")
    elif "proxy" in op:
        parts.append(f"lets {op['proxy']} hold his keys and write down his orders: his word is then the GM's")
    return f"{op['party']} {', and '.join(parts)}"


def _taken_over(progress: Progress, op: Op) -> str:
    before = progress.roster.by_id.get(op["party"])
    was = f", in place of {before.name}" if before is not None and before.name != op["name"] else ""
    what = "is the game master" if "secret" in op else f"plays {op['party']}"
    return f"{op['name']} <{op['mail']}> {what} from now on{was}, with new keys: {_fingerprint(op['sign'])}"


def _drop(progress: Progress, op: Op) -> str:
    return f"{op['party']} is out of the game; what he would decide takes its default"


def _chain(progress: Progress, op: Op) -> str:
    return f"{op['party']} has a new chain for the dice, {op['anchor'][:16]}"


def _option(progress: Progress, op: Op) -> str:
    return f"{op['name']} is {flow(op['value'])} from now on"


def _module(progress: Progress, op: Op) -> str:
    was, new = progress.roster.terms.module, op["module"]
    before = f"until now {was.version} ({was.sha256[:12]})"
    return f"the rules are {new['name']} {new['version']} ({new['sha256'][:12]}), {before}"


def _ruling(progress: Progress, op: Op) -> str:
    what = "what it changes is sealed" if "commit" in op else "; ".join(map(_change, op["changes"]))
    return f"the GM rules: {what}; because: {single_dashes(op['reason'])}"


def _rewind(progress: Progress, op: Op) -> str:
    if op["to"] == progress.stage:
        return f"the stage begins anew: everybody who is asked in stage {progress.open_stage} is asked again"
    return f"play goes on from the end of stage {op['to']}; what came after it never happened on the map"


def _change(change: Any) -> str:
    return change_words(change) if isinstance(change, Mapping) else flow(change)


def change_words(change: Op) -> str:
    """One change of a ruling in words."""
    if "move" in change:
        return f"{change['move']} to {change['to']}"
    if "remove" in change:
        return f"{change['remove']} is removed"
    if "add" in change:
        return f"{change['add']} is added: {flow(change['fields'])}"
    if "set" in change:
        return f"{change['set']}: {flow(change['fields'])}"
    if str(change.get("track", "")).startswith("seats/"):
        return f"{change['track'].removeprefix('seats/')} comes under {change['value']}"
    if "track" in change:
        return f"{change['track']} is {flow(change['value'])}"
    return f"against the check {change['override']}" if "override" in change else flow(dict(change))


def _fingerprint(line: str) -> str:
    return sshsig.fingerprint(sshsig.parse_public_line(line))


_WORDS: Mapping[str, Callable[[Progress, Op], str]] = {
    "key": _key,
    "party": _taken_over,
    "drop": _drop,
    "chain": _chain,
    "option": _option,
    "module": _module,
    "ruling": _ruling,
    "rewind": _rewind,
}
