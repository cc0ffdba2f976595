"""Whatever people write, it stays text: names, words for others, lines that could not be read."""

import unicodedata
from collections.abc import Callable
from dataclasses import replace
from email import message_from_bytes
from typing import Any
from xml.etree.ElementTree import Element

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pbem.events.chain import Draft
from pbem.events.codec import decode
from pbem.mail.commands.parse_letter import parse_commands
from pbem.mail.writing.mime import Mail
from pbem.mail.writing.occasions import (
    InvitationMail,
    NewsMail,
    NoticeMail,
    ReplyMail,
    TurnMail,
    WordsMail,
)
from pbem.tables.decision import PressMessage
from tests.post.mailed_games import Game

ATTACKS = [
    "<script>alert(1)</script>",
    "</td></tr></table><h1>you won</h1>",
    '"><img src=x onerror=alert(1)>',
    "' style='display:none",
    "{{ 7*7 }}{% raw %}",
    "%(who)s %s {seat} {0}",
    "&lt;b&gt; &amp; &#60;",
    "--=_alternative_x",
    "##- caravan-post -##",
    "\N{RIGHT-TO-LEFT OVERRIDE}nnaA\N{POP DIRECTIONAL FORMATTING}",
    "a\N{ZERO WIDTH SPACE}b\N{SOFT HYPHEN}c\N{WORD JOINER}",
    "\x00\x07\x1b[31mred",
    "é" + "\N{COMBINING ACUTE ACCENT}" * 50,
    "mailto:x@evil.example?body=resign",
    "]]>--><!--",
    "\u2028\u2029\x85",
    "https://evil.example/pixel.png",
]
HOSTILE = st.sampled_from(ATTACKS) | st.text(min_size=1, max_size=80)
PLAIN = "Kim"
OURS = {
    *("html", "head", "meta", "title", "style", "body", "table", "tr", "td", "th", "caption", "p", "div", "span"),
    *("h1", "h2", "h3", "a", "img", "br"),
}
"""All elements that our mails are made of."""


@pytest.fixture(autouse=True)
def _blank_pictures(monkeypatch: pytest.MonkeyPatch) -> None:
    """What stands in pictures is tested elsewhere; here hundreds would be drawn."""
    monkeypatch.setattr("pbem.mail.writing.board_pictures.draw_quickly", lambda *_: b"\x89PNG")


def shape(element: Element) -> tuple[Any, ...]:
    """A page without its words: elements and what they carry, but for the words in alternatives and links."""
    kept = sorted((name, value) for name, value in element.attrib.items() if name not in ("alt", "href", "src"))
    return element.tag, kept, [shape(child) for child in element]


def same_shape(compose: Any, read: Any, tree: Any, table: Any, occasion: Any, *, name: str) -> None:
    """Compose with a plain word and with the hostile one: headers and elements must be the same."""
    mails = [compose(table(word), occasion(word), name=word) for word in (PLAIN, name)]
    heads = [[key for key, _ in message_from_bytes(mail.raw).items()] for mail in mails]
    assert heads[0] == heads[1]
    pages = [tree(read(mail)["text/html"]) for mail in mails]
    assert shape(pages[0]) == shape(pages[1])
    for mail in mails:
        for part in read(mail).values():
            assert not [sign for sign in part if _is_hidden(sign)]


def _is_hidden(sign: str) -> bool:
    """Characters that nobody sees but that turn or cut what others see; those that we set ourselves are paired."""
    allowed = "\n\N{FIRST STRONG ISOLATE}\N{POP DIRECTIONAL ISOLATE}\N{ZERO WIDTH JOINER}\N{ZERO WIDTH NON-JOINER}"
    return unicodedata.category(sign) in ("Cc", "Cf", "Zl", "Zp") and sign not in allowed


