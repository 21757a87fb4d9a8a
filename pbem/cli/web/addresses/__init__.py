"""The addresses of the table: the answers to each page and to each request of a script."""
