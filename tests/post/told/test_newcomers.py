"""What newcomers typed, and were not understood or were answered beside the point."""

from collections.abc import Iterator
from contextlib import ExitStack
from email import message_from_bytes
from email.header import decode_header, make_header
from email.policy import SMTP
from pathlib import Path

import pytest

from engine.registry import find_game
from pbem.events.kinds import TurnPlayed
from pbem.mail.commands.invitation import AcceptInvitation
from pbem.mail.commands.parse_letter import parse_commands
from pbem.tables.play import find_pending
from tests.post.towns import Town, found_town


class Towns:
    """Towns of one test, which go away with it."""

    def __init__(self, folder: Path, stack: ExitStack) -> None:
        self._folder = folder
        self._stack = stack

    def found(self, key: str, language: str = "en") -> Town:
        """A town in which a game begins."""
        game = find_game(key)
        assert game is not None
        return self._stack.enter_context(found_town(self._folder / "post", game, 3, language=language))


@pytest.fixture
def towns(tmp_path: Path) -> Iterator[Towns]:
    with ExitStack() as stack:
        yield Towns(tmp_path, stack)


def answer(town: Town, words: str) -> str:
    """What the player on turn is answered, on one line."""
    seat = town.table.due[0]
    town.write(seat, words)
    text, _, _ = town.last_text(seat).partition("Your receipt, signed")
    return " ".join(text.split())


def test_a_path_that_is_not_there_is_answered_with_those_that_are(towns: Towns) -> None:
    town = towns.found("brotherhood")
    said = answer(town, "settlement 12, road 12-13")
    assert "Not played: there is no path 12-13" in said
    assert "At 12 you find the paths 7-12, 12-17, 12-18." in said
    assert "smaller" not in said
    assert "there is no path 80-90" in answer(town, "settlement 12, road 80-90")


def set_up(town: Town) -> None:
    """Let everybody set up the stones of Nomadi, in the order of the squares."""
    squares = [f"{column}{row}" for column in "MNOP" for row in range(16, 20)]
    for square in squares[: sum(town.table.game.view(town.table.position, "*")["hand"].values())]:
        assert town.write(town.table.due[0], f"place {square}").fate == "applied"


@pytest.mark.parametrize(
    "said",
    [
        *("I'm in!", "I\u2019m in, thanks", "count me in", "gladly", "I'd love to play", "yes, let's play"),
        *("yes please, looking forward to it", "Yes please! I'm really looking forward to playing"),
        *("graag, ik doe mee!", "ja graag, ik ben erbij", "chętnie, gram", "z przyjemnością!", "jasne"),
        *("с удовольствием, я играю", "буду играть", "אני בפנים", "בשמחה, אני מצטרף"),
        *("Sure, I'd love to. Never played it before", "Yes! First time for me", "ja graag! Nog nooit gespeeld"),
        *("chętnie, nigdy nie grałam", "да, с удовольствием. Никогда не играл", "כן, בשמחה. אף פעם לא שיחקתי"),
    ],
)
def test_an_invitation_is_accepted_in_the_words_of_a_friend(said: str) -> None:
    assert [*parse_commands(said, game=find_game("nomadi"), playing=False).commands] == [AcceptInvitation()]


@pytest.mark.parametrize(
    "said",
    [
        "I'm in?",
        "I'm in if Dov is",
        "Sure, if it's never played with bots",
        "Sure, never",
        "ik doe niet mee",
        "thanks",
        "gladly, but not now",
        "looking forward to it",
    ],
)
def test_an_invitation_is_not_accepted_by_words_that_may_mean_something_else(said: str) -> None:
    assert AcceptInvitation() not in parse_commands(said, game=find_game("nomadi"), playing=False).commands


NEWCOMERS_STEPS = [
    *("M17-M15", "2: M17-M15", "M17 to M15", "from M17 to M15", "move M 17 to M 15", "2 from M17 to M15"),
    *("M17 naar M15", "z M17 na M15", "с M17 на M15", "מ-M17 ל-M15", "m 17 - m 15", "2 m 17 m 15"),
]


def test_a_step_in_words_without_its_die_is_read_where_one_die_fits(towns: Towns) -> None:
    town = towns.found("nomadi")
    set_up(town)
    table = town.table
    pending = find_pending(table, table.due[0])
    assert pending is not None
    assert pending.allows("2 M17-M15")
    for step in NEWCOMERS_STEPS:
        assert [play.text for play in parse_commands(step, game=table.game, pending=pending).plays] == ["2 M17-M15"]
    # With the wrong die beside it nothing is filled in.
    for step in ("5 from M17 to M15", "the five: from M17 to M15", "M17 to M15 with the 5"):
        assert "2 M17-M15" not in str(parse_commands(step, game=table.game, pending=pending).commands)


