"""Text in and out: strict YAML with spans, canonical JSON, diagnostics, schema checks, safe writing.

This room knows no game words and imports no other room. Import its modules one by one: the heavy
libraries behind `yaml` and `schema` are loaded only by the functions that use them.
"""
