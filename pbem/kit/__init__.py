"""The kit: parts that several rules systems share, configured by data and callbacks."""
