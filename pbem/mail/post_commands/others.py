"""Commands about other people: invite, challenge, play again, wait for a game, watch a table, block somebody."""

import re
from dataclasses import dataclass, replace
from typing import Final

from pbem.mail.commands.command import CommandFamily, verb
from pbem.mail.commands.vocabulary import patterns
from pbem.mail.post_commands.reader import PostCommand
from pbem.mail.post_commands.tables import OpenTable, read_table


@dataclass(frozen=True, slots=True)
class Invite(PostCommand):
    """Offer a place at a table to somebody, by address or by name."""

    who: str
    table: str = ""

    def format(self) -> str:
        """The word, whom, and the name of the table."""
        return f"invite {self.who} to {self.table}" if self.table else f"invite {self.who}"


@dataclass(frozen=True, slots=True)
class Challenge(PostCommand):
    """Open a table for somebody and oneself."""

    who: str
    wanted: OpenTable

    def format(self) -> str:
        """The word, whom, and what should be played."""
        return f"challenge {self.who} at {self.wanted.format().removeprefix('open ')}"


@dataclass(frozen=True, slots=True)
class Rematch(PostCommand):
    """Play the same again, with the same people."""

    table: str = ""

    def format(self) -> str:
        """The word and the name of the table that is over."""
        return f"rematch {self.table}".rstrip()


@dataclass(frozen=True, slots=True)
class WaitFor(PostCommand):
    """Be told when a table for a game is opened."""

    game: str | None
    on: bool = True

    def format(self) -> str:
        """The words and the game."""
        return f"{'wait' if self.on else 'stop waiting'} for {self.game or ''}".rstrip()


@dataclass(frozen=True, slots=True)
class Watch(PostCommand):
    """Get the public news of a table, or no more of them."""

    table: str
    on: bool = True

    def format(self) -> str:
        """The word and the name of the table."""
        return f"{'watch' if self.on else 'stop watching'} {self.table}".rstrip()


@dataclass(frozen=True, slots=True)
class Block(PostCommand):
    """Sit at no table with somebody, and hear nothing from them."""

    who: str
    on: bool = True

    def format(self) -> str:
        """The word and the name."""
        return f"{'block' if self.on else 'unblock'} {self.who}"


_ADDRESS: Final = re.compile(r"<?([^\s<>,;:]+@[^\s<>,;:]+[^\s<>,;:.!?])>?")
_TABLE: Final = re.compile(r"(?<![\w.@-])([a-z][a-z0-9]*-[0-9]+)(?![\w.@-])", re.IGNORECASE)


def _read_invitation(text: str) -> Invite:
    address, table = _ADDRESS.search(text), _TABLE.search(text)
    rest = text if table is None else text.replace(table[0], " ")
    return Invite(address[1] if address else _name_in(rest), table[1].lower() if table else "")


def _read_challenge(text: str) -> Challenge:
    wanted = read_table(text)
    return Challenge(_name_in(wanted.unread), replace(wanted, word="", unread=""))


def _name_in(text: str) -> str:
    """The name that is left when prepositions around it are gone."""
    words = text.split()
    small = re.compile(rf"(?:{patterns('words', 'around_name', FAMILY.words['around_name'])})", re.IGNORECASE)
    while words and small.fullmatch(words[-1]):
        words.pop()
    while words and small.fullmatch(words[0]):
        words.pop(0)
    return " ".join(words)


FAMILY: Final = CommandFamily(
    grammar="""
        invite: _INVITE REST
        challenge: _CHALLENGE REST
        rematch: _REMATCH NAME?
        wait_for: _WAIT_FOR REST
        stop_waiting: _STOP_WAITING REST?
        watch: _WATCH NAME
        stop_watching: _STOP_WATCHING NAME?
        block: _BLOCK CALLED
        unblock: _UNBLOCK CALLED
    """,
    words={
        "invite": "invite",
        "challenge": "challenge",
        "rematch": "(?:a )?rematch|play again",
        "wait_for": "wait for|tell me when(?: there is)?",
        "stop_waiting": "stop waiting(?: for)?|do not wait(?: for)?",
        "watch": "watch|observe",
        "stop_watching": "stop watching|do not watch",
        "block": "block",
        "unblock": "unblock",
        "around_name": "at|to|for|in|with|a|the|game|of|out|me|play",
    },
    terminals=(
        verb("_INVITE"),
        verb("_CHALLENGE"),
        verb("_REMATCH"),
        verb("_WAIT_FOR"),
        verb("_STOP_WAITING", priority=4),
        verb("_WATCH", r"(?:$watch)(?= )"),
        verb("_STOP_WATCHING", priority=4),
        verb("_BLOCK", r"(?:$block)(?= )"),
        verb("_UNBLOCK", r"(?:$unblock)(?= )"),
    ),
    build={
        "invite": _read_invitation,
        "challenge": _read_challenge,
        "rematch": Rematch,
        "wait_for": lambda text: WaitFor(read_table(text).game),
        "stop_waiting": lambda text="": WaitFor(read_table(text).game, on=False),
        "watch": Watch,
        "stop_watching": lambda table="": Watch(table, on=False),
        "block": Block,
        "unblock": lambda who: Block(who, on=False),
    },
)
