"""Every error that `model` raises on purpose.

Each message says what was expected, what came, and what to do.

    HeadlightError
    ├── InputError            what the caller asked for cannot be done
    │   ├── TextError         a text that cannot be tokenized
    │   ├── LimitError        well-formed, but larger than what is allowed here
    │   └── UnavailableError  this source or site cannot give that tensor or edit
    ├── CheckpointError       a file that is missing, corrupt or of another kind
    └── NumericsError         a number that is not finite: a bug, or broken weights

`code` is a stable word for programs; `field` names the part of the request; `limit` is the number
that was exceeded.
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
    """What the caller asked for cannot be done."""

    code = "invalid_input"


class TextError(InputError):
    """A text that cannot be tokenized."""

    code = "invalid_text"


class LimitError(InputError):
    """A request that is well-formed but larger than what is allowed here."""

    code = "limit_exceeded"


class UnavailableError(InputError):
    """A tensor or an edit that this source or site cannot give."""

    code = "unavailable"


class CheckpointError(HeadlightError):
    """A checkpoint file that is missing, corrupt or of another kind."""

    code = "bad_checkpoint"


class NumericsError(HeadlightError):
    """A number that is not finite. Never sent to anyone."""

    code = "not_finite"
