"""`pbem validate`: legal or refused, and why."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from engine.brotherhood.full_game import GAME as WATCH
from engine.brotherhood.moves import Roll
from engine.through_the_desert import GAME
from notation import Record, write_moves, write_record
from pbem.cli.sample import make
from pbem.judging.record_rules import RULES

Pbem = Callable[..., Any]


def test_a_legal_game_is_told_in_one_line(pbem: Pbem, file: Path, game: Record) -> None:
    answer = pbem("validate", file)
    assert answer.exit_code == 0
    assert (
        answer.stdout
        == f"legal: Through the Desert, 3 players, {len(game.entries) - 1} turns, normal: {game.header('Result')}\n"
    )
    assert answer.stderr == ""


def test_a_game_in_progress_says_who_is_to_move(pbem: Pbem, game: Record) -> None:
    headers = tuple((name, "*" if name == "Result" else value) for name, value in game.headers)
    answer = pbem("validate", "-", given=write_record(Record(headers, game.entries[:16])))
    assert answer.exit_code == 0
    assert answer.stdout == "legal: Through the Desert, 3 players, 16 turns, blue to move\n"


def test_standard_input_is_a_dash(pbem: Pbem, file: Path) -> None:
    assert pbem("validate", "-", given=file.read_text("utf-8")).stdout == pbem("validate", file).stdout


def test_a_refusal_shows_place_line_carets_reason_and_help(pbem: Pbem, spoiled: Path, game: Record) -> None:
    camel = game.entries[16].moves[0]
    answer = pbem("validate", spoiled)
    assert answer.exit_code == 1
    head, line, carets, reason, instead, hint, empty, summary = answer.stdout.rstrip("\n").split("\n")
    number = spoiled.read_text("utf-8").split("\n").index(line.strip()) + 1
    column = len("18. green: ") + 1
    assert head == f"{spoiled}:{number}:{column}: TD-C1 no-room-for-a-camel"
    assert line.startswith(f"  18. green: {camel.colour} {camel.space}")
    assert carets == "  " + " " * (column - 1) + "^" * len(f"{camel.colour} {camel.space}")
    assert reason == f"  Blue's {camel.colour} camel stands at {camel.space}."
    assert instead.startswith(f"  Legal would be: {camel.colour} ")
    assert hint == "  `pbem rule TD-C1` explains."
    assert (empty, summary) == ("", "1 game, 1 refused")


def test_many_games_are_told_by_their_refusals_and_a_sum(pbem: Pbem, archive: Path, spoiled: Path, file: Path) -> None:
    assert pbem("validate", archive, file).stdout == "4 games, all legal\n"
    answer = pbem("validate", archive, spoiled, file)
    assert answer.exit_code == 1
    assert answer.stdout.count("TD-C1 no-room-for-a-camel") == 1
    assert answer.stdout.endswith("\n5 games, 1 refused\n1 warning\n")


def test_every_fault_of_a_game_is_told_not_the_first_only(pbem: Pbem, file: Path) -> None:
    text = file.read_text("utf-8").replace("leader", "laeder", 2)
    answer = pbem("validate", "-", given=text)
    assert answer.exit_code == 1
    assert answer.stdout.count("standard input:") == 2
    assert answer.stdout.count("`pbem rule NT-M1` explains.") == 2
    assert "^^^^^^" in answer.stdout


def test_json_is_one_document_with_refusals_and_sums(pbem: Pbem, spoiled: Path, archive: Path) -> None:
    answer = pbem("validate", "--json", archive, spoiled)
    assert answer.exit_code == 1
    told = json.loads(answer.stdout)
    assert (told["games"], told["refused"], told["problems"]) == (4, 1, [])
    (refusal,) = told["results"]
    assert refusal["file"] == str(spoiled)
    assert (refusal["code"], refusal["turn"], refusal["seat"], refusal["move"]) == ("TD-C1", 18, "green", 0)
    assert len(refusal["state"]) == 32
    assert refusal["text"][refusal["start"] :][: refusal["length"]].count(" ") == 1
    assert refusal["instead"]


def test_json_of_legal_games_has_no_results(pbem: Pbem, file: Path) -> None:
    assert json.loads(pbem("validate", "--json", file).stdout) == {
        "results": [],
        "games": 1,
        "refused": 0,
        "warnings": [],
        "problems": [],
    }


def test_json_tells_faults_as_data(pbem: Pbem) -> None:
    text = '[Game "through-the-desert"]\n\n1. red: lilca F4\n'
    told = json.loads(pbem("validate", "--json", "-", given=text).stdout)
    assert told["refused"] == 1
    assert told["results"][0]["code"].startswith("NT-")
    assert told["results"][0]["game"] == 1


@pytest.mark.parametrize("rule", RULES, ids=str)
def test_each_refusal_of_a_record_prints_its_code_and_its_place(pbem: Pbem, root: Path, rule: Any) -> None:
    path = root / "tests/refused/record" / f"{rule.code}.turns"
    answer = pbem("validate", path)
    assert answer.exit_code == 1
    head, line, carets, *_ = answer.stdout.split("\n")
    assert head.startswith(f"{path}:")
    assert head.endswith(f": {rule.code} {rule.name}")
    place = int(head.removeprefix(f"{path}:").split(":")[0])
    assert path.read_text("utf-8").split("\n")[place - 1].startswith(line.strip()[:80])
    assert set(carets) == {" ", "^"}


def test_a_move_that_was_sent_in_is_judged_after_the_record(pbem: Pbem, game: Record, tmp_path: Path) -> None:
    headers = tuple((name, "*" if name == "Result" else value) for name, value in game.headers)
    path = tmp_path / "middle.turns"
    path.write_text(write_record(Record(headers, game.entries[:20])), "utf-8")
    following = game.entries[20]
    phrase = write_moves(GAME, following.moves)
    whole = pbem("validate", path, "--seat", following.who, "--move", phrase.lower())
    assert (whole.exit_code, whole.stdout) == (0, f"legal: 21. {following.who}: {phrase}\n")
    half = pbem("validate", path, "--seat", following.who, "--move", write_moves(GAME, following.moves[:1]))
    assert half.exit_code == 0
    assert half.stdout.endswith(f"  The turn is not complete: {following.who} has 1 move still to make.\n")
    wrong = pbem("validate", path, "--seat", following.who, "--move", "lilac V13", "--json")
    assert wrong.exit_code == 1
    (ruling,) = json.loads(wrong.stdout)["results"]
    assert (ruling["legal"], ruling["verdict"]["code"], ruling["move"]) == (False, "TD-C1", 0)
    second = pbem("validate", path, "--seat", following.who, "--move", f"{phrase.split(',')[0].lower()}, lilac V13")
    assert second.exit_code == 1
    line, carets = second.stdout.split("\n")[1:3]
    assert line[carets.index("^") : carets.rindex("^") + 1].endswith("V13")
    unread = pbem("validate", path, "--seat", following.who, "--move", "lilca F4")
    assert unread.exit_code == 1
    assert "move:1:1: NT-M1" in unread.stdout
    assert "Did you mean lilac?" in unread.stdout


def test_of_several_games_one_is_named_for_the_move(pbem: Pbem, archive: Path, game: Record, tmp_path: Path) -> None:
    headers = tuple((name, "*" if name == "Result" else value) for name, value in game.headers)
    path = tmp_path / "several.turns"
    middle = write_record(Record(headers, game.entries[:20]))
    path.write_text(f"{archive.read_text('utf-8')}\n{middle}", "utf-8")
    following = game.entries[20]
    words = ["validate", path, "--seat", following.who, "--move", write_moves(GAME, following.moves)]
    unnamed = pbem(*words)
    assert (unnamed.exit_code, unnamed.stdout) == (2, "")
    assert unnamed.stderr == f"pbem: {path}: holds several games; say with --game K which one you mean\n"
    assert pbem(*words, "--game", "4").stdout.startswith(f"legal: 21. {following.who}: ")
    assert pbem(*words, "--game", "1").exit_code == 1
    missing = pbem(*words, "--game", "5")
    assert (missing.exit_code, missing.stderr) == (2, f"pbem: {path}: has no game number 5; it holds 4\n")
    assert pbem("validate", path, "--game", "4").exit_code == 2


def test_a_move_after_a_refused_record_is_not_judged(pbem: Pbem, spoiled: Path) -> None:
    answer = pbem("validate", spoiled, "--seat", "red", "--move", "pass")
    assert answer.exit_code == 1
    assert "TD-C1" in answer.stdout


@pytest.mark.parametrize("words", [["--seat", "red"], ["--move", "pass"]])
def test_seat_and_move_belong_together(pbem: Pbem, file: Path, words: list[str]) -> None:
    answer = pbem("validate", file, *words)
    assert answer.exit_code == 2
    assert answer.stderr.count("\n") == 1


def ended(game: Record, how: str, result: str) -> str:
    """The game after 16 turns, ended by the table."""
    headers = tuple((name, result if name == "Result" else value) for name, value in game.headers)
    return write_record(Record(headers, game.entries[:16])) + f"17. end: {how}\n"


def test_a_game_that_the_table_ended_is_told_with_the_winners_of_the_record(
    pbem: Pbem, game: Record, tmp_path: Path
) -> None:
    path = tmp_path / "ended.turns"
    path.write_text(ended(game, "resigned red", "red, blue won, green won"), "utf-8")
    result = "resigned: red, blue won, green won"
    assert pbem("validate", path).stdout == f"legal: Through the Desert, 3 players, 16 turns, {result}\n"
    assert pbem("show", path).stdout.split("\n", 1)[0].endswith(result)
    (told,) = json.loads(pbem("show", path, "--json").stdout)["results"]
    assert (told["finished"], told["result"]) == (True, "red, blue won, green won")


def test_whose_move_it_is_may_be_said_as_in_a_record(pbem: Pbem, game: Record, tmp_path: Path) -> None:
    headers = tuple((name, "*" if name == "Result" else value) for name, value in game.headers)
    path = tmp_path / "middle.turns"
    path.write_text(write_record(Record(headers, game.entries[:16])), "utf-8")
    move = write_moves(GAME, game.entries[16].moves)
    for seat in ("BLUE", "blauw", "синий"):
        answer = pbem("validate", path, "--seat", seat, "--move", move)
        assert answer.stdout == f"legal: 17. blue: {move}\n"


def test_moves_that_were_not_judged_are_named(pbem: Pbem, tmp_path: Path) -> None:
    watch = make(WATCH, 3, "7")
    order = next(order for order, entry in enumerate(watch.entries) if isinstance(entry.moves[0], Roll))
    headers = tuple((name, "*" if name == "Result" else value) for name, value in watch.headers)
    path = tmp_path / "watch.turns"
    path.write_text(write_record(Record(headers, watch.entries[:order])), "utf-8")
    seat = watch.entries[order].who
    answer = pbem("validate", path, "--seat", seat, "--move", "roll, settlement 17, end")
    assert answer.exit_code == 0
    head, rest = answer.stdout.rstrip("\n").split("\n")
    assert head.endswith(f"{seat}: roll")
    assert rest == "  Not judged: settlement 17, end. Something new is known first: dice, a card, or somebody's answer."
    words = ("validate", path, "--seat", seat, "--move", "roll, settlement 17, end", "--json")
    (told,) = json.loads(pbem(*words).stdout)["results"]
    assert (told["phrase"], told["later"]) == ("roll", "settlement 17, end")


@pytest.mark.parametrize(("name", "value"), [("Oases", "b8 D3 H11 M7 Q3"), ("Water", "A6=9"), ("Board", "round")])
def test_a_set_up_that_is_refused_is_shown_at_its_header(pbem: Pbem, game: Record, name: str, value: str) -> None:
    text = write_record(game)
    headers = (f'[{name} "{value}"]' if line.startswith(f"[{name} ") else line for line in text.split("\n"))
    answer = pbem("validate", "-", given="\n".join(headers))
    assert answer.exit_code == 1
    place = next(number for number, line in enumerate(text.split("\n"), 1) if line.startswith(f"[{name} "))
    assert answer.stdout.startswith(f"standard input:{place}:1: TD-P")
    assert "B8 is no palm" not in answer.stdout


@pytest.mark.parametrize(
    ("name", "value", "rule"),
    [
        ("Routes", "grain brick wool wool ore", "BW-P6"),
        ("Land", "fields5", "BW-P1"),
        ("First", "green", "BW-P5"),
        ("Phases", "loose", "BB-O3"),
    ],
)
def test_a_bad_header_is_shown_at_its_own_line(pbem: Pbem, name: str, value: str, rule: str) -> None:
    options = {**dict(make(WATCH, 3, "1").headers), name: value}
    record = write_record(Record(tuple(options.items()), ()))
    answer = pbem("validate", "-", given=record)
    line = record.split("\n").index(f'[{name} "{value}"]') + 1
    assert line > 1
    assert answer.stdout.startswith(f"standard input:{line}:1: {rule} ")


THROWN = """\
[Game "nomadi"]
[Seat.blue "Anna"]
[Seat.yellow "Boris"]
[Cards "B9 E4 F6 G17 J12 N3"]

