"""Procedures of the ocs rules."""
