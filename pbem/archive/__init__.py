"""Records on disk and in pipes: read line by line in constant memory, and rewritten safely."""
