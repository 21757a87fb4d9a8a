"""What several rules systems share, as parts that are steered by data and call-backs."""
