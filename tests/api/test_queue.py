"""The order of jobs: fair to every participant, whatever their jobs cost."""

from hypothesis import given
from hypothesis import strategies as st

from server.run.tracing.jobs import Job
from server.run.tracing.queue import FairQueue


def job(cost: float, participant: str = "a") -> Job:
    return Job(lambda: None, cost, participant)


def order(queue: FairQueue) -> list[Job]:
    found = []
    while (next_ := queue.pop(lambda job: True)) is not None:
        found.append(next_)
        queue.passed(next_.finish_tag)
    return found


def test_cheap_job_overtakes_an_expensive_one() -> None:
    queue = FairQueue()
    dear, cheap = job(100, "a"), job(5, "b")
    queue.push(dear, 9)
    queue.push(cheap, 9)
    assert order(queue) == [cheap, dear]


def test_participants_have_their_turns() -> None:
    queue = FairQueue()
    greedy = [job(5, "greedy") for _ in range(4)]
    modest = [job(5, "modest") for _ in range(2)]
    for each in (*greedy, *modest):
        queue.push(each, 9)
    assert order(queue) == [greedy[0], modest[0], greedy[1], modest[1], greedy[2], greedy[3]]


def test_expensive_job_is_not_starved_by_newcomers() -> None:
    queue = FairQueue()
    dear = job(100, "patient")
    queue.push(dear, 9)
    for n in range(30):
        queue.push(job(5, f"newcomer {n}"), 9)
        done = queue.pop(lambda job: True)
        assert done is not None
        queue.passed(done.finish_tag)
        if done is dear:
            break
    assert done is dear
    assert 19 <= n <= 21  # after as much work for others as it takes itself


def test_full_queue_drops_the_job_that_would_come_last() -> None:
    queue = FairQueue()
    greedy = [job(5, "greedy") for _ in range(3)]
    assert [queue.push(each, 3) for each in greedy] == [None] * 3
    assert not queue.is_full_for("modest", 3)
    assert queue.is_full_for("greedy", 3)
    assert queue.push(job(5, "modest"), 3) is greedy[2]
    dear = job(50, "other")
    assert queue.push(dear, 3) is dear


def test_it_is_known_in_advance_that_a_full_queue_would_refuse_a_newcomer() -> None:
    queue = FairQueue()
    for n, cost in enumerate((5, 4, 9)):  # about the same, of different participants
        queue.push(job(cost, f"{n}"), 3)
    assert not queue.is_full_for("newcomer", 4)
    assert queue.is_full_for("newcomer", 3)  # though the last costs a little more than usual
    queue.push(job(5, "0"), 4)
    queue.push(job(5, "0"), 5)
    assert not queue.is_full_for("newcomer", 5)  # two jobs yield to the first


def test_newcomer_finds_room_where_expensive_jobs_wait() -> None:
    queue = FairQueue()
    for n in range(4):
        queue.push(job(5, f"typist {n}"), 9)
    order(queue)
    for n in range(3):
        queue.push(job(100, f"patient {n}"), 3)
    assert not queue.is_full_for("typist 9", 3)


def test_job_that_is_withdrawn_costs_its_participant_nothing() -> None:
    queue = FairQueue()
    withdrawn, next_, other = job(50, "a"), job(5, "a"), job(20, "b")
    queue.push(withdrawn, 9)
    queue.push(other, 9)
    assert queue.remove(withdrawn)
    assert not queue.remove(withdrawn)
    queue.push(next_, 9)
    assert order(queue) == [next_, other]


def test_job_that_may_not_run_yet_is_passed_over() -> None:
    queue = FairQueue()
    first, second = job(5, "a"), job(6, "b")
    queue.push(first, 9)
    queue.push(second, 9)
    assert queue.pop(lambda job: job is not first) is second
    assert queue.pop(lambda job: True, until=4) is None
    assert queue.pop(lambda job: True, until=5) is first


@given(st.lists(st.tuples(st.integers(1, 50), st.sampled_from("abc")), min_size=1, max_size=40))
def test_nobody_waits_for_more_than_a_fair_share(asked: list[tuple[int, str]]) -> None:
    """When a job is done, no other participant has had more than that work and one job done."""
    queue = FairQueue()
    for cost, who in asked:
        queue.push(job(cost, who), len(asked))
    dearest = max(cost for cost, _ in asked)
    waiting = {who: sum(cost for cost, other in asked if other == who) for _, who in asked}
    had = dict.fromkeys(waiting, 0.0)
    for done in order(queue):
        had[done.participant] += done.cost
        waiting[done.participant] -= int(done.cost)
        behind = [had[who] for who in waiting if waiting[who] > 0]
        assert all(had[done.participant] <= least + 2 * dearest for least in behind)
