"""One reply from its pieces to its events: the stages joined, and the short cuts past them."""
