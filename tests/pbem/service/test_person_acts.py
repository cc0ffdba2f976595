"""What an operator does about people."""

import json
import zipfile
from collections.abc import Iterator
from datetime import timedelta
from io import BytesIO
from pathlib import Path

import pytest

from pbem.service.person_acts import (
    ALIAS,
    KnownPerson,
    change_address,
    export_person,
    find_known,
    find_people,
    find_words_about,
    forget,
    merge_people,
)
from pbem.service.row_checks import check_game_rows
from pbem.tables.fold import fold
from pbem.verify.check_record import verify_text
from pbem.workflow.history import read_events
from pbem.workflow.record_proof import record_text
from pbem.workflow.referees import appoint, referees_of
from tests.post.people.desks import Lobby, open_lobby
from tests.post.people.test_person import ANNA, BORIS, play, seats

EVA = "eva@people.test"


@pytest.fixture
def lobby(tmp_path: Path) -> Iterator[Lobby]:
    with open_lobby(tmp_path / "post") as found:
        play(found, 1)
        yield found


def known(lobby: Lobby, who: str) -> KnownPerson:
    with lobby.context.store.reading() as at_desk:
        found = find_known(at_desk, who)
    assert found is not None
    return found


def test_people_are_found_by_id_address_and_name(lobby: Lobby) -> None:
    anna = known(lobby, ANNA)
    assert anna == known(lobby, "anna") == known(lobby, anna.person.id)
    assert anna.live == ("sirocco-1",)
    with lobby.context.store.reading() as at_desk:
        assert find_known(at_desk, "nobody") is None
        assert len(find_people(at_desk)) == 2


def test_an_archive_holds_all_that_is_kept(lobby: Lobby) -> None:
    packed = zipfile.ZipFile(BytesIO(export_person(lobby.context, known(lobby, ANNA))))
    names = packed.namelist()
    assert {name.partition("/")[0] for name in names} == {"person.json", "letters", "mails", "records"}
    assert json.loads(packed.read("person.json"))["addresses"] == [ANNA]
    assert b"[%head" in packed.read("records/sirocco-1.turns")


def test_two_people_become_one_and_all_seats_follow(lobby: Lobby) -> None:
    lobby.come_in(EVA)
    assert merge_people(lobby.context, known(lobby, ANNA), known(lobby, EVA)) == ""
    (seat,) = seats(lobby, EVA)
    assert seat.address == EVA
    assert {*known(lobby, EVA).addresses} == {ANNA, EVA}
    with lobby.context.store.reading() as at_desk:
        assert len(at_desk.load_settings(ALIAS)) == 1
    turn = next(mail for mail in reversed(lobby.mails[ANNA]) if "+sirocco-1." in str(mail["Reply-To"]))
    assert lobby.write(ANNA, "status", to=str(turn["Reply-To"])).fate == "applied"


def test_two_who_sit_at_one_table_are_not_one(lobby: Lobby) -> None:
    assert merge_people(lobby.context, known(lobby, ANNA), known(lobby, BORIS)).startswith("both sit at sirocco-1")


def test_an_office_goes_to_who_is_left_but_not_where_they_play(lobby: Lobby) -> None:
    lobby.come_in(EVA)
    eva = known(lobby, EVA)
    with lobby.context.store.transaction() as at_desk:
        assert appoint(lobby.context, at_desk, eva.person, "sirocco-1") == ""
    assert "decides there" in merge_people(lobby.context, known(lobby, ANNA), eva)
    assert "decides there" in merge_people(lobby.context, eva, known(lobby, ANNA))
    lobby.come_in("dov@people.test")
    assert merge_people(lobby.context, eva, known(lobby, "dov@people.test")) == ""
    with lobby.context.store.reading() as at_desk:
        (referee,) = referees_of(lobby.context, at_desk, "sirocco-1")
    assert referee.address == "dov@people.test"


def test_places_at_a_table_that_waits_follow_and_nobody_takes_two(lobby: Lobby) -> None:
    lobby.come_in(EVA)
    lobby.answer(EVA, "open nomadi seats 4")
    with lobby.context.store.reading() as at_desk:
        (notice,) = at_desk.notices()
    lobby.write(ANNA, f"join {notice.id}")
    assert "both sit at" in merge_people(lobby.context, known(lobby, ANNA), known(lobby, EVA))
    lobby.write(ANNA, f"leave {notice.id}")
    assert merge_people(lobby.context, known(lobby, EVA), known(lobby, ANNA)) == ""
    with lobby.context.store.reading() as at_desk:
        (notice,) = at_desk.notices()
    assert notice.opener == known(lobby, ANNA).person.id


def test_an_operator_forgets_without_asking(lobby: Lobby) -> None:
    forget(lobby.context, known(lobby, ANNA))
    with lobby.context.store.reading() as at_desk:
        assert at_desk.person_at(ANNA) is None
        row = at_desk.find_game("sirocco-1")
    assert row is not None
    assert row.stage == "over", "one player alone cannot go on"


