"""What is found put into words for a terminal, or into plain data: games, refusals, submissions, running text."""
