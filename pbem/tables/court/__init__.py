"""The referee at a table: appeals, cases, rulings, and what only a referee may do."""