""" + "\n".join(
    f"{turn}. {('blue', 'yellow')[(turn - 1) % 2]}: place {square}"
    for turn, square in enumerate([f"{column}{row}" for row in (16, 17, 18, 19) for column in "MNOP"], 1)
)


@pytest.mark.parametrize(
    ("move", "code", "says"),
    [
        ("dice 1 2 3 4 5 6", 0, "legal: 17. *: dice 1 2 3 4 5 6\n"),
        ("dice 1 2 3 4 5", 1, "NO-D1"),
        ("dice 1 2 3 4 5 7", 1, "NO-D1"),
        ("card N13 +3", 1, "NO-D1"),
    ],
)
def test_a_throw_is_judged_as_a_move_of_chance(pbem: Pbem, move: str, code: int, says: str) -> None:
    answer = pbem("validate", "-", "--seat", "*", "--move", move, given=THROWN)
    assert answer.exit_code == code
    assert says in answer.stdout
    told = json.loads(pbem("validate", "-", "--seat", "*", "--move", move, "--json", given=THROWN).stdout)
    assert (told["results"][0]["legal"], told["results"][0]["seat"]) == (code == 0, "*")


def test_a_throw_that_is_not_due_is_refused(pbem: Pbem) -> None:
    answer = pbem("validate", "-", "--seat", "*", "--move", "dice 1 2 3 4 5 6", given=THROWN.rsplit("\n", 1)[0])
    assert answer.exit_code == 1
    assert "chance has nothing to settle now" in answer.stdout.lower()


def moved(variation: str) -> str:
    """A game whose first throw is followed by a move, with a variation beside it."""
    return f"{THROWN}\n17. *: dice 1 2 3 4 5 6\n17. blue: 1 M16-L17 {variation}, 2 N19-L19\n"


@pytest.mark.parametrize(
    ("variation", "code"),
    [
        ("(17. blue: 1 M17-L16)", None),
        ("(17. blue: 2 N19-L19)", None),
        ("(17. blue: 1 M16-L15)", "NO-M2"),
        ("(17. blue: 1 M17-L16, 1 L16-L15)", "NO-D2"),
        ("(17. *: dice 1 1 1 1 1 1 | 17. blue: 1 M17-L16, 1 M18-L17)", None),
        ("(17. *: dice 1 1 1 1 1 1 | 17. blue: 2 M16-L16)", "NO-D2"),
        ("(18. yellow: 1 M16-L16)", "RC-T1"),
        ("(17. blue: 1 M17-L16 (17. blue: 1 M17-K16))", "NO-M4"),
    ],
)
def test_a_variation_that_could_not_be_played_is_a_warning(pbem: Pbem, variation: str, code: str | None) -> None:
    answer = pbem("validate", "-", given=moved(variation))
    assert answer.exit_code == 0
    assert answer.stdout.count("warning, in a variation") == (code is not None)
    told = json.loads(pbem("validate", "-", "--json", given=moved(variation)).stdout)
    assert [(one["kind"], one["code"]) for one in told["warnings"]] == ([("variation", code)] if code else [])
    assert (told["games"], told["refused"]) == (1, 0)


def test_games_with_the_same_id_are_named_in_one_file_and_among_files(pbem: Pbem, file: Path, tmp_path: Path) -> None:
    assert "warning" not in pbem("validate", file).stdout
    twice = tmp_path / "twice.turns"
    twice.write_text(f"{file.read_text('utf-8')}\n{file.read_text('utf-8')}", "utf-8")
    answer = pbem("validate", twice, file)
    assert answer.exit_code == 0
    assert f"{twice}:" in answer.stdout
    assert ": warning: game 2 has the Id" in answer.stdout
    assert f"which game 1 of {twice} has too" in answer.stdout
    assert answer.stdout.endswith("3 games, all legal\n2 warnings\n")
    told = json.loads(pbem("validate", twice, file, "--json").stdout)
    assert [(one["kind"], one["game"]) for one in told["warnings"]] == [("id", 2), ("id", 1)]


SIROCCO = Path(__file__).parents[3] / "examples" / "sirocco.turns"


def test_a_refused_move_says_what_would_make_it_legal(pbem: Pbem) -> None:
    answer = pbem("validate", SIROCCO, "--seat", "red", "--move", "mint F4")
    assert answer.exit_code == 1
    *_, reason, change, instead, hint = answer.stdout.splitlines()
    assert reason == "  F4 touches green's mint camel at G4."
    assert change == "  It would be legal if green's mint camel did not stand at G4."
    assert instead.startswith("  Legal would be: ")
    assert hint == "  `pbem rule TD-C3` explains."


@pytest.mark.parametrize(
    ("move", "remedy"),
    [
        ("mint F4", ["piece", "it would be legal if green's mint camel did not stand at G4", ["G4"], ""]),
        ("salmon Q9 Q8", ["order", "it would be legal in this order: salmon Q8 Q9", [], "salmon Q8 Q9"]),
        ("lilac C3", ["order", "it would be legal after lilac B3", ["B3"], "lilac B3"]),
        ("lilac A1", None),
        ("lilac A3", None),
    ],
)
def test_what_would_make_a_move_legal_is_data_too(pbem: Pbem, move: str, remedy: list[object] | None) -> None:
    answer = pbem("validate", SIROCCO, "--seat", "red", "--move", move, "--json")
    (result,) = json.loads(answer.stdout)["results"]
    found = result["remedy"]
    assert remedy == (None if found is None else [*found.values()])


@pytest.mark.parametrize("ending", ["svg", "png", "html"])
def test_the_board_of_a_refused_move_is_drawn_with_the_place_that_would_have_to_change(
    pbem: Pbem, tmp_path: Path, ending: str
) -> None:
    board = tmp_path / f"board.{ending}"
    answer = pbem("validate", SIROCCO, "--seat", "red", "--move", "mint F4", "-o", board)
    assert answer.exit_code == 1
    assert answer.stdout.endswith(f"wrote {board}\n")
    if ending != "png":
        assert "Something would have to change here: G4" in board.read_text("utf-8")


def test_the_board_of_a_legal_move_is_not_drawn(pbem: Pbem, tmp_path: Path) -> None:
    board = tmp_path / "board.svg"
    assert pbem("validate", SIROCCO, "--seat", "red", "--move", "lilac A3", "-o", board).exit_code == 0
    assert not board.exists()


def test_a_board_needs_a_move_and_a_name_that_says_its_form(pbem: Pbem, tmp_path: Path) -> None:
    assert pbem("validate", SIROCCO, "-o", tmp_path / "board.svg").exit_code == 2
    wrong = pbem("validate", SIROCCO, "--seat", "red", "--move", "mint F4", "-o", tmp_path / "board.txt")
    assert (wrong.exit_code, wrong.stderr) == (
        2,
        f"pbem: {tmp_path}/board.txt: the name must end in one of .svg .png .html\n",
    )
