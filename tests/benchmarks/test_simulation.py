"""The simulation behind docs/scale.md, compared with textbook formulas and with itself."""

from collections.abc import Callable
from dataclasses import replace
from random import Random
from statistics import fmean

import pytest
import simpy

from benchmarks._scale.costs import Costs
from benchmarks._scale.machines import last_that, most_people
from benchmarks._scale.run import Room, join, simulate
from benchmarks._scale.worker import Limits, Reply, Request, Worker

pytestmark = pytest.mark.long

NOTHING = Costs(
    loop_ms=0,
    pass_ms=0,
    batched_ms=0,
    rest_ms=0,
    hit_ms=0,
    refusal_ms=0,
    visit_ms=0,
    visit_requests=2,
)
COSTS = replace(NOTHING, loop_ms=2, pass_ms=3, batched_ms=1, rest_ms=5, hit_ms=0.5, refusal_ms=0.25)


class Desk:
    """One worker, and the time at which each request was answered, in ms."""

    def __init__(self, costs: Costs, limits: Limits | None = None) -> None:
        self.env = simpy.Environment()
        self.worker = Worker(self.env, costs, limits or Limits(), Random(1))
        self.answered: list[tuple[str, int, float]] = []
        self.waits: list[int | None] = []

    def ask(self, participant: str, text: str, at_ms: float = 0.0) -> None:
        def ask() -> simpy.events.ProcessGenerator:
            yield self.env.timeout(at_ms / 1000)
            self.worker.take(Request(participant, text, self._reply(participant)))

        self.env.process(ask())

    def _reply(self, participant: str) -> Callable[[Reply], None]:
        def reply(reply: Reply) -> None:
            self.answered.append((participant, reply.status, round(self.env.now * 1000, 6)))
            self.waits.append(reply.retry_after_s)

        return reply


def test_waiting_times_are_those_of_the_textbook() -> None:
    """M/D/1: a mean wait of ρ·D / 2(1 − ρ). People press one key each, at any time."""
    service_ms, people, seconds = 7.0, 10_000, 100.0
    load = people / seconds * service_ms / 1000
    whole = Limits(1_000, slice_ms=service_ms)  # each answer is sent as soon as it is ready
    room = Room(people, every_s=seconds, seconds=seconds, way="open", limits=whole)
    found = simulate(replace(NOTHING, rest_ms=service_ms), room)
    mean_ms = fmean(each.seconds for each in found.outcomes.all) * 1000
    wait_ms = load * service_ms / (2 * (1 - load))
    assert mean_ms - service_ms == pytest.approx(wait_ms, rel=0.05)
    assert found.busy == pytest.approx(load, rel=0.01)


def test_one_request_takes_what_its_parts_take() -> None:
    desk = Desk(COSTS)
    desk.ask("a", "text")
    desk.env.run()
    assert desk.answered == [("a", 200, 10.0)]


def test_those_who_wait_share_a_pass() -> None:
    """The first is alone; the second runs a pass for three, which the others then have.

    They are done after 8, 18, 23 and 28 ms; while others wait, answers are sent after a slice.
    """
    desk = Desk(replace(COSTS, loop_ms=0))
    for n in range(4):
        desk.ask(f"{n}", f"text {n}", at_ms=n)
    desk.env.run()
    at = [ms for _, _, ms in desk.answered]
    assert at == [10, 20, 25, 28]


def test_equal_texts_are_computed_once() -> None:
    desk = Desk(COSTS)
    for n, at_ms in enumerate((0.0, 4.0, 50.0)):  # the second joins the first, the third comes late
        desk.ask(f"{n}", "text", at_ms)
    desk.env.run()
    assert desk.worker.computed == 1
    assert desk.worker.remembered == 2
    assert desk.answered[-1] == ("2", 200, 50.5)


def test_the_answer_cache_forgets_the_oldest() -> None:
    desk = Desk(COSTS, Limits(answers=2))
    for n, text in enumerate(("one", "two", "three", "two", "one")):
        desk.ask("a", text, 100.0 * n)
    desk.env.run()
    assert desk.worker.computed == 4
    assert desk.worker.remembered == 1


