"""What the head of a picture says of its size, and how a camera was held."""

from __future__ import annotations

import struct

import pytest

from pbem.workshop.photographs import as_stored, size_of, turned, untagged


def exif(order: str, value: int, tag: int = 0x0112, others: int = 1) -> bytes:
    """A segment of a JPEG that says how the camera was held, after other entries."""
    mark = {"<": b"II", ">": b"MM"}[order]
    entries = [struct.pack(f"{order}HHII", 0x0200 + n, 3, 1, 6) for n in range(others)]
    entries.append(struct.pack(f"{order}HHIHH", tag, 3, 1, value, 0))
    table = struct.pack(f"{order}H", len(entries)) + b"".join(entries)
    content = b"Exif\0\0" + mark + struct.pack(f"{order}HI", 42, 10) + b"\0\0" + table
    return b"\xff\xe1" + struct.pack(">H", len(content) + 2) + content


def jpeg(*segments: bytes, marker: int = 0xC0) -> bytes:
    frame = b"\xff" + bytes([marker]) + struct.pack(">HBHH", 7, 8, 480, 640)
    return b"\xff\xd8" + b"".join(segments) + frame + b"\xff\xda\0\4rubbish"


OTHER = b"\xff\xe0\0\6JFIF"
HUFFMAN = b"\xff\xc4" + struct.pack(">HBHH", 7, 8, 1, 1)


@pytest.mark.parametrize(
    ("data", "size"),
    [
        (b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR" + struct.pack(">II", 70_000, 3), (70_000, 3)),
        (jpeg(), (640, 480)),
        (jpeg(OTHER, exif(">", 6), HUFFMAN, marker=0xCF), (640, 480)),
        *((jpeg(marker=marker), None) for marker in (0xC4, 0xC8, 0xCC, 0xBF, 0xD0)),
        (jpeg()[:9], None),
        (b"RIFF....WEBPVP8 " + b"\0" * 10 + struct.pack("<HH", 0x4000 | 640, 0x8000 | 480), (640, 480)),
        (b"RIFF....WEBPVP8L....\x2f" + struct.pack("<I", 639 | 479 << 14 | 1 << 28), (640, 480)),
        (b"RIFF....WEBPVP8X....\0\0\0\0" + b"\x7f\x02\0\xdf\x01\x01", (640, 66_016)),
        (b"RIFF....WEBPVP8 \0\0", None),
        (b"RIFF....WEBPALPH" + b"\1" * 20, None),
        (b"GIF89a", None),
        (b"", None),
    ],
)
def test_the_size_is_read_from_the_head(data: bytes, size: tuple[int, int] | None) -> None:
    assert size_of(data) == size


@pytest.mark.parametrize("order", ["<", ">"])
@pytest.mark.parametrize(("value", "how"), [(0, 1), (1, 1), (6, 6), (8, 8), (9, 1)])
@pytest.mark.parametrize("before", [(), (OTHER,), (b"\xff\xe1\0\x08http:/",)])
def test_a_picture_says_how_it_is_turned_until_that_is_taken_out(
    order: str, value: int, how: int, before: tuple[bytes, ...]
) -> None:
    picture = jpeg(*before, exif(order, value))
    assert turned(picture) == how
    upright = untagged(picture)
    assert upright == jpeg(*before, exif(order, 1)) and turned(upright) == 1


@pytest.mark.parametrize(
    "picture",
    [
        jpeg(),
        jpeg(exif("<", 6, tag=0x0113)),
        jpeg(exif("<", 6, others=200)),
        jpeg(exif("<", 6).replace(b"II", b"XX")),
        jpeg(exif("<", 6))[:30],
        b"\x89PNG" + exif("<", 6),
        b"\xff\xd8\xff",
    ],
)
def test_a_picture_that_does_not_say_it_is_upright_and_stays_as_it_is(picture: bytes) -> None:
    assert turned(picture) == 1 and untagged(picture) == picture


def test_a_point_is_found_however_the_picture_is_turned() -> None:
    """One of 30 by 20 as it is shown."""
    shown = [as_stored((4, 7), how, 30, 20) for how in range(1, 9)]
    assert shown == [(4, 7), (26, 7), (26, 13), (4, 13), (7, 4), (7, 26), (13, 26), (13, 4)]
