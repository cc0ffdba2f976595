"""`pbem demo`: a whole game by mail, in one folder, without a network."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from engine.game import PUBLIC
from notation import write_record
from pbem.demo.game_by_mail import SETTINGS, DemoPlan, DemoResult, play_by_post
from pbem.judging.record_replay import replay_record
from pbem.locale.catalogues import find_locale
from pbem.locale.languages import format_codes
from pbem.render import ENGLISH, Locale
from pbem.service.invitations import language_problem
from pbem.service.post_folder import CreatedPost, create_post
from pbem.terminal.arguments import AsJson, find_game
from pbem.terminal.board_file import draw_board, draw_options
from pbem.terminal.display import Progress
from pbem.terminal.post_file import store_errors
from pbem.terminal.report import Report, print_json
from pbem.terminal.summaries import game_data, headline, score_lines

if TYPE_CHECKING:
    from pbem.terminal.post_outputs import DemoJson

GAME = "through-the-desert"
FOLDER = Path("caravan-demo")


def demo(
    folder: Annotated[
        Path | None, typer.Argument(metavar="[FOLDER]", help="Where to put it.  [default: caravan-demo]")
    ] = None,
    *,
    name: Annotated[str, typer.Option("--game", metavar="GAME", help="The game to play.")] = GAME,
    seats: Annotated[
        int | None, typer.Option(metavar="N", help="How many play: 4 if the game allows it.", show_default=False)
    ] = None,
    seed: Annotated[str, typer.Option(metavar="S", help="Another seed, another game.")] = "1",
    language: Annotated[str, typer.Option(metavar="L", help=f"Write the mails in {format_codes()}.")] = ENGLISH.code,
    json: AsJson = False,
) -> None:
    """Play a whole game by mail in a folder, and show it.

    It makes a post in the folder, invites players, and plays a game to its end by letters: real mail files, which are
    read, judged and answered as at any post. Among them are an illegal move, a message to all and a question. The seed
    decides what the players do; dice and draws are the post's own. Nothing leaves the folder.
    """
    report = Report(json=json)
    game = find_game(name, report)
    seats = seats if seats is not None else min(4, max(game.players))
    if seats not in game.players:
        report.give_up(f"{game.title} is for {min(game.players)} to {max(game.players)} players, not {seats}")
    if (why := language_problem(language)) is not None:
        report.give_up(why)
    try:
        with store_errors(report), Progress("playing by post") as progress:
            post = _create(folder, language, report)

            def show_progress(done: int, total: int, what: str) -> None:
                progress.total = total
                progress.tell(done, what)

            shown = play_by_post(post, DemoPlan(game, game.seats[:seats], seed, language), show_progress)
    except OSError as problem:
        report.give_up(f"{problem.filename or folder}: {(problem.strerror or str(problem)).lower()}")
    _show(post.file.parent, shown, find_locale(language), report)


def _create(folder: Path | None, language: str, report: Report) -> CreatedPost:
    """A new post in the folder; if none is named, in the first folder that is free."""
    numbered = (FOLDER, *(Path(f"{FOLDER}-{number}") for number in range(2, 100)))
    for place in [folder] if folder is not None else numbered:
        post = create_post(place, {**SETTINGS, "post.language": language})
        if isinstance(post, CreatedPost):
            return post
    return report.give_up(f"{folder or FOLDER} holds a post already; name another folder for the demonstration")


def _show(folder: Path, shown: DemoResult, locale: Locale, report: Report) -> None:
    """Write the record and the last board into the folder, and say where everything is."""
    replayed = replay_record(shown.record)
    files = {"record": folder / "game.turns", "picture": folder / "board.png", "page": folder / "board.html"}
    files["record"].write_text(write_record(shown.record), encoding="utf-8", newline="\n")
    for name in ("picture", "page"):
        options = draw_options(replayed, locale=locale)
        files[name].write_bytes(draw_board(replayed, files[name].suffix, viewer=PUBLIC, options=options))
    if report.json:
        said: DemoJson = {
            "record": str(files["record"]),
            "picture": str(files["picture"]),
            "page": str(files["page"]),
            "settings": str(folder / "post.toml"),
            "letters_folder": str(folder / "letters"),
            "mailboxes": str(folder / "mailboxes"),
            "letters": shown.letters,
            "mails": shown.mails,
            "refusal": shown.refusal,
            **game_data(replayed),
        }
        print_json(said)
        return
    report.say(
        headline(replayed),
        *score_lines(replayed.score),
        "",
        f"{shown.letters} letters came from the players and {shown.mails} mails went to them."
        + (f" One illegal move was refused ({shown.refusal})." if shown.refusal else ""),
        "The record is, move for move, what they sent.",
        "",
        "Open in a browser:",
        *(f"  {what:<24} {page}" for what, page in _pages(shown)),
        f"  {'the last board':<24} {files['page']}",
        "",
        "Or look into:",
        f"  {'all letters, in order':<24} {folder / 'letters'}",
        f"  {'the mailboxes':<24} {folder / 'mailboxes'}, one Maildir each, for any mail program",
        f"  {'the record':<24} {files['record']}",
        "",
        "Try next:",
        f"  pbem replay {files['record']}",
        f"  pbem verify {files['record']} --mbox {_mailbox(folder)}",
        f"  pbem status --all --config {folder / 'post.toml'}",
        f"  pbem doctor --config {folder / 'post.toml'}",
    )


def _mailbox(folder: Path) -> Path:
    """The mailbox of one player, to verify the record with."""
    return min((folder / "mailboxes").iterdir())


def _pages(shown: DemoResult) -> list[tuple[str, Path]]:
    """One mail of each kind."""
    wanted = {
        "an invitation": "invitation",
        "a turn": "turn",
        "a receipt": "receipt",
        "a refusal": "refusal",
        "somebody else's move": "news",
        "the end of the game": "game-over",
    }
    found = []
    for what, kind in wanted.items():
        pages = next(filter(None, (player.mails.find(kind) for player in shown.players)), [])
        if pages:
            found.append((what, pages[len(pages) // 2]))
    return found
