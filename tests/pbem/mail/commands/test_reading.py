"""A letter is understood as a whole or asked about: every line is accounted for, and nothing is guessed."""

import json
from pathlib import Path
from typing import Any

import pytest

from engine import registry
from engine.through_the_desert import GAME
from pbem.mail.commands import letter_rules
from pbem.mail.commands.consent import Agree, Ask, Object
from pbem.mail.commands.invitation import AcceptInvitation
from pbem.mail.commands.parse_letter import CHARACTERS, LINES, MOVES, ParsedLetter, parse_commands
from pbem.mail.commands.preferences import SetPlain
from pbem.mail.commands.press import Press
from pbem.mail.commands.questions import Status
from pbem.mail.commands.submit_moves import Plan, Play
from tests.pbem.mail.commands.asking import PLAY, outcome, question, read


def test_a_bare_line_is_a_move() -> None:
    assert read("L f4, s c9") == ParsedLetter((PLAY,), read=(1,))


def test_greetings_and_thanks_do_no_harm() -> None:
    parsed = read("Hi all,", "", "hope you are well!", "lilac F4, salmon C9", "", "thanks, Anna", "M.")
    assert parsed.commands == (PLAY,)
    assert parsed.question is None
    assert [(unread.line, unread.why) for unread in parsed.unread] == [(line, letter_rules.L7) for line in (1, 3, 6, 7)]
    assert parsed.read == (4,)


@pytest.mark.parametrize(
    "closing",
    [
        "Met vriendelijke groet,",
        "Pozdrawiam serdecznie",
        "С уважением, Борис",
        "בברכה, דנה",
        "Cheers!",
        "See you on Friday at 5pm",
        "Help me God",
        "Plan B is ready",
        "Play nice, everybody",
        "The end is near",
        "End of the month is fine for me",
        "Say, did you see the news?",
        "Eens kijken hoe dit loopt",
        "Tell your sister hello",
        "Green is my favourite colour these days",
        "Drop me a line when you are back",
        "https://example.org/?a=1&b=2",
        "+48 22 123 45 67",
    ],
)
def test_prose_beside_a_move_does_not_stop_it(closing: str) -> None:
    for lines in (("lilac F4, salmon C9", closing), (closing, "", "lilac F4, salmon C9")):
        assert outcome(*lines) in ("played", "pencilled")
        assert [unread.text for unread in read(*lines).unread] == [closing]


@pytest.mark.parametrize(
    "line",
    [
        "lilca F4, salmon C9",
        "lilac F4, salmon",
        "lilac F444",
        "lilac FF4",
        "leader lilac",
        "lilac somewhere",
        "On F4 lilac, on C9 salmon",
        "lilac F4/F5",
        "lilac F4 / F5",
        "lilac/mint F4",
        "I'll pass",
        "лилловый Ж5",
    ],
)
def test_a_line_that_looks_like_a_move_and_is_none_is_a_question(line: str) -> None:
    assert question(line) == "PO-L1"
    assert question("mint K8 K7", "", line) == "PO-L1"
    unread = read("mint K8 K7", line).unread
    assert [(each.line, each.text) for each in unread] == [(2, line)]
    assert unread[0].fault is not None
    assert unread[0].fault.line == 2


NEARLY_MOVES = {
    "through-the-desert": ("lilacJ7", "lilcaJ7", "lilca-J7", "LilacJ7, lemonJ9", "lilac J-7", "лиловыйJ7", "לילךJ7"),
    "nomadi": ("L15-K16", "L15_K16", "6: L15K16", "L15 > K16"),
    "brotherhood": (
        *("road 8/13", "road 17→18", "r 17,18", "r17/18", "r 17 18", "r 17,18, s: 18", "s. 18", "k #18"),
        *("road 17/18 please", "build a road 8/13", "road between 17 & 18", "weg 17/18", "droga 17/18"),
        *("дорога 17/18", "דרך 17/18", "setlement 18", "gaurd 2", "raod 17-18"),
    ),
}


@pytest.mark.parametrize(("key", "line"), [(key, line) for key, lines in NEARLY_MOVES.items() for line in lines])
def test_a_move_with_odd_signs_is_never_passed_over_while_the_rest_is_played(key: str, line: str) -> None:
    rest = "lemon J9" if key == "through-the-desert" else "end"
    parsed = parse_commands(f"{line}\n{rest}", game=registry.find_game(key))
    assert parsed.question is not None, parsed.commands
    assert (parsed.question.rule, parsed.question.line, parsed.commands) == (letter_rules.L1, 1, ())


