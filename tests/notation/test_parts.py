"""A phrase is read piece by piece and remembered so; it must mean what the grammar makes of it as a whole."""

from hypothesis import given, settings
from hypothesis import strategies as st

from engine.through_the_desert.moves import Camel
from notation.games import nomadi
from notation.games.through_the_desert import NOTATION
from notation.lalr.parser import Unexpected
from notation.phrases import Phrases

words = st.sampled_from(
    [
        "mint",
        "lilac",
        "l",
        "K8",
        "k7",
        "A1",
        "K",
        "8",
        "leader",
        "pass",
        "and",
        "to",
        "->",
        "A1;lemon;B2",
        "A1,B2",
        "K8.",
    ]
)


@settings(max_examples=500)
@given(st.lists(words, min_size=1, max_size=6), st.sampled_from([" ", ", "]), st.integers(0, 5))
def test_a_phrase_in_pieces_means_what_it_means_as_a_whole(several: list[str], between: str, at: int) -> None:
    phrase = between.join([" ".join(several[:at]), " ".join(several[at:])]).strip(", ")
    reader = Phrases(NOTATION)
    whole = reader.parse(phrase)
    assert reader.read(phrase) == (whole if isinstance(whole, Unexpected) else whole.moves)


pieces = st.sampled_from(
    [
        *("6", "2", "F12", "i15", "F12-I15", "6 F12-I15", "2 J14-I14-I12", "end", "offer", '"a, b"', "take", "no"),
        *("dice", "1 2 3", "card", "+2", "-1", "hidden", "give", "red", "3", "place", "P19", "to", ";"),
    ]
)


@settings(max_examples=500)
@given(st.lists(pieces, min_size=1, max_size=6), st.sampled_from([" ", ", "]), st.integers(0, 5))
def test_a_phrase_of_nomadi_in_pieces_means_what_it_means_as_a_whole(several: list[str], between: str, at: int) -> None:
    phrase = between.join([" ".join(several[:at]), " ".join(several[at:])]).strip(", ")
    reader = Phrases(nomadi.NOTATION)
    whole = reader.parse(phrase)
    assert reader.read(phrase) == (whole if isinstance(whole, Unexpected) else whole.moves)


def test_camels_of_one_colour_are_remembered_one_by_one() -> None:
    reader = Phrases(NOTATION)
    assert reader.read("mint K8 K7, lilac A1") == (Camel("mint", "K8"), Camel("mint", "K7"), Camel("lilac", "A1"))
    assert set(reader.known) == {"mint K8", "mint K7", "lilac A1"}
