"""Trust: hashes, keys, signatures, statements, commitments, seals, chains, dice, records, armour.

Bytes in, bytes out: nothing here reads a clock, the environment or a game. The only random numbers are
fresh keys, nonces and salts. Cryptography is behind one seam (`primitives`), and
is loaded by the first function that needs it.
"""