@pytest.mark.parametrize(
    ("said", "meant"),
    [
        ("offer a brick for an ore", "offer 1 brick for 1 ore to any"),
        ("offer two wool for a brick to everyone", "offer 2 wool for 1 brick to any"),
        ("trade three wool for one ore", "trade 3 wool: 1 ore"),
        ("discard two wool and an ore", "discard 2 wool 1 ore"),
        ("winter an ore and a grain", "winter ore grain"),
        ("bied een baksteen voor een erts", "offer 1 brick for 1 ore to any"),
        ("ruil drie wol voor één erts", "trade 3 wool: 1 ore"),
        ("oferuję jedną cegłę za jedną rudę", "offer 1 brick for 1 ore to any"),
        ("wymieniam trzy wełny na jedną rudę", "trade 3 wool: 1 ore"),
        ("предлагаю один кирпич за одну руду", "offer 1 brick for 1 ore to any"),
        ("обмен три шерсти на одну руду", "trade 3 wool: 1 ore"),
        ("מציע שתי לבנים תמורת ברזל אחד", "offer 2 brick for 1 ore to any"),
    ],
)
@pytest.mark.parametrize("key", ["brotherhood", "brotherhood-base"])
def test_amounts_may_be_words(key: str, said: str, meant: str) -> None:
    game = find_game(key)
    assert game is not None
    assert [play.text for play in parse_commands(said, game=game).plays] == [meant]


ENDS = [
    *("end turn", "end my turn", "done", "I'm done", "I\u2019m all done", "einde beurt", "einde van mijn beurt"),
    *("ik ben klaar", "koniec tury", "skończyłam", "конец хода", "я закончил", "готово", "סוף התור", "סיימתי"),
]


@pytest.mark.parametrize("said", ENDS)
@pytest.mark.parametrize("key", ["nomadi", "brotherhood-base", "brotherhood"])
def test_a_turn_may_be_ended_in_words(key: str, said: str) -> None:
    game = find_game(key)
    assert game is not None
    assert [play.text for play in parse_commands(said, game=game).plays] == ["end"]


def with_subject(letter: bytes, subject: str) -> bytes:
    """A letter under another subject."""
    mail = message_from_bytes(letter)
    del mail["Subject"]
    if subject:
        mail["Subject"] = subject
    return mail.as_bytes(policy=SMTP)


@pytest.mark.parametrize(
    ("subject", "answered"),
    [
        ("my move", "Re: my move"),
        ("Re: my move", "Re: my move"),
        ("", "Re: [sirocco-7] Your turn 1: answer by Thu 19 Nov"),
        ("Odp: [sirocco-7] Your turn 1", "Re: [sirocco-7] Your turn 1"),
    ],
)
def test_an_answer_is_never_headed_as_news(towns: Towns, subject: str, answered: str) -> None:
    town = towns.found("nomadi")
    (seat,) = town.table.due
    for words in ("status", "place M16"):
        town.deliver(with_subject(town.friends[seat].answer(words, town.hours.now()), subject))
        assert str(make_header(decode_header(town.friends[seat].mails[-1]["Subject"]))) == answered


def test_the_outcome_of_a_move_that_waited_stays_in_the_thread_of_its_turn(towns: Towns) -> None:
    town = towns.found("nomadi")
    (seat,) = town.table.due
    town.write(seat, "place M16\n\nhaikara lentää matalalla")
    town.wait(hours=14)
    subjects = [str(mail["Subject"]) for mail in town.friends[seat].mails]
    assert town.table.due != (seat,)
    assert subjects[-1].startswith("Re: [sirocco-7] Your turn 1")


@pytest.mark.parametrize(
    ("language", "cause"),
    [
        ("en", "its lines end in different ways"),
        ("nl", "de regels eindigen op verschillende manieren"),
        ("pl", "jego wiersze kończą się na różne sposoby"),
        ("ru", "строки кончаются по-разному"),
        ("he", "השורות בו נגמרות בצורות שונות"),
    ],
)
def test_a_letter_with_odd_line_ends_is_told_so_and_no_picture_is_blamed(
    towns: Towns, language: str, cause: str
) -> None:
    town = towns.found("nomadi", language)
    (seat,) = town.table.due
    letter, _, rest = town.friends[seat].answer("place M16", town.hours.now()).rpartition(b"\r\n")
    assert town.deliver(letter + b"\n" + rest).reason == "odd-line-ends"
    said = " ".join(town.last_text(seat).split())
    assert cause in said
    assert "without pictures" not in said


