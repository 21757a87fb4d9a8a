"""Runs the turn sequence of any rules system: outline walker, leaves as coroutines, journal replay. Knows
no system."""
