"""What a ready question shows once its answer is revealed."""

from server.classes.ready import changed


def test_a_state_is_changed_part_by_part() -> None:
    state = "text=The+cat&text=A%26B&layer=1&muted=0.1&muted=0.2&causal=true"
    assert changed(state, "layer=2&muted=2.3") == (
        "text=The+cat&text=A%26B&causal=true&layer=2&muted=2.3"
    )
    assert changed(state, "without=causal,muted") == "text=The+cat&text=A%26B&layer=1"
    assert changed(state, "") == state
