"""Every order is understood in five languages, and written in one way."""

import re
from dataclasses import is_dataclass
from datetime import date
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules

import pytest

from engine import registry
from engine.through_the_desert import GAME
from notation import Fault, read_moves
from pbem.mail import commands as package
from pbem.mail.commands.appeal import Appeal
from pbem.mail.commands.command import Command
from pbem.mail.commands.consent import Agree, Ask, Object
from pbem.mail.commands.invitation import AcceptInvitation, DeclineInvitation
from pbem.mail.commands.letter_rules import RULES as OF_LETTERS
from pbem.mail.commands.parse_letter import parse_commands
from pbem.mail.commands.pencil import PencilMove, PlayPencilled, StopPencil
from pbem.mail.commands.preferences import (
    AskFewerMails,
    SetAutoRoll,
    SetCalendar,
    SetHints,
    SetLanguage,
    SetNotices,
    SetPlain,
    SetZone,
    parse_hour,
)
from pbem.mail.commands.press import Mute, Press, Report
from pbem.mail.commands.questions import (
    AskPlace,
    AskProof,
    AskRule,
    AskTakeBack,
    Help,
    ShowBoard,
    ShowHand,
    ShowHistory,
    ShowPoints,
    ShowRules,
    Status,
)
from pbem.mail.commands.resign import AskSubstitute, DropSubstitute, Resign
from pbem.mail.commands.standing import DropStanding, ListStanding, SetStanding
from pbem.mail.commands.submit_moves import Plan, Play, Preview
from pbem.mail.commands.vacation import DropVacation, Vacation
from pbem.tables.play import Pending

PHRASES = Path(__file__).with_name("orders.txt").read_text("utf-8")
PAIRS = [tuple(map(str.strip, line.split("=>"))) for line in PHRASES.splitlines()[1:] if "=>" in line]
CHAPTERS = re.findall(r"^# (\w+)\n((?:.+\n)+)", PHRASES, re.MULTILINE)

SCRIPTS = {"latin": r"[a-z]", "cyrillic": "[а-яё]", "hebrew": "[א-ת]"}

ONE_OF_EACH: list[Command] = [
    Play("lilac F4, salmon C9"),
    Play("lilac F4", 13),
    Plan(("mint K8 K7", "pass")),
    Plan(()),
    Preview("lilac F4"),
    Help(),
    Status(),
    ShowBoard(),
    ShowPoints(),
    ShowHand(),
    AskTakeBack(),
    AskPlace("20"),
    ShowHistory(),
    AskProof(),
    AskFewerMails(),
    AskRule("TD-C3"),
    AskRule("oasis"),
    ShowRules(),
    Mute("blue"),
    Mute("blue", on=False),
    Report(),
    Report(who="blue", number=57),
    Report("he swears", "blue"),
    Report("he swears"),
    Press("blue", "well met\nand good luck"),
    Press("all", "two paragraphs\n\nof words; move lilac F4"),
    Appeal("the dice\nwere not rolled", 23),
    Appeal("two paragraphs\n\nof words; move lilac F4"),
    Vacation(date(2026, 12, 20), date(2027, 1, 2)),
    DropVacation(),
    *(Ask(what) for what in ("undo", "draw", "pause", "resume")),
    SetStanding("no trades"),
    SetStanding("accept 1 grain for 1 brick", this_turn=True),
    ListStanding(),
    DropStanding(),
    Agree(),
    Agree("draw"),
    Object(),
    Object("undo"),
    PlayPencilled(),
    StopPencil(),
    Resign(),
    AskSubstitute(),
    DropSubstitute(),
    AcceptInvitation(),
    AcceptInvitation("forty camels"),
    DeclineInvitation(),
    SetLanguage("he"),
    SetZone("Europe/Warsaw"),
    SetNotices("daily"),
    SetNotices("daily", "08:00"),
    SetCalendar(on=True),
    SetCalendar(on=False),
    SetPlain(on=True),
    SetPlain(on=False),
    SetHints(on=True),
    SetHints(on=False),
    SetAutoRoll(on=True),
    SetAutoRoll(on=False),
]


@pytest.mark.parametrize(("written", "order"), PAIRS)
def test_what_players_write_is_understood(written: str, order: str) -> None:
    parsed = parse_commands(written, game=GAME)
    assert parsed.question is None, parsed.question
    assert [command.format() for command in parsed.commands] == [order]


