"""The history of a game as a chain of events, and the record that follows from it."""
