"""A property that is computed once, and holds no lock meanwhile."""

from collections.abc import Callable
from typing import Any, Generic, TypeVar, overload

T = TypeVar("T")


class lazy(Generic[T]):
    """Like functools.cached_property, of which Python 3.11 computes one at a time for all objects.

    A computation may wait between two of its slices for another one, which would then wait for it.
    Two threads that ask at the same time both compute; what is computed must not depend on which.
    """

    def __init__(self, compute: Callable[[Any], T]) -> None:
        self._compute = compute
        self.__doc__ = compute.__doc__

    def __set_name__(self, owner: type, name: str) -> None:
        self._name = name

    @overload
    def __get__(self, instance: None, owner: type) -> "lazy[T]": ...
    @overload
    def __get__(self, instance: object, owner: type) -> T: ...
    def __get__(self, instance: object | None, owner: type) -> "lazy[T] | T":
        if instance is None:
            return self
        found = vars(instance)[self._name] = self._compute(instance)
        return found
