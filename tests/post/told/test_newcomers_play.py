"""What newcomers typed in their first ten turns, in five languages, and how they were answered."""

from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from engine.brotherhood import moves as m
from engine.registry import find_game
from notation import write_moves
from pbem.locale.catalogues import find_locale
from pbem.mail.commands.invitation import AcceptInvitation
from pbem.mail.commands.parse_letter import parse_commands
from pbem.mail.writing.sentences import find_sentences
from pbem.tables.play import find_pending
from tests.post.told.test_newcomers import Towns, answer
from tests.post.told.test_newcomers_watch import trading
from tests.post.towns import Town

BOTH = pytest.mark.parametrize("key", ["brotherhood", "brotherhood-base"])


@pytest.fixture
def towns(tmp_path: Path) -> Iterator[Towns]:
    with ExitStack() as stack:
        yield Towns(tmp_path, stack)


def read(key: str, said: str) -> list[str]:
    """The moves that are read in a letter, with names known, and nothing in doubt."""
    parsed = parse_commands(said, game=find_game(key), pending=trading(key)[1])
    return [play.text for play in parsed.plays] if parsed.question is None else []


MORMONT = [
    *(
        "mormont: take grain from Anna for ore",
        "Mormont: I take grain from Anna for ore",
        "mormont grain from Anna: ore",
    ),
    *("mormont: ik neem graan van Anna voor erts", "Mormont: biorę zboże od Anny za rudę"),
    *("Мормонт: беру зерно у Анны за руду", "Мормонт, требую зерно у Анны за руду"),
    "מורמונט: אני לוקח שיבולת מאת Anna תמורת ברזל",
]


@pytest.mark.parametrize("said", MORMONT)
def test_mormont_takes_in_a_sentence(said: str) -> None:
    assert read("brotherhood", said) == ["mormont grain from red for ore"]


HEROES = [
    *[
        ("marsh wool: ore", said)
        for said in ("marsh: trade wool for ore", "use marsh: wool for ore", "marsh: ruil wol voor erts")
    ],
    *[
        ("marsh lumber: brick", said)
        for said in ("марш: меняю дерево на кирпич", "Marsh, wymieniam drewno na cegłę", "מארש: מחליף עץ תמורת לבנה")
    ],
    *[("tarly ore", said) for said in ("tarly: take ore", "Tarly: I take ore", "tarly: ore")],
    *[("winter ore grain", said) for said in ("winter is coming: take ore and grain", "winter is coming: ore, grain")],
    *[("roads 12-17 17-18", said) for said in ("road building: 12-17 and 17-18", "road building 12-17, 17-18")],
    *[("recruits 2", said) for said in ("new recruits: guard on 2", "recruits: 2")],
    *[("mance red", said) for said in ("mance: take from Anna", "mance Anna")],
    ("yoren 3", "yoren: guard 3"),
]


@pytest.mark.parametrize(("meant", "said"), HEROES)
def test_heroes_and_cards_are_used_in_a_sentence(meant: str, said: str) -> None:
    assert read("brotherhood", said) == [meant]


RANGERS = [
    *(
        "ranger on E, steal from anna",
        "ranger: E, steal from Anna",
        "ranger E, I steal from Anna",
        "ranger E from Anna",
    ),
    *("verkenner E, steel van Anna", "patrol E, kradnę od Anny", "дозор E, краду у Анны"),
]


@pytest.mark.parametrize("said", RANGERS)
def test_a_ranger_robs_in_a_sentence(said: str) -> None:
    assert read("brotherhood", said) == ["ranger tormund E red"]


@pytest.mark.parametrize(
    "said",
    [
        *("6 from M16 to P19 then with the 1 M17-L16", "met de 6 van M16 naar P19, dan met de 1 van M17 naar L16"),
        *("6 M16-P19 and then 1 M17-L16", "6 M16-P19, potem 1 M17-L16", "6 M16-P19, потом 1 M17-L16"),
    ],
)
def test_steps_that_follow_one_another_are_one_turn(said: str) -> None:
    assert [play.text for play in parse_commands(said, game=find_game("nomadi")).plays] == ["6 M16-P19, 1 M17-L16"]


