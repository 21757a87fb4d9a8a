"""Amending: proposals, co-signatures, new keys, joining a game that goes on."""
