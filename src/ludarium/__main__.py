"""`python -m ludarium` is the command line."""

from ludarium.cli import main

if __name__ == "__main__":
    main()