@pytest.mark.parametrize(("verb", "lines"), CHAPTERS, ids=[verb for verb, _ in CHAPTERS])
def test_every_verb_has_words_in_every_language(verb: str, lines: str) -> None:
    words = [line.split("=>")[0].lower() for line in lines.splitlines()]
    for script, letters in SCRIPTS.items():
        assert any(re.match(rf"\W*{letters}", each) for each in words), script
    # English, Dutch and Polish share an alphabet, and some verbs their word.
    assert sum(re.match(r"\W*[a-z]", each) is not None for each in words) >= 3


@pytest.mark.parametrize("command", ONE_OF_EACH, ids=lambda command: command.format())
def test_what_is_written_for_an_order_is_read_as_that_order(command: Command) -> None:
    parsed = parse_commands(command.format(), game=GAME)
    assert parsed.question is None
    assert parsed.commands == (command,)


def _all_commands() -> set[type]:
    modules = [import_module(f"{package.__name__}.{each.name}") for each in iter_modules(package.__path__)]
    kinds = [kind for module in modules for kind in vars(module).values() if isinstance(kind, type)]
    return {kind for kind in kinds if issubclass(kind, Command) and is_dataclass(kind)}


def test_there_is_one_of_each_command() -> None:
    assert {type(command) for command in ONE_OF_EACH} == _all_commands() - {PencilMove}  # which is written as a move


@pytest.mark.parametrize("key", registry.game_keys())
def test_every_rule_can_be_asked_for_by_its_code(key: str) -> None:
    game = registry.find_game(key)
    assert game is not None
    for rule in (*game.rules, *OF_LETTERS):
        assert parse_commands(f"rule {rule.code}", game=game).commands == (AskRule(rule.code),)


@pytest.mark.parametrize(
    "line", ["Rule of 3", "Rules are rules - or not", "Rule one: have fun", "rule-book", "rules follow-up"]
)
def test_a_sentence_about_rules_asks_for_none(line: str) -> None:
    parsed = parse_commands(f"{line}\nlilac F4", game=GAME)
    assert (parsed.commands or parsed.pencilled) == (Play("lilac F4"),)


@pytest.mark.parametrize(
    "line",
    [
        "Message sent from my telephone",
        "Bericht verstuurd vanaf mijn telefoon",
        "Wiadomość może zawierać informacje poufne.",
        "Wiadomość dotarła!",
        "Сообщение и вложения конфиденциальны",
        "הודעה זו עלולה להכיל מידע חסוי",
    ],
)
def test_a_sentence_about_messages_passes_none_on(line: str) -> None:
    parsed = parse_commands(f"lilac F4\n\n{line}", game=GAME)
    assert (parsed.commands or parsed.pencilled) == (Play("lilac F4"),)


@pytest.mark.parametrize("line", ["press to blue hello", "message to blue hello", "bericht aan blauw hallo"])
def test_words_for_somebody_without_a_colon_are_a_question(line: str) -> None:
    parsed = parse_commands(f"lilac F4\n\n{line}", game=GAME)
    assert (parsed.question is not None, parsed.commands) == (True, ())


@pytest.mark.parametrize("key", registry.game_keys())
def test_no_verb_alone_is_a_move_of_any_game(key: str) -> None:
    game = registry.find_game(key)
    assert game is not None
    verbs = {written for written, order in PAIRS if " " not in written and order in PHRASES.split("# move")[0]}
    assert len(verbs) > 20
    assert [verb for verb in verbs if not isinstance(read_moves(game, verb), Fault)] == []


@pytest.mark.parametrize("written", [written for written, _ in PAIRS])
def test_capitals_blanks_and_invisible_signs_do_not_matter(written: str) -> None:
    (plain,) = parse_commands(written, game=GAME).commands
    odd = "\u200f " + written.replace(" ", "\u00a0 ") + " \u200e\ufeff"
    if isinstance(plain, Press):
        (press,) = parse_commands(odd, game=GAME).commands
        assert isinstance(press, Press)
        assert press.to == plain.to
        return
    assert parse_commands(odd, game=GAME).commands == (plain,)
    if not isinstance(plain, AcceptInvitation | Appeal | Report | SetZone | Preview):
        assert parse_commands(written.upper(), game=GAME).commands == (plain,)


@pytest.mark.parametrize(
    "line",
    ["resign?", "resig", "re sign", "resigning", "surrender", "i will resign tomorrow", "no resign", "RESIGN RESIGN"],
)
def test_giving_up_takes_the_whole_word_alone(line: str) -> None:
    assert Resign() not in parse_commands(line, game=GAME).commands


