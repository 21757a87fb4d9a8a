"""The archive in git: commits and tags, and two archives made one."""
