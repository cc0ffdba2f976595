"""Through the Desert, for two to five players."""
