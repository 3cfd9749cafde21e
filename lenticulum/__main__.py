"""`python -m lenticulum`: the command line."""

from lenticulum.cli import main

if __name__ == "__main__":
    main()
