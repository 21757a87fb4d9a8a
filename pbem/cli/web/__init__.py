"""`pbem table`: the game in a browser on the user's own computer, with the functions of the commands."""
