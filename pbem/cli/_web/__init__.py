"""`pbem table`: the game in a browser on one's own computer, a face of the same functions as the commands."""
