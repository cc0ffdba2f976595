"""The page about a case: HTML that can be kept or sent, and the same as text.

It holds letters of strangers. So nothing in it can steer a terminal or a browser, and it loads nothing.
"""

import base64
from typing import Final

from notation.faults import printable
from pbem.disputes.case_file import CaseFile
from pbem.render import ENGLISH, choose_template

HTML: Final = ".html"
TEXT: Final = ".txt"
FORMS: Final = (HTML, TEXT)


def write_page(file: CaseFile, form: str) -> str:
    """The page in the form that a file's name asks for, one of FORMS."""
    name = "case.html" if form == HTML else "case.txt"
    page = choose_template("cases", name, ENGLISH).render(file=file, shown=_show, image=_embed, heading=_heading(file))
    return page if form == HTML else f"{page.rstrip()}\n"


def _heading(file: CaseFile) -> str:
    return f"Case {file.case} at {file.table}" if file.case else f"Turn {file.turn} at {file.table}"


def _embed(svg: str) -> str:
    """A picture as an address that holds it: such a picture can run nothing and load nothing."""
    return f"data:image/svg+xml;base64,{base64.b64encode(svg.encode()).decode('ascii')}"


def _show(text: str) -> str:
    """Somebody's text, line by line, with a visible sign for every character that must not pass."""
    return "\n".join(printable(line) for line in text.splitlines())
