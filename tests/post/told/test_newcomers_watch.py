"""What newcomers to the Brotherhood of the Watch typed, both games, and were not understood or only half."""

from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from engine.registry import find_game
from pbem.events.kinds import TurnPlayed
from pbem.mail.commands.parse_letter import parse_commands
from pbem.tables.play import Pending, find_pending
from tests.post.mailed_games import Game, watched
from tests.post.told.test_newcomers import Towns, answer

BOTH = pytest.mark.parametrize("key", ["brotherhood", "brotherhood-base"])


@pytest.fixture
def towns(tmp_path: Path) -> Iterator[Towns]:
    with ExitStack() as stack:
        yield Towns(tmp_path, stack)


def read(key: str, said: str) -> list[str]:
    """The moves that are read in a letter without anything in doubt."""
    parsed = parse_commands(said, game=find_game(key))
    return [play.text for play in parsed.plays] if parsed.question is None else []


SETTLED = [
    *("settlement 20 and road to 21", "settlement at 20, road towards 21", "village on 20\nroad to 21"),
    *("settlement 20 and a road from there to 21", "Settlement on 20, road up to 21!", "settlement 20 road 20 21"),
    *("nederzetting op 20 en een weg naar 21", "dorp 20, weg richting 21", "osada na 20 i droga do 21"),
    *("stawiam osadę na 20 i drogę w stronę 21", "поселение 20 и дорога к 21", "поселение на 20, дорогу в сторону 21"),
    *("יישוב 20 ודרך ל-21", "יישוב ב-20 ודרך לכיוון 21"),
    *(
        "settlement 20 with a road pointing to 21",
        "second settlement: 20, road from 20 to 21",
        "settlement=20 road=20-21",
    ),
    *("Settlement: 20\nRoad: 21", "settlement 20 and the road goes to 21", "поселение - 20, дорога - 21"),
    *(
        "Второе поселение: 20, дорога от 20 до 21",
        "Поселение 20, дорога из 20 в 21",
        "druga osada: 20, droga od 20 do 21",
    ),
    *("tweede nederzetting: 20, weg van 20 naar 21", "יישוב שני: 20, דרך מ-20 ל-21", "יישוב 20, דרך מ20 עד 21"),
]


@BOTH
@pytest.mark.parametrize("said", SETTLED)
def test_a_road_begins_at_the_settlement_before_it(key: str, said: str) -> None:
    assert read(key, said) == ["settlement 20, road 20-21"]


HALVES = [
    *("hut 18 and road 18-24", "settlement 18; road up", "first settlement 18. second settlement 39"),
    *("settlement 18, raod 18-24", "settlment 18, raod 18-24", "settlement 18 and road 24-", "chatka 18 i droga 18-24"),
    *("хижина 18 и дорога 18-24", "צריף 18 ודרך 18-24", "hutje 18 en weg 18-24", "18 settlement, 18-24 road"),
    *(
        "settlement 18\nand my road should go up towards 24",
        "settlement 18, rd to 24",
        "settlement 18\nroad will be 24",
    ),
    *(
        "поселение 18 и дороги к 24",
        "поселение 18, дорожка к 24",
        "osada na 18 i dróżka do 24",
    ),
    *("יישוב על צומת 18 עם דרך שפונה אל 24", "My settlement there went to 12, so road 18-24"),
    *("поселение 18 дорога влево", "поселение 18, тракт 18-24", "поселение 18\n\nдорога - к 24, наверное"),
    *("osada 18 i droga w prawo", "osada 18, ścieżka 18-24", "wioska 18, trakt do 24", "18 osada, droga 24"),
    *(
        "nederzetting 18 en weg omhoog",
        "nederzetting 18, pad 18-24",
        "huis op 18 weg naar 24",
        "dorpje 18, straat 18-24",
    ),
    *("יישוב 18 ודרך למעלה", "יישוב 18, שביל 18-24", "התיישבות ב18 עם דרך ל24"),
    *("settlement 18. the road? 24", "settlement 18, and a road... 24", "settlement 18 road north", "sett 18 rd 18-24"),
]


@pytest.mark.parametrize("said", HALVES)
def test_no_half_of_a_turn_is_dropped(towns: Towns, said: str) -> None:
    town = towns.found("brotherhood")
    before = len(town.table.entries)
    assert town.write(town.table.due[0], said).fate == "refused"
    assert len(town.table.entries) == before
    assert town.table.pencil(town.table.due[0]) is None


