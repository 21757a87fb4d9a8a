"""4.27: Events that are told."""
