"""All games of one person on one computer at once, as a club's game master has them.

The room is named after a club because that is where many games share one mailbox. It knows which games there
are, reads a mailbox once for all of them, sends for all, lists what is due, and runs unattended
(`postmaster.py`). Every other room of the command line works in one game.
"""
