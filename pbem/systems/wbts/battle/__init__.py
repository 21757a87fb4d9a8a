"""The arithmetic and the geometry of a battle (4.8): plain functions that ask nobody and tell nothing."""
