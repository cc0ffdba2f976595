"""What the sender wrote: the text of a mail as lines, without what is quoted, signed or ours."""
