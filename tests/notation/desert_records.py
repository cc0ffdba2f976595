"""Hypothesis strategies for records of Through the Desert: any well-formed record, legal or not."""

from hypothesis import strategies as st

from engine.through_the_desert.board import COLOURS
from engine.through_the_desert.moves import Camel, Leader, Pass, Remove
from notation import ABOVE, ANNOTATION, COMMENT, GLYPH, VARIATION, Ending, Entry, Record, Remark
from notation.headers import sort_headers

SEATS = ("red", "blue", "green", "orange", "cerise")

texts = st.text(max_size=12)
spaces = st.builds(lambda column, row: f"{column}{row}", st.sampled_from("ABCDEFGHIJKLMNOPQRSTUV"), st.integers(1, 13))
colours = st.sampled_from(COLOURS)
moves = st.one_of(
    st.builds(Camel, colours, spaces),
    st.builds(Leader, colours, spaces),
    st.builds(Remove, colours),
    st.just(Pass()),
)
endings = st.builds(
    Ending,
    st.just("abandoned"),
    st.lists(st.sampled_from(SEATS), max_size=2).map(tuple),
    texts,
)
glyphs = st.sampled_from(["!", "?", "!!", "??", "!?", "?!", "$7", "$255"])
annotations = st.from_regex(r"[a-z]+ ([^\]\\\n\x00-\x1f\x7f-\x9f\ud800-\udfff]|\\[\]\\]){0,9}", fullmatch=True)


def remarks(count: int, depth: int, lowest: int = 0) -> st.SearchStrategy[tuple[Remark, ...]]:
    """Remarks for an entry of so many moves, in their order."""
    kinds = [
        st.tuples(st.just(COMMENT), texts),
        st.tuples(st.just(GLYPH), glyphs),
        st.tuples(st.just(ANNOTATION), annotations),
    ]
    if depth:
        kinds.append(st.tuples(st.just(VARIATION), st.lists(entries(depth - 1), min_size=1, max_size=2).map(tuple)))
    places = st.integers(lowest, count)
    one = st.builds(lambda at, said: Remark(at, *said), places, st.one_of(kinds))
    return st.lists(one, max_size=2).map(lambda some: tuple(sorted(some, key=lambda remark: remark.at)))


@st.composite
def entries(draw: st.DrawFn, depth: int = 1) -> Entry:
    """A seat's turn, or the end."""
    number = draw(st.none() | st.integers(0, 999_999))
    if draw(st.integers(0, 9)) == 0:
        return Entry(number, "end", (draw(endings),), draw(remarks(1, depth, ABOVE)))
    said = tuple(draw(st.lists(moves, min_size=1, max_size=3)))
    return Entry(number, draw(st.sampled_from([*SEATS, "*"])), said, draw(remarks(len(said), depth, ABOVE)))


@st.composite
def records(draw: st.DrawFn) -> Record:
    """A record with its headers in canonical order."""
    names = st.from_regex(r"[A-Z][a-z]{0,5}(-[A-Z])?", fullmatch=True)
    headers = {
        "Format": "1",
        "Game": "through-the-desert",
        **{f"Seat.{seat}": draw(texts) for seat in draw(st.permutations(SEATS))[: draw(st.integers(0, 5))]},
        **draw(st.dictionaries(names.filter(lambda name: name not in ("Format", "Game")), texts, max_size=3)),
    }
    body = tuple(draw(st.lists(entries(), max_size=4)))
    afterword = draw(remarks(0, 1)) if body else ()
    return Record(sort_headers(headers.items()), body, tuple(remark._replace(at=ABOVE) for remark in afterword))
