"""What several rules systems share: movement search, supply trace. Pure, steered by data and call-backs."""