STRUCK = {
    "through-the-desert": ("-lilac F4-", "–lilac F4, salmon C9–", "-- lilac F4 --", "-lilac F4- lilac F5", "-pass-"),
    "nomadi": ("-6 F12-I15-", "- place P19 -", "-end-", "-6 F12-I15-, 2 J14-H14", "6 F12-I15/J14"),
    "brotherhood": ("-roll-", "-end-", "-road 17-18-", "-accept red-", "-s18- s19"),
}


@pytest.mark.parametrize(("key", "line"), [(key, line) for key, lines in STRUCK.items() for line in lines])
def test_what_stands_between_dashes_may_be_struck_out_and_is_a_question(key: str, line: str) -> None:
    for written in (line, f"move {line}", f"plan {line}"):
        parsed = parse_commands(f"{written}\nbye", game=registry.find_game(key))
        assert parsed.question is not None, parsed.commands
        assert (parsed.question.rule, parsed.question.line, parsed.commands) == (letter_rules.L1, 1, ())


@pytest.mark.parametrize("line", ["- lilac F4", "-lilac F4", "lilac-F4", "lilac F4 -", "lilac - F4", "- lilac - F4"])
def test_a_dash_that_strikes_nothing_out_does_no_harm(line: str) -> None:
    assert read(line, "salmon C9").commands == (PLAY,)
    offer = 'offer "it is - I say -really- fine"'
    assert parse_commands(offer, game=registry.find_game("nomadi")).commands == (Play(offer),)


@pytest.mark.parametrize(
    "line", ["lilac F4 -> salmon C9", "lilac F4 → F5", "lilac F4 to F5", "lila F4 naar F5", "лиловый F4 на F5"]
)
def test_an_arrow_from_one_move_to_another_may_replace_it_and_is_a_question(line: str) -> None:
    assert question(line) == "PO-L1"


@pytest.mark.parametrize(
    "line", ["lilac -> F4, salmon -> C9", "lilac to F4 and salmon to C9", "lila naar F4, zalm naar C9"]
)
def test_an_arrow_to_a_space_is_just_a_sign(line: str) -> None:
    assert read(line).commands == (PLAY,)
    step = parse_commands("6 F12 -> I15, 2 from J14 to H14", game=registry.find_game("nomadi"))
    assert step.commands == (Play("6 F12-I15, 2 J14-H14"),)


@pytest.mark.parametrize(
    "tail",
    [
        *(" please", ", thanks", ". Thank you!", " graag", " dank je wel", ", dziękuję", " спасибо", " תודה"),
        *(" 🙂", " 👍🏽", " :-)", "! :)", " ;)", " 🐪🐪", " thanks 🙂!"),
    ],
)
def test_thanks_and_smiles_end_a_move_without_harm(tail: str) -> None:
    assert read(f"lilac F4, salmon C9{tail}").commands == (PLAY,)


@pytest.mark.parametrize("tail", [" 🤔", " ❌", " ❓", " :-/", " :(", " no thanks", " 👎", "?! :)"])
def test_a_face_that_says_otherwise_is_a_question(tail: str) -> None:
    assert question(f"lilac F4, salmon C9{tail}") in ("PO-L1", "PO-L10")


@pytest.mark.parametrize(
    ("key", "line"),
    [
        ("nomadi", "no offer"),
        ("nomadi", "nie koniec"),
        ("brotherhood", "no end"),
        ("brotherhood", "roll, no road 17-18"),
    ],
)
def test_a_no_right_before_a_move_may_be_said_of_it_and_is_a_question(key: str, line: str) -> None:
    parsed = parse_commands(line, game=registry.find_game(key))
    assert (parsed.question is not None, parsed.commands) == (True, ())


@pytest.mark.parametrize(
    ("line", "move"),
    [("no", "decline"), ("no, end", "decline, end"), ("no blue", "decline blue"), ("no thanks", "decline")],
)
def test_a_no_to_an_offer_is_a_move(line: str, move: str) -> None:
    assert parse_commands(line, game=registry.find_game("brotherhood")).commands == (Play(move),)


def test_at_last_is_no_end_in_hebrew() -> None:
    for key, move in (("nomadi", "6 F12-I15"), ("brotherhood", "roll"), ("through-the-desert", "lilac F4")):
        for line in ("סוף סוף!", "סוף-סוף"):
            parsed = parse_commands(f"{line}\n{move}", game=registry.find_game(key))
            assert parsed.commands == (Play(move),)


