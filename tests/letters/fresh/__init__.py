"""Letters as people write them, and the tables at which they were written."""
