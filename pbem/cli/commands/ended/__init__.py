"""The commands for finished games of several archives."""
