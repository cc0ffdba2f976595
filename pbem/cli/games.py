"""`pbem games`: which games there are, and whether this installation is sound."""

from typing import Any

from engine import registry
from engine.game import Game, Option
from pbem.terminal.arguments import AsJson
from pbem.terminal.report import Report

OURS = ("engine", "notation", "pbem", "templates")
"""Our folders are common words; another package could bring the same names and overwrite ours."""


def games(*, json: AsJson = False) -> None:
    """List the games that can be played.

    Each with its key, its players and the editions of its rules, the seats to give to `pbem new --seat`, and what can
    be chosen by `--option` when a table is laid. It also warns when another installed package has written over
    parts of this one.
    """
    report = Report(json=json)
    known = registry.game_keys()
    for key in known:
        editions = registry.list_editions(key)
        if not editions:
            report.problem(f"the package that offers {key} holds no game; reinstall or remove it", misuse=False)
            continue
        game = editions[-1]
        fewest, most = min(game.players), max(game.players)
        people = f"{fewest} players" if fewest == most else f"{fewest} to {most} players"
        rules = "edition " + ", ".join(each.edition for each in editions)
        report.say(f"{report.colour.paint(key, 'bold')}  {game.title}, {people}, rules {rules}", *_set_up(game))
        report.add(_describe(game, [each.edition for each in editions]))
    for name in registry.refused_keys():
        from pbem.contract.checks_of_facts import KEY_RULE  # only where something is wrong

        report.problem(f"a package offers a game under the name {name!r}, which is not a key; {KEY_RULE}", misuse=False)
    for name in _overwritten():
        advice = "give pbem an environment of its own (pipx, uv tool)"
        report.problem(f"another package also installs a folder called {name}; {advice}", misuse=False)
    report.end()


def _set_up(game: Game[Any]) -> list[str]:
    """The seats, and what can be chosen before a game begins, a line each."""
    lines = [("seats", ", ".join(game.seats)), *((option.name, _tell(option)) for option in game.options)]
    wide = max(len(name) for name, _ in lines)
    return [f"    {name:<{wide}}  {about}" for name, about in lines]


def _tell(option: Option) -> str:
    if option.drawn:
        return f"{option.about}  [default: drawn]"
    return f"{option.about}  [default: {option.default}]" if option.default else option.about


def _describe(game: Game[Any], editions: list[str]) -> dict[str, Any]:
    return {
        "key": game.key,
        "title": game.title,
        "players": list(game.players),
        "seats": list(game.seats),
        "editions": editions,
        "options": [
            {"name": option.name, "about": option.about, "default": option.default, "drawn": option.drawn}
            for option in game.options
        ],
    }


def _overwritten() -> list[str]:
    from importlib.metadata import packages_distributions  # slow: it reads the list of everything installed

    owners = packages_distributions()
    return [name for name in OURS if len(set(owners.get(name, ()))) > 1]
