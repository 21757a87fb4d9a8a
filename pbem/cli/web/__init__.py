"""`pbem table`: the game in a browser on one's own computer, with the functions of the commands."""
