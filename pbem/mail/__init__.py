"""Mail: its format, reading and writing it, the commands in it, and the transports that carry it."""
