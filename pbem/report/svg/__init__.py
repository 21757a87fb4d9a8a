"""Maps as SVG: hexes, layers, counters, and what moved and fought in a stage, for one reader."""
