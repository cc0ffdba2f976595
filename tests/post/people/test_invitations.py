"""People ask each other to a table: by address, by name, for a rematch. Nobody is written to twice who never wrote."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.post.people.desks import Lobby, open_lobby, text_of

ANNA, BORIS, DOV = "anna@people.test", "boris@people.test", "dov@people.test"
FRIEND = "friend@elsewhere.test"


@pytest.fixture
def lobby(tmp_path: Path) -> Iterator[Lobby]:
    with open_lobby(tmp_path / "post") as found:
        for who in (ANNA, BORIS, DOV):
            found.come_in(who, f"yes, I am {who.partition('@')[0].title()}")
        yield found


def last_with(lobby: Lobby, who: str, kind: str) -> str:
    """The reply address of the last mail of a kind."""
    return next(str(mail["Reply-To"]) for mail in reversed(lobby.mails[who]) if f"+{kind}." in str(mail["Reply-To"]))


def people(lobby: Lobby) -> set[str]:
    with lobby.context.store.reading() as at_desk:
        return {person.name for person in at_desk.people()}


def test_a_friend_is_invited_accepts_and_plays(lobby: Lobby) -> None:
    lobby.answer(ANNA, "open nomadi seats 2")
    lobby.answer(ANNA, f"invite {FRIEND} to sirocco-1")
    assert f"{FRIEND} is asked" in lobby.last(ANNA).lower()
    (invitation,) = lobby.mails[FRIEND]
    assert invitation["Subject"] == "Anna invites you to Nomadi"
    assert "List-Unsubscribe" in invitation
    lobby.answer(BORIS, "join sirocco-1")
    assert "sirocco-1 is full" in lobby.last(BORIS).lower()
    assert lobby.answer(FRIEND, "yes, I am Fred").fate == "applied"
    assert "Fred" in people(lobby)
    with lobby.context.store.reading() as at_desk:
        assert {seat.address for seat in at_desk.find_seats("sirocco-1")} == {ANNA, FRIEND}


def test_an_invitation_holds_nothing_that_the_inviter_wrote(lobby: Lobby) -> None:
    lobby.answer(ANNA, 'open nomadi seats 2 "Cheap pills"')
    lobby.answer(ANNA, f"invite {FRIEND} to sirocco-1 cheap pills at www.pills.example")
    assert "pills" not in lobby.mails[FRIEND][0].as_string() + text_of(lobby.mails[FRIEND][0])


@pytest.mark.parametrize("no", ["no", "decline", "no more mail"])
def test_a_no_frees_the_seat_and_is_told_once(lobby: Lobby, no: str) -> None:
    lobby.answer(ANNA, "open nomadi seats 2")
    lobby.answer(ANNA, f"invite {FRIEND}")
    before = len(lobby.mails[ANNA])
    assert lobby.answer(FRIEND, no).reason == "declined"
    assert len(lobby.mails[FRIEND]) == 1
    assert len(lobby.mails[ANNA]) == before + 1
    assert "The seat is free again" in lobby.last(ANNA)
    assert people(lobby) == {"Anna", "Boris", "Dov"}
    lobby.answer(BORIS, f"open nomadi seats 2\ninvite {FRIEND}")
    assert len(lobby.mails[FRIEND]) == 1


def test_after_no_more_mail_nobody_invites_for_ever(lobby: Lobby) -> None:
    lobby.answer(ANNA, f"open nomadi seats 3\ninvite {FRIEND}")
    lobby.answer(FRIEND, "no more mail")
    lobby.wait(days=200)
    lobby.answer(BORIS, f"open nomadi seats 2\ninvite {FRIEND}")
    assert len(lobby.mails[FRIEND]) == 1
    assert lobby.write(FRIEND, "hello").fate == "refused"
    assert len(lobby.mails[FRIEND]) == 1


def test_fifty_people_invite_one_address_and_it_gets_one_mail(tmp_path: Path) -> None:
    with open_lobby(tmp_path, welcomes_by_domain=100) as lobby:
        for number in range(50):
            who = f"p{number}@people.test"
            lobby.come_in(who)
            lobby.answer(who, f"open nomadi seats 3\ninvite friend+{number}@elsewhere.test")
        assert sum(len(mails) for who, mails in lobby.mails.items() if who.endswith("elsewhere.test")) == 1


def test_the_inviter_reads_the_same_whoever_is_invited(lobby: Lobby) -> None:
    lobby.write("hushed@elsewhere.test", "hello")
    lobby.answer("hushed@elsewhere.test", "no more mail")
    said = set()
    for friend in (BORIS, "hushed@elsewhere.test", "newest@elsewhere.test"):
        lobby.answer(ANNA, "open nomadi seats 3")
        table = lobby.last(ANNA).split(" is open")[0].splitlines()[-1].lower()
        before = len(lobby.mails[ANNA])
        lobby.answer(ANNA, f"invite {friend} to {table}")
        assert len(lobby.mails[ANNA]) == before + 1
        said.add(lobby.last(ANNA).replace(friend, "X").replace(friend.capitalize(), "X").replace(table, "T"))
    assert len(said) == 1


def test_an_invitation_is_good_for_whom_it_went_to(lobby: Lobby) -> None:
    lobby.answer(ANNA, f"open nomadi seats 2\ninvite {FRIEND}")
    ticket = last_with(lobby, FRIEND, "in")
    assert lobby.write("thief@elsewhere.test", "yes", to=ticket).fate == "refused"
    assert lobby.mails.get("thief@elsewhere.test") is None
    assert people(lobby) == {"Anna", "Boris", "Dov"}


def test_a_seat_that_nobody_answers_for_is_offered_on(lobby: Lobby) -> None:
    lobby.answer(ANNA, f"open nomadi seats 2\ninvite {FRIEND}")
    ticket = last_with(lobby, FRIEND, "in")
    lobby.wait(days=7, hours=1)
    lobby.answer(BORIS, "join sirocco-1")
    with lobby.context.store.reading() as at_desk:
        assert {seat.address for seat in at_desk.find_seats("sirocco-1")} == {ANNA, BORIS}
    assert lobby.write(FRIEND, "yes", to=ticket).reason == "late"
    assert len(lobby.mails[FRIEND]) == 1


def test_nobody_invites_more_than_five_a_day(lobby: Lobby) -> None:
    for number in range(7):
        lobby.answer(ANNA, f"open nomadi seats 3\ninvite f{number}@elsewhere.test to {_next(lobby)}")
        lobby.answer(ANNA, "leave")
    assert sum(len(mails) for who, mails in lobby.mails.items() if who.endswith("elsewhere.test")) == 5


def _next(lobby: Lobby) -> str:
    from pbem.workflow.new_tables import name_table

    with lobby.context.store.reading() as at_desk:
        states = ("gathering", "begun", "closed", "lapsed")
        return name_table([each.id for state in states for each in at_desk.notices(state)])


def test_a_challenge_opens_a_table_and_asks_by_name(lobby: Lobby) -> None:
    before = len(lobby.mails[BORIS])
    lobby.answer(ANNA, "challenge boris at nomadi")
    assert "boris is asked" in lobby.last(ANNA).lower()
    assert len(lobby.mails[BORIS]) == before + 1
    assert "Anna invites you to Nomadi" in lobby.last(BORIS)
    assert lobby.answer(BORIS, "accept").fate == "applied"
    with lobby.context.store.reading() as at_desk:
        assert {seat.address for seat in at_desk.find_seats("sirocco-1")} == {ANNA, BORIS}
    lobby.write(ANNA, "challenge zoe at nomadi")
    assert "We know nobody called zoe" in lobby.last(ANNA)


def test_who_is_blocked_finds_no_table_and_is_not_told(lobby: Lobby) -> None:
    lobby.answer(ANNA, "block boris")
    assert "Nobody is told" in lobby.last(ANNA)
    lobby.answer(ANNA, "open nomadi seats 3")
    lobby.answer(BORIS, "tables")
    assert "No table waits" in lobby.last(BORIS)
    lobby.answer(BORIS, "join sirocco-1")
    assert "No table sirocco-1 waits" in lobby.last(BORIS)
    before = len(lobby.mails[ANNA])
    lobby.answer(BORIS, "challenge anna at nomadi")
    assert "anna is asked" in lobby.last(BORIS).lower()
    assert len(lobby.mails[ANNA]) == before
    lobby.answer(ANNA, "unblock boris")
    lobby.answer(BORIS, "tables")
    assert "sirocco-1" in lobby.last(BORIS)


def test_who_waits_for_a_game_is_told_once_a_day(lobby: Lobby) -> None:
    lobby.answer(BORIS, "wait for nomadi")
    assert "You wait for Nomadi" in lobby.last(BORIS)
    before = len(lobby.mails[BORIS])
    lobby.answer(ANNA, "open through the desert seats 3")
    assert len(lobby.mails[BORIS]) == before
    lobby.answer(ANNA, "open nomadi seats 3")
    lobby.answer(DOV, "open nomadi seats 3")
    assert len(lobby.mails[BORIS]) == before + 1
    lobby.answer(BORIS, "join mistral-2")
    assert "You sit at mistral-2" in lobby.last(BORIS)
    lobby.answer(BORIS, "stop waiting")
    lobby.wait(days=2)
    after = len(lobby.mails[BORIS])
    lobby.answer(DOV, "open nomadi seats 4")
    assert len(lobby.mails[BORIS]) == after


def begin(lobby: Lobby) -> None:
    lobby.answer(ANNA, "open nomadi seats 2")
    lobby.answer(BORIS, "join sirocco-1")


def test_a_table_opened_by_mail_can_be_watched(lobby: Lobby) -> None:
    lobby.answer(DOV, "watch sirocco-1")
    assert "You cannot watch sirocco-1" in lobby.last(DOV)
    begin(lobby)
    lobby.answer(DOV, "watch sirocco-1")
    assert "You watch sirocco-1" in lobby.last(DOV)
    before = len(lobby.mails[DOV])
    lobby.write(ANNA, "resign", to=last_with(lobby, ANNA, "sirocco-1"))
    assert len(lobby.mails[DOV]) > before
    lobby.write(DOV, "stop watching")
    assert "You watch no more" in lobby.last(DOV)


def test_a_rematch_has_the_same_people_in_the_next_seats(lobby: Lobby) -> None:
    begin(lobby)
    with lobby.context.store.reading() as at_desk:
        sat = {seat.address: seat.seat for seat in at_desk.find_seats("sirocco-1")}
    over = last_with(lobby, ANNA, "sirocco-1")
    lobby.write(ANNA, "rematch", to=over)
    lobby.write(ANNA, "resign", to=over)
    assert "revanche" not in lobby.last(BORIS).lower()
    assert lobby.write(BORIS, "rematch", to=last_with(lobby, BORIS, "sirocco-1")).fate == "applied"
    assert "Boris wants to play Nomadi again" in lobby.last(ANNA)
    assert lobby.write(ANNA, "rematch", to=over).fate == "applied"
    with lobby.context.store.reading() as at_desk:
        again = {seat.address: seat.seat for seat in at_desk.find_seats("mistral-2")}
        game = at_desk.find_game("mistral-2")
    assert game is not None
    assert game.stage == "playing"
    assert again == {ANNA: sat[BORIS], BORIS: sat[ANNA]}


def test_a_rematch_is_for_those_who_played(lobby: Lobby) -> None:
    begin(lobby)
    lobby.write(ANNA, "resign", to=last_with(lobby, ANNA, "sirocco-1"))
    lobby.answer(DOV, "rematch sirocco-1")
    assert "Nothing to play again" in lobby.last(DOV)
    lobby.write(BORIS, "rematch", to=last_with(lobby, BORIS, "sirocco-1"))
    lobby.answer(DOV, "tables")
    assert "No table waits" in lobby.last(DOV)
    lobby.answer(ANNA, "no")
    assert "does not come" in lobby.last(BORIS)
