"""The making of a report: what a reader was told becomes the structure that every form renders."""
