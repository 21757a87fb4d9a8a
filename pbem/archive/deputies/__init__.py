"""Deputies: a GM hands the secrets over, and who may act for the GM changes (protocol-letters 5)."""
