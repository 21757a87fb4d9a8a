"""The game folder and everything done in it: setting up, receiving, ordering, running a stage, verifying,
unsealing.
"""
