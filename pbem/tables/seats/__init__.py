"""Who sits at a table, and whether somebody does: days away, seats without a player, things that need consent."""
