"""`pbem compact`: make the database smaller."""

from typing import TYPE_CHECKING

from pbem.service.lock import PostBusyError
from pbem.service.room import MEGABYTE
from pbem.service.room import compact as write_anew
from pbem.terminal.arguments import AsJson
from pbem.terminal.post_file import Config, load_settings, store_errors
from pbem.terminal.report import Report

if TYPE_CHECKING:
    from pbem.terminal.post_outputs import CompactedJson


def compact(*, config: Config = None, json: AsJson = False) -> None:
    """Write the database again, without its empty room.

    You need it once, for a post that an older release made: its file could not shrink. From then on, as in every new
    post, the service gives room back by itself. Stop the post first. For a while it takes twice as much disk as what is
    left, in the folder of the database; it takes a second or two for 100 MB. Letters that come meanwhile wait.
    """
    report = Report(json=json)
    settings = load_settings(config, report)
    try:
        with store_errors(report):
            done = write_anew(settings)
    except PostBusyError as reason:
        report.give_up(f"{reason}; stop it first", misuse=False)
    if isinstance(done, str):
        report.give_up(done, misuse=False)
    report.say(f"{done.before / MEGABYTE:,.1f} MB before, {done.after / MEGABYTE:,.1f} MB now")
    said: CompactedJson = {"before": done.before, "after": done.after}
    report.add(said)
    report.end()
