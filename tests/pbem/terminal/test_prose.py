"""Running text keeps together what belongs together."""

from pbem.terminal.display import count, shorten, wrap, wrap_list


def test_numbers_agree_with_their_nouns() -> None:
    assert [count(number, "game") for number in (0, 1, 2, 12345)] == ["0 games", "1 game", "2 games", "12,345 games"]


def test_paragraphs_are_wrapped_and_nothing_is_lost() -> None:
    text = "A camel may not touch a camel of its colour that belongs to another player. " * 5
    lines = wrap(text, indent="  ")
    assert all(line.startswith("  ") and len(line) <= 100 for line in lines)
    assert " ".join(" ".join(lines).split()) == text.strip()


def test_no_item_of_a_list_is_broken() -> None:
    items = [f"salmon K{number}" for number in range(60)]
    lines = wrap_list(items, indent="    ")
    assert " ".join(line.strip() for line in lines).split("; ") == items
    assert all(line.endswith(";") for line in lines[:-1])


def test_long_examples_are_cut_where_it_shows() -> None:
    assert shorten("x" * 500, indent=2) == "x" * 100 + "…"
    assert shorten("a\nb", indent=2) == "a\n  b"
    assert shorten("\n".join("abcdefgh"), indent=1).endswith("d\n …")
