"""New secrets in a running game: a chain, or all keys of a new player in a seat (protocol 4.1, 4.4).

They are beside those in force until a record has brought them in: `private/coming/`.
"""

from __future__ import annotations

from hashlib import sha256

from pbem.archive.folder import private_side
from pbem.archive.folder.changes import Changes
from pbem.archive.folder.game_folder import Folder
from pbem.archive.folder.parts import Changed
from pbem.text.canonical import Json
from pbem.trust import sshsig
from pbem.trust.chain import Chain, new_secret


def remember_key(folder: Changed, public: bytes, key_file: str | None) -> None:
    """Note where the file of a future signing key is; the key itself is never copied."""
    if key_file is not None:
        name = f"{private_side.COMING}/key-{sha256(public).hexdigest()[:16]}.json"
        changes = Changes()
        changes.write(name, private_side.to_text({"sign": sshsig.public_line(public), "key_file": key_file}))
        folder.commit(changes)


def fresh_chain(folder: Folder) -> dict[str, Json]:
    """Return the op for a new chain of your own; its secret start is kept until it is in force."""
    with folder.working():
        me = folder.need_me("gm", "player")
        terms, start = folder.signed_roster().terms, new_secret()
        anchor = Chain(terms.salt, me, start, terms.chain_length).anchor.hex()
        folder.commit(folder.private.kept_secret(f"chain-{anchor[:16]}", {"chain": start.hex()}))
        return {"op": "chain", "party": me, "anchor": anchor}
