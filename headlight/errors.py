"""What can go wrong, as Python exceptions.

HeadlightError
├── RequestError      the request is invalid, or exceeds a limit: the server's own words
│   └── UnknownNameError  a mask, an option or another argument has no such name
├── ServerError       the server made a mistake, or gave an answer that is not Headlight's
├── BusyError         the server stayed busy for longer than the client waits
├── UnreachableError  nothing answers at the address
└── StartError        a server that `start` began ended before it was ready
"""


class HeadlightError(Exception):
    """The base of all errors.

    Attributes:
        message: what was expected, what came, and what to do.
        code: a stable identifier for programs, such as `too_many_characters`.
        field: the part of the request at fault, such as `texts.0`.
        limit: the limit that was exceeded.
    """

    def __init__(
        self,
        message: str,
        *,
        code: str = "",
        field: str | None = None,
        limit: float | None = None,
    ) -> None:
        super().__init__(message)
        self.message = message
        self.code = code
        self.field = field
        self.limit = limit

    def __str__(self) -> str:
        return self.message


class RequestError(HeadlightError):
    """The request is invalid, or exceeds a limit of the server."""


class UnknownNameError(RequestError, TypeError):
    """A mask, an option or another argument has no such name."""


class ServerError(HeadlightError):
    """The server made a mistake, or what answers is not a Headlight server."""


class BusyError(HeadlightError):
    """The server stayed busy for longer than the client's patience."""


class UnreachableError(HeadlightError):
    """Nothing answers at the address."""


class StartError(HeadlightError):
    """A server that `headlight.start` began ended before it was ready."""
