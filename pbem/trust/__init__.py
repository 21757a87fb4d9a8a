"""Trust: hashes, keys, signatures, statements, commitments, seals, chains, dice, records, armour.

Bytes in, bytes out: nothing here reads a clock, the environment or a game. The only random numbers are
fresh keys, nonces and salts. `cryptography` is imported inside the functions that need it.
"""
