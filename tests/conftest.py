"""How the tests are shared out among processes."""

import pytest


@pytest.hookimpl(tryfirst=True)  # before xdist writes the groups into the names of the tests
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Tests of a file go to one process where they share what its fixtures start.

    All others go, one by one, to whichever process is free, so that none idles at the end.
    """
    for item in items:
        if isinstance(item, pytest.Function) and "module" in _scopes(item):
            item.add_marker(pytest.mark.xdist_group(item.nodeid.partition("::")[0]))


def _scopes(item: pytest.Function) -> set[str]:
    """How long each of the fixtures of a test lives."""
    fixtures = item._fixtureinfo.name2fixturedefs
    return {fixtures[name][-1].scope for name in item.fixturenames if name in fixtures}
