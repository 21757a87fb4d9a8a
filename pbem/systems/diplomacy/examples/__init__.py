"""Worked examples, among them all cases of DATC, and what must always hold."""