def test_names_in_turn_mails_and_invitations(
    played: Callable[[int], Game],
    lay_table: Callable[..., Game],
    compose: Callable[..., Mail],
    read: Callable[[Mail], dict[str, str]],
    tree: Callable[[str], Element],
) -> None:
    game, laid = played(24), lay_table()

    @settings(max_examples=40)
    @given(HOSTILE)
    def check(name: str) -> None:
        def seated(word: str) -> Any:
            return replace(game.table, names={**game.table.names, "blue": word})

        same_shape(compose, read, tree, seated, lambda word: TurnMail(game.since("red")), name=name)
        invited = lambda word: replace(laid.table, names={**laid.table.names, "blue": word})  # noqa: E731 - one line
        same_shape(compose, read, tree, invited, InvitationMail, name=name)

    check()


def test_words_for_others(
    played: Callable[[int], Game],
    compose: Callable[..., Mail],
    read: Callable[[Mail], dict[str, str]],
    tree: Callable[[str], Element],
) -> None:
    table = played(24).table

    @settings(max_examples=40)
    @given(HOSTILE)
    def check(words: str) -> None:
        line = " ".join(words.split()) or PLAIN
        same_shape(
            compose, read, tree, lambda _: table, lambda word: WordsMail(PressMessage("blue", "red", word)), name=line
        )
        same_shape(compose, read, tree, lambda _: table, lambda word: NoticeMail("appeal", about=word), name=line)

    check()


def test_words_in_the_news(
    played: Callable[[int], Game],
    compose: Callable[..., Mail],
    read: Callable[[Mail], dict[str, str]],
    tree: Callable[[str], Element],
) -> None:
    game = played(24)

    def news(word: str) -> NewsMail:
        said = type(game)(list(game.events))
        said.apply_events(
            [
                Draft(decode("press", {"from": "blue", "to": "all", "words": word, "words_sha256": ""})),
                Draft(decode("substituted", {"seat": "green", "name": word, "by": "referee"})),
                Draft(decode("paused", {"reason": word, "by": "referee"})),
                Draft(decode("extended", {"length": "1d", "reason": word, "by": "referee"})),
            ]
        )
        return NewsMail(tuple(said.events[-4:]))

    @settings(max_examples=40)
    @given(HOSTILE)
    def check(words: str) -> None:
        if " ".join(words.split()):
            same_shape(compose, read, tree, lambda _: game.table, news, name=words)

    check()


def test_lines_that_could_not_be_read(
    played: Callable[[int], Game],
    compose: Callable[..., Mail],
    read: Callable[[Mail], dict[str, str]],
    tree: Callable[[str], Element],
) -> None:
    table = played(24).table

    @settings(max_examples=60)
    @given(HOSTILE)
    def check(words: str) -> None:
        mail = compose(table, ReplyMail(parse_commands(f"lilca {words}", game=table.game), (), words, (words,)))
        top = tree(read(mail)["text/html"])
        assert not list(top.iter("script"))
        assert {element.tag for element in top.iter()} <= {
            *(
                "html",
                "head",
                "meta",
                "title",
                "style",
                "body",
                "table",
                "tr",
                "td",
                "th",
                "caption",
                "p",
                "div",
                "span",
            ),
            *("h1", "h2", "h3", "a", "img", "br"),
        }
        for part in read(mail).values():
            assert not [sign for sign in part if _is_hidden(sign)]

    check()


def test_a_letter_quoted_back_keeps_its_caret_below_the_fault(
    played: Callable[[int], Game], compose: Callable[..., Mail], read: Callable[[Mail], dict[str, str]]
) -> None:
    table = played(24).table
    mail = compose(table, ReplyMail(parse_commands("lilac\tK9,  lilac K8 mint\tpruple", game=table.game)))
    lines = read(mail)["text/plain"].splitlines()
    caret = next(line for line in lines if set(line) == {"|", " ", "^"})
    above = lines[lines.index(caret) - 1]
    assert above[caret.index("^") : caret.rindex("^") + 1] == "pruple"
