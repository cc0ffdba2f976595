"""People: who they are to each other, apart from any table."""
