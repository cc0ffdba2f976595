"""What people write beside games, and books made of them: remarks, copies joined, annotated editions."""
