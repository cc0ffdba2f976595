"""Languages: which there are, their catalogues of sentences, and the reader of `.po` files."""
