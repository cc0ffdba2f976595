"""The pages of a site: a game in one language, and the list of all games. What is given here is public already."""

import json
from collections.abc import Sequence
from functools import cache
from hashlib import sha256
from importlib.resources import files
from typing import Any, Final, NamedTuple

from notation import END
from pbem.locale.catalogues import Locale
from pbem.locale.languages import LANGUAGES
from pbem.mail.writing.sentences import Sentences, join_words
from pbem.render.environment import environment
from pbem.render.players import show_name
from pbem.render.plots import plot_lines
from pbem.web.drawing import NARROW, PANEL, WIDE, DrawnGame, draw_game, seat_colour
from pbem.web.frames import MAIN, Game
from pbem.web.patches import NodeTable
from pbem.web.telling import EntryTeller, count_points

HASHED: Final = 12


class OwnMarkup(str):
    """What templates of drawings, or JSON, have escaped already: it stands in a page as it is."""

    __slots__ = ()

    def __html__(self) -> str:
        """As the templates of pages ask for it."""
        return str(self)


class Asset(NamedTuple):
    """A file that pages share; its name tells its content, so that browsers may keep it for ever."""

    path: str
    content: bytes


class ListedGame(NamedTuple):
    """A game in the list of all games."""

    name: str
    heading: str
    title: str
    players: str
    state: str
    date: str
    runs: bool


class ToldMove(NamedTuple):
    """An entry in the list of moves."""

    at: int
    name: str
    number: str
    who: str
    says: str
    notation: str
    glyphs: str
    comments: tuple[str, ...]
    variations: "tuple[tuple[ToldMove, ...], ...]"


class GamePage(NamedTuple):
    """A game in one language: its page, what it needs beside it, and how it stands in the list."""

    page: str
    style: Asset
    listed: ListedGame


def make_asset(stem: str, ending: str, content: str) -> Asset:
    """A shared file with a name of its own for each content."""
    encoded = content.encode()
    return Asset(f"a/{stem}-{sha256(encoded).hexdigest()[:HASHED]}.{ending}", encoded)


@cache
def own_asset(name: str) -> Asset:
    """One of the files of `templates/web`."""
    stem, _, ending = name.partition(".")
    return make_asset(stem, ending, files("templates").joinpath("web", name).read_text("utf-8"))


def write_game(game: Game, name: str, sentences: Sentences) -> GamePage:
    """The page of a game, which is called `name` in addresses."""
    locale, teller = sentences.locale, EntryTeller(game, sentences)
    drawn = draw_game(game, sentences, teller.names)
    style = make_asset(game.rules.key, "css", "\n".join(each for each in drawn.styles if each))
    listed = _list_game(game, name, sentences, teller)
    by_turn = _points_by_turn(game)
    players = [teller.names[seat] for seat in game.record.seats]
    page = environment(locale).get_template("web/game.html")
    return GamePage(
        page.render(
            locale=locale,
            languages=LANGUAGES,
            name=name,
            title=f"{listed.heading} · {listed.title}",
            heading=listed.heading,
            subtitle=f"{listed.title} · {listed.state}" if listed.state else listed.title,
            styles=[own_asset("site.css").path, style.path],
            script=own_asset("viewer.js").path,
            wide=OwnMarkup(drawn.latest[WIDE]),
            narrow=OwnMarkup(drawn.latest.get(NARROW, "")),
            panel=OwnMarkup(drawn.latest[PANEL]),
            plot=OwnMarkup(_draw_points(game, by_turn, teller, locale)),
            players=players,
            by_turn=by_turn,
            entries=_tell_line(game, teller, MAIN),
            last=game.length - 1,
            runs=listed.runs,
            data=OwnMarkup(_page_data(game, drawn)),
        ),
        style,
        listed,
    )


