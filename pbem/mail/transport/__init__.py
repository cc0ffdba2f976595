"""Mail in and out: how bytes reach the store and how they leave it.

The room does not know what a letter says or where it is kept: it is handed a letterbox and a tray (`ports`). On the
way in nothing is acknowledged before the letterbox has it on the disk; on the way out mails leave as they lie in the
tray. Importing the package imports nothing, for the mail libraries are slow to load.
"""
