"""What is kept of games and can be shown: their events, the log of all of them, a record with its proof."""
