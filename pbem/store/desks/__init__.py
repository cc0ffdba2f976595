"""The desks of a transaction: letters, mails, games, players and the log, each with verbs of its own."""
