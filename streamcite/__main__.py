"""`python -m streamcite` is the command `streamcite`."""

from streamcite.cli import main

if __name__ == "__main__":
    main()
