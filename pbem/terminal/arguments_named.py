"""Arguments that several commands share, so that they are named and explained alike."""

from typing import Annotated, TypeAlias

import typer

Files: TypeAlias = Annotated[
    list[str], typer.Argument(metavar="FILE...", help="Record files; - reads standard input.", show_default=False)
]
File: TypeAlias = Annotated[
    str, typer.Argument(metavar="FILE", help="A record file; - reads standard input.", show_default=False)
]
GameKey: TypeAlias = Annotated[
    str, typer.Argument(metavar="GAME", help="The key of a game, as `pbem games` lists it.", show_default=False)
]
AsJson: TypeAlias = Annotated[bool, typer.Option("--json", help="Print JSON and nothing else.")]
AtTurn: TypeAlias = Annotated[
    int | None, typer.Option("--at", min=0, metavar="N", help="After turn N.  [default: the last]", show_default=False)
]
Which: TypeAlias = Annotated[
    int, typer.Option("--game", min=1, metavar="K", help="The K-th game of a file that holds several.")
]
