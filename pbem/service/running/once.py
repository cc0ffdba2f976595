"""One round of the clerk, for those who have no service running: a pipe that handles what it takes, or a timetable."""

from dataclasses import dataclass

from pbem.clerk.clocks.ticking import Ticked, make_amends, tick
from pbem.clerk.incoming.handling import Outcome, work
from pbem.clerk.office import Office
from pbem.service.running.sending import forget_old_mails


@dataclass(frozen=True, slots=True)
class Worked:
    """What a round has done."""

    letters: tuple[Outcome, ...]
    clocks: tuple[Ticked, ...]


def work_once(office: Office) -> Worked:
    """Handle the letters that have come, look at the clocks, then at letters that need not wait any longer.

    Whoever wrote in time is heard before the clock is. But time that the post has slept is given back first: a turn
    that a letter begins only now has lost none.
    """
    given_back = make_amends(office)
    first = tuple(work(office))
    clocks = (*given_back, *tick(office))
    worked = Worked((*first, *work(office)), clocks)
    forget_old_mails(office)
    return worked
