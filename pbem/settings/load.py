"""`post.toml` to `Settings`, or everything that is wrong with it at once.

Mistakes are values that say where they are, what is wrong and what to write. Secrets come from files that the
settings name, or from the environment, which has priority: `PBEM_OUT_PASSWORD` for `password` in `[out]`.
"""

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from difflib import get_close_matches
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from pbem.settings.access import explain_os_error
from pbem.settings.delivery import POST_FILE, SQLITE
from pbem.settings.durations import format_duration
from pbem.settings.kinds import Mistake, Problem, Secret
from pbem.settings.sections import ALWAYS, INTAKES, MAILER_KIND, MAILERS, Settings, TimeSettings
from pbem.settings.setting_keys import SettingKey, keys_of

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

ON_THIS_MACHINE: Final = frozenset({"localhost", "127.0.0.1", "::1"})


def read_settings(path: Path, environ: Mapping[str, str] = os.environ) -> Settings | tuple[Problem, ...]:
    """The settings in a file, with absolute paths, or all problems found."""
    try:
        path = path / POST_FILE if path.is_dir() else path
        # Some editors begin a file with a byte order mark.
        text = path.read_text("utf-8-sig")
    except FileNotFoundError:
        return (Problem(str(path), "no such file", "make one with `pbem init`, or name another"),)
    except OSError as problem:
        why = explain_os_error(problem, path)
        return (Problem(str(path), why.mistake, why.advice),)
    except UnicodeDecodeError as reason:
        return (Problem(str(path), f"cannot be read: {reason}", "it must be a plain UTF-8 text"),)
    return read_text(text, path.absolute().parent, environ, name=str(path))


def read_text(
    text: str, folder: Path, environ: Mapping[str, str] = os.environ, *, name: str = POST_FILE
) -> Settings | tuple[Problem, ...]:
    """The settings in a text; relative paths start from `folder`."""
    import tomllib

    try:
        tables = tomllib.loads(text)
    except tomllib.TOMLDecodeError as reason:
        return (Problem(name, f"is not TOML: {reason}", 'every line is a [section], a comment, or key = "value"'),)
    reader = _SettingsReader(folder, environ)
    settings = reader.read(tables)
    return tuple(reader.problems) or settings


