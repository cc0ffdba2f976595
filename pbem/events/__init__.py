"""The history of a game as a hash chain of typed events, and the record that follows from it."""