@pytest.mark.parametrize("key", NEARLY_MOVES)
@pytest.mark.parametrize(
    "line",
    [
        *("see you on 17-18 May", "I have 3 more days", "thanks, road trip tomorrow", "for 3 weeks", "First 3 days"),
        *("from 3 to 5", "see you at 5", "We have 3 children", "2 players left now", "Good luck in round 3"),
        *("Sent from my iPhone 14", "tel. 020 123 45 67", "Anna, 12.5.2026", "covid-19 again", "Order 2 pizzas"),
        *("Ik ben op 5 mei terug", "Op 1 t/m 3 juni ben ik weg", "Verzonden vanaf mijn iPhone 12"),
        *("Do zobaczenia 5 maja", "До встречи 5 мая", "נתראה ב-5 במאי"),
    ],
)
def test_prose_with_numbers_stops_no_game(key: str, line: str) -> None:
    move = "lilac F4, salmon C9" if key == "through-the-desert" else "end"
    parsed = parse_commands(f"{line}\n\n{move}", game=registry.find_game(key))
    assert (parsed.commands or parsed.pencilled) == (Play(move),)


def test_lines_with_one_move_each_are_one_turn() -> None:
    for lines in (("lilac F4", "salmon C9"), ("lilac F4", "", "salmon C9"), ("* lilac F4", "* then salmon C9!")):
        assert read(*lines).commands == (PLAY,)


def test_the_same_turn_twice_is_one_turn() -> None:
    assert read("lilac F4, salmon C9", "L f4 S c9").commands == (PLAY,)
    assert read("lilac F4", "salmon C9", "sorry, once more:", "lilac F4, salmon C9").commands == (PLAY,)


@pytest.mark.parametrize(
    "lines",
    [
        ("lilac F4, salmon C9", "mint K8 K7"),
        ("lilac F4, salmon C9", "mint K8"),
        ("lilac F4", "or rather", "salmon C9"),
        ("lilac F4, salmon C9", "", "no, wait", "", "salmon C9, lilac F4"),
        ("turn 13: lilac F4", "turn 15: salmon C9"),
        ("move lilac F4, salmon C9", "move mint K8 K7"),
        ("lilac F4", "press to all: hm", "", "salmon C9"),
    ],
)
def test_two_different_turns_are_a_question_never_a_guess(lines: tuple[str, ...]) -> None:
    assert question(*lines) == "PO-L2"


@pytest.mark.parametrize(
    "line",
    [
        "13. red: lilac F4, salmon C9",
        "13. lilac F4, salmon C9",
        "red: lilac F4, salmon C9",
        "красный: lilac F4",
        "12. blue: mint K8 K7",
        "2) lilac F4",
    ],
)
def test_a_line_of_a_record_is_never_played(line: str) -> None:
    assert question(line) == "PO-L8"
    assert question("salmon C9", "", line) == "PO-L8"


@pytest.mark.parametrize("line", ["> lilac F4, salmon C9", ">lilac F4", "| lilac F4", " > resign"])
def test_a_quoted_line_is_never_carried_out(line: str) -> None:
    assert question(line) == "PO-L4"
    parsed = read("mint K8 K7", line)
    assert parsed.commands == (Play("mint K8 K7"),)
    assert [unread.why for unread in parsed.unread] == [letter_rules.L8]


def test_words_for_others_go_on_until_an_empty_line() -> None:
    parsed = read("press to blue: I take F4 because of this:", "your camels on K7.", "", "lilac F4, salmon C9")
    assert parsed.commands == (Press("blue", "I take F4 because of this:\nyour camels on K7."), PLAY)
    assert parsed.unread == ()
    assert parsed.read == (1, 2, 4)


def test_words_in_braces_may_hold_anything() -> None:
    parsed = read("press to all: {Look:", "", "lilac F4, salmon C9", "resign}", "", "lilac F4, salmon C9")
    assert parsed.commands == (Press("all", "Look:\n\nlilac F4, salmon C9\nresign"), PLAY)


def test_several_may_be_written_to_in_one_letter() -> None:
    parsed = read("press blue: hi", "press referee: help!", "end", "whatever")
    assert parsed.commands == (Press("blue", "hi"), Press("referee", "help!"))
    assert [unread.why for unread in parsed.unread] == [letter_rules.L9]


@pytest.mark.parametrize("line", ["lilac F4, salmon C9", "resign", "status", "13. lilac F4 or so\nundo"])
def test_an_order_right_under_words_for_others_is_a_question(line: str) -> None:
    assert question("press to blue: hello", *line.split("\n")) == "PO-L6"


def test_words_are_passed_on_as_they_were_written() -> None:
    (press,) = read("press to all:   “Fűszer” — *bold*  {no brace} \u200fשלום  ").commands
    assert press == Press("all", "“Fűszer” — *bold*  {no brace} \u200fשלום")


def test_nothing_below_the_end_is_read() -> None:
    for end in ("end", "END.", "signoff", "einde", "koniec", "конец", "סוף", "--"):
        parsed = read("lilac F4, salmon C9", end, "mint K8 K7", "resign")
        assert parsed.commands == (PLAY,)
        assert {unread.why for unread in parsed.unread} == {letter_rules.L9}


