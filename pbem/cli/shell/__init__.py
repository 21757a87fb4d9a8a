"""Parts of every command: language, output, errors, keys, git."""
