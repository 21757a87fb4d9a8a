"""Procedures of the victory rules."""
