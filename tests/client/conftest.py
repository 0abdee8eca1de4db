"""A real server in its own process, with the shipped model, which the files here share."""

from collections.abc import Iterator

import pytest

from headlight import Client, connect
from scripts import live
from scripts.pack import pack


@pytest.fixture(scope="package")
def address() -> Iterator[str]:
    """The address of a running `headlight serve`, which takes 3 texts at once."""
    pack()  # pictures carry the page
    with live.serving(max_texts="3") as address:
        yield address


@pytest.fixture(scope="package")
def hl(address: str) -> Iterator[Client]:
    with connect(address) as client:
        yield client
