"""What training by hand refuses, each with the status of its response."""

from server.refusal import Refusal


def off() -> Refusal:
    return Refusal(
        "This server trains nothing. HEADLIGHT_TRAINING=true lets it; `headlight train --task` "
        "trains without a server.",
        code="training_off",
        status=403,
    )


def no_run() -> Refusal:
    return Refusal(
        "There is no such training: its address has a typing error, or it is more than a day old. "
        "Start another one.",
        code="no_training",
        status=404,
    )


def still_training() -> Refusal:
    return Refusal(
        "You are training already. Stop that training, or wait until it has ended.",
        code="still_training",
        status=409,
    )


def not_yours() -> Refusal:
    return Refusal(
        "Only whoever started a training can stop it, or let it go on.",
        code="not_your_training",
        status=403,
    )


def too_many_runs(limit: int) -> Refusal:
    return Refusal(
        f"{limit} trainings are waiting, which is as many as this server takes. Try again in a few "
        "minutes.",
        code="training_full",
        status=503,
        limit=limit,
        wait_s=30.0,
    )


def not_writable(problem: str) -> Refusal:
    return Refusal(
        f"Trainings cannot be kept: {problem}. HEADLIGHT_TRAINING_STORE names their folder.",
        code="training_store_fails",
        status=503,
        wait_s=5.0,
    )
