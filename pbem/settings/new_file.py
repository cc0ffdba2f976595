"""A new `post.toml`: every key with its default and its sentence, the ways in still closed."""

from collections.abc import Iterator, Mapping
from textwrap import wrap
from typing import TYPE_CHECKING, Final

from pbem.settings.load import environment_variable
from pbem.settings.sections import (
    ALWAYS,
    INTAKES,
    MAILER_KIND,
    MAILER_KIND_ABOUT,
    MAILERS,
    SettingKey,
    keys_of,
)

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

_WIDTH: Final = 100

_OPENING: Final = """\
# The settings of a post office. What stands here are the defaults: change what you like, delete what you do not need.
# A line that begins with # is not read. Lengths of time are written 3d, 12h, 30m, 45s, or put together: 1h30m.
# Files and folders are meant from the folder of this file. Secrets stand in files of their own, or in the environment.
"""


def default_toml(chosen: Mapping[str, object] | None = None) -> str:
    """The text of a new file. `chosen` has values that differ from the defaults, by dotted key: `post.address`.

    Sections that open a way in, or belong to another way out than the one chosen, are commented out.
    """
    wanted = dict(chosen or {})
    out = str(wanted.pop("out.kind", "folder"))
    parts = [_OPENING]
    for name in ("post", "store"):
        parts.append(_section(name, ALWAYS[name], wanted, closed=False))
    for name, way in INTAKES.items():
        where = f"in.{name}"
        parts.append(_section(where, way, wanted, closed=not any(key.startswith(f"{where}.") for key in wanted)))
    parts.append(_way_out(out, wanted))
    for name in ("time", "log"):
        parts.append(_section(name, ALWAYS[name], wanted, closed=False))
    if wanted:
        raise KeyError(f"no such settings: {', '.join(wanted)}")
    return "\n".join(parts)


def _section(where: str, section: "type[DataclassInstance]", wanted: dict[str, object], *, closed: bool) -> str:
    mark = "#" if closed else ""
    lines = [*_remark(_summary(section)), f"{mark}[{where}]"]
    for key in keys_of(section):
        lines += [*_remark(_told(where, key)), mark + _line(where, key, wanted)]
    return "\n".join(lines) + "\n"


def _way_out(chosen: str, wanted: dict[str, object]) -> str:
    lines = ["[out]", *_remark(MAILER_KIND_ABOUT), f"kind = {MAILER_KIND.write(chosen)}"]
    for kind, section in MAILERS.items():
        mark = "" if kind == chosen else "#"
        lines += ["", *_remark(f"With kind = {MAILER_KIND.write(kind)}. {_summary(section)}")]
        for key in keys_of(section):
            lines += [*_remark(_told("out", key)), mark + _line("out", key, wanted if kind == chosen else {})]
    return "\n".join(lines) + "\n"


def _line(where: str, key: SettingKey, wanted: dict[str, object]) -> str:
    place = f"{where}.{key.written}"
    if place not in wanted:
        return f"{key.written} = {key.example}"
    value = wanted.pop(place)
    text = f'"{value}"' if key.hidden else key.kind.write(value)
    return f"{key.written} = {text}"


def _told(where: str, key: SettingKey) -> str:
    return f"{key.about} Or set {environment_variable(where, key.name)}." if key.hidden else key.about


def _summary(section: "type[DataclassInstance]") -> str:
    return (section.__doc__ or "").partition("\n")[0]


def _remark(text: str) -> Iterator[str]:
    return (f"# {line}" for line in wrap(text, _WIDTH))
