"""Programs that answer every mail, and posts that write to each other, fall silent within two rounds."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

import pytest

from pbem.workflow.handle_letter import handle_arrived_letters
from tests.post.people.desks import POST, SERVER, Lobby, open_lobby
from tests.post.people.responders import HEADERS, RESPONDERS, words_of

ANNA, BORIS = "anna@people.test", "boris@people.test"
ROUNDS: Final = 6
"""For so long each program is given the chance to go on."""
MANY: Final[dict[str, Any]] = {"welcomes": 1_000, "welcomes_by_domain": 1_000, "waiting_tables": 1_000}


@contextmanager
def full_lobby(folder: Path) -> Iterator[Lobby]:
    """A lobby whose limits for a day stop nobody: what stops a program must be what it writes."""
    with open_lobby(folder, **MANY) as lobby:
        yield lobby


def go_round(lobby: Lobby, robot: str, words: str, headers: tuple[str, ...]) -> int:
    """Let a program answer each mail it gets; how many of its letters were answered."""
    answered = 0
    for count in range(ROUNDS):
        before = len(lobby.mails[robot])
        lobby.answer(robot, words_of(words, count), headers=headers)
        answered += len(lobby.mails[robot]) > before
    return answered


def be_welcomed(lobby: Lobby, robot: str) -> None:
    lobby.write(robot, "hello")


def be_known(lobby: Lobby, robot: str) -> None:
    lobby.come_in(robot)
    lobby.answer(robot, "me")


def be_invited(lobby: Lobby, robot: str) -> None:
    host = f"host-of-{robot}"
    lobby.come_in(host)
    lobby.answer(host, f"open through the desert seats 2\ninvite {robot}")


def change_address(lobby: Lobby, robot: str) -> None:
    old = f"old-{robot}"
    lobby.come_in(old)
    lobby.answer(old, f"address {robot}")


def sit_at_a_table(lobby: Lobby, robot: str) -> None:
    be_invited(lobby, robot)
    assert lobby.answer(robot, "yes").fate == "applied"
    with lobby.context.store.reading() as at_desk:
        assert [seat.address for seat in at_desk.find_player(robot)] == [robot]


PLACES: Final[tuple[Callable[[Lobby, str], None], ...]] = (
    be_welcomed,
    be_known,
    be_invited,
    change_address,
    sit_at_a_table,
)


@pytest.mark.parametrize(
    ("place", "headers"),
    [*((place, ()) for place in PLACES), *((place, said) for place in PLACES[::4] for said in HEADERS[1:])],
)
def test_thirty_programs_fall_silent_within_two_rounds(
    tmp_path: Path, place: Callable[[Lobby, str], None], headers: tuple[str, ...]
) -> None:
    with full_lobby(tmp_path / "post") as lobby:
        for number, words in enumerate(RESPONDERS):
            robot = f"robot{number}@elsewhere.test"
            place(lobby, robot)
            assert go_round(lobby, robot, words, headers) <= (0 if headers else 2), words


def test_none_of_them_becomes_a_person_by_a_header(tmp_path: Path) -> None:
    with full_lobby(tmp_path / "post") as lobby:
        for number, words in enumerate(RESPONDERS):
            be_welcomed(lobby, f"robot{number}@elsewhere.test")
            go_round(lobby, f"robot{number}@elsewhere.test", words, HEADERS[1])
        with lobby.context.store.reading() as at_desk:
            assert at_desk.people() == []


@pytest.fixture
def lobby(tmp_path: Path) -> Iterator[Lobby]:
    with full_lobby(tmp_path / "post") as found:
        found.come_in(ANNA)
        found.come_in(BORIS)
        found.answer(ANNA, "open through the desert seats 2")
        found.answer(BORIS, "join sirocco-1")
        yield found


def answers(lobby: Lobby, words: str) -> bool:
    """Whether a letter to the table is answered."""
    mine = next(mail for mail in reversed(lobby.mails[BORIS]) if "+sirocco-1." in str(mail["Reply-To"]))
    before = len(lobby.mails[BORIS])
    lobby.write(BORIS, words, to=str(mine["Reply-To"]))
    return len(lobby.mails[BORIS]) > before


def test_a_person_who_tries_again_in_other_words_is_answered(lobby: Lobby) -> None:
    for words in ("Good evening!", "What do you want from me?", "lilca F4", "lilca F5", "lilca F4, salmon C9"):
        assert answers(lobby, words), words


def test_the_same_moves_that_cannot_be_read_are_answered_twice_and_at_another_turn_again(lobby: Lobby) -> None:
    assert [answers(lobby, "lilca F4") for _ in range(3)] == [True, True, False]
    assert answers(lobby, "press to all: hello")
    assert answers(lobby, "lilca F4")


QUESTIONS = (
    *("Hello?", "What should I be doing now?", "Am I doing this right?", "Sorry, could you say that again?"),
    *("Is anybody reading this?", "Do I have to wait for the others?", "What happens when Anna is away?"),
    *("Who made this?", "Are you a person?", "My brother would like to watch.", "This is fun.", "I like camels."),
)


def test_a_newcomer_who_asks_a_dozen_different_things_is_always_answered(lobby: Lobby) -> None:
    for words in QUESTIONS:
        assert answers(lobby, words), words


FORMS = (
    "Dear {friend}, your mail about {thing} has reached us and {other} will look at it as soon as possible.",
    "Geachte {friend}, uw bericht over {thing} is ontvangen. {other} neemt zo snel mogelijk contact met u op.",
    "Pani {friend}, dziękujemy za wiadomość: {thing}. {other} odpowie w ciągu dwóch dni roboczych.",
    "Здравствуйте, {friend}! Ваше письмо «{thing}» получено нами, {other} ответит вам в ближайшее рабочее время.",
    "שלום {friend}, קיבלנו את הודעתך בעניין {thing}, ו{other} ישיב לך בהקדם האפשרי, בימי העבודה.",
)


def test_a_program_that_fills_other_words_into_a_form_falls_silent_after_two_rounds(lobby: Lobby) -> None:
    fillers = [*zip(("Zoe", "Max", "Ida", "Tom"), ("sand", "wood", "ink", "salt"), "PQRS", strict=True)]
    for form in FORMS:
        said = [form.format(friend=friend, thing=thing, other=other) for friend, thing, other in fillers]
        assert [answers(lobby, words) for words in said] == [True, True, False, False], form
        lobby.hours.forward(days=2)


def test_whoever_is_not_answered_is_as_soon_as_there_is_an_order(lobby: Lobby) -> None:
    for words in QUESTIONS:
        answers(lobby, words)
    assert not answers(lobby, "And the sea.")
    for words in ("help", "status", "help"):
        assert answers(lobby, words), words
    lobby.hours.forward(days=2)
    assert answers(lobby, "Good evening!")


def test_orders_to_the_post_are_answered_as_often_as_somebody_asks(lobby: Lobby) -> None:
    for _ in range(5):
        for words in ("tables", "my games", "me"):
            before = len(lobby.mails[ANNA])
            lobby.write(ANNA, words)
            assert len(lobby.mails[ANNA]) == before + 1


def test_a_letter_that_comes_again_and_again_is_answered_once(lobby: Lobby) -> None:
    mine = next(mail for mail in reversed(lobby.mails[BORIS]) if "+sirocco-1." in str(mail["Reply-To"]))
    lines = (f"Authentication-Results: {SERVER}; dmarc=pass header.from=people.test", f"From: {BORIS}")
    counts = []
    for number in range(4):
        trace = f"Received: from a by b; Thu, 01 Jan 2026 0{number}:00:00 +0000"
        head = (*lines, trace, f"To: {mine['Reply-To']}", "Message-ID: <same@people.test>")
        lobby.context.store.receive("\r\n".join((*head, "", "status", "")).encode(), intake="test")
        list(handle_arrived_letters(lobby.context))
        before = len(lobby.mails[BORIS])
        lobby.carry()
        counts.append(len(lobby.mails[BORIS]) - before)
    assert counts == [1, 1, 0, 0]


def test_two_posts_fall_silent_whatever_one_writes_first(tmp_path: Path) -> None:
    """One post's address sits at a table of the other, and is a person there: each mail is carried over as it is."""
    with full_lobby(tmp_path / "one") as one, full_lobby(tmp_path / "two") as two:
        other = "caravan@two.test"
        sit_at_a_table(one, other)
        for mail in one.mails[other]:
            raw = mail.as_bytes().replace(b"\n", b"\r\n").replace(other.encode(), POST.encode())
            vouched = f"Authentication-Results: {SERVER}; dmarc=pass header.from=post.test\r\n".encode()
            two.context.store.receive(vouched + raw, intake="test")
        assert {each.fate for each in handle_arrived_letters(two.context)} == {"automatic"}
        two.carry()
        assert two.mails == {}
