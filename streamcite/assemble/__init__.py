"""Citations and text in, partial and final answers out."""
