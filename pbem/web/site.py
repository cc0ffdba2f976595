"""The files of a site: what stands where, for some games and all languages. Nothing is written here."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final, NamedTuple

from notation import Record, write_record
from pbem.judging.result import ReplayResult
from pbem.locale.catalogues import find_locale
from pbem.locale.languages import LANGUAGE_CODES
from pbem.mail.writing.sentences import find_sentences
from pbem.render.environment import environment
from pbem.web.frames import Game, watch_game
from pbem.web.pages import GamePage, ListedGame, own_asset, write_game, write_index

FIRST_PAGE: Final = "index.html"
_UNSAFE: Final = re.compile(r"[^A-Za-z0-9_-]+")
LONGEST_NAME: Final = 60


class SitePages(NamedTuple):
    """The pages of one game in all languages, by language."""

    name: str
    game: Game
    pages: Mapping[str, GamePage]


def name_game(record: Record, taken: Iterable[str]) -> str:
    """What a game is called in addresses: by its id, without what an address or a file system minds."""
    given = record.header("Id") or record.header("Game") or ""
    wanted = _UNSAFE.sub("-", given).strip("-")[:LONGEST_NAME] or "game"
    others, number, name = {each.casefold() for each in taken}, 2, wanted
    while name.casefold() in others or name.casefold() == "index":
        name, number = f"{wanted}-{number}", number + 1
    return name


def make_pages(record: Record, name: str, codes: Sequence[str] = LANGUAGE_CODES) -> "SitePages | ReplayResult":
    """A game in all languages, or in some; the refusal if the record is not legal."""
    game = watch_game(record)
    if isinstance(game, ReplayResult):
        return game
    pages = {code: write_game(game, name, find_sentences(find_locale(code), game.rules.key)) for code in codes}
    return SitePages(name, game, pages)


def game_files(made: SitePages) -> Iterator[tuple[str, bytes]]:
    """The files of one game."""
    yield f"{made.name}.turns", write_record(made.game.record).encode()
    for code, page in made.pages.items():
        yield page.style.path, page.style.content
        yield f"{code}/{made.name}.html", page.page.encode()


def shared_files(listed: Mapping[str, list[ListedGame]]) -> Iterator[tuple[str, bytes]]:
    """What the whole site needs once: the lists of games by language, the first page, scripts and styles."""
    for name in ("viewer.js", "index.js", "site.css"):
        yield own_asset(name).path, own_asset(name).content
    for code in LANGUAGE_CODES:
        yield f"{code}/index.html", write_index(listed.get(code, []), find_locale(code)).encode()
    yield FIRST_PAGE, _first_page()


def _first_page() -> bytes:
    return environment(find_locale("en")).get_template("web/first.html").render().encode()
