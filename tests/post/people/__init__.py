"""People: one at all tables, and nobody without having written."""
