"""Emails of a game: the outbox, refusals, reminders, and the parties that are awaited."""