@pytest.mark.parametrize(
    "line",
    [
        "vacation next week",
        "vacation 05/06/2026 to 07/08/2026",
        "vacation 5-6-2026",
        "vacation 2026-02-30 to 2026-03-02",
        "vacation 20.12. to 2.1.",
        "vacation from 2026-12-20",
        "vakantie vanaf 20 december 2026",
        "urlop od 20.12.2026",
        "отпуск с 20.12.2026",
        "חופשה מ-20.12.2026",
        "vacation until 2027-01-02",
        "press to blue hello",
        "press blue:",
        "press to all: {never closed",
        "language",
        "notify often",
        "undo my move",
        "pause for two weeks",
        "plain sometimes",
        "agree to everything",
    ],
)
def test_an_order_that_cannot_be_read_is_a_question(line: str) -> None:
    parsed = parse_commands(f"{line}\n\nlilac F4", game=GAME)
    assert parsed.question is not None
    assert parsed.question.rule.code == "PO-L3"
    assert parsed.question.line == 1
    assert "{" not in parsed.question.detail
    assert parsed.commands == ()


@pytest.mark.parametrize(
    ("written", "meant"),
    [("8", "08:00"), ("8h", "08:00"), ("8 pm", "20:00"), ("12am", "00:00"), ("7.30", "07:30"), ("23:59", "23:59")],
)
def test_an_hour_is_read_as_people_write_it(written: str, meant: str) -> None:
    assert parse_hour(written) == meant


@pytest.mark.parametrize("written", ["24:00", "8:60", "13 pm", "0 am", "noon"])
def test_what_no_clock_shows_is_no_hour(written: str) -> None:
    assert parse_hour(written) is None


def test_an_answer_to_an_invitation_can_bring_wishes_on_lines_of_their_own() -> None:
    parsed = parse_commands("accept\nnotify each\nzone Europe/Warsaw\n\nSent from my phone", game=GAME)
    assert parsed.commands == (AcceptInvitation(""), SetNotices("each"), SetZone("Europe/Warsaw"))


@pytest.mark.parametrize(
    "line", ["appeal", "appeal 1", "appeal 1:", "appeal turn 1", "in beroep 1", "odwołanie 1", "апелляция 1", "ערעור 1"]
)
def test_an_appeal_that_does_not_say_what_is_wrong_is_a_question(line: str) -> None:
    parsed = parse_commands(line, game=GAME)
    assert parsed.question is not None
    assert (parsed.question.rule.code, parsed.question.line, parsed.commands) == ("PO-L3", 1, ())
    assert "what is wrong" in parsed.question.detail
    assert parse_commands("appeal 1\nit was illegal", game=GAME).commands == (Appeal("it was illegal", 1),)


@pytest.mark.parametrize("key", ["brotherhood", "brotherhood-base", "nomadi"])
@pytest.mark.parametrize(
    "line",
    [
        *("accept the offer", "accept grain", "decline the offer"),
        *("aanvaard het bod", "przyjmuję ofertę", "принимаю предложение"),
    ],
)
def test_an_answer_to_an_offer_that_is_not_clear_is_asked_about_while_playing(key: str, line: str) -> None:
    parsed = parse_commands(line, game=registry.find_game(key))
    assert parsed.question is not None, parsed.commands
    assert (parsed.question.rule.code, parsed.commands) == ("PO-L3", ())
    assert "write accept or decline" in parsed.question.detail


DOUBTFUL = (
    *("accept / decline", "Accept - no, sorry, decline", "I accept? not sure yet", "I accept nothing of the kind"),
    *("accept only if we play with weekends off", "accept unless it is too late", "I accept, but I can't play now"),
    *("aanvaard, maar alleen als het mag", "ik aanvaard niet", "aanvaard tenzij het laat wordt", "aanvaard / weiger"),
    *("przyjmuję, jeśli można później", "przyjmuję? nie wiem", "przyjmuję tylko bez weekendów", "przyjmuję / odmawiam"),
    *(
        "принимаю, но не могу играть в декабре",
        "принимаю, если можно позже",
        "принимаю / отказываюсь",
        "принимаю только так",
    ),
    *("מקבל רק אם אפשר", "מקבלת? לא בטוחה", "מקבל / מסרב", "accept draw, if all do"),
)


