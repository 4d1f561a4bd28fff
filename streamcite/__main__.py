"""`python -m streamcite` is the command `streamcite`."""

from streamcite_command import main

if __name__ == "__main__":
    main()
