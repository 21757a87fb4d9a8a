"""Scenarios as whole objects: shape, check, pin (protocol 17.34)."""
