"""Part of the victory rules system: see its README."""
