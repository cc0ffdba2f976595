"""The duel of engine and oracle asserts in a module of its own; pytest shall explain those asserts too."""

import pytest

pytest.register_assert_rewrite("brotherhood_duel")
