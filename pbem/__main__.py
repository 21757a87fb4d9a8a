"""The entry point of `python -m pbem`, which runs the command `pbem`."""

from pbem.cli.main import main

if __name__ == "__main__":
    main()
