"""Numbers that were left out are filled in as play says; numbers that stand are left alone."""

from notation import Record
from pbem.judging.entries import fill_in_numbers


def bare(record: Record) -> Record:
    return Record(record.headers, tuple(entry._replace(number=None) for entry in record.entries), record.afterword)


def test_a_record_without_numbers_gets_them_all(games: dict[int, list[Record]]) -> None:
    for some in games.values():
        assert fill_in_numbers(bare(some[0])) == some[0]


def test_a_number_that_is_wrong_is_left_alone(duel: Record) -> None:
    wrong = (duel.entries[0], duel.entries[1]._replace(number=40), *bare(duel).entries[2:])
    assert fill_in_numbers(Record(duel.headers, wrong)).entries == wrong


def test_numbers_cease_where_the_record_ceases_to_be_legal(duel: Record) -> None:
    spoiled = Record(duel.headers, (*duel.entries[:3], *bare(duel).entries[2:]))
    numbers = [entry.number for entry in fill_in_numbers(spoiled).entries]
    assert numbers == [1, 2, 3, *[None] * (len(numbers) - 3)]


def test_a_record_without_a_table_is_left_as_it_is(duel: Record) -> None:
    nowhere = Record((("Game", "nowhere"),), bare(duel).entries)
    assert fill_in_numbers(nowhere) == nowhere