def test_words_of_others_with_the_name_are_found_and_withheld_if_the_operator_says_so(lobby: Lobby) -> None:
    to = next(str(mail["Reply-To"]) for mail in reversed(lobby.mails[BORIS]) if "+sirocco-1." in str(mail["Reply-To"]))
    for words in ("press to all: Well played, anna!", "press to all: Annabel was better", "press to all: good luck"):
        assert lobby.write(BORIS, f"{words}\n\n", to=to).fate == "applied", lobby.last(BORIS)
    anna, boris = known(lobby, ANNA), known(lobby, BORIS)
    with lobby.context.store.reading() as at_desk:
        (about,) = find_words_about(at_desk, anna)
        assert (about.game, about.kind) == ("sirocco-1", "press")
        assert find_words_about(at_desk, boris) == []
    forget(lobby.context, anna, words=True)
    with lobby.context.store.reading() as at_desk:
        row, events = at_desk.find_game("sirocco-1"), read_events(at_desk, "sirocco-1")
        assert row is not None
        shown = record_text(lobby.context, row, events)
    assert "anna!" not in shown
    assert "Annabel was better" in shown
    (verified,) = verify_text(shown)
    assert verified.findings == ()
    assert (verified.withheld_names, verified.withheld_words) == (1, 1)


def problems(lobby: Lobby) -> list[str]:
    with lobby.context.store.reading() as at_desk:
        events = read_events(at_desk, "sirocco-1")
        return [*check_game_rows(at_desk, fold(events), events)]


def test_a_seat_that_does_not_agree_with_its_person_is_found(lobby: Lobby) -> None:
    assert problems(lobby) == []
    anna = known(lobby, ANNA).person.id
    with lobby.context.store.transaction() as at_desk:
        at_desk.save_wish(anna, "language", "pl")
    assert [problem.partition(": ")[2] for problem in problems(lobby)] == [
        f"a seat {seats(lobby)[0].seat} is not as its person wishes"
    ]
    with lobby.context.store.transaction() as at_desk:
        at_desk.save_wish(anna, "language", "en")
        at_desk.drop_address(ANNA)
    assert "an address that is not its person's" in problems(lobby)[0]


def test_letters_are_kept_while_their_game_goes_on_and_go_afterwards(lobby: Lobby) -> None:
    def kept() -> list[bool]:
        with lobby.context.store.reading() as at_desk:
            found = [at_desk.find_letter(number) for number in at_desk.letter_digests()]
            assert at_desk.altered_letters() == []
        return [bool(letter.raw) for letter in found if letter is not None and letter.game == "sirocco-1"]

    turn = next(mail for mail in reversed(lobby.mails[ANNA]) if "+sirocco-1." in str(mail["Reply-To"]))
    lobby.write(ANNA, "status", to=str(turn["Reply-To"]))
    later = lobby.hours.now() + timedelta(days=1)
    for stage, is_kept in (("playing", True), ("over", False)):
        with lobby.context.store.transaction() as at_desk:
            at_desk.set_stage("sirocco-1", stage)
            at_desk.thin_letters(later)
        assert kept() == [is_kept]


NEW = "anna@new.test"


def ask_for_address(lobby: Lobby, new: str = NEW) -> object:
    answer = change_address(lobby.context, known(lobby, ANNA), new)
    lobby.carry()
    return answer


def test_a_dead_address_is_told_a_week_before_the_operator_changes_it(lobby: Lobby) -> None:
    until = ask_for_address(lobby)
    assert until == lobby.hours.now() + timedelta(days=7)
    assert "Soon our mails go to anna@new.test" in lobby.last(ANNA)
    assert NEW not in lobby.mails
    lobby.wait(days=6)
    assert ask_for_address(lobby) == until
    assert {each.address for each in seats(lobby)} == {ANNA}
    lobby.wait(days=1, hours=1)
    assert ask_for_address(lobby) is None
    assert {each.address for each in seats(lobby, NEW)} == {NEW}
    assert known(lobby, NEW).addresses == (NEW, ANNA)
    assert lobby.answer(ANNA, "undo").reason == "address-undone"
    assert known(lobby, ANNA).addresses == (ANNA,)


def test_whoever_still_has_the_old_address_says_no(lobby: Lobby) -> None:
    ask_for_address(lobby)
    assert lobby.answer(ANNA, "no").reason == "dropped"
    lobby.wait(days=8)
    assert ask_for_address(lobby) == lobby.hours.now() + timedelta(days=7)
    assert {each.address for each in seats(lobby)} == {ANNA}


def test_no_address_of_somebody_else_or_of_the_post_is_given(lobby: Lobby) -> None:
    for new in (BORIS, "caravan@post.test", "nobody", ANNA):
        assert isinstance(ask_for_address(lobby, new), str)
    anna = known(lobby, ANNA).person.id
    with lobby.context.store.reading() as at_desk:
        assert at_desk.pending_of(anna) == []
