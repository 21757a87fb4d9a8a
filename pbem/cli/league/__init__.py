"""Leagues: results of verified archives, standings, ratings, pairings and certificates."""
