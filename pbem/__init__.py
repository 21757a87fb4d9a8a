"""pbem: adjudicates board wargames played by e-mail."""

__version__ = "0.1.0"
