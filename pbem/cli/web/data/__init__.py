"""What the scripts of the board ask the server for: questions, options, odds, news, rules, as JSON."""
