"""A case in one file for another machine: packed, taken apart, and everything in it done again."""
