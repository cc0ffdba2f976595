"""What a host does at a table: opens it, takes it in from a record, and presides over it as the referee."""
