"""What a class refuses, each with the status of its response."""

from collections.abc import Callable

from model.message import Message
from server.refusal import Refusal


class ClassError(Refusal):
    """A request that a class refuses."""


def _class_error(code: str, status: int, message: str) -> Callable[[], ClassError]:
    return lambda: ClassError(Message(message), code=code, status=status)


no_class = _class_error(
    "no_class",
    404,
    "There is no class with this code: it has ended, or the code has a typing error. Compare it "
    "with the one on the screen.",
)
not_in_class = _class_error(
    "not_in_class",
    401,
    "You are not in this class, or your seat was given away while you were gone. Join with its "
    "code.",
)
not_teacher = _class_error("not_teacher", 403, "Only the teacher of this class can do this.")
teacher_asks = _class_error(
    "teacher", 403, "The teacher of a class does not answer. Join with another browser to try it."
)
removed = _class_error(
    "removed",
    403,
    "The teacher has taken you out of this class. If that was a mistake, the teacher can let you "
    "back in.",
)
closed = _class_error("closed", 409, "Answers are closed. Your last answer before that counts.")
frozen = _class_error("frozen", 409, "The teacher has stopped all answers for a moment.")
overtaken = _class_error(
    "overtaken",
    409,
    "The class has been shown something else in the meantime. Read what it is, then choose again.",
)
study = _class_error(
    "study",
    409,
    "A question of a study is asked again later, so that its answer is not revealed.",
)
no_activity = _class_error("no_activity", 404, "There is no such activity in this class.")
locked = _class_error(
    "locked", 409, "The teacher has locked this class. Ask to be let in, then try again."
)
damaged = _class_error(
    "damaged", 503, "What is stored of this class is damaged. The server's log says where."
)
not_allowed = _class_error(
    "classes_given",
    403,
    "This server's classes are started from the command line: `headlight class`. To let anyone "
    "start one from the page, set HEADLIGHT_CLASSES=on.",
)


def store_fails(problem: str) -> ClassError:
    return ClassError(
        Message("Classes cannot be read or written now: {problem}", problem=problem),
        code="store_fails",
        status=503,
        wait_s=5.0,
    )


def full(people: int) -> ClassError:
    return ClassError(
        Message(
            "This class has {people} people, which is as many as it takes. The teacher can raise "
            "HEADLIGHT_CLASS_PEOPLE.",
            people=people,
        ),
        code="full",
        status=409,
        limit=people,
    )


def too_many_classes(limit: int) -> ClassError:
    return ClassError(
        Message(
            "This server holds {limit} classes, which is as many as it takes. End one, or raise "
            "HEADLIGHT_CLASSES_MAX.",
            limit=limit,
        ),
        code="too_many_classes",
        status=409,
        limit=limit,
    )


def too_fast(wait_s: float) -> ClassError:
    return ClassError(
        Message("Too many requests in a short time. Wait a moment, then go on."),
        code="too_fast",
        status=429,
        wait_s=wait_s,
    )


def too_many_items(limit: int) -> ClassError:
    return ClassError(
        Message(
            "You have sent {limit}, which is as many as this takes. Take one back to send another.",
            limit=limit,
        ),
        code="too_many",
        status=409,
        limit=limit,
    )
