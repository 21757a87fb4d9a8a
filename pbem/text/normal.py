"""Unicode normal form C: one spelling for each text (protocol 7).

Only senders normalise, receivers never.
"""

import unicodedata


def nfc(text: str) -> str:
    """Return the text in normal form C, the same object if it is so already."""
    return text if text.isascii() else unicodedata.normalize("NFC", text)
