"""The ways out: mails handed over as they lie in the tray, and what became of each written down."""
