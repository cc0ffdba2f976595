"""Moves that are not for now: what is planned or only looked at is never played by mistake."""

import pytest

from engine import registry
from pbem.mail.commands import letter_rules
from pbem.mail.commands.parse_letter import MOVES, parse_commands
from pbem.mail.commands.questions import Status
from pbem.mail.commands.submit_moves import Plan, Play, Preview
from tests.pbem.mail.commands.asking import PLAY, question, read


def test_moves_for_later_turns_have_a_line_each() -> None:
    parsed = read("plan mint K8 K7", "lilac F4, salmon C9", "if legal pass, else ask")
    assert parsed.commands == (PLAY, Plan(("mint K8 K7", "pass")))


def test_what_stands_under_a_plan_with_then_is_a_question() -> None:
    assert question("plan mint K8", "then lilac F4") == "PO-L6"
    assert question("plan mint K8", "", "Then: lilac F4") == "PO-L6"


@pytest.mark.parametrize(
    "lines",
    [
        ("plan lilac J6", "mint L2"),
        ("plan lilac J6", "", "mint L2"),
        ("plan lilac J6, mint L2", "mint L3"),
        ("plan pass", "lilac F4, salmon C9"),
        ("als het mag munt K8", "lila F4"),
        ("план mint K8", "лиловый F4"),
        ("תוכנית mint K8", "לילך F4"),
    ],
)
def test_a_move_right_below_a_plan_is_a_question_never_a_move_for_now(lines: tuple[str, ...]) -> None:
    assert question(*lines) == "PO-L6"


@pytest.mark.parametrize("head", ["plan:", "Plan", "Plan for my next turn:", "Planuję:", "План:", "תוכנית:"])
def test_lines_below_a_plan_that_is_announced_are_one_planned_turn(head: str) -> None:
    for lines in ((head, "lilac F4", "salmon C9"), (head, "", "lilac F4, salmon C9")):
        assert read(*lines).commands == (Plan(("lilac F4, salmon C9",)),)
    parsed = read("mint K8 K7", head, "lilac F4", "salmon C9", "plan pass", "Greetings, Anna")
    assert parsed.commands == (Play("mint K8 K7"), Plan(("lilac F4, salmon C9", "pass")))
    assert parsed.read == (1, 2, 3, 4, 5)


def test_a_plan_that_is_announced_must_follow_and_be_one_turn() -> None:
    assert question("plan:") == "PO-L3"
    assert question("plan:", "I think I take the oasis", "lilac F4, salmon C9") == "PO-L3"
    assert question("plan:", "lilac F4, salmon C9", "mint K8 K7") == "PO-L3"


def test_a_script_below_a_plan_is_planned_or_asked_about() -> None:
    game = registry.find_game("brotherhood")
    announced = parse_commands("plan:\nroll\nroad 17-18\nend\nAnna", game=game)
    assert announced.commands == (Plan(("roll, road 17-18, end",)),)
    asked = parse_commands("plan roll, end\naccept red", game=game)
    assert asked.question is not None
    assert asked.question.rule == letter_rules.L6


PREVIEW_BELOW = ("preview:", "Preview", "What if I play:", "proef:", "podgląd:", "просмотр:", "תצוגה מקדימה:")


@pytest.mark.parametrize("head", PREVIEW_BELOW)
def test_lines_below_a_preview_that_is_announced_are_previewed_as_one_turn(head: str) -> None:
    for lines in ((head, "lilac F4", "salmon C9"), (head, "", "lilac F4, salmon C9")):
        assert read(*lines).commands == (Preview("lilac F4, salmon C9"),)
    parsed = read("status", head, "lilac F4", "salmon C9", "preview pass", "plan pass", "Greetings, Anna")
    previews = (Preview("pass"), Preview("lilac F4, salmon C9"))
    assert parsed.commands == (Status(), *previews, Plan(("pass",)))
    assert parsed.read == (1, 2, 3, 4, 5, 6)


def test_a_preview_that_is_announced_must_follow_and_be_one_turn() -> None:
    assert question("preview:") == "PO-L3"
    assert question("preview:", "I think I take the oasis", "lilac F4, salmon C9") == "PO-L3"
    assert question("preview:", "lilac F4, salmon C9", "mint K8 K7") == "PO-L3"
    assert question("preview:", *["lilac F4"] * (MOVES + 1)) == "PO-L5"


@pytest.mark.parametrize(
    "lines",
    [
        ("preview lilac B6", "salmon M9"),
        ("preview lilac B6", "", "salmon M9"),
        ("preview lilac F4, salmon C9", "mint K8 K7"),
        ("lilac F4, salmon C9", "", "preview mint K8 K7"),
        ("preview:", "lilac F4", "Thanks, Anna", "salmon C9"),
        ("what if I build", "lilac F4, salmon C9"),
        ("proef lila F4", "zalm C9"),
        ("podgląd liliowy F4", "łososiowy C9"),
        ("просмотр лиловый F4", "лососевый C9"),
        ("תצוגה לילך F4", "סלמון C9"),
    ],
)
def test_a_move_beside_a_preview_is_a_question_and_never_played(lines: tuple[str, ...]) -> None:
    assert question(*lines) == "PO-L6"


@pytest.mark.parametrize("key", ["brotherhood", "brotherhood-base"])
def test_a_preview_that_a_mail_program_broke_is_a_question_and_never_played(key: str) -> None:
    game = registry.find_game(key)
    for rest in ("end", "settlement 18; end", "accept red"):
        parsed = parse_commands(f"preview roll; trade 3 wool: ore; road 17-18; city 20;\n{rest}", game=game)
        assert parsed.question is not None, parsed.commands
        assert (parsed.question.rule, parsed.commands) == (letter_rules.L6, ())
    announced = parse_commands("preview:\nroll\nroad 17-18\nend\nAnna", game=game)
    assert announced.commands == (Preview("roll, road 17-18, end"),)


@pytest.mark.parametrize(
    "head", ["if legal", "If possible:", "if legal, else ask:", "als het mag", "если можно", "אם אפשר"]
)
def test_moves_below_a_bare_condition_are_planned_and_never_played_now(head: str) -> None:
    parsed = read(head, "mint K8", "mint K7", "else ask")
    assert parsed.commands == (Plan(("mint K8 K7",)),)
    assert question(head) == "PO-L3"
