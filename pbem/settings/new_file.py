"""A new `post.toml`: every key with its default and what it does; intakes are commented out."""

from collections.abc import Iterator, Mapping
from textwrap import wrap
from typing import TYPE_CHECKING, Final

from pbem.settings.load import environment_variable
from pbem.settings.sections import ALWAYS, INTAKES, MAILER_KIND, MAILER_KIND_ABOUT, MAILERS
from pbem.settings.setting_keys import SettingKey, keys_of

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

_WIDTH: Final = 100

_OPENING: Final = """\
# The settings of a post. These are the defaults: change what you like, delete what you do not need.
# A line that begins with # is not read. Lengths of time are written 3d, 12h, 30m, 45s, or combined: 1h30m.
# Relative files and folders start from the folder of this file. Secrets are in files of their own or the environment.
"""


def default_toml(chosen: Mapping[str, object] | None = None) -> str:
    """The text of a new file. `chosen` has values that differ from the defaults, by dotted key: `post.address`.

    Sections of intakes, and of other mailers than the one chosen, are commented out.
    """
    wanted = dict(chosen or {})
    out = str(wanted.pop("out.kind", "folder"))
    parts = [_OPENING]
    for name in ("post", "store"):
        parts.append(_section(name, ALWAYS[name], wanted, commented=False))
    for name, section in INTAKES.items():
        where = f"in.{name}"
        parts.append(_section(where, section, wanted, commented=not any(key.startswith(f"{where}.") for key in wanted)))
    parts.append(_mailer(out, wanted))
    for name in ("time", "backup", "log", "metrics"):
        parts.append(_section(name, ALWAYS[name], wanted, commented=False))
    if wanted:
        raise KeyError(f"no such settings: {', '.join(wanted)}")
    return "\n".join(parts)


def _section(where: str, section: "type[DataclassInstance]", wanted: dict[str, object], *, commented: bool) -> str:
    mark = "#" if commented else ""
    lines = [*_comment(_summary(section)), f"{mark}[{where}]"]
    for key in keys_of(section):
        lines += [*_comment(_about(where, key)), mark + _line(where, key, wanted)]
    return "\n".join(lines) + "\n"


def _mailer(chosen: str, wanted: dict[str, object]) -> str:
    lines = ["[out]", *_comment(MAILER_KIND_ABOUT), f"kind = {MAILER_KIND.format(chosen)}"]
    for kind, section in MAILERS.items():
        mark = "" if kind == chosen else "#"
        lines += ["", *_comment(f"With kind = {MAILER_KIND.format(kind)}. {_summary(section)}")]
        for key in keys_of(section):
            lines += [*_comment(_about("out", key)), mark + _line("out", key, wanted if kind == chosen else {})]
    return "\n".join(lines) + "\n"


def _line(where: str, key: SettingKey, wanted: dict[str, object]) -> str:
    place = f"{where}.{key.written}"
    if place not in wanted:
        return f"{key.written} = {key.example}"
    value = wanted.pop(place)
    text = f'"{value}"' if key.hidden else key.kind.format(value)
    return f"{key.written} = {text}"


def _about(where: str, key: SettingKey) -> str:
    return f"{key.about} Or set {environment_variable(where, key.name)}." if key.hidden else key.about


def _summary(section: "type[DataclassInstance]") -> str:
    return (section.__doc__ or "").partition("\n")[0]


def _comment(text: str) -> Iterator[str]:
    return (f"# {line}" for line in wrap(text, _WIDTH))
