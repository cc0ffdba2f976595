"""Remarks, merged copies and annotated editions."""
