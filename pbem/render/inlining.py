"""Styles written into the elements of mails, because many mail programs read no other.

A template of mails says ``style="@heading"``, and ``mails/style.html`` says what that is. The style is written into the
template before it is compiled: every mail is full of styles, and looking them up anew takes longer than all else.
"""

import re
from typing import Any, Final

from jinja2.ext import Extension

SHEET: Final = "mails/style.html"

_NAMED: Final = re.compile(r'style="@(\w+)"')


class InlineStyles(Extension):
    """Puts named styles in their places; a name that the sheet does not know is an error."""

    def preprocess(self, source: str, name: str | None, filename: str | None = None) -> str:
        """The source of a template with its styles written out."""
        if _NAMED.search(source) is None:
            return source
        sheet: Any = self.environment.get_template(SHEET).module
        escape = self.environment.filters["escape"]
        return _NAMED.sub(lambda named: f'style="{escape(sheet.styles[named[1]])}"', source)
