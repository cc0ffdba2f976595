"""HTML mail as lines of text, with what other people wrote marked as quoted and hidden text left out.

Not a browser: it knows which elements break a line, which are invisible, and in which ones mail programs put the mail
they answer. Styles are not a full cascade: a rule for a tag, a class or an id counts; one that applies only on some
screens, inside some elements or against the element's own style makes the text doubtful, and the player is asked. One
pass, in time proportional to the text: a full HTML parser needed 14 seconds for a hostile mail of ordinary size,
because HTML's rules for repairing wrong nesting are quadratic.
"""

import html
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Final, NamedTuple

from pbem.mail.format import mail_lines
from pbem.mail.reading import limits
from pbem.mail.reading.limits import Unreadable
from pbem.mail.reading.text_lines import Mark, TextLine, visible_text

_HIDING: Final = re.compile(
    r"line-through|display\s{0,9}:\s{0,9}none|visibility\s{0,9}:\s{0,9}(?:hidden|collapse)|mso-hide\s{0,9}:\s{0,9}all"
    r"|(?:font(?:-size)?|opacity)\s{0,9}:\s{0,9}0(?![.\d]*[1-9])",
    re.IGNORECASE,
)
_VISIBILITY: Final = re.compile(r"text-decoration|display|visibility|mso-hide|font|opacity", re.IGNORECASE)
_COMMENT: Final = re.compile(r"/\*[^*]*+(?:\*(?!/)[^*]*+)*+(?:\*/|\Z)|<!--|-->")
_COMBINATORS: Final = re.compile(r"[\s>+~]+")
_COMPOUND: Final = re.compile(r"([a-z][a-z0-9]{0,40}+)?((?:[.#][\w-]++)*+)(.{0,200})", re.DOTALL)
_NAME: Final = re.compile(r"[.#](?:x_)?([\w-]+)")
_INTERACTIVE: Final = (":hover", ":active", ":focus", ":visited", ":link", "::", ":before", ":after", ":target")
_PRINT_MEDIA: Final = "print"

Key = tuple[str, str]
"""A tag and a class or id; either may be empty."""


class StyleSheet(NamedTuple):
    """Which elements a page's rules hide, and which they may hide."""

    hidden: frozenset[Key] = frozenset()
    doubtful: frozenset[Key] = frozenset()

    def hides(self, tag: str, names: Iterable[str]) -> bool:
        """Whether an element with a tag and names is hidden."""
        return not self.hidden.isdisjoint(_keys(tag, names))

    def may_hide(self, tag: str, names: Iterable[str]) -> bool:
        """Whether such an element may be hidden."""
        return not self.doubtful.isdisjoint(_keys(tag, names))


def hides(declarations: str) -> bool:
    """Whether declarations of an element hide or strike out what is in it."""
    return _HIDING.search(_COMMENT.sub("", html.unescape(declarations))) is not None


def sets_visibility(declarations: str) -> bool:
    """Whether declarations of an element set what a hiding rule would set too."""
    return _VISIBILITY.search(declarations) is not None


def parse_styles(styles: Iterable[str]) -> StyleSheet | None:
    """The rules in all style elements of a page that hide something; None if they are too many."""
    hidden: set[Key] = set()
    doubtful: set[Key] = set()
    left = limits.HIDING_RULES
    for style in styles:
        for selector, within in _hiding(_COMMENT.sub("", style).lower()):
            left -= 1
            if left < 0:
                return None
            *around, last = _COMBINATORS.split(selector.strip())
            compound = _COMPOUND.fullmatch(last)
            if compound is None or compound[3].startswith(_INTERACTIVE):
                continue
            tag, (first, *more) = compound[1] or "", _NAME.findall(compound[2]) or [""]
            if tag or first:
                plainly = not (around or within or more or compound[3])
                (hidden if plainly else doubtful).add((tag, first))
    return StyleSheet(frozenset(hidden), frozenset(doubtful))


def _hiding(style: str) -> Iterator[tuple[str, bool]]:
    """Each selector that hides something, and whether it is in a block that applies on some screens only."""
    blocks: list[bool] = []
    printed = 0
    for piece in style.split("}"):
        *opened, declarations = piece.split("{")
        if opened:
            blocks += [_PRINT_MEDIA in block for block in opened[:-1]]
            printed += sum(blocks[len(blocks) - len(opened) + 1 :])
            if not printed and _HIDING.search(declarations):
                selectors = opened[-1].rpartition(";")[2]  # a statement such as @import may come before them
                yield from ((selector, bool(blocks)) for selector in selectors.split(","))
        elif blocks:
            printed -= blocks.pop()


def _keys(tag: str, names: Iterable[str]) -> Iterator[Key]:
    yield tag, ""
    for name in names:
        yield tag, name
        yield "", name


