"""Messages inside records: written as id and fields, and read back as messages.

A record that held a sentence would change with every better word. So it holds `{"message": id, "fields":
{...}}`, and each reader's program makes the sentence. Records of strangers may hold anything: an id that this
program does not have is shown as it is, with its fields.
"""

from __future__ import annotations

import re
from typing import Any

from pbem.text.canonical import Json
from pbem.text.messages import Message, UnknownMessage

MESSAGES_ARE_DATA = 8
"""The revision of the engine from which records hold messages as data."""
_MEMBERS = {"message", "fields"}
_ID = re.compile(r"[a-z][a-z0-9-]*(\.[a-z0-9-]+)+")


def recorded(value: Any) -> Any:
    """Return a value with each message in it as data."""
    if isinstance(value, Message):
        return {"message": value.id, "fields": recorded(dict(value.fields))}
    if isinstance(value, dict):
        return {key: recorded(item) for key, item in value.items()}
    return [recorded(item) for item in value] if isinstance(value, list | tuple) else value


def recalled(value: Json) -> Json:
    """Return a value of a record with its messages as they can be told; itself if it has none."""
    if isinstance(value, dict):
        read = {key: recalled(item) for key, item in value.items()}
        if set(value) == _MEMBERS and isinstance(value["message"], str) and isinstance(value["fields"], dict):
            return _message(value["message"], read["fields"])
        return read if any(read[key] is not item for key, item in value.items()) else value
    if isinstance(value, list):
        items = [recalled(item) for item in value]
        return items if any(new is not old for new, old in zip(items, value, strict=True)) else value
    return value


def _message(id: str, fields: Any) -> str:
    try:
        if _ID.fullmatch(id):
            return Message(id, **fields)
    except (UnknownMessage, OSError, TypeError, ValueError, KeyError):
        pass
    listed = ", ".join(f"{name} {value}" for name, value in fields.items())
    return f"{id} ({listed})" if listed else id
