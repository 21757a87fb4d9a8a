"""4.12: Events as reports show them."""
