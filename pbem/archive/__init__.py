"""Records in files and pipes: read line by line in constant memory, and rewritten safely."""
