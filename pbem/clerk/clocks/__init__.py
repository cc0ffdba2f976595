"""What comes with time: reminders, silence and words for the day, and rounds of the beacon that tables wait for."""
