"""The few words of mail programs that have to be known by language; everything else is known by its shape.

English, Hebrew, Russian, Polish and Dutch. A phrase missing here costs a player a question, never a wrong move.
"""

import re
from typing import Final

_SENT_BY_A_PROGRAM: Final = re.compile(
    r"""
      (?: sent\ (?:from|via|with|using|by)\b
        | get\ outlook\ for\b
        | download\ .{0,40}\bapp\b
        | отправлено\ (?:\w{1,3}|через|при\ помощи)\b
        | wysłan[eoay]\ (?:z|ze|za\ pomocą|przez)\b
        | pobierz\ (?:program\ )?outlook\b
        | скачать\ outlook\b
        | ver(?:zonden|stuurd)\ (?:vanaf|vanuit|met|via|door)\b
        | outlook\ voor\ .{1,20}\ downloaden\b
        | download\ outlook\b
        | נשלח\ (?:מ|באמצעות|על\ ידי)
        | הורד\ את\ outlook\b
        | להורדת\ outlook\b
      ).{0,90}
    """,
    re.IGNORECASE | re.VERBOSE,
)

_FORWARDED: Final = re.compile(
    r"""
      begin\ forwarded\ message | begin\ doorgestuurd\ bericht | начало\ переадресованного\ сообщения
    | (?:początek\ )?przekazan(?:ej|a)\ wiadomoś(?:ci|ć) | (?:תחילת\ )?ההודעה\ שהועברה
    """,
    re.IGNORECASE | re.VERBOSE,
)

_FROM: Final = frozenset({"from", "van", "от", "od", "מאת"})
_WHEN: Final = frozenset(
    {"sent", "date", "verzonden", "datum", "отправлено", "дата", "wysłano", "wysłane", "data", "נשלח", "תאריך"}
)
_WHAT: Final = frozenset(
    {"to", "subject", "aan", "onderwerp", "кому", "тема", "do", "temat", "אל", "נושא", "cc", "dw", "копия", "עותק"}
)

_HEADER: Final = re.compile(r"[*_ ]{0,3}([^\W\d_]{2,12})\s?[*_]{0,2}\s?:[*_]{0,2}(?=\s|$)")


def is_program_signature(line: str) -> bool:
    """Whether a line is what a phone or a mail program adds by itself."""
    return _SENT_BY_A_PROGRAM.fullmatch(line.strip(" *_[<(")) is not None


def announces_forwarding(line: str) -> bool:
    """Whether a line says that a forwarded mail follows."""
    return _FORWARDED.fullmatch(line.strip(" *_:")) is not None


def begins_header_block(lines: list[str]) -> bool:
    """Whether the first line and those after it are the headers of another mail: who, when, and to whom or about what.

    One line alone is not enough: a player may well write "From: E4".
    """
    found = _HEADER.match(lines[0]) if lines else None
    if found is None or found[1].lower() not in _FROM:
        return False
    names = {header[1].lower() for line in lines[1:] if (header := _HEADER.match(line))}
    return not names.isdisjoint(_WHEN) and not names.isdisjoint(_WHAT)
