"""Two records are the same game, or part at the first thing that play depends on."""

from engine.through_the_desert.moves import Camel
from notation import ANNOTATION, COMMENT, Ending, Entry, Record, Remark
from pbem.judging.compare import Difference, compare_records


def replaced(record: Record, index: int, *entries: Entry) -> Record:
    return Record(record.headers, (*record.entries[:index], *entries, *record.entries[index + 1 :]))


def titled(record: Record, name: str, value: str) -> Record:
    return Record(tuple((each, value if each == name else old) for each, old in record.headers), record.entries)


def test_a_record_is_the_same_game_as_itself(duel: Record) -> None:
    assert compare_records(duel, duel) is None


def test_names_and_remarks_are_no_parting(duel: Record) -> None:
    other = titled(titled(duel, "Seat.red", "Anna"), "Id", "another")
    remarks = (Remark(1, COMMENT, "bold"), Remark(1, ANNOTATION, "clock 1:00"))
    assert compare_records(duel, replaced(other, 12, duel.entries[12]._replace(remarks=remarks))) is None


def test_the_same_set_up_written_in_another_way_is_no_parting(duel: Record) -> None:
    oases, water = ((duel.header(name) or "").split() for name in ("Oases", "Water"))
    other = titled(titled(duel, "Oases", " ".join(reversed(oases))), "Water", "  ".join(reversed(water)))
    assert compare_records(duel, other) is None
    assert (
        compare_records(duel, Record(tuple(header for header in other.headers if header[0] != "Board"), duel.entries))
        is None
    )


def test_another_set_up_parts_them_at_its_header(duel: Record) -> None:
    water = (duel.header("Water") or "").split()
    space, _, value = water[0].partition("=")
    for changed in (f"{space}={int(value) % 3 + 1}", "nonsense"):
        parting = compare_records(duel, titled(duel, "Water", " ".join([changed, *water[1:]])))
        assert parting is not None
        assert (parting.kind, parting.ply) == ("Water", None)


def test_numbers_and_the_split_of_a_turn_are_no_parting(duel: Record) -> None:
    index, whole = next((index, entry) for index, entry in enumerate(duel.entries) if len(entry.moves) == 2)
    halves = [Entry(None, whole.who, whole.moves[:1]), Entry(None, whole.who, whole.moves[1:])]
    assert compare_records(duel, replaced(duel, index, *halves)) is None


def test_another_move_parts_them_at_its_ply(duel: Record) -> None:
    index, whole = next((index, entry) for index, entry in enumerate(duel.entries) if len(entry.moves) == 2)
    other = whole._replace(moves=(whole.moves[0], Camel("lilac", "A4")))
    parting = compare_records(duel, replaced(duel, index, other))
    assert parting is not None
    ply = sum(len(entry.moves) for entry in duel.entries[:index]) + 2
    assert (parting.kind, parting.turn, parting.ply) == ("move", index + 1, ply)
    assert parting.right == f"{whole.who}: lilac A4"


def test_another_seat_another_ending_and_another_length_have_their_names(duel: Record) -> None:
    last = len(duel.entries) - 1

    def kind(parting: Difference | None) -> str | None:
        return parting and parting.kind

    assert kind(compare_records(duel, replaced(duel, 0, duel.entries[0]._replace(who="blue")))) == "seat"
    assert kind(compare_records(duel, replaced(duel, last, Entry(last + 1, "end", (Ending("agreed"),))))) == "ending"
    assert kind(compare_records(duel, replaced(duel, last - 1))) == "ending"
    shorter = compare_records(duel, replaced(duel, last))
    assert shorter is not None
    assert (shorter.kind, shorter.left, shorter.right) == ("length", "end: normal", None)


def test_another_set_up_parts_them_before_the_first_move(duel: Record) -> None:
    dry = (duel.header("Water") or "").replace("A6=", "A6=9")
    parting = compare_records(duel, titled(duel, "Water", dry))
    assert parting is not None
    assert (parting.kind, parting.ply) == ("Water", None)
    other = compare_records(duel, titled(duel, "Game", "another"))
    assert other == Difference("Game", "through-the-desert", "another")
