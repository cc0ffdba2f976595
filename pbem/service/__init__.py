"""The post as a whole: founded, opened, served, looked at and mended.

What the operator's commands do stands here, free of terminals. The order of steps for one letter is the clerk's;
this room decides when the clerk is called, and by whom.
"""
