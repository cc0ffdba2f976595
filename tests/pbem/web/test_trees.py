"""Any two trees: the patch between them leads on and back."""

from hypothesis import given
from hypothesis import strategies as st

from pbem.web.patches import apply_patch, compare_trees
from pbem.web.trees import Element, read_tree

names = st.sampled_from(["a", "b", "c"])
trees = st.recursive(
    st.builds(Element, names, st.just(()), st.just(())),
    lambda inner: st.builds(
        Element,
        names,
        st.dictionaries(names, names).map(lambda values: tuple(sorted(values.items()))),
        st.lists(inner | st.text("xy", min_size=1, max_size=2), max_size=5).map(tuple),
    ),
    max_leaves=20,
)
roots = trees.map(lambda tree: tree._replace(tag="svg"))


@given(roots, roots)
def test_a_patch_makes_one_tree_of_another_and_what_undoes_it_leads_back(before: Element, after: Element) -> None:
    patch = compare_trees(before, after)
    reached, back = apply_patch(before, patch)
    assert reached == after
    assert apply_patch(reached, back)[0] == before


@given(roots)
def test_nothing_is_patched_where_nothing_differs(tree: Element) -> None:
    assert compare_trees(tree, tree) == ()


def test_an_empty_patch_leads_to_another_tree_and_is_noticed() -> None:
    before, after = read_tree("<svg><a/></svg>"), read_tree("<svg><b/></svg>")
    assert apply_patch(before, ())[0] != after
