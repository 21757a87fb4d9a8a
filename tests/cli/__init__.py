"""The commands as a user calls them: exit code, standard output, standard error, files."""
