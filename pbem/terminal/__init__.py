"""What commands share in front of a terminal: arguments, colours, progress, reports, reading records."""
