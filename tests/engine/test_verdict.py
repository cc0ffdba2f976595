"""Verdicts and scores are values that explain themselves."""

from engine import Line, Rule, Score, Tally, Verdict

TOUCH = Rule("TD-X", "foreign-neighbour", "Caravans of one colour keep apart.", "p. 4", "K6", "K7")


def test_a_verdict_says_the_rule_and_this_case() -> None:
    verdict = Verdict(TOUCH, "{space} touches {owner}'s camel", {"space": "K7", "owner": "blue"})
    assert verdict.detail == "K7 touches blue's camel"
    assert str(verdict) == "TD-X K7 touches blue's camel"
    assert str(verdict.rule) == "TD-X"


def test_facts_are_taken_as_they_are_even_if_they_look_like_a_pattern() -> None:
    assert (
        Verdict(TOUCH, "{name} is not at the table", {"name": "{0.__class__}"}).detail
        == "{0.__class__} is not at the table"
    )


def test_a_score_adds_up_line_by_line() -> None:
    lines = (Line("water", "TD-S2", 7), Line("areas", "TD-S4", 5, "{count} spaces enclosed", {"count": 5}))
    score = Score((Tally("red", lines), Tally("blue", ())))
    assert (score.total("red"), score.total("blue")) == (12, 0)
    assert [line.detail for line in lines] == ["", "5 spaces enclosed"]
    assert score.winners == ()