@pytest.mark.parametrize("key", ["brotherhood", "through-the-desert"])
@pytest.mark.parametrize(
    "words", ["north and knots, gifts lonely", "no1 fan", "Noah", "nietzsche", "приглашение, спасибо!", "בשמחה", "ifs"]
)
def test_words_that_only_look_like_doubts_stir_the_draws(key: str, words: str) -> None:
    parsed = parse_commands(f"accept {words}", game=registry.find_game(key), playing=False)
    assert parsed.commands == (AcceptInvitation(words),)


@pytest.mark.parametrize("key", ["brotherhood", "through-the-desert"])
def test_before_the_game_acceptances_have_words_and_doubts_are_asked_about(key: str) -> None:
    game = registry.find_game(key)
    assert parse_commands("accept the offer", game=game, playing=False).commands == (AcceptInvitation("the offer"),)
    doubts = ("decline?", "accept?", "decline, sorry", "weiger?", "odmawiam?", "отказываюсь?", "מסרב?")
    for line in (*doubts, *DOUBTFUL):
        parsed = parse_commands(line, game=game, playing=False)
        assert parsed.question is not None, parsed.commands
        assert (parsed.question.rule.code, parsed.commands) == ("PO-L3", ())
        assert "write accept or decline" in parsed.question.detail
        assert all(unread.fault is None for unread in parsed.unread), "help is no hint"


@pytest.mark.parametrize("key", ["brotherhood", "nomadi", "through-the-desert"])
def test_a_plain_yes_takes_the_seat_and_a_plain_no_is_asked_about(key: str) -> None:
    game = registry.find_game(key)
    agreed = ("agree", "akkoord", "zgoda", "согласен", "מסכים")
    for line in ("yes", "Yes!", "Yes, please.", "Ok.", "ja", "Ja, graag!", "tak, chętnie", "Да!", "כן", *agreed):
        assert parse_commands(line, game=game, playing=False).commands == (AcceptInvitation(),), line
    for line in ("no", "No, thanks.", "nee", "nie", "нет", "לא", "object"):
        parsed = parse_commands(line, game=game, playing=False)
        assert parsed.question is not None, parsed.commands
        assert "write accept or decline" in parsed.question.detail
    assert AcceptInvitation() not in parse_commands("yes", game=game).commands


TWO_MEANINGS = [
    ("akkoord", Agree(), "accept"),
    ("согласен", Agree(), "accept"),
    ("согласна", Agree(), "accept"),
    ("בטל", Ask("undo"), "withdraw"),
]


@pytest.mark.parametrize(("word", "order", "move"), TWO_MEANINGS)
def test_a_word_that_is_an_order_and_a_move_means_what_can_be_meant_now(word: str, order: Command, move: str) -> None:
    game = registry.find_game("brotherhood")

    def meant(*, votes: bool, legal: bool) -> tuple[Command, ...]:
        parsed = parse_commands(word, game=game, pending=Pending(votes, lambda text: legal and text == move))
        return parsed.commands

    assert meant(votes=True, legal=False) == (order,)
    assert meant(votes=True, legal=True) == ()
    if isinstance(order, Agree):
        assert meant(votes=False, legal=True) == (Play(move),)
        assert meant(votes=False, legal=False) == ()
    asked = parse_commands(word, game=game).question
    assert asked is not None
    assert (asked.rule.code, asked.facts["order"], asked.facts["move"]) == ("PO-L6", order.format(), move)
    assert f"for the order write: {order.format()}; for the move write: {move}" in asked.detail
    assert parse_commands(order.format(), game=game).commands == (order,)
    assert parse_commands(move, game=game).commands == (Play(move),)


def test_a_verb_for_moves_whose_rest_is_none_is_the_move_itself() -> None:
    game = registry.find_game("nomadi")
    assert parse_commands("zet N16", game=game).commands == (Play("place N16"),)
    assert parse_commands("zet 6 F12-I15", game=game).commands == (Play("6 F12-I15"),)


@pytest.mark.parametrize("line", ["standing frobnicate", "standing acept 1 grain for 1 brick", "vaste opdracht foo"])
def test_a_standing_order_that_cannot_be_read_is_answered_with_one_that_can(line: str) -> None:
    game = registry.find_game("brotherhood")
    (unread,) = parse_commands(line, game=game).unread
    assert unread.fault is not None
    assert parse_commands(unread.fault.example, game=game).commands == (SetStanding("accept 1 grain for 1 brick"),)


def test_a_slip_in_a_verb_is_told_with_the_word_that_was_meant() -> None:
    (unread,) = parse_commands("vacaton 2026-12-20\nlilac F4", game=GAME).unread
    assert unread.fault is not None
    assert unread.fault.meant == "vacation"
    assert unread.fault.line == 1
