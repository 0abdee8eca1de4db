"""Which requests are admitted when many arrive at once."""

import asyncio
import threading

from starlette.types import Scope

from server.http.metrics import Metrics
from server.run.admission import Admission
from server.run.tracing import Job, Tracer
from server.settings import Settings


def scope(participant: str) -> Scope:
    return {"type": "http", "headers": [(b"x-headlight-participant", participant.encode())]}


def test_no_more_requests_are_admitted_at_once_than_there_is_room_for() -> None:
    """All in one turn of the event loop, before the first of them has been processed."""
    settings, metrics = Settings(queue_size=3, concurrency=1), Metrics()

    async def come() -> None:
        admission = Admission(Tracer(settings, metrics), metrics)
        refusals = [admission.refusal(scope(f"{n}"), b"%d" % n) for n in range(6)]
        assert [each is not None for each in refusals] == [False] * 4 + [True] * 2
        assert admission.refusal(scope("late"), b"3") is None  # an equal request is in progress
        await asyncio.sleep(0)
        assert admission.refusal(scope("late"), b"7") is None

    asyncio.run(come())


def test_each_refused_participant_gets_a_different_retry_time() -> None:
    workers = Tracer(Settings(queue_size=2, concurrency=1), Metrics()).workers
    release = threading.Event()
    try:
        for n in range(3):  # one runs, two wait
            workers.submit(Job(release.wait, cost=1_000, participant=f"inside {n}"))
        waits = [workers.full(f"{n}").wait_s for n in range(3)]
        assert 0 < waits[0] < waits[1] < waits[2]
        assert workers.full("0").wait_s <= waits[0]  # asked too early: the same time
    finally:
        release.set()
        workers.stop()
