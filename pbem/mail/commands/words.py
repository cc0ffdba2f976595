"""Words for somebody: what a player wants to be passed on, over one line or several.

They end with an empty line; if they begin with an opening brace, with the closing one, and may then hold
anything. Nothing in them is changed.
"""

from dataclasses import dataclass, field

from pbem.mail.commands.commands import Appeal, Press


@dataclass(slots=True)
class Words:
    """Words that were announced in a line, and what has been said so far."""

    line: int
    to: str
    lines: list[str] = field(default_factory=list)
    appeal: Appeal | None = None
    """Set if they call the referee about a turn."""

    @property
    def braced(self) -> bool:
        """True if they begin with a brace."""
        return self.text.startswith("{")

    @property
    def closed(self) -> bool:
        """True if they begin with a brace and end with one."""
        return self.braced and self.text.endswith("}")

    @property
    def text(self) -> str:
        """All that was said."""
        return "\n".join(self.lines).strip()

    @property
    def command(self) -> Press | Appeal:
        """The command they make."""
        words = self.text[1:-1].strip() if self.closed else self.text
        return Press(self.to, words) if self.appeal is None else Appeal(words, self.appeal.turn)
