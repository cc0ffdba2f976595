"""What people write to the post itself, and not to a table."""