def write_index(listed: Sequence[ListedGame], locale: Locale) -> str:
    """The list of all games, the latest first."""
    ordered = sorted(listed, key=lambda game: game.date, reverse=True)
    return (
        environment(locale)
        .get_template("web/index.html")
        .render(
            locale=locale,
            languages=LANGUAGES,
            name="index",
            title=str(_words(locale).all_games()),
            styles=[own_asset("site.css").path],
            script=own_asset("index.js").path,
            running=[game for game in ordered if game.runs],
            finished=[game for game in ordered if not game.runs],
        )
    )


def _words(locale: Locale) -> Any:
    return environment(locale).get_template("web/words.txt").module


def _list_game(game: Game, name: str, sentences: Sentences, teller: EntryTeller) -> ListedGame:
    score, seats = game.rules.score(game.latest.position), game.record.seats
    runs = not game.result.finished
    winners = [teller.names[seat] for seat in score.winners]
    if runs:
        state = str(_words(sentences.locale).turn_now(game.rules.turn(game.latest.position)))
    elif winners:
        state = sentences.say("head_won", join_words(winners, sentences))
    else:
        state = sentences.say("head_over")
    return ListedGame(
        name,
        show_name(game.id) or sentences.gettext(game.rules.title),
        sentences.gettext(game.rules.title),
        join_words([teller.names[seat] for seat in seats], sentences),
        state,
        show_name(game.record.header("Date") or ""),
        runs,
    )


def _tell_line(game: Game, teller: EntryTeller, line: int) -> tuple[ToldMove, ...]:
    """The entries of the game itself, or of a variation, each with the variations beside it."""
    return tuple(
        _tell(game, teller, at)
        for at, frame in enumerate(game.frames)
        if frame.line == line and frame.entry is not None
    )


def _tell(game: Game, teller: EntryTeller, at: int) -> ToldMove:
    frame, told = game.frames[at], teller.tell(at)
    entry = frame.entry
    who = entry.who if entry is not None else ""
    return ToldMove(
        at,
        frame.name,
        "" if who == END else str(frame.turn),
        who if who in game.record.seats else "",
        told.words,
        "" if told.notation in told.words or who == END else told.notation,
        told.glyphs,
        told.comments,
        tuple(_tell_line(game, teller, line) for line in frame.above),
    )


def _draw_points(
    game: Game, by_turn: Sequence[tuple[int, tuple[int | None, ...]]], teller: EntryTeller, locale: Locale
) -> str:
    """The points by turn as a plot; nothing before there are two turns."""
    series = {
        seat: [(turn, value) for turn, points in by_turn if (value := points[index]) is not None]
        for index, seat in enumerate(game.record.seats)
    }
    plot = plot_lines(series, teller.names)
    if plot is None:
        return ""
    template, title = environment(locale).get_template("web/plot.svg"), str(_words(locale).points_by_turn())
    return template.render(plot=plot, title=title, last=by_turn[-1][0], colour=seat_colour)


def _points_by_turn(game: Game) -> list[tuple[int, tuple[int | None, ...]]]:
    """What all seats have after each turn, from before the first."""
    last = {frame.turn if frame.entry is not None else 0: frame for frame in game.frames[: game.length]}
    known: dict[int, tuple[int | None, ...]] = {}
    for turn in range(max(last, default=0) + 1):
        known[turn] = count_points(game, last[turn]) if turn in last else known[turn - 1]
    return list(known.items())


def _page_data(game: Game, drawn: DrawnGame) -> str:
    """What the viewer needs to know, as JSON that cannot end the element it stands in."""
    nodes = NodeTable(patch for some in drawn.patches.values() for patch in some)
    patches = {way: [nodes.write(patch) for patch in some] for way, some in drawn.patches.items()}
    parents = [frame.parent for frame in game.frames]
    facts = {"last": game.length - 1, "parents": parents, "patches": patches, "nodes": nodes.shared}
    return json.dumps(facts, ensure_ascii=False, separators=(",", ":")).replace("</", "<\\/").replace("<!", "\\u003c!")
