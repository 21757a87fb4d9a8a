"""What holds for the code as a whole, seen from outside: imports, sizes, schemas, wheel, repository."""
