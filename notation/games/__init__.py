"""How each game is written: a grammar of its moves, and beside it a phrasebook that says what the words mean."""
