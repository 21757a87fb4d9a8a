"""What players of wif decide."""
