"""How each game is written: a grammar of its moves, and beside it what the words mean."""
