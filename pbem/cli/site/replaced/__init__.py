"""Modules in place of compiled libraries, for the browser's Python path; nothing imports them here."""
