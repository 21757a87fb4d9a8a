"""Receiving: what came by email is judged, kept, adopted or refused."""