_TAG: Final = re.compile(r"""<(/?)([A-Za-z][^\s/>]{0,40}+)((?:[^"'>]++|"[^"]*+"|'[^']*+')*+)>""")
_MARKUP: Final = re.compile(r"<(?=[!?/A-Za-z])")
"""Where a tag or a comment begins; any other sign of this kind is text."""
_BEGINS_TAG: Final = re.compile(r"</?[A-Za-z]")
_ATTRIBUTE: Final = re.compile(
    r"""(?<![^\s"'/])(class|id|style|hidden)\b(?:\s{0,9}=\s{0,9}(?:"([^"]*+)"|'([^']*+)'|([^\s"'>]++)))?""",
    re.IGNORECASE,
)
_STRIKING: Final = re.compile(r"<(?:s|strike|del)[\s/>]|line-through", re.IGNORECASE)
_BLANKS: Final = re.compile(r"[ \t\n\r\f]+")

_VOID: Final = frozenset(
    {"area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "param", "source", "track", "wbr"}
)
_BLOCKS: Final = frozenset(
    {
        *("address", "article", "aside", "blockquote", "body", "br", "center", "dd", "div", "dl", "dt", "fieldset"),
        *("figure", "footer", "form", "h1", "h2", "h3", "h4", "h5", "h6", "header", "hr", "html", "li", "main", "nav"),
        *("ol", "p", "pre", "section", "table", "tbody", "tfoot", "thead", "tr", "ul"),
    }
)
_SELF_CLOSING: Final = frozenset({"p", "li", "tr", "td", "th", "dd", "dt", "option"})  # a second one closes the first
_RAW: Final = {name: re.compile(f"</{name}", re.IGNORECASE) for name in ("script", "style", "title", "textarea", "xmp")}
_STYLES: Final = "style:"
"""The name of a token with the text of a style element; no tag has this name."""
_PRINTED: Final = re.compile(r"\bmedia\s{0,9}=[\s\"']{0,9}print\b", re.IGNORECASE)
_INVISIBLE: Final = frozenset({"head", "template", "noscript", "svg", "object", "del", "s", "strike"})

_QUOTES: Final = frozenset({"yahoo_quoted", "protonmail_quote", "tutanota_quote", "zmail_extra", "mailbox_quote"})
_SIGNATURES: Final = frozenset(
    {
        *("gmail_signature", "moz-signature", "protonmail_signature_block", "signature", "applemailsignature"),
        *("ms-outlook-mobile-signature", "ymail_android_signature", "composer_signature", "mobilesignature"),
    }
)
_QUOTE_FOLLOWS: Final = frozenset(
    {
        *("divrplyfwdmsg", "appendonsend", "mail-editor-reference-message-container", "outlookmessageheader"),
        *("ms-outlook-mobile-reference-message", "moz-forward-container"),
    }
)
"""After these everything is quoted: Outlook puts no element around the mail it answers."""


class _State(NamedTuple):
    """How the text inside an element is treated."""

    name: str = ""
    mark: Mark = Mark.OWN
    shown: bool = True
    doubtful: bool = False
    """Whether it may be hidden, or struck out."""
    exact: bool = False


class _Token(NamedTuple):
    """A tag or, with an empty name, a piece of text."""

    name: str
    closing: bool
    rest: str


class _Element(NamedTuple):
    """An opening tag: its name, its classes and id, its own style, and whether it hides itself."""

    name: str
    names: frozenset[str]
    style: str
    unseen: bool


def may_strike_out(source: str) -> bool:
    """Whether words of the HTML may be struck out, by a search in its source."""
    return _STRIKING.search(source) is not None


def html_lines(source: str) -> list[TextLine] | Unreadable:
    """The lines that a reader of the HTML sees."""
    page = _Page()
    open_elements = [_State()]
    opened: Counter[str] = Counter()
    states: dict[tuple[_State, _Token], tuple[_State, bool]] = {}
    rest_is_quoted = False
    tokens = list(_tokens(source))
    sheet = parse_styles(token.rest for token in tokens if token.name == _STYLES)
    if sheet is None:
        return Unreadable("odd-markup", f"more than {limits.HIDING_RULES} rules that hide something")
    for token in tokens:
        state = open_elements[-1]
        if token.name == _STYLES:
            continue
        if page.is_full:
            break
        if not token.name:
            page.write(token.rest, state._replace(mark=Mark.QUOTED) if rest_is_quoted else state)
            continue
        if token.name in _BLOCKS:
            page.break_line(leave_blank=token.name in ("p", "br"))
        elif token.name in ("td", "th") and not token.closing:
            page.write(" ", state)
        if token.closing:
            _close(open_elements, opened, token.name)
        elif token.name not in _VOID:
            if token.name in _SELF_CLOSING and state.name == token.name:
                _close(open_elements, opened, token.name)
            if len(open_elements) > limits.MARKUP_DEPTH:
                return Unreadable("odd-markup", f"more than {limits.MARKUP_DEPTH} elements inside one another")
            around = open_elements[-1]
            inside = states.get((around, token))
            if inside is None:
                element = _read_element(token)
                quotes_rest = not element.names.isdisjoint(_QUOTE_FOLLOWS)
                inside = states[around, token] = (_open(around, element, sheet), quotes_rest)
            rest_is_quoted = rest_is_quoted or inside[1]
            open_elements.append(inside[0])
            opened[token.name] += 1
    page.break_line()
    return page.lines


def _tokens(source: str) -> Iterator[_Token]:
    """Tags and texts in order. A tag or comment that is never closed ends the page, as in a browser."""
    at = 0
    while (found := _MARKUP.search(source, at)) is not None:
        start = found.start()
        if start > at:
            yield _Token("", closing=False, rest=source[at:start])
        if source.startswith("<!--", start):
            end = source.find("-->", start + 4)
            at = end + 3
        elif _BEGINS_TAG.match(source, start) is None:
            end = source.find(">", start)
            at = end + 1
        else:
            tag = _TAG.match(source, start)
            if tag is None:
                return
            end = at = tag.end()
            name = tag[2].lower()
            yield _Token(name, closing=bool(tag[1]), rest=tag[3])
            if name in _RAW and not tag[1]:
                closing = _RAW[name].search(source, at)
                end = closing.start() if closing else -1
                if name == "style" and not _PRINTED.search(tag[3]):
                    yield _Token(_STYLES, closing=False, rest=source[at:end] if closing else source[at:])
                at = end
        if end < 0:
            return
    yield _Token("", closing=False, rest=source[at:])


def _open(around: _State, element: _Element, sheet: StyleSheet) -> _State:
    """How the text inside an element is treated, given the element around it."""
    name, names = element.name, element.names
    mark = around.mark
    if name == "blockquote" or not names.isdisjoint(_QUOTES):
        mark = Mark.QUOTED
    elif mark is Mark.OWN and not names.isdisjoint(_SIGNATURES):
        mark = Mark.SIGNATURE
    hidden, overruled = sheet.hides(name, names), sets_visibility(element.style)
    shown = around.shown and not (element.unseen or name in _INVISIBLE or (hidden and not overruled))
    doubtful = around.doubtful or (hidden and overruled) or sheet.may_hide(name, names)
    return _State(name, mark, shown, doubtful, around.exact or name == "pre")


def _close(open_elements: list[_State], opened: Counter[str], name: str) -> None:
    """Leave the innermost element of this name, if one is open."""
    while opened[name]:
        left = open_elements.pop().name
        opened[left] -= 1
        if left == name:
            return


def _read_element(tag: _Token) -> _Element:
    names: set[str] = set()
    style = ""
    unseen = False
    for found in _ATTRIBUTE.finditer(tag.rest):
        attribute, value = found[1].lower(), (found[2] or found[3] or found[4] or "").lower()
        if attribute == "hidden":
            unseen = True
        elif attribute == "style":
            style = value
            unseen = unseen or hides(value)
        else:
            # Outlook puts x_ before the classes of a mail that is quoted.
            names.update(name.removeprefix("x_") for name in value.split())
    return _Element(tag.name, frozenset(names), style, unseen)


class _Page:
    """Collects texts into lines."""

    def __init__(self) -> None:
        self.lines: list[TextLine] = []
        self._pieces: list[str] = []
        self._mark: Mark | None = None

    @property
    def is_full(self) -> bool:
        """Whether there are more lines than are read of any mail."""
        return len(self.lines) > limits.LINES

    def write(self, source: str, state: _State) -> None:
        """Add text to the present line; text with another mark starts a new line."""
        if not state.shown:
            return
        text = html.unescape(source)
        for number, piece in enumerate(text.split("\n") if state.exact else [_BLANKS.sub(" ", text)]):
            if self.is_full:
                return
            if number or self._mark not in (None, state.mark):
                self.break_line()
            if piece:
                # Dashes mark struck-out words in plain text, so the player will be asked.
                self._pieces.append(f" -{piece.strip()}- " if state.doubtful and piece.strip() else piece)
                self._mark = state.mark

    def break_line(self, *, leave_blank: bool = False) -> None:
        """End the line; an empty one is added only with `leave_blank`."""
        lines = mail_lines(visible_text("".join(self._pieces)).strip()) if self._pieces else []
        for text in lines:
            quoted = text.lstrip().startswith(">")
            self.lines.append(TextLine(text, Mark.QUOTED if quoted else self._mark or Mark.OWN))
        if leave_blank and not lines:
            self.lines.append(TextLine(""))
        self._pieces.clear()
        self._mark = None
