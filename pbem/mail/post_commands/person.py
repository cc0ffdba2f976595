"""Commands about oneself: who I am, where I am wanted, and a plain yes or no to a question of the post."""

from dataclasses import dataclass
from typing import Final

from pbem.mail.commands.command import CommandFamily, CommandTerminal, verb
from pbem.mail.post_commands.reader import PostCommand

NOW: Final = "now"
AT_END: Final = "when they end"
"""When somebody wants to be forgotten."""


@dataclass(frozen=True, slots=True)
class SayYes(PostCommand):
    """Agree to what the post asked; a newcomer may add a name."""

    name: str = ""
    more: str = ""
    """Words behind the yes, which may set it a condition; where much depends on it, a plain yes is asked for."""

    def format(self) -> str:
        """The word."""
        return f"yes, I am {self.name}" if self.name else "yes"


@dataclass(frozen=True, slots=True)
class SayNo(PostCommand):
    """Do not agree."""

    def format(self) -> str:
        """The word."""
        return "no"


@dataclass(frozen=True, slots=True)
class StopMail(PostCommand):
    """Get no mail from us at all."""

    def format(self) -> str:
        """The words."""
        return "no more mail"


@dataclass(frozen=True, slots=True)
class ShowMe(PostCommand):
    """Show what the post knows about me."""

    def format(self) -> str:
        """The word."""
        return "me"


@dataclass(frozen=True, slots=True)
class MyGames(PostCommand):
    """Show where I am wanted, where I wait, and what ended."""

    def format(self) -> str:
        """The words."""
        return "my games"


@dataclass(frozen=True, slots=True)
class SendRecord(PostCommand):
    """Send the record of a game that I play or played, with its proof."""

    table: str

    def format(self) -> str:
        """The word and the name of the table."""
        return f"record {self.table}"


@dataclass(frozen=True, slots=True)
class SetName(PostCommand):
    """Be called something else."""

    name: str

    def format(self) -> str:
        """The word and the name."""
        return f"name {self.name}"


@dataclass(frozen=True, slots=True)
class SetAddress(PostCommand):
    """Get mails at another address from now on."""

    address: str

    def format(self) -> str:
        """The word and the address."""
        return f"address {self.address}"


@dataclass(frozen=True, slots=True)
class UndoChange(PostCommand):
    """Take back what the post says was changed."""

    def format(self) -> str:
        """The word."""
        return "undo"


@dataclass(frozen=True, slots=True)
class ForgetMe(PostCommand):
    """Be forgotten, now or when the games that go on have ended; without either the post asks."""

    when: str = ""

    def format(self) -> str:
        """The words."""
        return f"forget me {self.when}".rstrip()


@dataclass(frozen=True, slots=True)
class AskHelp(PostCommand):
    """Show what can be written to the post."""

    def format(self) -> str:
        """The word."""
        return "help"


FAMILY: Final = CommandFamily(
    grammar="""
        say_yes: _YES (_I_AM CALLED)?
        agree_in_prose: _YES REST
        say_no: _NO
        stop_mail: _STOP_MAIL
        show_me: _ME
        my_games: _MY_GAMES
        send_record: _RECORD NAME
        set_name: _NAME CALLED
        set_address: _ADDRESS MAILBOX
        undo_change: _UNDO_CHANGE
        forget_me: _FORGET_ME (NOW | AT_END)?
        ask_help: _HELP_POST
    """,
    words={
        "post_yes": "yes|yep|yeah|ok|okay|sure|that is me|this is me",
        "accept": "accept",
        "decline": "decline",
        "i_am": "(?:i am|i'm|my name is|call me|this is)",
        "post_no": "no|nope|not me",
        "stop_mail": "no more mails?|(?:stop|unsubscribe)(?: (?:all )?mails?)?",
        "me": "me|about me|who am i",
        "my_games": "(?:my|list my|show my) games",
        "record": "(?:send |show )?(?:me )?(?:the )?record(?: of)?",
        "address": "(?:my )?(?:new )?(?:mail )?address(?: is)?",
        "undo": "undo",
        "forget_me": "forget me",
        "now": "now",
        "at_end": "when (?:they|my games|the games) (?:end|are over)|later",
        "name": "(?:my )?name(?: is)?|call me",
        "help": "help|what can i (?:do|write)",
    },
    terminals=(
        verb("_YES", r"(?:$post_yes|$accept)(?!\w)", priority=3),
        CommandTerminal("_I_AM", r"(?:$i_am)(?= )", priority=3, says="your name"),
        verb("_NO", r"(?:$post_no|$decline)(?!\w)"),
        verb("_STOP_MAIL", r"(?:$stop_mail)(?!\w)", priority=3),
        verb("_ME", r"(?:$me)(?!\w)"),
        verb("_MY_GAMES", r"(?:$my_games)(?!\w)"),
        verb("_RECORD", r"(?:$record)(?= )", priority=2),
        verb("_ADDRESS", r"(?:$address)(?= )", priority=2),
        verb("_UNDO_CHANGE", r"(?:$undo)(?!\w)"),
        verb("_FORGET_ME", r"(?:$forget_me)(?!\w)", priority=2),
        CommandTerminal("NOW", value=NOW, priority=1),
        CommandTerminal("AT_END", value=AT_END, priority=1),
        CommandTerminal("MAILBOX", r"<?[^\s@<>,;]+@[^\s@<>,;]+>?", priority=2, says="an address"),
        verb("_NAME", r"(?:$name)(?= )"),
        verb("_HELP_POST", r"(?:$help)(?!\w)"),
        CommandTerminal("CALLED", r"[^\W\d_].*", priority=-1, says="a name"),
    ),
    build={
        "say_yes": lambda name="": SayYes(name),
        "agree_in_prose": lambda more: SayYes(more=more),
        "say_no": SayNo,
        "stop_mail": StopMail,
        "show_me": ShowMe,
        "my_games": MyGames,
        "send_record": SendRecord,
        "set_name": SetName,
        "set_address": lambda address: SetAddress(address.strip("<>").rstrip(".")),
        "undo_change": UndoChange,
        "forget_me": ForgetMe,
        "ask_help": AskHelp,
    },
)
