"""The table of threats to a post that strangers may write to: forgers, thieves of tickets, guessers, replayers."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.post.people.desks import Lobby, open_lobby, text_of
from tests.post.people.test_addresses import asked_at

ANNA, BORIS = "anna@people.test", "boris@people.test"
VICTIM, NEW = "victim@elsewhere.test", "anna@new.test"


@pytest.fixture
def lobby(tmp_path: Path) -> Iterator[Lobby]:
    with open_lobby(tmp_path / "post") as found:
        yield found


def test_a_thousand_forged_letters_in_thirty_days_bring_no_mail(lobby: Lobby) -> None:
    verdicts = ("fail", "none", "softfail", "temperror", "permerror", "neutral")
    words = ("yes", "open nomadi", "tables", f"invite {VICTIM}", "forget me")
    for number in range(1_000):
        letter = words[number % len(words)]
        assert lobby.write(VICTIM, letter, verdict=verdicts[number % len(verdicts)]).fate == "refused"
        lobby.hours.forward(minutes=32)
    assert lobby.mails == {}


def test_a_thousand_letters_that_a_server_vouches_for_bring_three(lobby: Lobby) -> None:
    for _ in range(1_000):
        lobby.write(VICTIM, "open nomadi")
        lobby.hours.forward(minutes=32)
    assert len(lobby.mails[VICTIM]) == 3


def test_five_hundred_variants_of_one_mailbox_get_one_welcome_a_day(lobby: Lobby) -> None:
    for number in range(500):
        lobby.write(f"victim+{number}@elsewhere.test", "hello")
        lobby.hours.forward(seconds=-660)
    assert sum(map(len, lobby.mails.values())) == 1


def test_mailing_lists_and_bounces_get_no_welcome(lobby: Lobby) -> None:
    for header in ("List-Id: <camels.example.org>", "Precedence: list", "Auto-Submitted: auto-generated"):
        lobby.write(VICTIM, "hello", headers=(header,))
    lobby.context.store.receive(
        b"From: MAILER-DAEMON@elsewhere.test\r\nSubject: x\r\n\r\nfailed\r\n", intake="test", env_from=""
    )
    assert lobby.mails == {}


def test_a_stolen_ticket_is_worth_nothing_without_its_owner_and_our_server(lobby: Lobby) -> None:
    lobby.come_in(ANNA)
    lobby.come_in(BORIS)
    ticket = str(lobby.mails[ANNA][-1]["Reply-To"])
    for words in ("my games", "forget me", "name Zed", f"address {NEW}"):
        assert lobby.write(BORIS, words, to=ticket).reason == "other-sender"
        assert lobby.write(ANNA, words, to=ticket, verdict="fail").reason == "not-authentic"
    assert [len(lobby.mails[who]) for who in (ANNA, BORIS)] == [2, 2]
    assert NEW not in lobby.mails


def test_what_cannot_be_taken_back_is_said_at_every_address(lobby: Lobby) -> None:
    lobby.come_in(ANNA)
    lobby.answer(ANNA, f"address {NEW}")
    for who in (NEW, ANNA):
        lobby.write(who, "yes", to=asked_at(lobby, who))
    before = {who: len(lobby.mails[who]) for who in (ANNA, NEW)}
    lobby.write(ANNA, "forget me")
    assert {who: len(lobby.mails[who]) - before[who] for who in before} == {ANNA: 1, NEW: 1}
    assert lobby.write(NEW, "no", to=asked_at(lobby, NEW)).reason == "dropped"
    assert lobby.write(ANNA, "yes", to=asked_at(lobby, ANNA)).reason == "late"


_LETTERS = st.lists(
    st.tuples(st.sampled_from([ANNA, NEW, BORIS]), st.sampled_from(["yes", "no", "undo", "ok"]), st.integers(0, 30)),
    max_size=12,
)


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(letters=_LETTERS, early=st.booleans())
def test_an_act_of_two_letters_happens_once_at_most(
    tmp_path_factory: pytest.TempPathFactory, letters: list[tuple[str, str, int]], early: bool
) -> None:
    with open_lobby(tmp_path_factory.mktemp("post")) as lobby:
        lobby.come_in(ANNA)
        lobby.come_in(BORIS)
        lobby.answer(ANNA, f"address {NEW}")
        ticket = asked_at(lobby, NEW)
        outcomes: list[str] = []
        agreed: set[str] = set()
        for who, words, hours in letters if early else [(who, words, 49) for who, words, _ in letters]:
            lobby.hours.forward(hours=hours)
            outcome = lobby.write(who, words, to=ticket)
            if outcome.reason in ("agreed", "address-changed"):
                agreed.add(who)
            outcomes.append(outcome.reason)
        assert outcomes.count("address-changed") <= (1 if early else 0)
        if "address-changed" in outcomes:
            assert agreed == {ANNA, NEW}
            assert set(outcomes[outcomes.index("address-changed") + 1 :]) <= {"late"}
        with lobby.context.store.reading() as at_desk:
            anna = at_desk.person_at(ANNA)
            assert anna is not None
            writes = [each.address for each in at_desk.addresses_of(anna.id) if each.writes]
        assert writes == [NEW if "address-changed" in outcomes else ANNA]


@pytest.mark.parametrize("words", ["challenge {who} at nomadi", "address {who}", "open nomadi seats 3\ninvite {who}"])
def test_nobody_finds_out_who_plays_here(tmp_path: Path, words: str) -> None:
    """Twin posts: at one of them Boris is a person. Who asks for his address reads the same, as often."""
    told = []
    for known in (True, False):
        with open_lobby(tmp_path / str(known)) as lobby:
            lobby.come_in(ANNA)
            if known:
                lobby.come_in(BORIS)
            lobby.answer(ANNA, words.format(who=BORIS))
            lobby.wait(days=8)
            told.append([(mail["Subject"], text_of(mail)) for mail in lobby.mails[ANNA]])
    assert told[0] == told[1]