@pytest.mark.parametrize(
    ("said", "meant"),
    [
        ("18", "settlement 18"),
        ("I take 18", "settlement 18"),
        ("Ставлю на 18", "settlement 18"),
        ("18 and 18-24", "settlement 18, road 18-24"),
        ("18, 18-24", "settlement 18, road 18-24"),
    ],
)
def test_places_without_words_are_asked_about(towns: Towns, said: str, meant: str) -> None:
    assert f"Did you mean {meant}?" in answer(towns.found("brotherhood"), said)


@pytest.mark.parametrize(
    "said", ["road to 24 and settlement 18", "a road 24 and a settlement 18", "дорога 24, поселение 18"]
)
def test_a_road_before_its_settlement_is_played_after_it(towns: Towns, said: str) -> None:
    town = towns.found("brotherhood")
    assert town.write(town.table.due[0], said).fate == "applied"
    assert [event.phrase for event in town.events if isinstance(event.payload, TurnPlayed)] == [
        "settlement 18, road 18-24"
    ]


def test_a_road_to_a_corner_begins_where_it_can(towns: Towns) -> None:
    town = towns.found("brotherhood")
    first = town.table.due[0]
    assert town.write(first, "settlement 18").fate == "applied"
    assert town.write(first, "a road to 24 please").fate == "applied"
    assert "Played: road 18-24" in " ".join(town.last_text(first).split())


PLACES = [
    *(
        "what is corner 20?",
        "where is corner 20",
        "what's at 20?",
        "who owns 20?",
        "can I build here: 20",
        "is 20 free?",
    ),
    *("wat ligt er bij 20?", "mag ik op 20 bouwen?", "is hoek 20 vrij?", "co jest na 20?", "czy mogę budować na 20?"),
    *("что на 20?", "где перекрёсток 20?", "можно построить на 20?", "מה יש ב-20?", "אפשר לבנות על 20?"),
]


@BOTH
@pytest.mark.parametrize("said", PLACES)
def test_a_place_that_is_asked_about_is_told(key: str, said: str) -> None:
    assert [each.format() for each in parse_commands(said, game=find_game(key)).commands] == ["what is at 20?"]


def test_a_place_is_told_with_its_hexes_its_owner_and_why_nobody_can_build_there(towns: Towns) -> None:
    town = towns.found("brotherhood")
    assert "12 is free You can play this now: settlement 12" in answer(town, "what is at 12?")
    builder = town.friends[town.table.due[0]].name
    assert town.write(town.table.due[0], "settlement 12, road 12-17").fate == "applied"
    said = answer(town, "what is at 12?")
    assert f"settlement on 12: {builder} | road 12-17: {builder}" in said
    assert "You cannot play settlement 12 now: 12 is taken." in said
    assert "nobody can build a settlement on 7: one stands next to it, on 12" in answer(town, "can I build on 7?")
    assert "; its corners are " in answer(town, "what is hex C?")
    assert "There is no 99 on the board" in answer(town, "what is at 99?")


@pytest.mark.parametrize(
    "said", ["what does a ranger do?", "what is a wildling?", "can I trade with the bank?", "how do I trade?"]
)
def test_a_question_with_a_word_of_moves_is_answered_with_its_rule(said: str) -> None:
    parsed = parse_commands(said, game=find_game("brotherhood"))
    assert [each.format() for each in parsed.commands] == [f"rule {said}"]


BOARDS = [
    *("where am I on the board?", "where is Boris?", "how many cards does Boris have?", "can I see the board?"),
    *("where should I build first?", "give me a hint", "waar staat Boris?", "gdzie jestem?", "подскажи ход"),
    *("где лучше строить?", "сколько карт у Бориса?", "איפה אני?", "כמה קלפים יש לבוריס?"),
]


@BOTH
@pytest.mark.parametrize("said", BOARDS)
def test_who_looks_for_something_is_sent_the_board(key: str, said: str) -> None:
    assert [each.format() for each in parse_commands(said, game=find_game(key)).commands] == ["board"]


@BOTH
@pytest.mark.parametrize(
    "said",
    [
        *("offer blue a grain for a brick", "I give blue a grain for a brick", "trade a grain for a brick with blue"),
        *(
            "swap 1 grain for 1 brick with blue",
            "trade 1 grain for 1 brick to blue",
            "ruil 1 graan voor 1 baksteen met blauw",
        ),
        *("wymieniam 1 zboże na 1 cegłę z niebieskim", "меняю 1 зерно на 1 кирпич с синим"),
        "מחליף 1 שיבולת תמורת 1 לבנה עם כחול",
    ],
)
def test_a_trade_with_a_player_is_an_offer(key: str, said: str) -> None:
    assert read(key, said) == ["offer 1 grain for 1 brick to blue"]