@pytest.mark.parametrize("said", ["Boris: good luck!", "boris: good luck!", "Yellow: good luck!", "Boris: powodzenia!"])
def test_words_after_a_name_and_a_colon_go_to_that_player(towns: Towns, said: str) -> None:
    town = towns.found("nomadi")
    assert town.write("blue", f"{said}\nplace M16").fate == "applied"
    assert "Played: place M16" in town.last_text("blue")
    assert "Your words go to yellow (Boris)." in town.last_text("blue")
    assert any("wrote to you" in text and said.split(": ")[1] in text for text in texts(town, "yellow"))
    assert not any(said.split(": ")[1] in text for text in texts(town, "red"))


@pytest.mark.parametrize("said", ["Boris: place M17", "Boris: don't play this yet", "Anna: good luck!"])
def test_a_name_and_a_colon_never_change_a_move(towns: Towns, said: str) -> None:
    town = towns.found("nomadi")
    town.write("blue", f"{said}\nplace M16")
    assert not any("wrote to you" in text for seat in ("yellow", "red") for text in texts(town, seat))
    played = [event.phrase for event in town.events if isinstance(event.payload, TurnPlayed)]
    assert played in ([], ["place M16"])
    assert bool(played) == said.startswith("Anna")


def texts(town: Town, seat: str) -> list[str]:
    """The text parts of all mails to a seat."""
    parts = [part for mail in town.friends[seat].mails for part in mail.walk()]
    plain = [part.get_payload(decode=True) for part in parts if part.get_content_type() == "text/plain"]
    return [content.decode("utf-8") for content in plain if isinstance(content, bytes)]


OWN_GAME = [
    *[
        ("who is winning?", said)
        for said in ("who is winning?", "Hi, who\u2019s ahead right now?", "whats the score", "wie staat er voor?")
    ],
    *[("who is winning?", said) for said in ("kto wygrywa?", "какой счёт?", "מי מנצח?")],
    *[
        ("status", said)
        for said in ("whose turn is it?", "is it my turn?", "wie is er aan de beurt?", "чей ход?", "של מי התור?")
    ],
    *[
        ("what do I hold?", said)
        for said in ("what do I hold?", "how many cards do I have?", "wat heb ik?", "co mam w ręce?", "что у меня?")
    ],
    *[
        ("board", said)
        for said in ("what can I do?", "I don't understand", "wat nu?", "co mogę zrobić?", "מה אפשר לעשות?")
    ],
]


@pytest.mark.parametrize(("answered", "said"), OWN_GAME)
@pytest.mark.parametrize("key", ["through-the-desert", "nomadi", "brotherhood-base", "brotherhood"])
def test_a_question_about_ones_own_game_is_not_answered_with_a_rule(key: str, answered: str, said: str) -> None:
    assert [each.format() for each in parse_commands(said, game=find_game(key)).commands] == [answered]


@pytest.mark.parametrize("said", ["what does a camel do?", "how do I win?", "how is a turn played?"])
def test_a_question_about_the_game_is_still_answered_with_a_rule(said: str) -> None:
    game = find_game("through-the-desert")
    assert [each.format() for each in parse_commands(said, game=game).commands] == [f"rule {said}"]


def test_who_asks_who_is_winning_reads_everybodys_points(towns: Towns) -> None:
    town = towns.found("brotherhood")
    assert "Nobody leads: all have 0 points" in answer(town, "who is winning?")
    first = town.table.due[0]
    assert town.write(first, "settlement 12, road 12-17").fate == "applied"
    said = answer(town, "who is winning?")
    assert f"{town.friends[first].name} leads, with 1" in said
    assert "You asked" not in said


def test_who_asks_for_their_hand_reads_what_only_they_know(towns: Towns) -> None:
    assert "You hold nothing that the others cannot see" in answer(towns.found("through-the-desert"), "what do I hold?")


ASKS_FOR_A_SEAT = [
    *("sure, I'd love to play! how does this work?", "привет! да, с удовольствием сыграю", "היי, כן אני רוצה לשחק"),
    *("cześć, z przyjemnością zagram", "hoi! ja, ik wil graag spelen"),
]


@pytest.mark.parametrize("said", ASKS_FOR_A_SEAT)
def test_an_invitation_is_accepted_beside_a_greeting_and_a_question(said: str) -> None:
    assert [*parse_commands(said, game=find_game("nomadi"), playing=False).commands] == [AcceptInvitation()]


@pytest.mark.parametrize("said", ["I'm in! if Dov is?", "I'd love to! or not?", "I'd love to, but who pays?"])
def test_a_question_that_sets_a_condition_accepts_nothing(said: str) -> None:
    assert not parse_commands(said, game=find_game("nomadi"), playing=False).commands