@pytest.mark.parametrize(
    "lines",
    [
        ("accept", "decline"),
        ("agree draw", "object draw"),
        ("agree", "object"),
        ("lilac F4", "resign"),
        ("draw", "resign"),
        ("resign", "plan lilac F4"),
    ],
)
def test_orders_that_do_not_go_together_are_a_question(lines: tuple[str, ...]) -> None:
    assert question(*lines) == "PO-L6"


def test_orders_that_go_together_are_all_carried_out_once() -> None:
    parsed = read("agree undo", "object draw", "status", "Status!", "plain on", "lilac F4, salmon C9")
    assert parsed.commands == (
        Agree("undo"),
        Object("draw"),
        Status(),
        SetPlain(on=True),
        PLAY,
    )


def test_commands_are_carried_out_in_the_order_of_their_lines_and_plans_last() -> None:
    parsed = read("plan pass", "status", "press to all: hi", "", "lilac F4", "salmon C9", "agree draw", "status")
    press = Press("all", "hi")
    assert parsed.commands == (Status(), press, PLAY, Agree("draw"), Plan(("pass",)))


@pytest.mark.parametrize(
    "lines",
    [
        ("undo", "mint J6"),
        ("Undo, please", "", "lilac F4, salmon C9"),
        ("lilac F4, salmon C9", "undo"),
        ("ongedaan maken", "zet lila F4"),
        ("cofnij", "liliowy F4"),
        ("отмена", "лиловый F4"),
        ("ביטול", "לילך F4"),
    ],
)
def test_a_move_beside_an_undo_is_a_question_and_neither_is_done(lines: tuple[str, ...]) -> None:
    assert question(*lines) == "PO-L6"


def test_a_plan_and_an_answer_to_an_undo_go_with_what_else_is_sent() -> None:
    assert read("undo", "plan lilac F4, salmon C9").question is None
    assert read("agree undo", "lilac F4, salmon C9").commands == (Agree("undo"), PLAY)


@pytest.mark.parametrize("words", ["", "\n\n", "See below.", "What would you play?", "Wat zou jij doen?", "> status"])
def test_a_letter_that_says_nothing_is_a_question(words: str) -> None:
    assert question(words) == "PO-L4"


def test_a_letter_that_is_too_long_is_not_read() -> None:
    assert question("x" * (CHARACTERS + 1)) == "PO-L5"
    assert question(*["lilac F4"] * (LINES + 1)) == "PO-L5"
    assert question(*["plan lilac F4, salmon C9"] * (MOVES // 2 + 1)) == "PO-L5"
    assert read(*["plan lilac F4, salmon C9"] * (MOVES // 2)).question is None
    assert read(*["so it goes"] * (LINES - 1), "lilac F4, salmon C9").commands == (PLAY,)


@pytest.mark.parametrize("line", ["." * 60, "!" * 60, ", " * 60, ".,;:" * 1_000, "...... please ......" * 20])
def test_a_line_of_signs_is_read_at_once(line: str) -> None:
    assert read(line, "", "lilac F4, salmon C9").commands == (PLAY,)


def test_without_a_game_there_are_orders_but_no_moves() -> None:
    parsed = parse_commands("accept\nlilac F4\nmove lilac F4\nplan lilac F4\npress blue: hi", game=None)
    assert parsed.commands == (AcceptInvitation(), Press("blue", "hi"))
    assert [unread.why for unread in parsed.unread] == [letter_rules.L7] * 3


def test_a_word_that_is_an_order_and_a_move_is_a_question(card_game: Any) -> None:
    parsed = parse_commands("draw", game=card_game)
    assert parsed.question is not None
    assert parsed.question.rule == letter_rules.L6
    assert parse_commands("move draw", game=card_game).commands == (Play("draw"),)
    assert parse_commands("offer draw", game=card_game).commands == (Ask("draw"),)


def test_the_collected_letters_yield_the_planted_move_or_a_question(root: Path) -> None:
    letters = json.loads((root / "tests/letters/letters.json").read_text("utf-8"))["letters"]
    assert len(letters) > 60
    for name, letter in letters.items():
        parsed = parse_commands(letter["words"], game=GAME)
        moves = [command for command in parsed.commands or parsed.pencilled if isinstance(command, Play)]
        assert moves == ([PLAY] if letter["moves"] else []), name
        assert (parsed.question is None) == (bool(letter["moves"]) and not parsed.pencilled), name


def test_nothing_that_our_own_mails_print_is_ever_carried_out(root: Path) -> None:
    mails = sorted((root / "tests/golden").glob("*.txt"))
    assert len(mails) > 10
    for mail in mails:
        for line in mail.read_text("utf-8").splitlines():
            assert parse_commands(line, game=GAME).commands == (), f"{mail.name}: {line}"
