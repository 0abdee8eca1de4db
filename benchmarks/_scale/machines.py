"""How many people fit on a machine, and how many machines people need."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from math import ceil

from benchmarks._scale.costs import Costs
from benchmarks._scale.run import Result, Room, join, simulate

SLOW_MS = 300.0  # the p99 that we promise
SPARE = 0.3  # of a machine, reserved for what is not simulated: other work, a failed replica
PRECISION = 0.02  # of the search for the limit, relative
JOINING_S = 300.0  # in which all learners of a large event open the page
BUSY_JOINING = 0.5  # of the processors, which joining may take meanwhile


@dataclass(frozen=True)
class Machine:
    """The capacity of a machine with one worker per core."""

    cores: int
    at_most: int  # learners, with nothing in reserve
    learners: int  # with `SPARE` in reserve
    p99_ms: float  # with `learners`
    busy: float
    join_s: float  # until the last has a picture, if they all join within 5 s
    memory_mb: float


@dataclass(frozen=True)
class Plan:
    """What a number of learners needs."""

    learners: int
    keystrokes_per_s: float
    busy_cores: float
    machines: int
    cores: int
    memory_gb: float
    out_mbit_s: float
    in_mbit_s: float
    joining_mbit_s: float
    joining_cores: float
    core_hours: float  # for an hour of one learner who types all the time
    p99_ms: float
    asked_again: int
    simulated: int  # learners of the simulation that the last two are from


def machine(costs: Costs, cores: int, room: Room) -> Machine:
    """The largest number of people on a machine, and the latency with some capacity in reserve."""
    at_most = most_people(costs, replace(room, workers=cores))
    learners = max(1, int((1 - SPARE) * at_most))
    found = simulate(costs, replace(room, workers=cores, people=learners))
    return Machine(
        cores=cores,
        at_most=at_most,
        learners=learners,
        p99_ms=found.p99_ms,
        busy=found.busy,
        join_s=max(join(costs, learners, 5.0, cores)),
        memory_mb=costs.fixed_mb + cores * costs.worker_mb,
    )


def most_people(costs: Costs, room: Room) -> int:
    """The largest number of people who are all answered in time, without a refusal."""

    def fits(people: int) -> bool:
        found = simulate(costs, replace(room, people=people))
        return not found.refused and found.p99_ms <= SLOW_MS

    # an upper bound: every pass is batched, and every worker always busy
    least_ms = costs.loop_ms + costs.rest_ms + min(costs.batched_ms, costs.pass_ms)
    return last_that(fits, 1, ceil(room.workers * room.every_s * 1000 / least_ms) + 1)


def last_that(fits: Callable[[int], bool], low: int, high: int) -> int:
    """About the largest number that fits, if `low` does and `high` does not."""
    while high - low > max(1, PRECISION * low):
        middle = (low + high) // 2
        low, high = (middle, high) if fits(middle) else (low, middle)
    return low


def plan(costs: Costs, learners: int, of: Machine, room: Room, simulated: int) -> Plan:
    """The machines that learners need, and the latency of `simulated` of them on their share."""
    keys = learners / room.every_s
    machines = ceil(learners / of.learners)
    joining = learners / JOINING_S
    # a large event uses many machines, which are independent of one another
    part = min(simulated, learners)
    workers = of.cores * ceil(part / of.learners)
    found: Result = simulate(costs, replace(room, people=part, workers=workers))
    return Plan(
        learners=learners,
        keystrokes_per_s=keys,
        busy_cores=keys * costs.keystroke_ms / 1000,
        machines=machines,
        cores=machines * of.cores,
        memory_gb=machines * of.memory_mb / 1000,
        out_mbit_s=keys * costs.answer_bytes * 8 / 1e6,
        in_mbit_s=keys * costs.request_bytes * 8 / 1e6,
        joining_mbit_s=joining * costs.visit_bytes * 8 / 1e6,
        joining_cores=joining * costs.visit_ms / 1000,
        core_hours=machines * of.cores / learners,
        p99_ms=found.p99_ms,
        asked_again=found.refused,
        simulated=part,
    )


def remembered(costs: Costs, class_size: int, workers: int, by_text: bool) -> float:
    """The share of keystrokes that need no computation, in classes that type the same."""
    people = class_size * max(1, round(4 * workers * 10 / class_size))
    room = Room(people=people, workers=workers, class_size=class_size, by_text=by_text, seconds=20)
    found = simulate(costs, room)
    return found.remembered / max(1, found.remembered + found.computed)
