"""What a decision came to, in a word that tests can compare."""

from pbem.tables.decision import Decision


def kinds(decision: Decision) -> list[str]:
    """The kinds of events that it brings about."""
    return [draft.kind for draft in decision.drafts]


def refused(decision: Decision) -> str:
    """The code of a refusal, after which nothing happens."""
    assert decision.drafts == ()
    assert decision.refused is not None
    assert "{" not in decision.refused.detail
    return decision.refused.rule.code
