"""Letters between parties: kept, written, heard, shown, and published at the end (protocol-letters 2)."""
