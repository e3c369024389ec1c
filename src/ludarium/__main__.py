"""`ludarium` and `python -m ludarium` are the command line, which Ctrl-C ends in one line while it is loaded, too."""

import sys


def main() -> None:
    """Load the command line and run it."""
    try:
        from ludarium.cli import main as run

        run()
    except KeyboardInterrupt:
        sys.stderr.write("\nludarium: interrupted\n")
        sys.exit(130)


if __name__ == "__main__":
    main()
