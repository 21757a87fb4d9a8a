"""`python -m tests.fuzz TARGET [--seconds N]`: fuzz one reader, guided by what it runs through.

Needs atheris (`pip install 'pbem[fuzz]'`). What breaks a reader is written below `tests/fuzz/finds` and
breaks the suite until it is mended.
"""

from __future__ import annotations

import argparse
import hashlib
import sys
import tempfile
from pathlib import Path


def main() -> None:
    """Instrument pbem, then hand over to the fuzzer, which ends the process."""
    import atheris

    with atheris.instrument_imports(include=["pbem"]):
        from tests.fuzz.targets import HERE, TARGETS, finds

    parser = argparse.ArgumentParser(prog="python -m tests.fuzz")
    parser.add_argument("target", choices=sorted(TARGETS))
    parser.add_argument("--seconds", type=int, default=60)
    args = parser.parse_args()
    target = TARGETS[args.target]
    scratch = Path(tempfile.mkdtemp(prefix="pbem-corpus-"))
    for number, seed in enumerate([*target.seeds(), *(path.read_bytes() for path in finds(args.target))]):
        (scratch / f"seed-{number}").write_bytes(seed)
    words = scratch / "words.dict"
    lines = ("".join(f"\\x{byte:02x}" for byte in word) for word in target.dictionary)
    words.write_text("".join(f'"{line}"\n' for line in lines))

    with_words = [f"-dict={words}"] if target.dictionary else []

    def one(data: bytes) -> None:
        try:
            target.run(data)
        except Exception:
            where = HERE / "finds" / args.target
            where.mkdir(parents=True, exist_ok=True)
            (where / hashlib.sha256(data).hexdigest()[:16]).write_bytes(data)
            raise

    options = [
        f"-artifact_prefix={scratch}/",
        f"-max_total_time={args.seconds}",
        "-timeout=20",
        "-rss_limit_mb=2048",
        "-max_len=20000",
    ]
    atheris.Setup([sys.argv[0], *options, *with_words, str(scratch)], one)
    atheris.Fuzz()


if __name__ == "__main__":
    main()
