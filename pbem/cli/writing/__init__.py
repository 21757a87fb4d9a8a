"""Writing an order file: questions, spelling, repairs."""
