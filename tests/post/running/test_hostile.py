"""A thousand hostile mails and more through the whole post: none is obeyed, each has a fate and a reason."""

import random
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field

import pytest

from notation import Record
from pbem.events.chain import first_broken
from pbem.service.game_records import read_record
from pbem.service.post_folder import open_post
from pbem.workflow.context import PostContext, events_from_rows
from pbem.workflow.handle_letter import LetterOutcome, handle_arrived_letters
from pbem.workflow.import_record import import_game
from pbem.workflow.open_game import Guest
from tests.hostile.hostile_draft import Target, sound
from tests.hostile.hostile_mails import hostile_mails
from tests.post.post_games import START, TABLE, Hours, found_post, make_script, moves_of

TURN = 19
PLAYERS = {"red": "anna@example.net", "blue": "boris@example.com", "green": "chloe@example.edu"}
REFEREE = "referee@example.org"


@dataclass
class Siege:
    """A post that was sent everything, and what became of it."""

    context: PostContext
    target: Target
    before: Record
    fates: list[tuple[str, LetterOutcome]] = field(default_factory=list)


@pytest.fixture(scope="module")
def siege(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Siege]:
    target, hours = Target(turn=TURN, orders=_due_move()), Hours()
    folder = tmp_path_factory.mktemp("siege")
    settings = found_post(
        folder,
        {"post.address": target.address},
        authserv_id=target.authserv_id,
        answers_per_hour=1_000,
        referee=REFEREE,
    )
    with open_post(settings, hours.now) as context:
        key = context.identity.ticket_key
        target = Target(turn=TURN, orders=_due_move(), key=key)
        script = make_script()
        half = Record(_unfinished(script), script.entries[: TURN - 1])
        guests = [Guest(seat, seat.capitalize(), address) for seat, address in PLAYERS.items()]
        import_game(context, TABLE, half, guests, terms={})
        siege = Siege(context, target, _record(context))
        for mail in hostile_mails(seed=3, target=target):
            hours.forward(minutes=1)
            context.store.receive(mail.raw, intake="test")
            siege.fates += [(mail.trap, outcome) for outcome in handle_arrived_letters(context)]
        yield siege


def _due_move() -> str:
    seat, phrase = moves_of(make_script())[TURN - 1]
    assert seat == "red"
    return phrase


def _unfinished(script: Record) -> tuple[tuple[str, str], ...]:
    return tuple((name, "*" if name == "Result" else value) for name, value in script.headers)


def _record(context: PostContext) -> Record:
    record = read_record(context, TABLE)
    assert record is not None
    return record


def test_none_is_applied(siege: Siege) -> None:
    assert len(siege.fates) > 1_000
    assert [trap for trap, outcome in siege.fates if outcome.fate == "applied"] == []
    assert _record(siege.context) == siege.before


def test_each_has_a_fate_and_a_reason(siege: Siege) -> None:
    fates = Counter(outcome.fate for _, outcome in siege.fates)
    assert {*fates} <= {"refused", "duplicate", "automatic", "quarantined", "waiting"}
    assert min(fates["refused"], fates["automatic"], fates["quarantined"]) > 50
    assert all(outcome.reason for _, outcome in siege.fates)


def test_what_came_is_what_became_of_it(siege: Siege) -> None:
    letters = siege.context.store.counters()
    assert letters.difference == letters.unread == 0
    assert letters.received >= len(siege.fates)


def test_the_database_and_the_chain_are_whole(siege: Siege) -> None:
    with siege.context.store.reading() as at_desk:
        assert at_desk.integrity_problems() == []
        assert first_broken(events_from_rows(at_desk.load_events(TABLE))) is None


def test_nobody_was_written_to_but_the_players_and_the_referee(siege: Siege) -> None:
    with siege.context.store.reading() as at_desk:
        mails = sum(at_desk.mails_by_state().values())
        to_ours = sum(at_desk.mails_since(START, whom) for whom in (*PLAYERS.values(), REFEREE))
    assert mails == to_ours


def test_nobody_is_silenced_by_bounces_that_others_made_up(siege: Siege) -> None:
    with siege.context.store.reading() as at_desk:
        bounced = {person.seat: (person.bounces, person.paused) for person in at_desk.find_seats(TABLE)}
    assert (bounced["blue"], bounced["green"]) == ((0, False), (0, False))


def test_the_post_hears_the_player_as_if_nothing_had_been(siege: Siege) -> None:
    siege.context.store.receive(sound(random.Random("after"), siege.target).raw(), intake="test")
    (outcome,) = handle_arrived_letters(siege.context)
    assert (outcome.fate, outcome.game, outcome.seat) == ("applied", TABLE, "red")
    assert moves_of(_record(siege.context)) == moves_of(make_script(), TURN)
