"""HTML as a reader sees it: lines, what is quoted, what is hidden."""

from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.intake.unreadable import Unreadable
from pbem.intake.words.lines import Line, Mark
from pbem.intake.words.markup import markup_lines

if TYPE_CHECKING:
    from conftest import Desk

HTML = {"Content-Type": "text/html; charset=utf-8"}


def shown(source: str) -> list[str]:
    lines = markup_lines(source)
    assert not isinstance(lines, Unreadable)
    return [line.text for line in lines if line.text]


@pytest.mark.parametrize(
    ("source", "lines"),
    [
        ("lilac F4", ["lilac F4"]),
        ("<div>lilac F4</div><div>salmon C9</div>", ["lilac F4", "salmon C9"]),
        ("lilac F4<br>salmon C9<BR/>end", ["lilac F4", "salmon C9", "end"]),
        ("<p>lilac\n  F4<p>salmon C9", ["lilac F4", "salmon C9"]),
        ("<b>li</b>lac <i>F</i>4", ["lilac F4"]),
        ("<ul><li>lilac F4<li>salmon C9</ul>", ["lilac F4", "salmon C9"]),
        ("<ol><li>lilac F4</li></ol>", ["lilac F4"]),
        ("<table><tr><td>lilac</td><td>F4</td></tr><tr><td>x</table>", ["lilac F4", "x"]),
        ("<pre>lilac F4\nsalmon C9</pre>", ["lilac F4", "salmon C9"]),
        ("lilac&nbsp;F4 &amp; C9 &#x05D0; &lt;b&gt;", ["lilac F4 & C9 \u05d0 <b>"]),
        ("<style>p {}</style><script>a < b</script><title>t</title>x", ["x"]),
        ("a<!-- b --><!DOCTYPE c><?d?>e<![endif]>", ["ae"]),
        ("1 < 2 and 3 > 2", ["1 < 2 and 3 > 2"]),
        ('<a title="a > b" href=x>lilac</a> F4', ["lilac F4"]),
        ("<o:p>lilac F4</o:p>", ["lilac F4"]),
        ("</div></p>lilac F4</nothing>", ["lilac F4"]),
        ("lilac F4</>", ["lilac F4"]),
        ("lilac F4<div", ["lilac F4"]),
        ("<p>lilac F4</p><img alt='salmon C9'>", ["lilac F4"]),
    ],
)
def test_markup_becomes_lines(source: str, lines: list[str]) -> None:
    assert shown(source) == lines


@pytest.mark.parametrize(
    "quoted",
    [
        "<blockquote>lilac E5</blockquote>",
        "<blockquote><div><p>lilac E5<br>x</p></div></blockquote>",
        '<div class="yahoo_quoted" id=1>lilac E5</div>',
        '<div class="gmail_attr">On 16/11/2026 X wrote:<br></div><blockquote>lilac E5</blockquote>',
        '<div id="divRplyFwdMsg">From: X</div><div>lilac E5</div>',
        "<div id='appendonsend'></div><hr>lilac E5",
        '<div id="x_appendonsend"></div>lilac E5',
        '<div class="gmail_signature">lilac E5</div>',
        '<div id="ms-outlook-mobile-signature">lilac E5</div>',
        "<p>&gt; lilac E5</p>",
        "<p>##- caravan-post -##</p><p>lilac E5</p>",
        '<p style="display: none">lilac E5</p>',
        '<p STYLE="color:red;DISPLAY:NONE;">lilac E5</p>',
        '<span style="font-size:0">lilac E5</span>',
        "<span hidden>lilac E5</span>",
        "<s>lilac E5</s><del>x</del>",
        '<span style="text-decoration:line-through">lilac E5</span>',
        "<template>lilac E5</template>",
    ],
)
def test_what_is_quoted_signed_or_hidden_is_not_among_the_words(quoted: str, desk: "Desk") -> None:
    assert desk.words(f"<html><body><div>lilac F4</div>{quoted}</body></html>", HTML) == "lilac F4"


def test_small_letters_are_not_hidden_ones(desk: "Desk") -> None:
    assert desk.words('<p style="font-size:0.9em">lilac F4</p>', HTML) == "lilac F4"


def test_words_between_quotes_are_told_apart(desk: "Desk") -> None:
    source = "<blockquote>one</blockquote><div>lilac F4</div><blockquote>two</blockquote>"
    assert desk.words(source, HTML) == "lilac F4"


def test_text_of_different_origin_never_shares_a_line() -> None:
    lines = markup_lines("mine <span class=gmail_signature>theirs</span> mine")
    assert lines == [Line("mine"), Line("theirs", Mark.SIGNATURE), Line("mine")]


def test_nesting_beyond_the_limit_is_not_read(desk: "Desk") -> None:
    assert desk.words("<div>" * 390 + "lilac F4", HTML) == "lilac F4"
    assert desk.reason("<div>" * 401 + "lilac F4", HTML) == "odd-markup"


@given(
    st.lists(st.sampled_from(["<p>", "</p>", "<div>", "</div>", "<b>", "</b>", "<td>", "<br>", "<li>"]), max_size=30)
)
def test_no_nesting_however_wrong_moves_words_into_or_out_of_a_quote(tags: list[str]) -> None:
    lines = markup_lines(f"mine<blockquote>{''.join(tags)}theirs</blockquote>mine")
    assert not isinstance(lines, Unreadable)
    marks = {line.text: line.mark for line in lines if line.text}
    assert marks == {"mine": Mark.OWN, "theirs": Mark.QUOTED}
