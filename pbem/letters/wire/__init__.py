"""Text made into the bytes of a mail, and those bytes looked at again before they leave."""
