"""What the clients do, written once for both: as generators that yield what to ask next.

A generator of type `Steps` yields each `Call` to the server, and each `Pause`, and is sent the
replies. It neither sends nor sleeps itself, so the same logic serves `Client`, which waits, and
`AsyncClient`, which awaits. `asked` and `fetched` turn such a generator function into a method or
a property of both.
"""

from collections.abc import Awaitable, Callable, Generator, Mapping
from dataclasses import dataclass
from functools import partial, update_wrapper
from inspect import Parameter, signature
from typing import (
    Any,
    Concatenate,
    Generic,
    ParamSpec,
    Protocol,
    Self,
    TypeAlias,
    TypeVar,
    overload,
)

from headlight.errors import UnreachableError
from headlight.names import check_names

T = TypeVar("T")
P = ParamSpec("P")
Owner = TypeVar("Owner")


@dataclass(frozen=True)
class Call:
    """One HTTP request."""

    method: str
    path: str
    body: bytes | None = None  # JSON
    accept: str = "application/json"


@dataclass(frozen=True)
class Pause:
    """Time to wait before the next call."""

    seconds: float


@dataclass(frozen=True)
class Reply:
    """What the server answered; empty after a pause."""

    status: int
    headers: Mapping[str, str]
    content: bytes


Steps: TypeAlias = Generator[Call | Pause, Reply, T]
PAUSED = Reply(0, {}, b"")


@dataclass(frozen=True)
class Done(Generic[T]):
    """What the steps came to."""

    result: T


def advance(
    steps: Steps[T], outcome: Reply | UnreachableError | None = None
) -> Call | Pause | Done[T]:
    """The next step, given the outcome of the last one; None before the first."""
    try:
        if outcome is None:
            return next(steps)
        if isinstance(outcome, UnreachableError):
            return steps.throw(outcome)
        return steps.send(outcome)
    except StopIteration as end:
        return Done(end.value)


class Doing(Protocol):
    """Does the steps, one after the other, for a client that waits."""

    def do(self, steps: Steps[T]) -> T: ...


class AsyncDoing(Protocol):
    """Does the steps for a client that awaits."""

    async def do(self, steps: Steps[T]) -> T: ...


class Sync:
    """What belongs to a `Client`: what is asked is a value."""

    _doing: Doing


class Async:
    """What belongs to an `AsyncClient`: what is asked is to be awaited."""

    _doing: AsyncDoing


class asked(Generic[Owner, P, T]):  # a decorator, as `property` is
    """A method that asks the server: it gives its value, or an awaitable of it.

    It refuses arguments that it has no name for with `UnknownNameError`. One that takes any, as
    `**options`, does that itself.
    """

    def __init__(self, steps: Callable[Concatenate[Owner, P], Steps[T]]) -> None:
        self.steps = steps
        self.__doc__ = steps.__doc__
        _, *parameters = signature(steps).parameters.values()
        self._takes_any = any(one.kind is Parameter.VAR_KEYWORD for one in parameters)
        self._names = tuple(one.name for one in parameters)

    @overload
    def __get__(self, instance: None, owner: type) -> Self: ...
    @overload
    def __get__(self, instance: Sync, owner: type) -> Callable[P, T]: ...
    @overload
    def __get__(self, instance: Async, owner: type) -> Callable[P, Awaitable[T]]: ...
    def __get__(self, instance: Any, owner: type) -> Any:
        if instance is None:
            return self
        return update_wrapper(partial(self._ask, instance), self.steps)

    def _ask(self, instance: Any, /, *args: Any, **named: Any) -> Any:
        if not self._takes_any:
            check_names(named, self._names)
        return _do(self.steps, instance, *args, **named)


class fetched(Generic[Owner, T]):
    """A property that is fetched when it is read: its value, or an awaitable of it."""

    def __init__(self, steps: Callable[[Owner], Steps[T]]) -> None:
        self.steps = steps
        self.__doc__ = steps.__doc__

    @overload
    def __get__(self, instance: None, owner: type) -> Self: ...
    @overload
    def __get__(self, instance: Sync, owner: type) -> T: ...
    @overload
    def __get__(self, instance: Async, owner: type) -> Awaitable[T]: ...
    def __get__(self, instance: Any, owner: type) -> Any:
        return self if instance is None else _do(self.steps, instance)


def _do(steps: Callable[..., Steps[T]], instance: Any, /, *args: Any, **named: Any) -> Any:
    return instance._doing.do(steps(instance, *args, **named))
