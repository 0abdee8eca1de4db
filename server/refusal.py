"""What a part of the server refuses with a status of its own."""

from model.errors import HeadlightError


class Refusal(HeadlightError):
    """A request that is refused, and the status of the response."""

    def __init__(
        self,
        message: str,
        *,
        code: str,
        status: int,
        field: str | None = None,
        limit: int | None = None,
        wait_s: float = 0.0,
    ) -> None:
        super().__init__(message, code=code, field=field, limit=limit)
        self.status = status
        self.wait_s = wait_s  # until trying again makes sense
