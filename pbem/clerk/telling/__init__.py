"""What people are told: which of the news concerns whom, and the mails that go out for it; observers too."""
