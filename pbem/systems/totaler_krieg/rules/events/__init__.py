"""4.27: Events of the report."""
