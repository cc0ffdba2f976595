"""`pbem games`, `pbem rules` and `pbem rule`: which games there are, and by which rules they are played."""

from typing import TYPE_CHECKING, Annotated, Final

import typer

from engine import registry
from engine.game import GameRules, Option
from engine.verdict import Rule
from pbem.terminal.arguments import AsJson, GameKey, find_game, find_rule, find_rules
from pbem.terminal.display import shorten, wrap
from pbem.terminal.report import Report, print_json

if TYPE_CHECKING:
    from pbem.terminal.record_outputs import KnownGameJson, RuleJson, RulesJson

PACKAGES: Final = ("engine", "notation", "pbem", "templates")
"""Our top-level folders. Their names are common words, so another package may install folders of the same name."""


def games(*, json: AsJson = False) -> None:
    """List the games that can be played.

    Each with its key, players and editions of its rules, the seats for `pbem new --seat`, and what you can choose with
    `--option`. It also warns when another installed package has overwritten parts of this one.
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
        names = "edition " + ", ".join(each.edition for each in editions)
        report.say(f"{report.colour.paint(key, 'bold')}  {game.title}, {people}, rules {names}", *_set_up(game))
        report.add(_game_data(game, [each.edition for each in editions]))
    for name in registry.refused_keys():
        from pbem.contract.checks_of_facts import KEY_RULE  # only where something is wrong

        report.problem(f"a package offers a game under the name {name!r}, which is not a key; {KEY_RULE}", misuse=False)
    for name in _overwritten():
        advice = "give pbem an environment of its own (pipx, uv tool)"
        report.problem(f"another package also installs a folder called {name}; {advice}", misuse=False)
    report.end()


def _set_up(game: GameRules) -> list[str]:
    """The seats and the options, a line each."""
    lines = [("seats", ", ".join(game.seats)), *((option.name, _about(option)) for option in game.options)]
    wide = max(len(name) for name, _ in lines)
    return [f"    {name:<{wide}}  {about}" for name, about in lines]


def _about(option: Option) -> str:
    if option.drawn:
        return f"{option.about}  [default: drawn]"
    return f"{option.about}  [default: {option.default}]" if option.default else option.about


def _game_data(game: GameRules, editions: list[str]) -> "KnownGameJson":
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
    return [name for name in PACKAGES if len(set(owners.get(name, ()))) > 1]


def rules(
    game: GameKey,
    *,
    edition: Annotated[str | None, typer.Option(help="An edition of the rules.  [default: the newest]")] = None,
    rulings: Annotated[bool, typer.Option("--rulings", help="Only what we decided ourselves, each with why.")] = False,
    json: AsJson = False,
) -> None:
    """List the rules of a game, each with its code.

    `--rulings` lists those where the rulebook leaves room and we decided: what it says, and what our reason is. `pbem
    rule CODE` prints one rule with examples and its place in the rulebook.
    """
    report = Report(json=json)
    found = find_game(game, report, edition=edition)
    if json:
        listed: RulesJson = {
            "game": found.key,
            "edition": found.edition,
            "rules": [_rule_data(rule) for rule in found.rules if rule.ruling or not rulings],
        }
        print_json(listed)
        return
    report.say(report.colour.paint(f"{found.title}, edition {found.edition} of the rules", "bold"), "")
    for each in found.rules:
        if each.ruling or not rulings:
            report.say(f"{report.colour.paint(each.code, 'bold')} {each.name}{' (ruling)' if each.ruling else ''}")
            report.say(*wrap(each.text, indent="    "), *(_origin(each, indent="    ") if rulings else ()), "")
    if rulings and not any(each.ruling for each in found.rules):
        report.say("The rulebook says everything; we decided nothing.")


def rule(
    code: Annotated[str, typer.Argument(metavar="CODE", help="A code such as TD-C3, RC-T1 or NT-M1.")],
    *,
    game: Annotated[str | None, typer.Option(help="A game, to find its rule by a word instead of a code.")] = None,
    json: AsJson = False,
) -> None:
    """Print one rule, and a move that breaks it beside one that obeys.

    It finds the rules of the games, of the post (PO-), of records (RC-) and of the notation (NT-). With `--game` it
    finds a rule of that game by a word in any of our languages, as players do by mail, and names others about it.
    """
    report = Report(json=json)
    found, *others = [find_rule(code, report)] if game is None else find_rules(game, code, report)
    if json:
        print_json(_rule_data(found))
        return
    report.say(f"{report.colour.paint(found.code, 'bold')} {found.name}", "")
    report.say(*wrap(found.text, indent="  "), "")
    if found.breaks:
        report.say(f"  {report.colour.paint('breaks it:', 'red')} {shorten(found.breaks, indent=13)}")
    report.say(f"  {report.colour.paint('obeys it:', 'green')}  {shorten(found.obeys, indent=13)}", "")
    report.say(*_origin(found, indent="  "))
    if others:
        report.say("", *wrap(f"See also: {', '.join(each.code for each in others)}.", indent="  "))


def _origin(rule: Rule, *, indent: str) -> list[str]:
    """Where a rule comes from: its place in the rulebook, and for a ruling what stands there and why we decided so."""
    if rule.ruling is None:
        return wrap(f"{rule.source}.", indent=indent)
    book = f"{rule.source}: {rule.ruling.book}" if rule.ruling.book else f"{rule.source}."
    return [*wrap(book, indent=indent), *wrap(f"Our ruling: {rule.ruling.why}", indent=indent)]


def _rule_data(rule: Rule) -> "RuleJson":
    return {
        "code": rule.code,
        "name": rule.name,
        "text": rule.text,
        "source": rule.source,
        "breaks": rule.breaks,
        "obeys": rule.obeys,
        "ruling": rule.ruling is not None,
        "book": rule.ruling.book if rule.ruling else "",
        "why": rule.ruling.why if rule.ruling else "",
    }
