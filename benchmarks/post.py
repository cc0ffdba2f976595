"""The post: letters from received to committed, with all mails that follow from them written, on one core.

Beside it, in the same rounds, how many of the same letters a local Postfix accepts in a second, how many of the mails
that follow from them, how often the disk alone lets a small change be made durable, and how often a picture alone can
be packed and made durable. All by the wall clock, for waiting for the disk is part of the work.
"""

import os
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from typing import Final

from benchmarks import bare, postfix
from benchmarks.letters_by_post import open_post, receive, script, take_mails, write_game
from benchmarks.measuring import Contender, Pace, Tell, race
from benchmarks.sizes import Sizes
from benchmarks.table import Row, Target
from pbem.workflow.context import PostContext
from pbem.workflow.handle_letter import handle_arrived_letters

EACH: Final = "letters to their fate, every seat told"
NEXT: Final = "letters to their fate, only the next player told"
POSTFIX: Final = "Postfix accepts, on one core"
FREE_POSTFIX: Final = "Postfix accepts, on all cores"
COMMITS: Final = "bare commits"
PICTURES: Final = "bare pictures, packed and committed"
WRITTEN: Final = "mails written"
CARRIED: Final = "Postfix accepts such mails, on one core"


def measure(sizes: Sizes, tell: Tell) -> Iterator[Row]:
    """Our letters beside Postfix's, and beside the bare commits of the disk."""
    with ExitStack() as stack:
        home = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="post-")))
        ports = {}
        if postfix.is_here():
            # A program stays on the cores of whoever starts it: this one may use all of them, the other has ours.
            ports[FREE_POSTFIX] = stack.enter_context(postfix.running())
        _stay_on_one_core(stack)
        if postfix.is_here():
            ports[POSTFIX] = stack.enter_context(postfix.running())
        tell("two games, to be warm")
        letters, mails = _play_once(home / "warm-each", "each", sizes.letters)
        amounts = {EACH: len(mails), NEXT: len(_play_once(home / "warm-turn", "turn", sizes.letters)[1])}
        contenders = [
            _ours(EACH, "each", home, len(letters), stack),
            _ours(NEXT, "turn", home, len(letters), stack),
            _bare(COMMITS, bare.commit_all, home / "commits", letters),
            _bare(PICTURES, bare.pack_and_commit_all, home / "pictures", bare.take_pictures(mails)),
        ]
        if not ports:
            tell("no Postfix can be started here, so there is none to compare with")
        contenders += [
            Contender(name, len(letters), partial(postfix.hand_over, port), lambda _: letters, len(letters))
            for name, port in ports.items()
        ]
        if ports:
            carry = partial(postfix.hand_over_all, ports[POSTFIX])
            contenders.append(Contender(CARRIED, len(mails), carry, lambda _: mails, len(mails)))
        paces = race(contenders, rounds=sizes.rounds, tell=tell, clock=time.perf_counter)
    yield from _rows(paces)
    if CARRIED in paces:
        for what, written in amounts.items():
            ours = paces[what]._replace(amount=written)
            name = what.replace("letters to their fate", WRITTEN)
            yield Row.of_rates(name, "mails/s", ours=ours, peer=CARRIED, theirs=paces[CARRIED])


def _rows(paces: dict[str, Pace]) -> Iterator[Row]:
    for what, bound in ((EACH, 1), (NEXT, 3)):
        for peer in (POSTFIX, FREE_POSTFIX):
            if peer in paces:
                # Letters on one core are held to letters on one core.
                target = Target(bound, at_least=True) if peer == POSTFIX else None
                ours, theirs = paces[what], paces[peer]
                yield Row.of_rates(what, "letters/s", ours=ours, peer=peer, theirs=theirs, target=target)
        yield Row.of_rates(what, "letters/s", ours=paces[what], peer=COMMITS, theirs=paces[COMMITS])
    if POSTFIX in paces:
        yield Row.of_rates(PICTURES, "pictures/s", ours=paces[PICTURES], peer=POSTFIX, theirs=paces[POSTFIX])


def _stay_on_one_core(stack: ExitStack) -> None:
    """Keep this process, and what it starts from now on, to one core, where the system lets us choose."""
    if hasattr(os, "sched_setaffinity"):
        before = os.sched_getaffinity(0)
        os.sched_setaffinity(0, {max(before)})
        stack.callback(os.sched_setaffinity, 0, before)


def _play_once(folder: Path, notices: str, amount: int) -> tuple[list[bytes], list[bytes]]:
    """A game that is not timed: its letters, and the mails that followed from them."""
    context = open_post(folder, script(0), notices=notices)
    with context.store:
        letters = list(write_game(context, script(0)))[:amount]
        take_mails(context)  # those from before the first move
        receive(context, letters)
        _handle_all(context)
        return letters, take_mails(context)


def _ours(name: str, notices: str, home: Path, amount: int, stack: ExitStack) -> Contender:
    def prepare(number: int) -> PostContext:
        # What was set, drawn or packed for one game must not be found again in another.
        game = script(1 + 2 * number + (name == EACH))
        context = open_post(home / f"{notices}-{number}", game, notices=notices)
        stack.callback(context.store.close)
        receive(context, list(write_game(context, game))[:amount])
        return context

    return Contender(name, amount, _handle_all, prepare, amount)


def _bare(name: str, run: Callable[[bare.Ledger], int], folder: Path, contents: list[bytes]) -> Contender:
    folder.mkdir()
    amount = len(contents)
    return Contender(name, amount, run, lambda number: bare.open_ledger(folder / f"{number}.db", contents), amount)


def _handle_all(context: PostContext) -> int:
    return sum(outcome.fate == "applied" for outcome in handle_arrived_letters(context))
