"""What a command line names, found: files and the games in them, a position, a rule, a post, a key."""
