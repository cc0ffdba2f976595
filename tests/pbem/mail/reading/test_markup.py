"""HTML as a reader sees it: lines, what is quoted, what is hidden."""

import time
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.mail.reading.html import html_lines
from pbem.mail.reading.limits import Unreadable
from pbem.mail.reading.text_lines import Mark, TextLine

if TYPE_CHECKING:
    from tests.pbem.mail.reading.conftest import Desk

HTML = {"Content-Type": "text/html; charset=utf-8"}


def shown(source: str) -> list[str]:
    lines = html_lines(source)
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
def test_what_is_quoted_signed_or_hidden_is_not_among_the_words(quoted: str, session: "Desk") -> None:
    assert session.words(f"<html><body><div>lilac F4</div>{quoted}</body></html>", HTML) == "lilac F4"


@pytest.mark.parametrize(
    ("rules", "element"),
    [
        (".gone {text-decoration: line-through}", '<p class="note gone">lilac E5</p>'),
        ("span.s1 {text-decoration: line-through}", '<p><span class="s1">lilac E5</span></p>'),
        ("u, li.MsoDel { color:red; text-decoration-line :\n line-through; }", "<u>lilac E5</u>"),
        ("<!-- .x_gone {display:none} -->", '<p class="gone">lilac E5</p>'),
        (".gone {display:none}", '<p class="x_gone">lilac E5</p>'),
        ("@import 'a'; #gone /* { */ {/* : */visibility/**/: hidden !important}", "<p id=gone>lilac E5</p>"),
        ("@font-face {font-family:x} .gone {font-size:0px}", "<p class=Gone>lilac E5</p>"),
        (".gone {mso-hide:all", "<p class=gone>lilac E5</p>"),
        (".gone {opacity:0}", "<p class=gone><b>lilac</b> E5</p>"),
    ],
)
def test_a_rule_of_a_style_sheet_hides_and_strikes_out(rules: str, element: str, session: "Desk") -> None:
    style = f"<style type='text/css'>{rules}</style>"
    for page in (f"<head>{style}</head>{element}<p>lilac F4</p>", f"{element}<p>lilac F4</p>{style}"):
        assert session.words(page, HTML) == "lilac F4"


@pytest.mark.parametrize(
    "rules",
    [
        *("@media screen and (min-width:1px) {.x {display:none}}", "div .x {display:none}", "p.x.y {display:none}"),
        *(".x:first-child {display:none}", "p[class] {text-decoration:line-through}", "b > p {opacity:0}"),
    ],
)
def test_what_a_rule_may_hide_is_struck_out_by_dashes_so_that_it_is_asked_about(rules: str, session: "Desk") -> None:
    page = f"<style>{rules}</style><div><p class=x>lilac E5</p>lilac F4</div>"
    assert session.words(page, HTML) == "-lilac E5-\nlilac F4"


def test_an_element_that_says_itself_how_it_is_seen_is_asked_about(session: "Desk") -> None:
    page = "<style>.x {display:none}</style><p class=x style='display:block'>lilac <b>F4</b></p>"
    assert session.words(page, HTML).split() == ["-lilac-", "-F4-"]


@pytest.mark.parametrize(
    "rules",
    [
        *(".y {display:none}", "p.y {display:none}", "b.x {display:none}", "p {text-decoration:none; font-size:0.9em}"),
        *("@media print {p {display:none} .x {display:none}}", ".x:hover {text-decoration:line-through}"),
        *("@media print {p {display:none}} .y {display:none}", ".x::before {display:none}", "}} {display:none}"),
        *("[hidden] {display:none}", "/* p {display:none} */", ".x {color:red} {"),
    ],
)
def test_rules_for_other_elements_hide_nothing(rules: str, session: "Desk") -> None:
    assert session.words(f"<style>{rules}</style><p class=x>lilac F4</p>", HTML) == "lilac F4"


def test_rules_for_printing_and_in_comments_hide_nothing(session: "Desk") -> None:
    for style in (
        '<style media="print">p {display:none}</style>',
        "<!--[if mso]><style>p {display:none}</style><![endif]-->",
    ):
        assert session.words(f"{style}<p>lilac F4</p>", HTML) == "lilac F4"


@pytest.mark.parametrize(
    "style",
    [
        "display&#58;none",
        "display:/* */none",
        "text-decoration-line:line-through",
        "font:0/0 a",
        "opacity:0.0",
        "VISIBILITY : hidden",
    ],
)
def test_an_element_may_hide_itself_in_many_ways(style: str, session: "Desk") -> None:
    assert session.words(f'<p style="{style}">lilac E5</p><p>lilac F4</p>', HTML) == "lilac F4"


@pytest.mark.parametrize(
    "page",
    [
        "<style>" + "@media a{" * 12_000 + "b{opacity:0}" * 8_000 + "</style>lilac F4",
        "<style>" + ".x.y," * 20_000 + "{display:none}</style>" + "<p class=x>" * 10_000,
        "<style>" + "/*" * 60_000 + "</style>lilac F4",
        "<style>" * 20_000,
        "<style>" + "{" * 100_000 + "</style>lilac F4",
        "<style>" + "a{font:" + " " * 100_000 + "</style>lilac F4",
    ],
    ids=["blocks", "names", "comments", "unclosed", "braces", "blanks"],
)
def test_no_style_sheet_keeps_the_reader_busy(page: str) -> None:
    started = time.process_time()
    html_lines(page)
    assert time.process_time() - started < 2


def test_small_letters_are_not_hidden_ones(session: "Desk") -> None:
    assert session.words('<p style="font-size:0.9em">lilac F4</p>', HTML) == "lilac F4"


def test_words_between_quotes_are_told_apart(session: "Desk") -> None:
    source = "<blockquote>one</blockquote><div>lilac F4</div><blockquote>two</blockquote>"
    assert session.words(source, HTML) == "lilac F4"


def test_text_of_different_origin_never_shares_a_line() -> None:
    lines = html_lines("mine <span class=gmail_signature>theirs</span> mine")
    assert lines == [TextLine("mine"), TextLine("theirs", Mark.SIGNATURE), TextLine("mine")]


def test_nesting_beyond_the_limit_is_not_read(session: "Desk") -> None:
    assert session.words("<div>" * 390 + "lilac F4", HTML) == "lilac F4"
    assert session.reason("<div>" * 401 + "lilac F4", HTML) == "odd-markup"


@given(
    st.lists(st.sampled_from(["<p>", "</p>", "<div>", "</div>", "<b>", "</b>", "<td>", "<br>", "<li>"]), max_size=30)
)
def test_no_nesting_however_wrong_moves_words_into_or_out_of_a_quote(tags: list[str]) -> None:
    lines = html_lines(f"mine<blockquote>{''.join(tags)}theirs</blockquote>mine")
    assert not isinstance(lines, Unreadable)
    marks = {line.text: line.mark for line in lines if line.text}
    assert marks == {"mine": Mark.OWN, "theirs": Mark.QUOTED}
