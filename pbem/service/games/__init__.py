"""What an operator does with games: people invited to a table, records out and in, where each game stands."""
