"""Every error that `model` raises on purpose.

Each message says what was expected, what came, and what to do.

    HeadlightError
    ├── InputError            the caller's request is invalid
    │   ├── TextError         a text cannot be tokenized
    │   ├── LimitError        the request is valid, but larger than allowed here
    │   └── UnavailableError  this source or site does not have that tensor or edit
    ├── CheckpointError       a file is missing, corrupt or of another kind
    └── NumericsError         a number is not finite: a bug, or broken weights

`code` is a stable identifier for programs; `field` names the part of the request at fault; `limit`
is the limit that was exceeded.
"""


class HeadlightError(Exception):
    """Base of every error that `model` raises on purpose."""

    code = "error"

    def __init__(
        self,
        message: str,
        *,
        code: str | None = None,
        field: str | None = None,
        limit: int | None = None,
    ) -> None:
        super().__init__(message)
        self.message = message
        self.code = code or type(self).code
        self.field = field
        self.limit = limit


class InputError(HeadlightError):
    """The caller's request is invalid."""

    code = "invalid_input"


class TextError(InputError):
    """A text cannot be tokenized."""

    code = "invalid_text"


class LimitError(InputError):
    """The request is valid, but larger than allowed here."""

    code = "limit_exceeded"


class UnavailableError(InputError):
    """This source or site does not have that tensor or edit."""

    code = "unavailable"


class CheckpointError(HeadlightError):
    """A checkpoint file is missing, corrupt or of another kind."""

    code = "bad_checkpoint"


class NumericsError(HeadlightError):
    """A number is not finite. Such a number is never sent to a client."""

    code = "not_finite"
