"""A ticket is good for one game, one seat, one turn and one history, under one key."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.mail.reply_address import Ticket, format_reply_address, format_subject_tag, parse_ticket
from tests.old_tickets import format_old_address, format_old_tag

KEY = b"k" * 32
ADDRESS = "Caravan@example.org"
SAID: dict[str, Any] = {"game": "sirocco-7", "seat": "red", "turn": 12, "mark": "ak5xwq"}
TICKET = Ticket("sirocco-7", "red", 12, "ak5xwq", good=True)

IDS = st.from_regex(r"\A[a-z0-9]{1,6}(-[a-z0-9]{1,4})?\Z")
NUMBERS = st.integers(0, 999)
MARKS = st.from_regex(r"\A[a-z2-7]{6}\Z")


def test_the_reply_address_is_readable_by_people_and_short_enough_for_servers() -> None:
    address = format_reply_address(KEY, ADDRESS, **SAID)
    mailbox, _, home = address.partition("@")
    assert mailbox.startswith("Caravan+sirocco-7.red.12.ak5xwq.")
    assert home == "example.org"
    assert len(mailbox) <= 64
    assert len(mailbox.rpartition(".")[2]) == 12, "60 bits"


def test_an_address_too_long_for_a_mailbox_is_our_own_mistake() -> None:
    with pytest.raises(ValueError, match="too long"):
        format_reply_address(
            KEY, ADDRESS, game="siroccosiroccosirocco-mistralmistral", seat="cerise", turn=12, mark="ak5xwq"
        )
    with pytest.raises(ValueError, match="not a ticket"):
        format_reply_address(KEY, ADDRESS, game="sirocco.7", seat="red", turn=12, mark="ak5xwq")


@given(IDS, IDS, NUMBERS, NUMBERS)
def test_a_ticket_of_the_old_form_is_still_read(game: str, seat: str, turn: int, epoch: int) -> None:
    expected = Ticket(game, seat, turn, "", good=True, epoch=epoch)
    said: dict[str, Any] = {"game": game, "seat": seat, "turn": turn, "epoch": epoch}
    assert parse_ticket(KEY, ADDRESS, [format_old_address(KEY, ADDRESS, **said)], "") == expected
    assert parse_ticket(KEY, ADDRESS, [ADDRESS], f"Re: hello {format_old_tag(KEY, **said)} again") == expected


def test_the_key_that_was_replaced_still_counts_where_it_is_given() -> None:
    for address in (
        format_reply_address(KEY, ADDRESS, **SAID),
        format_old_address(KEY, ADDRESS, game="a", seat="b", turn=1),
    ):
        fresh, older = (parse_ticket(b"new", ADDRESS, [address], "", older_keys=keys) for keys in ((), (KEY,)))
        assert fresh is not None
        assert older is not None
        assert (fresh.good, older.good) == (False, True)


@given(IDS, IDS, NUMBERS, MARKS)
def test_what_was_written_is_read(game: str, seat: str, turn: int, mark: str) -> None:
    expected = Ticket(game, seat, turn, mark, good=True)
    said: dict[str, Any] = {"game": game, "seat": seat, "turn": turn, "mark": mark}
    assert parse_ticket(KEY, ADDRESS, [format_reply_address(KEY, ADDRESS, **said)], "") == expected
    assert parse_ticket(KEY, ADDRESS, [ADDRESS], f"Re: hello {format_subject_tag(KEY, **said)} again") == expected


@pytest.mark.parametrize("forms", ["{0}", "<{0}>", "{1}", "{2}", "{3}"])
def test_a_ticket_survives_what_servers_do_to_addresses(forms: str) -> None:
    address = format_reply_address(KEY, ADDRESS, **SAID)
    changed = forms.format(address, address.upper(), address.replace("+", "="), address.replace("+", "%2B"))
    assert parse_ticket(KEY, ADDRESS, [changed], "") == TICKET


def test_a_ticket_in_a_subject_survives_folding_and_shouting() -> None:
    tag = format_subject_tag(KEY, **SAID)
    assert parse_ticket(KEY, ADDRESS, [], tag.upper()) == TICKET
    assert parse_ticket(KEY, ADDRESS, [], "AW: " + tag.replace(" ", "  ")) == TICKET


@pytest.mark.parametrize(
    "changed", [{"game": "sirocco-8"}, {"seat": "blue"}, {"turn": 13}, {"turn": 1}, {"mark": "bk5xwq"}]
)
def test_a_code_is_good_for_nothing_else(changed: dict[str, object]) -> None:
    address = format_reply_address(KEY, ADDRESS, **SAID)
    other = SAID | changed
    code = address.partition("@")[0].rpartition(".")[2]
    moved = f"caravan+{other['game']}.{other['seat']}.{other['turn']}.{other['mark']}.{code}@example.org"
    read = parse_ticket(KEY, ADDRESS, [moved], "")
    assert read is not None
    assert not read.good
    assert parse_ticket(b"another key", ADDRESS, [address], "") == Ticket("sirocco-7", "red", 12, "ak5xwq", good=False)


def test_the_parts_of_a_ticket_cannot_be_shifted_into_each_other() -> None:
    one = format_subject_tag(KEY, game="a-1", seat="b", turn=1, mark="222222")
    two = format_subject_tag(KEY, game="a", seat="1-b", turn=12, mark="222222")
    assert one.rpartition(" ")[2] != two.rpartition(" ")[2]


@pytest.mark.parametrize(
    "address",
    [
        *("caravan@example.org", "caravan+@example.org", "caravan+hello@example.org", "", "@", "caravan"),
        *("caravan+a.b.1.0.short@example.org", "caravan+a.b.01.0.aaaaaaaaaaaaaaaa@example.org"),
        *("other+a.b.1.0.aaaaaaaaaaaaaaaa@example.org", "caravan+a.b.\u0661.0.aaaaaaaaaaaaaaaa@example.org"),
        *("caravan+a.b.1.0.aaaaaaaaaaaaaaa1@example.org", "caravan+a.b.1.0.aaaaaaaaaaaa@example.org"),
        *("caravan+a.b.1.aaaaaa.aaaaaaaaaaaaaaaa@example.org", "caravan+a.b.1.aaaaa1.aaaaaaaaaaaa@example.org"),
    ],
)
def test_what_is_no_ticket_is_not_read_as_one(address: str) -> None:
    assert parse_ticket(KEY, ADDRESS, [address], "") is None


def test_the_address_goes_before_the_subject() -> None:
    address, tag = format_reply_address(KEY, ADDRESS, **SAID), format_subject_tag(KEY, **(SAID | {"turn": 13}))
    assert parse_ticket(KEY, ADDRESS, [address], tag) == TICKET


def test_two_good_tickets_that_differ_count_for_nothing() -> None:
    both = [format_reply_address(KEY, ADDRESS, **SAID), format_reply_address(KEY, ADDRESS, **(SAID | {"turn": 13}))]
    read = parse_ticket(KEY, ADDRESS, both, "")
    assert read is not None
    assert not read.good
    assert parse_ticket(KEY, ADDRESS, [both[0], both[0].upper()], "") == TICKET
