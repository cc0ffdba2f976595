"""The service and its commands."""
