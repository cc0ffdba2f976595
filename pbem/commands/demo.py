"""`pbem demo`: a first look at everything, in one folder."""

from pathlib import Path
from typing import Annotated

import typer

from engine.game import PUBLIC
from notation import write_record
from pbem.commands.sample import make
from pbem.console.arguments import AsJson
from pbem.console.lookup import find_game
from pbem.console.pictures import draw, wish
from pbem.console.report import give_up, print_json
from pbem.console.telling import describe_hearing, headline, standings
from pbem.referee.listening import hear


def demo(
    folder: Annotated[Path, typer.Argument(metavar="FOLDER", help="Where to put it.")] = Path("caravan-demo"),
    *,
    seed: Annotated[str, typer.Option(metavar="S", help="Another seed, another game.")] = "1",
    json: AsJson = False,
) -> None:
    """Play a sample game and draw its board.

    Four random players play Through the Desert to the end. The record is replayed and judged, and lands in the
    folder with a picture of the last board and a page to open in a browser.
    """
    record = make(find_game("through-the-desert"), 4, seed)
    heard = hear(record)
    files = {
        "record": folder / "game.turns",
        "picture": folder / "board.png",
        "page": folder / "board.html",
    }
    try:
        folder.mkdir(parents=True, exist_ok=True)
        files["record"].write_text(write_record(record), encoding="utf-8", newline="\n")
        for name in ("picture", "page"):
            files[name].write_bytes(draw(heard, files[name].suffix, viewer=PUBLIC, wishes=wish(heard)))
    except OSError as problem:
        give_up(f"{folder}: cannot be written; {(problem.strerror or str(problem)).lower()}")
    if json:
        print_json({**{name: str(path) for name, path in files.items()}, **describe_hearing(heard)})
        return
    game = files["record"]
    for line in (
        headline(heard),
        *standings(heard.score),
        "",
        f"the record   {game}",
        f"the board    {files['picture']}",
        f"as a page    {files['page']}",
        "",
        "Try next:",
        f"  pbem replay {game}",
        f"  pbem show {game} --at 40 -o board.svg",
        f"  pbem validate {game}",
        "  pbem rules through-the-desert",
    ):
        typer.echo(line)