def test_a_trade_with_the_bank_is_one_with_the_supply() -> None:
    for said in ("trade 4 grain: 1 brick with the bank", "trade 4 grain for 1 brick with the supply"):
        assert read("brotherhood-base", said) == ["trade 4 grain: 1 brick"]


@pytest.mark.parametrize("said", ["offer 1 grain for 1 brick to Bob", "предлагаю 1 зерно за 1 кирпич для Боба"])
def test_an_offer_to_a_stranger_does_not_go_to_everybody(said: str) -> None:
    parsed = parse_commands(said, game=find_game("brotherhood"))
    assert (parsed.commands, parsed.pencilled) == ((), ())


ORDERS = [
    *[
        ("roll", said)
        for said in ("roll now", "roll it!", "Ok I roll the dice now", "кидаю", "брось кубики", "бросить кости")
    ],
    *[("end", said) for said in ("end of turn", "end of my turn", "всё, закончил ход", "закончила ход")],
    *[("withdraw", said) for said in ("withdraw the offer", "I withdraw my offer", "отзываю предложение")],
    ("roll, end", "roll dice, end turn"),
    ("ranger tormund E red", "play ranger patrol on E red"),
]


@BOTH
@pytest.mark.parametrize(("meant", "said"), ORDERS)
def test_plain_orders_are_read_as_people_give_them(key: str, meant: str, said: str) -> None:
    assert read(key, said) == [meant]


NAMED = [
    *("Предлагаю Бобу 1 зерно за 1 дерево", "Бобу предлагаю 1 зерно за 1 дерево", "Предлагаю 1 зерно за 1 дерево Бобу"),
    *("I offer Bob 1 grain for 1 wood", "oferuję Bobowi 1 zboże za 1 drewno", "ik bied Bob 1 graan voor 1 hout"),
    *("מציע לבוב 1 שיבולת תמורת 1 עץ", "trade with Chloé: my 4 ore for 1 wool", "trade with Chloé 4 ore for 1 wool"),
]


@BOTH
@pytest.mark.parametrize("said", NAMED)
def test_a_trade_with_somebody_named_is_one_with_nobody_else(key: str, said: str) -> None:
    _, pending = trading(key)
    parsed = parse_commands(said, game=find_game(key), pending=pending)
    assert (parsed.commands, parsed.pencilled) == ((), ())
    assert parsed.question is not None


@BOTH
def test_a_player_is_known_in_another_alphabet_and_case_even_by_a_short_name(key: str) -> None:
    _, pending = trading(key)
    parsed = parse_commands("Предлагаю Анне 1 зерно за 1 дерево", game=find_game(key), pending=pending)
    assert [play.text for play in parsed.plays] == ["offer 1 grain for 1 lumber to red"]
    parsed = parse_commands("Анне предлагаю 1 зерно за 1 дерево", game=find_game(key), pending=pending)
    assert (parsed.commands, parsed.pencilled) == ((), ())


def trading(key: str) -> tuple[str, Pending]:
    """Who is on turn and can trade and build, and what can be done."""
    game = Game(list(watched(key, "market")))
    seat = game.table.game.view(game.table.position, "*")["on_turn"]
    pending = find_pending(game.table, seat)
    assert pending is not None
    return seat, pending


@BOTH
@pytest.mark.parametrize(
    "said", ["I'd like to roll and then build a road from 24 to 30", "roll, then a road from 24 to 30"]
)
def test_a_roll_before_another_move_is_not_dropped(key: str, said: str) -> None:
    assert read(key, said) == ["roll, road 24-30"]


@pytest.mark.parametrize("language", ["en", "ru", "pl"])
def test_a_refusal_expects_only_what_can_be_played_now(towns: Towns, language: str) -> None:
    town = towns.found("brotherhood", language)
    seat = town.table.due[0]
    assert town.write(seat, "road up settlement").fate == "refused"
    said = " ".join(town.last_text(seat).split())
    for word in ("odrzucam", "mormont", "Мормонт", "ranger", "дозор", "roll", "бросить", "rzut"):
        assert word not in said


def test_a_question_names_the_move_in_the_readers_language_and_says_why_it_cannot_be_played(towns: Towns) -> None:
    town = towns.found("brotherhood", "ru")
    seat = town.table.due[0]
    town.write(seat, "можно ли поселение на 18?")
    said = " ".join(town.last_text(seat).split())
    assert "поселение 18" in said
    assert "settlement" not in said.partition("pbm-receipt")[0]


