"""What the post stated about its draws to a referee, held against the record by both verifiers."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from pbem.cli.app import choose, make_app
from pbem.disputes.case_facts import prove_draws
from pbem.disputes.replayed_history import replay_history
from pbem.proof.signatures import Signer
from pbem.proof.statements import read_statements, sign_statement
from pbem.tables.chance import GameDealer
from pbem.verify.check_record import Checker
from pbem.verify.check_statements import find_statements
from tests.second_verifier.second_statements import contradicted_statements
from tests.second_verifier.second_verifier import check


@pytest.fixture(scope="module")
def stated(town: Any) -> list[str]:
    """What the post says about every draw of a game."""
    history = replay_history(town.events)
    dealt = [event for event in town.events if event.kind == "dealt"]
    drawn = prove_draws(history, dealt, town.row.seed, "public", town.context.signer)
    return ["\n".join(each.statement) for each in drawn]


def both(text: str, statements: str, key: bytes | None = None) -> tuple[list[str], list[str]]:
    """What either verifier finds in a record that is good by itself."""
    (verified,) = Checker(key, stated=find_statements(statements)).check(text)
    assert {finding.check for finding in verified.findings} <= {"statement"}
    events, _ = check(text)
    return [found.reason for found in verified.findings], list(contradicted_statements("sirocco-7", events, statements))


def test_an_honest_post_is_borne_out_by_its_record(town: Any, stated: list[str]) -> None:
    assert stated
    assert both(town.text(), "\n\n".join(stated)) == ([], [])
    assert both(town.text(), "\n".join(f"        {line}" for line in stated[0].splitlines()), town.public) == ([], [])


def resigned(town: Any, text: str, **changes: Any) -> str:
    """A statement that says something else, signed all the same: by the post, or by whoever is named."""
    (found,) = read_statements(text.splitlines())
    assert found is not None
    signer = changes.pop("signer", town.context.signer)
    return "\n".join(sign_statement(found.statement._replace(**changes), signer))


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({"follows": False}, "does not follow from the seed, and it does"),
        ({"seed": "00" * 32}, "is about another seed"),
        ({"place": (0, 1, "00" * 32)}, "binds it to another place"),
        ({"event": (9, "00" * 32)}, "there were two histories"),
        ({"event": (900, "00" * 32)}, "there were two histories"),
        ({"signer": Signer("caravan@post.test", b"x" * 32)}, "is not signed with the key that the record names"),
    ],
    ids=["a no", "another seed", "another place", "another event", "an event too far", "another key"],
)
def test_both_hear_when_a_statement_is_otherwise(
    town: Any, stated: list[str], changes: dict[str, Any], says: str
) -> None:
    first, second = both(town.text(), resigned(town, stated[-1], **changes))
    assert len(first) == 1
    assert says in first[0]
    assert second


@pytest.mark.parametrize("line", [1, *range(3, 9)])
def test_both_find_a_statement_of_which_a_line_was_changed(town: Any, stated: list[str], line: int) -> None:
    lines = stated[0].splitlines()
    lines[line] = lines[line][:-1] if line == 8 else f"{lines[line]}0"
    first, second = both(town.text(), "\n".join(lines))
    assert first
    assert second


def test_a_yes_about_loaded_dice_is_signed_and_the_record_not_believed(
    operator: Callable[..., Any],
) -> None:
    loaded = operator(dealer=GameDealer(b"l" * 32)).begin().play()
    history = replay_history(loaded.events)
    dealt = [event for event in loaded.events if event.kind == "dealt"]
    honest = list(prove_draws(history, dealt, loaded.seed, "public", loaded.signer))
    assert honest
    assert not any(drawn.fits for drawn in honest[:1])
    assert "follows no" in honest[0].statement
    (verified,) = Checker(stated=find_statements("\n".join(honest[0].statement))).check(loaded.text())
    assert any("is not what the seed draws here" in found.reason for found in verified.findings)


def test_a_seed_that_was_not_promised_draws_nothing(town: Any, stated: list[str]) -> None:
    history = replay_history(town.events)
    dealt = [event for event in town.events if event.kind == "dealt"]
    forged = list(prove_draws(history, dealt, b"other".ljust(32), "public", town.context.signer))
    assert forged
    assert all((drawn.lost, drawn.fits, drawn.statement) == (True, None, ()) for drawn in forged)
    assert next(iter(prove_draws(history, dealt, town.row.seed, "public", None))).statement == ()


def test_a_statement_about_another_game_is_none_of_its_business(town: Any, stated: list[str]) -> None:
    assert both(town.text(), resigned(town, stated[0], game="bora-3", follows=False)) == ([], [])


def test_the_command_reads_a_page(town: Any, stated: list[str], tmp_path: Path) -> None:
    record, page = tmp_path / "game.turns", tmp_path / "page.txt"
    record.write_text(town.text(), "utf-8")

    def verify(text: str) -> Any:
        page.write_text(text, "utf-8")
        line = ["verify", str(record), "--statement", str(page)]
        return CliRunner().invoke(make_app(choose(line)), line, prog_name="pbem")

    assert verify(f"Dice\n\n    {stated[0]}".replace("\n", "\n    ")).exit_code == 0
    spoiled = verify(stated[0].replace("follows yes", "follows no"))
    assert spoiled.exit_code == 1
    assert "statement the statement about event" in spoiled.stdout
    assert verify("nothing of the kind").exit_code == 2