def test_what_a_letter_leaves_out_is_not_put_into_the_words_that_are_quoted(towns: Towns) -> None:
    town = towns.found("brotherhood", "ru")
    seat = town.table.due[0]
    town.write(seat, "пожалуй, посёлок на 33, дорогу от 33 до 28")
    said = " ".join(town.last_text(seat).split())
    assert "пожалуй, посёлок на 33, дорогу от 33 до 28" in said
    assert "road" not in said.partition("pbm-receipt")[0]


@pytest.mark.parametrize("said", ["I take M17", "I'll take M17", "ik neem M17", "biorę M17", "беру M17"])
def test_who_takes_a_place_puts_a_stone_there(towns: Towns, said: str) -> None:
    table = towns.found("nomadi").table
    pending = find_pending(table, table.due[0])
    assert pending is not None
    parsed = parse_commands(said, game=table.game, pending=pending)
    meant = parsed.question.suggests if parsed.question is not None else [play.text for play in parsed.plays]
    assert [*meant] == ["place M17"]


OFFERS = [
    *("offer Anna my grain for her brick", "trade my grain to Anna for a brick", "give Anna my grain for a brick"),
    *("ruil mijn graan met Anna voor een baksteen", "предлагаю Анне моё зерно за кирпич"),
    "wymieniam moje zboże z Anną na cegłę",
]


@BOTH
@pytest.mark.parametrize("said", OFFERS)
def test_an_offer_may_name_the_player_between_its_sides(key: str, said: str) -> None:
    assert read(key, said) == ["offer 1 grain for 1 brick to red"]


@BOTH
def test_an_offer_in_a_question_is_asked_back_and_goes_to_nobody_else(key: str) -> None:
    seat, pending = trading(key)
    goods = ("lumber", "brick", "wool", "grain", "ore")
    give, take = next(
        (give, take)
        for give in goods
        for take in goods
        if give != take and pending.allows(f"offer 1 {give} for 1 {take} to any")
    )
    other = next(each for each in pending.names.values() if each != seat)
    name = next(name for name, each in pending.names.items() if each == other)
    said = {
        f"anyone want a {give} for a {take}?": f"offer 1 {give} for 1 {take} to any",
        f"{name}, want my {give} for a {take}?": f"offer 1 {give} for 1 {take} to {other}",
    }
    for words, meant in said.items():
        parsed = parse_commands(words, game=find_game(key), pending=pending)
        assert parsed.question is not None
        assert set(parsed.question.suggests) <= {meant}, words
        assert (parsed.commands, parsed.pencilled) == ((), ())


@pytest.mark.parametrize(
    ("code", "roll", "end"),
    [
        ("en", "Roll the dice", "End my turn"),
        ("nl", "Gooi de dobbelstenen", "Mijn beurt beëindigen"),
        ("pl", "Rzuć kośćmi", "Zakończ moją turę"),
        ("ru", "Бросить кубики", "Закончить ход"),
        ("he", "להטיל את הקוביות", "לסיים את התור"),
    ],
)
@BOTH
def test_a_button_says_what_is_done(key: str, code: str, roll: str, end: str) -> None:
    sentences = find_sentences(find_locale(code), key)
    assert sentences.name_move({"offers": []}, "red", m.Roll(), {}) == roll
    assert sentences.name_move({"offers": []}, "red", m.End(), {}) == end


