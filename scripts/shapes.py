"""Checks the types and shapes in signatures while tests run (pyproject.toml, jaxtyping)."""

from collections.abc import Callable
from typing import Any, TypeVar

from beartype import beartype

F = TypeVar("F", bound=Callable[..., Any])


def checked(function: F) -> F:
    """Check each call, unless the function is made anew each time that another one is called.

    To prepare a check takes 2 ms: over a quarter of the time of the tests of analyses.
    """
    return function if "<locals>" in function.__qualname__ else beartype(function)
