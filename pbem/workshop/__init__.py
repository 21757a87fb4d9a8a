"""Scenarios as folders of plain files: read, checked, compared, tried (docs/own-scenarios.md)."""
