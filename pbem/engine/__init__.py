"""The engine, which runs the turn sequence of any rules system.

It has an outline walker, leaves as coroutines, and replay of journals. It knows no system.
"""
