"""Scenarios as folders of plain files: read, checked, written, compared and tried (docs/own-scenarios.md)."""
