"""The commands: a module for each, named as it is typed."""