def test_a_full_queue_refuses_and_says_when_to_come_back() -> None:
    desk = Desk(COSTS, Limits(queue_size=2))
    for n in range(10):
        desk.ask(f"{n}", f"text {n}")
    desk.env.run()
    statuses = [status for _, status, _ in desk.answered]
    assert statuses.count(200) == 3
    assert statuses.count(503) == 7
    assert all(wait is not None and wait >= 1 for wait in desk.waits if wait is not None)
    assert sum(wait is not None for wait in desk.waits) == 7


def test_who_asks_for_much_does_not_keep_others_waiting() -> None:
    desk = Desk(replace(COSTS, pass_ms=0, batched_ms=0))
    for n in range(50):
        desk.ask("greedy", f"text {n}")
    desk.ask("modest", "another", at_ms=101)
    desk.env.run()
    asked = desk.answered.index(next(each for each in desk.answered if each[0] == "modest"))
    assert desk.answered[asked][2] < 101 + 3 * 7  # the running job, and one whose turn had come


@pytest.mark.parametrize("way", ["open", "page"])
@pytest.mark.parametrize("people", [20, 400])
def test_every_key_is_accounted_for(way: str, people: int) -> None:
    room = Room(people, seconds=20, way="open" if way == "open" else "page", limits=Limits(10))
    found = simulate(COSTS, room)
    answered, refused = (found.outcomes.of(kind) for kind in ("answered", "refused"))
    assert found.sent == len(answered) + len(refused) == pytest.approx(people * 10, rel=0.01)
    if way == "page":
        assert not refused  # a page asks again until it is answered
    else:
        assert found.computed == len(answered)


def test_a_page_under_overload_leaves_nobody_behind() -> None:
    """With three times too many people, every key is still answered, only later."""
    found = simulate(COSTS, Room(600, seconds=20, limits=Limits(50)))
    assert found.asked_again > 0
    assert found.busy > 0.9
    assert max(each.seconds for each in found.outcomes.all) < 60


def test_the_same_seed_gives_the_same_figures() -> None:
    room = Room(60, seconds=10, workers=2)
    costs = replace(COSTS, spread=(0.5, 1.0, 1.5))
    first, again, other = (simulate(costs, replace(room, seed=seed)) for seed in (1, 1, 2))
    assert first.outcomes.all == again.outcomes.all
    assert first.outcomes.all != other.outcomes.all


def test_workers_share_the_cores_that_there_are() -> None:
    """Two workers on one core do as much as one; on two cores, twice as much."""
    room = Room(8, seconds=20, way="eager", workers=2, shares=(1, 1))
    costs = replace(NOTHING, rest_ms=10)
    one = simulate(costs, replace(room, workers=1, shares=())).outcomes.answered_per_s
    shared = simulate(costs, replace(room, cores=1)).outcomes.answered_per_s
    apart = simulate(costs, replace(room, cores=2)).outcomes.answered_per_s
    assert one == pytest.approx(100, rel=0.02)
    assert shared == pytest.approx(one, rel=0.02)
    assert apart == pytest.approx(2 * one, rel=0.02)


def test_a_class_that_types_alike_is_computed_once_where_texts_stay_with_a_worker() -> None:
    room = Room(60, seconds=20, workers=4, class_size=30)
    by_text = simulate(COSTS, replace(room, by_text=True))
    by_person = simulate(COSTS, room)
    assert by_text.computed == by_text.sent / 30
    assert by_text.computed < by_person.computed <= 4 * by_text.computed


def test_joining_takes_the_processor_time_of_all_visits() -> None:
    costs = replace(NOTHING, visit_ms=50, visit_requests=10)
    at_once = join(costs, people=200, within_s=0.0, workers=1)
    assert len(at_once) == 200
    assert max(at_once) == pytest.approx(200 * 0.050)
    assert max(join(costs, people=200, within_s=5.0, workers=4)) < 0.2


def test_a_machine_is_full_where_people_would_wait_too_long() -> None:
    """One key every 2 s of 10 ms each: fewer than 200 on one core, and nearly so many."""
    costs = replace(NOTHING, rest_ms=10)
    most = most_people(costs, Room(1, seconds=60))
    assert 170 < most <= 200
    assert simulate(costs, Room(most, seconds=60)).p99_ms <= 300


def test_the_search_finds_the_last_that_fits() -> None:
    assert last_that(lambda n: n <= 37, 1, 1_000) == 37
    assert last_that(lambda n: n <= 1, 1, 1_000) == 1
