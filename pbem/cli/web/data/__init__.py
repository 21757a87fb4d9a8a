"""Questions, options, odds, news and rules as the JSON that the scripts of the board ask for."""
