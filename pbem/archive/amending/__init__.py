"""Amending: proposals, co-signatures, new keys, joining a running game."""
