"""Screens of all mails of all games: measured, and kept as pictures in the documentation.

    python -m tests.browser.screens             prints what was measured, and what is too long, too large or too faint
    python -m tests.browser.screens docs/pictures/screens   also takes the pictures

Each picture holds the mails of one game on a telephone, on a light or a dark screen, or in Hebrew.
"""

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Final, NamedTuple, cast

from PIL import Image

from tests.browser.chromium import GAP, TITLE, Seen, look, photograph
from tests.browser.sample_mails import GAMES, scenes, show

PHONE: Final = 390
WIDE: Final = 700
COLUMNS: Final = 6
COLOURS: Final = 40
ALIKE: Final = 40
"""Colours that differ by no more than this, red, green and blue together, are one."""
MODES: Final = {"light": ("en", False), "dark": ("en", True), "he": ("he", False)}
"""How mails are looked at: the language, and whether the screen is dark."""
LARGEST_MAIL: Final = 75_000
LOWEST_BUTTON: Final = 900
HIGHEST: Final = {"receipt": 950, "pencilled": 844, "vote": 844, "refusal": 1150, "question": 1300, "rules": 2600}
"""How high a mail may be: about a screen of a telephone, or what a page of rules needs."""


UNSHOWN: Final = ("first turn", "rule", "proof", "fewer mails")
"""Mails that are measured and not in the pictures, which would be too large."""


class Measured(NamedTuple):
    """A mail of a game, its bytes, and what a browser saw of it."""

    kind: str
    size: int
    page: str
    seen: Seen

    def faults(self, width: int) -> Iterator[str]:
        """What is wrong with it on a telephone."""
        seen = self.seen
        if seen.width > width:
            yield f"{seen.width} wide"
        if self.kind in ("turn", "first turn", "offer", "reminder") and not 0 < seen.button < LOWEST_BUTTON:
            yield f"first button at {seen.button}"
        if seen.height > HIGHEST.get(self.kind, seen.height):
            yield f"{seen.height} high"
        if self.size > LARGEST_MAIL:
            yield f"{self.size} bytes"
        yield from (f"small: {words}" for words in seen.low)
        yield from (f"faint: {words}" for words in seen.faint)


def measure(game: str, language: str, *, dark: bool = False, width: int = PHONE) -> list[Measured]:
    """Every kind of mail of a game."""
    mails = {scene.kind: scene.write(language) for scene in scenes(game)}
    pages = {kind: show(mail) for kind, mail in mails.items()}
    seen = look(pages, width=width, dark=dark)
    return [Measured(kind, len(mails[kind].raw), pages[kind], seen[kind]) for kind in mails]


def take(game: str, mode: str, measured: list[Measured], folder: Path) -> None:
    """One picture of the mails of a game."""
    picture = folder / f"{game}-{mode}.png"
    shown = {each.kind: each.page for each in measured if each.kind not in UNSHOWN}
    photograph(shown, picture, width=PHONE, columns=COLUMNS, dark=MODES[mode][1])
    with Image.open(picture) as shot:
        small = shot.convert("RGB").reduce(2)
    small.quantize(palette=choose_colours(small), dither=Image.Dither.NONE).save(picture, optimize=True)


def choose_colours(shot: Image.Image) -> Image.Image:
    """The colours that are seen most and not much alike, so that the few pixels of a stone keep their own."""
    counted = sorted(shot.getcolors(shot.width * shot.height) or [], reverse=True)
    chosen: list[tuple[int, ...]] = []
    for _, colour in counted:
        each = cast("tuple[int, ...]", colour)
        if all(sum(abs(one - other) for one, other in zip(each, known, strict=True)) > ALIKE for known in chosen):
            chosen.append(each)
        if len(chosen) == COLOURS:
            break
    palette = Image.new("P", (1, 1))
    palette.putpalette([part for colour in chosen for part in colour])
    return palette


def take_one(mail: Measured, picture: Path) -> None:
    """A picture of one mail, as large as it is shown."""
    photograph({mail.kind: mail.page}, picture, width=PHONE, columns=1)
    with Image.open(picture) as shot:
        alone = shot.convert("RGB").crop((GAP, TITLE, GAP + PHONE, TITLE + mail.seen.height))
    alone.quantize(64, dither=Image.Dither.NONE).save(picture, optimize=True)


def main(folder: Path | None) -> int:
    """Measure all of them, take their pictures if a folder is given, and say how much is wrong."""
    wrong = 0
    for game in GAMES:
        for mode, (language, dark) in MODES.items():
            measured = measure(game, language, dark=dark)
            for each in measured:
                faults = [*each.faults(PHONE)]
                wrong += len(faults)
                facts = f"{each.seen.height:5} px, button {each.seen.button:4}, {each.size:6} bytes"
                report(game, mode, each.kind, facts, *faults)
            if folder is not None:
                take(game, mode, measured, folder)
            if folder is not None and (game, mode) == (GAMES[0], "light"):
                take_one(next(each for each in measured if each.kind == "turn"), folder.parent / "turn-mail.png")
        for each in measure(game, "en", width=WIDE):
            if each.seen.width > WIDE:
                wrong += 1
                report(game, "wide", each.kind, f"{each.seen.width} wide")
    return wrong


def report(game: str, mode: str, kind: str, *facts: str) -> None:
    """One line about one mail."""
    sys.stdout.write("  ".join((f"{game:20} {mode:6} {kind:12}", *facts)) + "\n")


if __name__ == "__main__":
    sys.exit(1 if main(Path(sys.argv[1]) if sys.argv[1:] else None) else 0)