def bargaining(key: str) -> tuple[Pending, str]:
    """What somebody can do who is offered something and could pay, and the offer that can be made in return."""
    game = Game(list(watched(key, "bargain")))
    for seat in game.table.due:
        pending = find_pending(game.table, seat)
        assert pending is not None
        if seat != game.table.game.view(game.table.position, seat)["on_turn"] and pending.allows("accept"):
            return pending, seat
    raise AssertionError(key)


CHATTER = [
    *("ok deal!", "sure, why not", "nope, too expensive", "maybe later", "what would I give?", "can I think about it?"),
    *("ja graag", "te duur voor mij", "no dobra", "нет, спасибо", "может, потом", "אולי אחר כך"),
]


@BOTH
def test_chatter_while_an_offer_waits_is_asked_about_with_both_answers(key: str) -> None:
    pending, _ = bargaining(key)
    for said in CHATTER:
        question = parse_commands(said, game=find_game(key), pending=pending).question
        assert question is not None
        assert question.suggests == ("accept", "decline"), said


@BOTH
def test_an_offer_without_its_verb_is_asked_about(key: str) -> None:
    pending, _ = bargaining(key)
    made = [
        (held, wanted)
        for held in ("lumber", "brick", "wool", "grain", "ore")
        for wanted in ("lumber", "ore")
        for seat in ("red", "blue", "yellow", "black")
        if held != wanted and pending.allows(f"offer 1 {held} for 2 {wanted} to {seat}")
    ]
    for held, wanted in made[:1]:
        for said in (f"counter: 1 {held} for 2 {wanted}", f"1 {held} for 2 {wanted}?"):
            question = parse_commands(said, game=find_game(key), pending=pending).question
            assert question is not None
            assert question.suggests[0].startswith(f"offer 1 {held} for 2 {wanted} to "), said
    assert made


@BOTH
@pytest.mark.parametrize(
    "said",
    ["next", "next player please", "skip", "pass", "Pass.", "that's it for me", "дальше", "dalej", "volgende", "הבא"],
)
def test_who_passes_is_asked_whether_the_turn_is_over(key: str, said: str) -> None:
    parsed = parse_commands(said, game=find_game(key), pending=trading(key)[1])
    assert parsed.question is not None
    assert parsed.question.suggests == ("end",)


def test_words_that_only_begin_like_a_pass_are_none() -> None:
    _, pending = trading("brotherhood-base")
    for said in ("skip this, I'll decide later", "pass me the salt", "next time I'll win"):
        question = parse_commands(said, game=find_game("brotherhood-base"), pending=pending).question
        assert question is None or question.suggests == ()


@BOTH
@pytest.mark.parametrize("said", ["build a road", "I'd like to build a road", "дорогу", "zbuduj drogę", "bouw een weg"])
def test_a_road_without_a_place_is_asked_about_with_those_that_can_be_built(key: str, said: str) -> None:
    _, pending = trading(key)
    question = parse_commands(said, game=find_game(key), pending=pending).question
    assert question is not None
    assert len(question.suggests) > 1
    assert all(each.startswith("road ") and pending.allows(each) for each in question.suggests)


@BOTH
def test_half_a_sentence_that_is_an_offer_is_asked_about(key: str) -> None:
    _, pending = trading(key)
    for said in (
        "I need brick! I'll give 1 lumber",
        "Anyone want to trade? I need a brick, can give 1 lumber",
        "нужен кирпич! дам 1 дерево",
        "Potrzebuję cegły, dam 1 drewno",
    ):
        question = parse_commands(said, game=find_game(key), pending=pending).question
        assert question is not None
        assert question.suggests == ("offer 1 lumber for 1 brick to any",), said


def test_a_question_names_players_in_its_readings(towns: Towns) -> None:
    town = towns.found("brotherhood-base")
    seat = town.table.due[0]
    assert town.write(seat, "roll").fate == "applied"
    pending = find_pending(town.table, seat)
    assert pending is not None
    other = next(each for each in town.table.seats if each != seat)
    offers = [
        f"offer 1 {give} for 1 {take} to {{}}"
        for give in ("lumber", "brick", "wool", "grain", "ore")
        for take in ("lumber", "ore")
        if give != take and pending.allows(f"offer 1 {give} for 1 {take} to {other}")
    ]
    name = town.friends[other].name
    assert f"Did you mean {offers[0].format(name)}?" in answer(town, f"{offers[0].format('any')[:-7]}, {name}?")
    dear = offers[0].replace("offer 1", "offer 9").format("any")[:-7]
    assert f"{dear} to {name} cannot be played" in answer(town, f"{dear}, {name}?")