@dataclass(slots=True)
class _SettingsReader:
    """Reads the sections once and collects all mistakes."""

    folder: Path
    environ: Mapping[str, str]
    problems: list[Problem] = field(default_factory=list)

    def read(self, tables: Mapping[str, object]) -> Settings:
        known = self._tables(tables, "", (*ALWAYS, "in", "out"))
        ways = self._tables(known.get("in", {}), "in.", tuple(INTAKES))
        found: dict[str, Any] = {name: self._section(name, kind, known.get(name, {})) for name, kind in ALWAYS.items()}
        found |= {name: self._section(f"in.{name}", INTAKES[name], table) for name, table in ways.items()}
        found["out"] = self._mailer(known.get("out", {}))
        self._check_bounces(**found)
        return Settings(folder=self.folder, **found)

    def _tables(
        self, tables: Mapping[str, object], where: str, names: tuple[str, ...]
    ) -> dict[str, Mapping[str, object]]:
        """The sections that are known; others are reported."""
        found: dict[str, Mapping[str, object]] = {}
        for name, table in tables.items():
            if name not in names:
                self._unknown(f"{where}{name}", names, f"[{where}{{}}]", "is not a section")
            elif isinstance(table, Mapping):
                found[name] = table
            else:
                self._problem(
                    f"{where}{name}", "is a section, not a key", f"write [{where}{name}] on a line of its own"
                )
        return found

    def _mailer(self, table: Mapping[str, object]) -> object:
        kind = MAILER_KIND.parse(table.get("kind", next(iter(MAILERS))))
        if isinstance(kind, Mistake):
            self._problem("out.kind", kind.mistake, kind.advice)
            return None
        rest = {name: value for name, value in table.items() if name != "kind"}
        for name in [*rest]:
            elsewhere = [
                other for other, section in MAILERS.items() if name in {key.written for key in keys_of(section)}
            ]
            if elsewhere and kind not in elsewhere:
                self._problem(
                    f"out.{name}",
                    f'has no meaning with kind = "{kind}"',
                    f'write kind = "{elsewhere[0]}", or leave it out',
                )
                del rest[name]
        return self._section("out", MAILERS[kind], rest)

    def _section(self, where: str, section: "type[DataclassInstance]", table: Mapping[str, object]) -> object:
        keys = {key.written: key for key in keys_of(section)}
        for name in table.keys() - keys.keys():
            if (hidden := keys.get(f"{name}_file")) is not None:
                self._problem(
                    f"{where}.{name}", "a secret must not be in this file", self._where_secrets_go(where, hidden)
                )
            else:
                self._unknown(f"{where}.{name}", tuple(keys), "{}", "is not a key")
        values = {key.name: self._value(where, key, table) for key in keys.values()}
        self._check_safety(where, values)
        if section is TimeSettings:
            self._check_bank(where, bank=values["bank"], cap=values["cap"])
        return section(**values)

    def _value(self, where: str, key: SettingKey, table: Mapping[str, object]) -> object:
        if key.hidden:
            return self._secret(where, key, table.get(key.written, ""))
        value = key.kind.parse(table[key.written]) if key.written in table else key.default
        if isinstance(value, Mistake):
            self._problem(f"{where}.{key.written}", value.mistake, value.advice)
            return key.default
        return self._make_absolute(value)

    def _make_absolute(self, value: object) -> object:
        """Relative paths start from the folder of the settings."""
        if isinstance(value, Path):
            return self.folder / value
        if isinstance(value, str) and value.startswith(SQLITE):
            return SQLITE + (self.folder / value.removeprefix(SQLITE)).as_posix()
        return value

    def _secret(self, where: str, key: SettingKey, named: object) -> Secret | None:
        variable = environment_variable(where, key.name)
        if words := self.environ.get(variable):
            return Secret(words)
        if named == "":
            return None
        if not isinstance(named, str):
            self._problem(f"{where}.{key.written}", "is not the name of a file", self._where_secrets_go(where, key))
            return None
        file = self.folder / Path(named).expanduser()
        try:
            words = file.read_text("utf-8").strip()
        except OSError as problem:
            why = explain_os_error(problem, file)
            self._problem(f"{where}.{key.written}", why.mistake, f"{why.advice}, or set {variable}")
            return None
        except ValueError:  # not text, or a file name with a NUL in it
            words = ""
        if not words:
            self._problem(
                f"{where}.{key.written}", f"{named} holds no text that can be read", self._where_secrets_go(where, key)
            )
        return Secret(words, file) if words else None

    def _check_safety(self, where: str, values: Mapping[str, object]) -> None:
        exposed = values.get("security") == "none" and values.get("password") and values["host"] not in ON_THIS_MACHINE
        if exposed:
            self._problem(f"{where}.security", "the password would be sent unencrypted", 'write "tls" or "starttls"')

    def _check_bank(self, where: str, *, bank: Any, cap: Any) -> None:
        if bank > cap:
            least = format_duration(bank)
            wrong = f'a bank of "{least}" is more than its cap, "{format_duration(cap)}", lets it hold'
            self._problem(f"{where}.bank", wrong, f'write cap = "{least}" or more, or a smaller bank')

    def _check_bounces(self, *, post: Any, out: Any, **_: object) -> None:
        if getattr(out, "bounces", "plain") == "verp" and not post.plus_addressing:
            wrong = "addresses that name a mail are not delivered where plus_addressing is false"
            self._problem("out.bounces", wrong, 'write bounces = "plain", or leave it out')

    def _where_secrets_go(self, where: str, key: SettingKey) -> str:
        return f"name a file that holds it and nothing else, or set {environment_variable(where, key.name)}"

    def _unknown(self, place: str, names: tuple[str, ...], form: str, mistake: str) -> None:
        close = get_close_matches(place.rpartition(".")[2], names, 1)
        advice = (
            f"did you mean {form.format(close[0])}?" if close else f"known are {', '.join(map(form.format, names))}"
        )
        self._problem(place, mistake, advice)

    def _problem(self, place: str, mistake: str, advice: str) -> None:
        self.problems.append(Problem(place, mistake, advice))


def environment_variable(section: str, key: str) -> str:
    """The environment variable that holds a secret: `PBEM_IN_IMAP_PASSWORD`."""
    return f"PBEM_{section}_{key}".replace(".", "_").upper()
