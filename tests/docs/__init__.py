"""The pages a newcomer reads, held to what the program really does."""
