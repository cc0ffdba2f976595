"""The board as SVG: text that scales, needs no font file and refers to nothing outside itself."""

from engine.game import View
from pbem.render.environment import choose_template
from pbem.render.scenes import set_scene
from pbem.render.wishes import PLAIN, Wishes


def draw_svg(key: str, view: View, wishes: Wishes = PLAIN) -> str:
    """The view of the game called `key` as one SVG picture."""
    template = choose_template(key, "board.svg", wishes.tongue)
    return template.render(scene=set_scene(key, view, wishes))
