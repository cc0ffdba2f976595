"""Whole games as an inbox shows them: what belongs together stands together, and says at a glance what it is about."""

import re
from collections.abc import Iterator
from email.header import decode_header, make_header
from typing import TYPE_CHECKING, Any, NamedTuple

import pytest

from engine import registry
from engine.chance import KeyedDealer
from engine.game import Seat
from pbem.demo.players import plan_moves
from pbem.locale.catalogues import find_locale
from pbem.mail.format import REPLY_MARK
from pbem.mail.writing.sentences import find_sentences
from pbem.tables.table import PLAYING
from tests.pbem.conftest import show
from tests.post.post_games import TABLE
from tests.post.towns import Town, found_town

if TYPE_CHECKING:
    from email.message import Message

MOST = 60
"""Letters of a long game that are looked at; then it ends by agreement."""
_TAG = re.compile(rf" \[{TABLE} \w+ \S+ \w+\]$")


class Received(NamedTuple):
    """A mail that a player got, and the letter that it may answer."""

    seat: Seat
    kind: str
    mail: "Message[str, str]"
    answered: str
    """The subject of the letter that was handled when the mail came."""

    @property
    def subject(self) -> str:
        return " ".join(str(make_header(decode_header(self.mail["Subject"]))).split())

    def part(self, kind: str) -> str:
        """One of its parts."""
        found = next(part for part in self.mail.walk() if part.get_content_type() == kind)
        content = found.get_payload(decode=True)
        assert isinstance(content, bytes)
        return content.decode("utf-8")


def live(town: Town) -> Iterator[Received]:
    """Play a game to its end, with words, questions and a mail a day among it; all mails."""
    seen = dict.fromkeys(town.friends, 0)
    dealer = KeyedDealer(b"threads")
    first, second = town.table.seats[:2]

    def new(answered: str = "") -> Iterator[Received]:
        with town.context.store.reading() as at_desk:
            for seat, friend in town.friends.items():
                for mail in friend.mails[seen[seat] :]:
                    row = at_desk.find_message(str(mail["Message-ID"]))
                    assert row is not None
                    yield Received(seat, row.kind, mail, answered)
                seen[seat] = len(friend.mails)

    def write(seat: Seat, words: str) -> Iterator[Received]:
        subject = str(make_header(decode_header(town.friends[seat].mails[-1]["Subject"])))
        town.write(seat, words)
        yield from new(subject)

    yield from new()
    yield from write(second, "notify daily")
    for number in range(MOST):
        if town.table.stage != PLAYING:
            break
        seat = town.table.due[0]
        yield from write(seat, plan_moves(town.table, seat, dealer).phrase)
        if number in (5, 20):
            for words in ("press to all: well met", "status", "nonsense 12", "undo"):
                yield from write(first, words)
            town.wait(hours=26)
            yield from new()
    for each in (second, first, town.table.seats[2]) if town.table.stage == PLAYING else ():
        yield from write(each, "draw" if each == second else "agree draw")


CASES = (
    *(("through-the-desert", "en", True), ("nomadi", "pl", True)),
    *(("brotherhood", "he", False), ("brotherhood-base", "ru", False)),
)
"""Games, languages, and whether the post has plus addressing."""


@pytest.fixture(scope="module", params=CASES, ids=lambda case: f"{case[0]}-{case[1]}")
def lived(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> tuple[str, str, list[Received]]:
    """A game in a language, at a post with plus addressing or without."""
    key, language, plus = request.param
    game: Any = registry.find_game(key)
    with found_town(
        tmp_path_factory.mktemp(key), game, 3, chosen={"post.plus_addressing": plus}, language=language
    ) as town:
        return key, language, list(live(town))


def test_the_answer_to_a_letter_stays_in_the_thread_of_what_it_answers(lived: tuple[str, str, list[Received]]) -> None:
    _, _, mails = lived
    answers = [each for each in mails if each.kind in ("receipt", "answer", "question", "refusal") and each.answered]
    assert len(answers) > 20
    for each in answers:
        thread = _TAG.sub("", each.answered).removeprefix("Re: ")
        # The mail program of a letter may lose a blank where it folds a subject that is not in English.
        assert "".join(_TAG.sub("", each.subject).split()) == "".join(f"Re: {thread}".split()), each.kind


def test_all_news_of_a_game_has_one_subject_in_the_readers_language(lived: tuple[str, str, list[Received]]) -> None:
    key, language, mails = lived
    sentences = find_sentences(find_locale(language), key)
    game: Any = registry.find_game(key)
    title = sentences.say("subject_news", sentences.gettext(game.title))
    news = {each.kind: _TAG.sub("", each.subject) for each in mails if each.kind in ("news", "digest", "press")}
    assert news.keys() == {"news", "digest", "press"}
    assert set(news.values()) == {f"[{TABLE}] {title}"}


def test_all_mails_of_a_game_refer_to_one_root_from_the_invitation_on(
    lived: tuple[str, str, list[Received]],
) -> None:
    _, _, mails = lived
    seats = {each.seat for each in mails}
    for seat in seats:
        own = [each.mail for each in mails if each.seat == seat]
        assert len({mail["References"] for mail in own}) == 1
        assert {mail["In-Reply-To"] for mail in own} == {own[0]["References"]}
        assert len({mail["Message-ID"] for mail in own}) == len(own)
    assert len({each.mail["References"] for each in mails}) == len(seats)
    assert {each.kind for each in mails} >= {"invitation", "turn", "receipt", "news", "digest", "game-over"}


def test_a_turn_says_what_is_wanted_and_a_ticket_in_the_subject_stands_last(
    lived: tuple[str, str, list[Received]],
) -> None:
    _, language, mails = lived
    plain = all("+" in str(each.mail["Reply-To"]) for each in mails)
    for each in mails:
        assert each.subject.removeprefix("Re: ").startswith(f"[{TABLE}] "), each.subject
        assert (_TAG.search(each.subject) is None) is plain, each.subject
        tag = _TAG.search(each.subject)
        assert tag is None or len(tag[0]) <= 60, each.subject
    assert plain is (language in ("en", "pl"))


def test_the_preview_begins_with_the_point(lived: tuple[str, str, list[Received]]) -> None:
    _, _, mails = lived
    for each in mails:
        text = each.part("text/plain").splitlines()[0]
        first = show(each.part("text/html"))[0]
        for line in (text, first):
            point, mark, after = line.partition(REPLY_MARK)
            assert mark, (each.kind, line)
            assert len(point.strip(" \u00b7\u2066\u2067\u2068\u2069\u200e\u200f")) > 3, (each.kind, line)
            assert after == "", (each.kind, line)
        assert len(text) <= 72, each.kind
