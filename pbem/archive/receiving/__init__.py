"""Receiving: what came by mail is judged, kept, adopted or refused."""
