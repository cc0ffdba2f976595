"""Catalogues are compiled as Babel compiles them, and a checkout reads what was translated last."""

import io
import os
from gettext import GNUTranslations
from pathlib import Path

import pytest
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po

from pbem.locale import catalogues
from pbem.locale.languages import LANGUAGE_CODES, locale_folder
from pbem.locale.po_files import PoSyntaxError, compile_mo, parse_po

TRANSLATED = [code for code in LANGUAGE_CODES if code != "en"]
HEADER = 'msgid ""\nmsgstr ""\n"Content-Type: text/plain; charset=utf-8\\n"\n'


def source(code: str) -> str:
    return (locale_folder(code) / "LC_MESSAGES" / f"{catalogues.DOMAIN}.po").read_text("utf-8")


def messages(compiled: bytes) -> dict[object, str]:
    read = GNUTranslations(io.BytesIO(compiled))
    held: dict[object, str] = read._catalog  # type: ignore[attr-defined]  # all that was compiled
    return held


@pytest.mark.parametrize("code", TRANSLATED)
def test_a_catalogue_is_compiled_as_babel_compiles_it(code: str) -> None:
    theirs = io.BytesIO()
    write_mo(theirs, read_po(io.BytesIO(source(code).encode()), locale=code))
    # Babel adds its own lines to the header.
    ours, babels = messages(compile_mo(source(code))), messages(theirs.getvalue())
    assert {**ours, "": ""} == {**babels, "": ""}


def test_contexts_plurals_escapes_and_long_texts_are_read() -> None:
    text = HEADER + (
        '\n#. a comment\n#, python-format\nmsgctxt "date"\nmsgid "May"\nmsgstr "maja"\n'
        '\nmsgid ""\n"one "\n"\\"quoted\\"\\n"\nmsgstr "een\\\\\\t"\n'
        '\nmsgid "%(count)s day"\nmsgid_plural "%(count)s days"\nmsgstr[0] "a"\nmsgstr[1] "b"\n'
    )
    (_, *read) = parse_po(text)
    assert read == [
        ("date", ("May",), ("maja",)),
        (None, ('one "quoted"\n',), ("een\\\t",)),
        (None, ("%(count)s day", "%(count)s days"), ("a", "b")),
    ]


def test_what_is_fuzzy_obsolete_or_not_translated_is_left_out() -> None:
    text = HEADER + (
        '\n#, fuzzy\nmsgid "guess"\nmsgstr "raad"\n'
        '\n#~ msgid "gone"\n#~ msgstr "weg"\n'
        '\nmsgid "todo"\nmsgstr ""\n'
        '\nmsgid "day"\nmsgid_plural "days"\nmsgstr[0] "a"\nmsgstr[1] ""\n'
    )
    assert messages(compile_mo(text)).keys() == {""}


@pytest.mark.parametrize("line", ["msgid unquoted", '"without a keyword"', "message"])
def test_a_line_that_is_none_is_refused(line: str) -> None:
    with pytest.raises(PoSyntaxError, match="not a line of a catalogue"):
        list(parse_po(f"{line}\n"))


def test_a_checkout_reads_the_compiled_catalogue_unless_the_source_is_newer(
    tmp_path: Path,
) -> None:
    folder = tmp_path / "nl" / "LC_MESSAGES"
    folder.mkdir(parents=True)
    po, mo = folder / "caravan-post.po", folder / "caravan-post.mo"

    def said() -> str | None:
        compiled = catalogues._load_catalogue(tmp_path / "nl")
        return None if compiled is None else GNUTranslations(io.BytesIO(compiled)).gettext("word")

    assert said() is None
    po.write_text(f'{HEADER}\nmsgid "word"\nmsgstr "source"\n', "utf-8")
    assert said() == "source"
    mo.write_bytes(compile_mo(po.read_text("utf-8").replace("source", "compiled")))
    os.utime(mo, (2_000_000_000, 2_000_000_000))
    assert said() == "compiled"
    os.utime(po, (2_000_000_001, 2_000_000_001))
    assert said() == "source"
    po.unlink()
    assert said() == "compiled"
