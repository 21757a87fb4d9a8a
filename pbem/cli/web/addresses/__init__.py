"""The addresses of the table: what each page and each question of a page is answered with."""
