"""Jinja templates: boards, pages, mails. Data only; this file makes the folder a package."""
