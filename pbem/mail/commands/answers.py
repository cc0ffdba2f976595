"""What people say to an invitation besides its two words, accept and decline, in five languages.

Once a game is played, the same words are nothing, or a move. In doubt nobody takes a seat: the player is asked.
"""

import re
from typing import Final

_YES: Final = re.compile(
    r"(?:yes|yeah|yep|ok(?:ay)?|sure|ja|tak|да|כן)"
    r"(?:[\s,.!]+(?:please|thanks?|thank you|graag|ch[ęe]tnie|конечно|охотно|בשמחה|בהחלט))*[\s.!]*",
    re.IGNORECASE,
)
_NO: Final = re.compile(r"(?:no(?:,? thanks?|,? thank you)?|nope|nee|nie|нет|לא)[\s.!]*", re.IGNORECASE)
_DOUBT: Final = re.compile(
    r"""
      [?] | n['\u2019]t\b | \b(?:
        not? | never | nothing | none | cannot | if | unless | only | declined? | reject | refuse
      | nee | niet | nooit | niets | geen | als | indien | tenzij | mits | alleen | slechts | weiger | afslaan | sla\ af
      | nie | nigdy | nic | je[śs]li | je[żz]eli | chyba\ [żz]e | o\ ile | tylko | jedynie | odrzucam | odmawiam
      | нет | не | никогда | ничего | если | только | лишь | отказ(?:ываюсь)? | отклоняю
      | [וש]?(?: לא | אם | רק | אין ) | אלא | בתנאי | מסרבת? | דוחה | דחה
      )\b
    """,
    re.IGNORECASE | re.VERBOSE,
)


def accepts(line: str) -> bool:
    """Whether a line is a plain yes."""
    return _YES.fullmatch(line) is not None


def declines(line: str) -> bool:
    """Whether a line is a plain no."""
    return _NO.fullmatch(line) is not None


def has_doubts(words: str) -> bool:
    """Whether words beside an acceptance may take it back, or set it a condition; any others stir the draws."""
    return _DOUBT.search(words) is not None
