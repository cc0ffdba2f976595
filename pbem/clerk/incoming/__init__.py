"""A letter that has come in: who wrote it, what came of it, its answer and its receipt; and mail that came back."""
