"""What each kind of mail says, block by block, before it is laid out."""
