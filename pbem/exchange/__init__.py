"""Games for other programs, and from them: JSON without a loss, tables for statistics, a line to go on from."""
