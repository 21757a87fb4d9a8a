"""The procedures of wif, a leaf each."""
