"""Letters to the bare address: played only if our server vouches for them and something says for which table."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from email import message_from_bytes
from pathlib import Path

import pytest

from notation import Record
from pbem.locale.languages import LANGUAGE_CODES
from pbem.mail.reply_address import parse_ticket
from pbem.service.game_records import read_record
from pbem.service.post_folder import open_post
from pbem.store.rows import MailRow
from pbem.workflow.context import PostContext
from pbem.workflow.handle_letter import LetterOutcome, handle_arrived_letters
from pbem.workflow.import_record import import_game
from pbem.workflow.new_tables import terms_of
from pbem.workflow.open_game import Guest
from pbem.workflow.tick import tick
from tests.post.court.courts import text_of
from tests.post.post_games import Hours, found_post, make_friends, make_script, moves_of

ANNA, BORIS, CHLOE = (friend.address for friend in make_friends().values())
SERVER = "mx.post.test"
SCRIPT = make_script()
MOVES = moves_of(SCRIPT)
EARLY, LATER, OTHERS = 16, 19, 20
"""Two turns of red and one of somebody else."""
LAST = len(MOVES)
OVER = LAST + 1


@dataclass
class Office:
    """A post with a few tables, and letters to it."""

    context: PostContext
    hours: Hours
    server: str | None
    written: int = 0

    def open(
        self, table: str, turn: int, people: Sequence[str] = ("Anna", "Boris", "Chloe"), language: str = "en"
    ) -> None:
        """A table at which a turn is to be played; who has which seat, in the order of seats."""
        headers = tuple((name, "*" if name == "Result" and turn < OVER else value) for name, value in SCRIPT.headers)
        seats = ("red", "blue", "green")
        guests = [
            Guest(seat, name, f"{name.lower()}@players.test", language=language)
            for seat, name in zip(seats, people, strict=True)
        ]
        record = Record(headers, SCRIPT.entries[: turn - 1])
        import_game(self.context, table, record, guests, terms=terms_of(self.context.settings.time))

    def send(
        self,
        words: str,
        *,
        sender: str = ANNA,
        verdict: str = "pass",
        subject: str = "my move",
        answers: str = "",
        to: str = "",
    ) -> LetterOutcome:
        """What becomes of a letter to the bare address."""
        self.written += 1
        self.hours.forward(minutes=5)
        domain = sender.partition("@")[2]
        lines = [f"Authentication-Results: {self.server}; dmarc={verdict} header.from={domain}"] if self.server else []
        lines += [f"From: {sender}", f"To: {to or self.context.identity.address}", f"Subject: {subject}"]
        lines += [f"In-Reply-To: {answers}"] if answers else []
        raw = "\r\n".join((*lines, f"Message-ID: <{self.written}@players.test>", "", words, "")).encode()
        self.context.store.receive(raw, intake="test")
        (outcome,) = handle_arrived_letters(self.context)
        return outcome

    def mails(self, to: str = ANNA) -> list[MailRow]:
        with self.context.store.reading() as at_desk:
            found = map(at_desk.find_mail, range(1, sum(at_desk.mails_by_state().values()) + 1))
            return [mail for mail in found if mail is not None and mail.recipient == to]

    def mail_about(self, table: str, seat: str = "red") -> str:
        """The Message-ID of the last mail about a table."""
        return [mail.message_id for mail in self.mails() if (mail.game, mail.seat) == (table, seat)][-1]

    def played(self, table: str) -> int:
        """How many turns were played at a table."""
        record = read_record(self.context, table)
        assert record is not None
        return len(moves_of(record))


@contextmanager
def office(folder: Path, server: str | None = SERVER) -> Iterator[Office]:
    hours = Hours()
    with open_post(found_post(folder, authserv_id=server), hours.now) as context:
        tick(context)
        yield Office(context, hours, server)


@pytest.fixture
def post(tmp_path: Path) -> Iterator[Office]:
    with office(tmp_path / "post") as found:
        yield found


@pytest.fixture
def unguarded(tmp_path: Path) -> Iterator[Office]:
    """A post whose server checks nothing."""
    with office(tmp_path / "post", None) as found:
        yield found


def move(turn: int) -> str:
    return MOVES[turn - 1][1]


def test_the_mail_that_a_letter_answers_says_which_table_it_is_for(post: Office) -> None:
    post.open("mistral-2", EARLY)
    post.open("sirocco-7", LATER)
    outcome = post.send(move(LATER), answers=post.mail_about("sirocco-7"), subject="Re: [mistral-2]")
    assert (outcome.fate, outcome.game, outcome.seat) == ("applied", "sirocco-7", "red")
    assert (post.played("sirocco-7"), post.played("mistral-2")) == (LATER, EARLY - 1)


def test_a_table_in_the_subject_says_it_else(post: Office) -> None:
    post.open("mistral-2", EARLY)
    post.open("sirocco-7", LATER)
    outcome = post.send(move(EARLY), subject="Re: [Mistral-2] my move")
    assert (outcome.fate, outcome.game) == ("applied", "mistral-2")


def test_and_else_the_only_table_that_waits_for_the_writer_even_beside_one_that_is_over(post: Office) -> None:
    post.open("alize-1", OVER)
    post.open("mistral-2", OTHERS)
    post.open("sirocco-7", LATER)
    post.open("zonda-9", OVER)
    outcome = post.send(move(LATER))
    assert (outcome.fate, outcome.game) == ("applied", "sirocco-7")


def test_nothing_is_played_if_two_tables_wait_and_nothing_says_which(post: Office) -> None:
    post.open("mistral-2", EARLY)
    post.open("sirocco-7", LATER)
    before = len(post.mails())
    for subject in ("my move", "mistral-2 or sirocco-7", "mistral-22", "xmistral-2"):
        outcome = post.send(move(LATER), subject=subject)
        assert (outcome.fate, outcome.reason, outcome.game) == ("refused", "no-ticket", None)
    assert len(post.mails()) == before, "and nobody is answered who answers no mail of ours"


def test_nothing_is_played_at_a_table_that_is_over_and_the_letter_goes_to_no_other(post: Office) -> None:
    post.open("sirocco-7", LAST)
    owner = {"red": ANNA, "blue": BORIS, "green": CHLOE}[MOVES[-1][0]]
    assert post.send(move(LAST), sender=owner, subject="sirocco-7").fate == "applied"
    post.open("mistral-2", EARLY)
    outcome = post.send(move(EARLY), answers=post.mail_about("sirocco-7"))
    assert outcome.fate == "refused"
    assert post.played("mistral-2") == EARLY - 1
    assert post.mails()[-1].game == "mistral-2", "the answer brings an address that is good for something"


def test_a_move_counts_only_for_the_turn_that_the_answered_mail_asked_about(post: Office) -> None:
    post.open("sirocco-7", EARLY)
    old = post.mail_about("sirocco-7")
    assert post.send(move(EARLY), answers=old).fate == "applied"
    for turn, whom in ((17, BORIS), (18, "chloe@players.test")):
        assert post.send(move(turn), sender=whom).fate == "applied"
    outcome = post.send(move(LATER), answers=old)
    assert (outcome.fate, outcome.reason) == ("refused", "no-ticket")
    assert post.mails()[-1].kind == "stands"
    assert post.send("status", answers=old).fate == "applied", "what is no move is not about a turn"
    assert post.send(move(LATER), answers=post.mail_about("sirocco-7")).fate == "applied"


def test_of_two_seats_of_one_person_the_one_that_is_due_plays(post: Office) -> None:
    post.open("sirocco-7", LATER, ["Anna", "Boris", "Anna"])
    assert post.send(move(LATER), subject="sirocco-7").seat == "red"
    assert post.send(move(OTHERS), sender=BORIS).seat == "blue"
    assert post.send(move(21), answers=post.mail_about("sirocco-7", "green")).seat == "green"
    assert post.played("sirocco-7") == 21


@pytest.mark.parametrize("verdict", ["fail", "none", "temperror"])
def test_nothing_is_played_that_our_server_does_not_vouch_for(post: Office, verdict: str) -> None:
    post.open("sirocco-7", LATER)
    before = len(post.mails())
    for subject in ("my move", "sirocco-7"):
        assert post.send(move(LATER), verdict=verdict, subject=subject).reason == "no-ticket"
    assert len(post.mails()) == before
    outcome = post.send(move(LATER), verdict=verdict, answers=post.mail_about("sirocco-7"))
    assert outcome.reason == "no-ticket"
    assert post.played("sirocco-7") == LATER - 1
    assert len(post.mails()) == before + (verdict != "fail")


def test_where_nobody_checks_nothing_is_played_and_a_forger_is_met_with_silence(unguarded: Office) -> None:
    post = unguarded
    post.open("sirocco-7", LATER)
    post.open("mistral-2", OTHERS)
    before = len(post.mails())
    for answers in ("", "<made-up@post.test>"):
        assert post.send(move(LATER), subject="sirocco-7", answers=answers).reason == "no-ticket"
    boris = next(mail.message_id for mail in post.mails(BORIS))
    assert post.send(move(LATER), answers=boris).reason == "no-ticket", "a mail to somebody else names nobody"
    assert len(post.mails()) == before
    assert post.played("sirocco-7") == LATER - 1


def test_who_answers_a_mail_of_ours_is_told_once_a_day_with_a_fresh_address(unguarded: Office) -> None:
    post = unguarded
    post.open("mistral-2", EARLY)
    post.open("sirocco-7", LATER)
    post.open("zonda-9", OTHERS)
    before = len(post.mails())
    for _ in range(30):
        post.send(move(LATER), answers=post.mail_about("sirocco-7"))
    answer, *more = post.mails()[before:]
    assert not more
    text = text_of(answer.raw)
    assert "plain address" in text
    assert "sirocco-7 waits for you until" in text
    assert "mistral-2 waits for you until" in text
    assert "zonda-9" not in text
    identity, header = post.context.identity, message_from_bytes(answer.raw)
    ticket = parse_ticket(identity.ticket_key, identity.address, [str(header["Reply-To"])], "")
    assert ticket is not None
    assert (ticket.game, ticket.turn, ticket.good) == ("sirocco-7", LATER, True)
    post.hours.forward(hours=24)
    post.send(move(LATER), answers=answer.message_id)
    assert len(post.mails()) == before + 2
    assert post.send(move(LATER), to=str(header["Reply-To"])).fate == "applied"


def test_a_program_that_answers_our_answers_is_not_answered(unguarded: Office) -> None:
    unguarded.open("sirocco-7", LATER)
    before = len(unguarded.mails())
    for _ in range(300):
        unguarded.send("I am away.", answers=unguarded.mails()[-1].message_id)
    assert len(unguarded.mails()) == before + 2, "in 25 hours"


def test_a_ticket_that_came_to_harm_is_never_guessed_at(post: Office) -> None:
    post.open("sirocco-7", LATER)
    for to in ("caravan+sirocco-7.red@post.test", "caravan+sirocco-7.red.19.0.aaaaaaaaaaaaaaaa@post.test"):
        assert post.send(move(LATER), to=to).fate == "refused"
    assert post.played("sirocco-7") == LATER - 1


@pytest.mark.parametrize("language", LANGUAGE_CODES)
def test_the_answer_is_in_the_language_of_its_reader(unguarded: Office, language: str) -> None:
    unguarded.open("sirocco-7", LATER, language=language)
    unguarded.send(move(LATER), answers=unguarded.mail_about("sirocco-7"))
    said = {"en": "plain address", "nl": "gewone adres", "pl": "zwykły adres", "ru": "обычный адрес", "he": "הרגילה"}
    text = " ".join(text_of(unguarded.mails()[-1].raw).split())
    assert said[language] in text
    assert text.count("sirocco-7") >= 1
