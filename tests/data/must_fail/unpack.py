"""Unpacks the archives that must fail: `python unpack.py FOLDER`. Needs Python and nothing else.

Makes FOLDER/sound/<game>, which must pass, and FOLDER/fail/<number>, each with what is expected in
FOLDER/fail/<number>.json. FOLDER/reader has the private side of the player `needs_reader` of some.
"""

import base64
import json
import shutil
import sys
from pathlib import Path

HERE = Path(__file__).parent


def put(root: Path, files: dict) -> None:
    """Files as they are listed: text, {"base64": ...}, {"repeat": [text, times]}, {"link": to}, or null."""
    for name in files:
        path = root / name
        if path.is_symlink() or path.is_file():
            path.unlink()
    for folder in sorted((one for one in root.rglob("*") if one.is_dir()), reverse=True):
        if not any(folder.iterdir()):
            folder.rmdir()
    for name, content in files.items():
        path = root / name
        if content is None:
            continue
        path.parent.mkdir(parents=True, exist_ok=True)
        if isinstance(content, str):
            path.write_bytes(content.encode())
        elif "link" in content:
            path.symlink_to(content["link"])
        elif "repeat" in content:
            path.write_text(content["repeat"][0] * content["repeat"][1])
        else:
            path.write_bytes(base64.b64decode(content["base64"]))


def base(name: str) -> dict:
    """The files of a sound game."""
    return json.loads((HERE / f"base/{name}.json").read_text("utf-8"))


def reader() -> dict:
    """The private side of south in the game `notes`, for the cases that only a reader can find."""
    return json.loads((HERE / "reader.json").read_text("utf-8"))


def cases() -> list:
    """Every forgery: name, base, what is expected, what is changed."""
    return json.loads((HERE / "cases.json").read_text("utf-8"))


def main(out: Path) -> None:
    for path in sorted((HERE / "base").glob("*.json")):
        shutil.rmtree(out / "sound" / path.stem, ignore_errors=True)
        put(out / "sound" / path.stem, base(path.stem))
    put(out / "reader", reader())
    for number, case in enumerate(cases(), 1):
        root = out / "fail" / f"{number:03}"
        shutil.rmtree(root, ignore_errors=True)
        put(root, base(case["base"]))
        put(root, case["changes"])
        said = {"name": case["name"], "base": case["base"], **case["expect"]}
        root.with_suffix(".json").write_text(json.dumps(said, indent=1) + "\n", "utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
