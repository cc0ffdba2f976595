"""`pbem person`: the people of a post, and what is kept of them."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final, TypeAlias

import typer

from notation.faults import printable
from pbem.service.lock import take_lock
from pbem.service.person_acts import (
    KnownPerson,
    change_address,
    export_person,
    find_known,
    find_people,
    find_words_about,
    forget,
    merge_people,
)
from pbem.service.post_folder import open_post
from pbem.terminal.arguments import AsJson
from pbem.terminal.groups import list_group
from pbem.terminal.output_file import write_output
from pbem.terminal.post_file import Config, load_settings, store_errors
from pbem.terminal.report import Report
from pbem.workflow.context import PostContext

if TYPE_CHECKING:
    from pbem.terminal.post_outputs import ExportedJson, PersonJson

Who: TypeAlias = Annotated[str, typer.Argument(metavar="WHO", help="An id, an address or a name.", show_default=False)]

person: Final = list_group(
    """List, show, export, merge or forget people.

    A person is one at all tables. Addresses are shown to nobody but you. Without a sub-command it lists everybody.
    """
)


@person.command("list")
def list_people(*, config: Config = None, json: AsJson = False) -> None:
    """List everybody, longest here first."""
    report = Report(json=json)
    settings = load_settings(config, report)
    with store_errors(report), open_post(settings, reads=True) as context, context.store.reading() as transaction:
        found = find_people(transaction)
    for each in found:
        report.say(_headline(each))
        report.add(_person_data(each))
    if not found:
        report.say("nobody is known here")
    report.end()


@person.command("show")
def show_person(who: Who, *, config: Config = None, json: AsJson = False) -> None:
    """Print what is kept of a person."""
    report = Report(json=json)
    settings = load_settings(config, report)
    with store_errors(report), open_post(settings, reads=True) as context:
        known = _find(context, who, report)
    report.say(_headline(known))
    report.say(*(f"  {printable(address)}" for address in known.addresses))
    report.say(*(f"  {what}: {printable(value)}" for what, value in known.wishes.items()))
    report.say(f"  tables: {', '.join(known.tables) or 'none'}")
    report.say(f"  answers: {_say_answers(known)}")
    report.add(_person_data(known))
    report.end()


@person.command("export")
def export_all(
    who: Who,
    *,
    output: Annotated[
        Path, typer.Option("--output", "-o", metavar="F", help="Write the archive to this file.", show_default=False)
    ],
    config: Config = None,
    json: AsJson = False,
) -> None:
    """Write all that is kept of a person to a zip archive: rows, letters, mails, records."""
    report = Report(json=json)
    settings = load_settings(config, report)
    with store_errors(report), open_post(settings, reads=True) as context:
        known = _find(context, who, report)
        packed = export_person(context, known)
    write_output(output, packed, report, private=True)
    said: ExportedJson = {"person": known.person.id, "file": str(output), "bytes": len(packed)}
    report.add(said)
    report.end()


@person.command("merge")
def merge(who: Who, into: Who, *, config: Config = None, json: AsJson = False) -> None:
    """Make two people one: the first becomes the second, who keeps name and wishes."""
    report = Report(json=json)
    settings = load_settings(config, report)
    with store_errors(report), take_lock(settings, "person"), open_post(settings) as context:
        one, other = _find(context, who, report), _find(context, into, report)
        if why := merge_people(context, one, other):
            report.give_up(why, misuse=False)
        with context.store.reading() as transaction:
            known = find_known(transaction, other.person.id) or other
    report.say(f"{one.person.id} is {_headline(known)} from now on")
    report.add(_person_data(known))
    report.end()


@person.command("address")
def give_address(
    who: Who,
    new: Annotated[str, typer.Argument(metavar="NEW", help="The new address.", show_default=False)],
    *,
    config: Config = None,
    json: AsJson = False,
) -> None:
    """Let a person's mails go to another address, because the old one is dead.

    The first time, the old address is told and can say no. After seven days, the same again makes the change; it can be
    undone from the old address for a week.
    """
    report = Report(json=json)
    settings = load_settings(config, report)
    with store_errors(report), take_lock(settings, "person"), open_post(settings) as context:
        known = _find(context, who, report)
        waits = change_address(context, known, new)
        if isinstance(waits, str):
            report.give_up(printable(waits), misuse=False)
        known = _find(context, known.person.id, report)
    said = f"mails go to {printable(new)}" if waits is None else f"told; say it again after {waits:%Y-%m-%d %H:%M} UTC"
    report.say(f"{_headline(known)}: {said}")
    report.add(_person_data(known))
    report.end()


@person.command("forget")
def forget_for_good(
    who: Who,
    *,
    sure: Annotated[bool, typer.Option("--yes", help="Do it; without this you are told what would happen.")] = False,
    words: Annotated[bool, typer.Option("--words", help="Withhold words of others, too, that have the name.")] = False,
    config: Config = None,
    json: AsJson = False,
) -> None:
    """Forget a person for good: name, addresses, wishes, letters and mails.

    Without --yes nothing happens: you are told what would, and where others have written the name as a word. Read there
    whom they meant; --words withholds these words, where they are sealed. Records verify without them.
    """
    report = Report(json=json)
    settings = load_settings(config, report)
    with store_errors(report), take_lock(settings, "person"), open_post(settings) as context:
        known = _find(context, who, report)
        if known.person.state == "forgotten":
            report.give_up(f"{known.person.id} is forgotten already", misuse=False)
        with context.store.reading() as transaction:
            about = find_words_about(transaction, known)
        if sure:
            forget(context, known, words=words)
    live = f"; games given up: {', '.join(known.live)}" if known.live else ""
    said = (
        f"{known.person.id} is forgotten{live}" if sure else f"{_headline(known)} would be forgotten{live}; add --yes"
    )
    report.say(said)
    withheld = "withheld" if sure and words else "still there" if sure else "withheld with --words"
    report.say(
        *(f"  the name stands in words of others: {each.game}, event {each.event}; {withheld}" for each in about)
    )
    report.add(_person_data(known))
    report.end()


def _find(context: PostContext, who: str, report: Report) -> KnownPerson:
    with context.store.reading() as transaction:
        known = find_known(transaction, who)
    if known is None:
        report.give_up(f"nobody here is {printable(who)}; `pbem person` lists everybody", misuse=False)
    return known


def _headline(known: KnownPerson) -> str:
    name = printable(known.person.name) or "nobody"
    who = known.person
    return f"{who.id}  {name}, {who.state} since {who.since:%Y-%m-%d}, {len(known.live)} games that go on"


def _say_answers(known: KnownPerson) -> str:
    counts = known.answers
    said = {"late": counts.late, "missed": counts.missed, "missed and excused": counts.excused}
    said |= {"games left early": counts.left}
    rest = "".join(f", {count} {what}" for what, count in said.items() if count)
    return f"{counts.answers}, {counts.on_time} on time{rest}"


def _person_data(known: KnownPerson) -> "PersonJson":
    return {
        "person": known.person.id,
        "name": known.person.name,
        "state": known.person.state,
        "since": known.person.since.isoformat(),
        "addresses": list(known.addresses),
        "wishes": known.wishes,
        "tables": list(known.tables),
        "live": list(known.live),
        "answers": {
            "on_time": known.answers.on_time,
            "late": known.answers.late,
            "missed": known.answers.missed,
            "excused": known.answers.excused,
            "games_left": known.answers.left,
        },
    }