def bargain(town: Town) -> tuple[str, str, str, str]:
    """Play until the player on turn can offer another one a card that this one can pay for; the offer is made."""
    goods = ("lumber", "brick", "wool", "grain", "ore")
    for _ in range(60):
        (seat,) = town.table.due
        view = town.table.game.view(town.table.position, seat)
        if view["waits_for"] == "trade":
            hands = {
                each: town.table.game.view(town.table.position, each)["hands"][each]["cards"] for each in town.friends
            }
            for other in town.friends:
                for give in goods:
                    for take in goods:
                        if other != seat and give != take and hands[seat].get(give) and hands[other].get(take):
                            assert town.write(seat, f"offer 1 {give} for 1 {take} to {other}").fate == "applied"
                            return seat, other, give, take
        pending = find_pending(town.table, seat)
        assert pending is not None
        order = "end" if pending.allows("end") else "roll" if pending.allows("roll") else ""
        moves = next(ply.move for ply in town.table.game.legal(town.table.position) if ply.seat == seat)
        assert town.write(seat, order or write_moves(town.table.game, (moves,))).fate == "applied"
    raise AssertionError("nobody could trade")


def test_who_accepts_or_declines_reads_what_was_given_and_taken(towns: Towns) -> None:
    town = towns.found("brotherhood-base")
    seat, other, give, take = bargain(town)
    name = town.friends[seat].name
    town.write(other, "decline")
    assert f"Declined {name}: 1 {give} for 1 {take}" in " ".join(town.last_text(other).split())
    assert town.write(seat, f"offer 1 {give} for 1 {take} to {other}").fate == "applied"
    town.write(other, "accept")
    said = " ".join(town.last_text(other).split())
    assert f"Traded with {name}: you gave 1 {take}, you got 1 {give}" in said
    assert "Played: accept" not in said


def test_a_question_about_undo_is_answered_and_an_undo_says_what_it_did(towns: Towns) -> None:
    town = towns.found("through-the-desert")
    seat = town.table.due[0]
    assert "You have played nothing that you can take back" in answer(town, "can I undo that?")
    assert town.write(seat, "leader lilac A3").fate == "applied"
    for said in ("can I undo that?", "oops, wrong move", "kan ik dat nog terugnemen?", "можно это отменить?"):
        town.write(seat, said)
        assert "To take it back, reply undo, until" in " ".join(town.last_text(seat).split()), said
    assert town.write(seat, "undo").fate == "applied"
    lines = town.last_text(seat).splitlines()
    assert lines[0].startswith("Turn 1 is taken back")
    assert "Done" not in lines


@pytest.mark.parametrize(
    "said",
    [
        *("what do I have to give up?", "which cards must I discard?", "how many cards do I have to give back?"),
        *("welke kaarten moet ik afleggen?", "ile kart muszę odrzucić?", "сколько карт мне нужно сбросить?"),
        "כמה קלפים אני צריך לזרוק?",
    ],
)
@BOTH
def test_who_asks_what_to_give_up_is_sent_the_board(key: str, said: str) -> None:
    assert [each.format() for each in parse_commands(said, game=find_game(key)).commands] == ["board"]


@pytest.mark.parametrize("said", ["hm, is that good?", "I am a bit lost", "Wat een spel", "даже не знаю", "nie wiem"])
def test_who_is_not_understood_is_shown_what_can_be_written_now(towns: Towns, said: str) -> None:
    town = towns.found("through-the-desert")
    told = answer(town, said)
    assert "We found nothing to do in your mail" in told
    assert "Write it like this: leader COLOUR SPACE" in told
    assert "For example: leader" in told


def test_the_sign_at_which_reading_stopped_is_not_shown_in_a_sentence(towns: Towns) -> None:
    told = answer(towns.found("through-the-desert"), "I'd like to put my lilac leader next to the oasis at D3")
    assert "We cannot read the move" in told
    assert "We stopped at" not in told


@pytest.mark.parametrize(
    "said",
    [
        *("sure, sounds fun! how does it start?", "yes, sounds good", "ja, klinkt leuk", "tak, brzmi super"),
        *("да, звучит здорово", "כן, נשמע כיף"),
    ],
)
def test_an_invitation_is_accepted_by_who_likes_the_sound_of_it(said: str) -> None:
    assert [*parse_commands(said, game=find_game("nomadi"), playing=False).commands] == [AcceptInvitation()]
