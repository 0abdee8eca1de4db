"""The steps of a training run that are kept, so that it can be watched afterwards as a film."""

# Dense early, where most happens. Those of a run of 3,600 steps; another run has the same shares.
_STEPS = (
    *(0, 10, 20, 40, 60, 80, 100, 125, 150, 175, 200, 225, 250, 275, 300, 350, 400, 450, 500),
    *(550, 600, 650, 700, 800, 900, 1000, 1100, 1200, 1400, 1600, 1800, 2000, 2200, 2400),
    *(2600, 2800, 3000, 3200, 3400),
)
_OF = 3_600


def frame_steps(steps: int) -> frozenset[int]:
    """The steps that a film of a run keeps, without the last, which is the model itself."""
    return frozenset(round(step * steps / _OF) for step in _STEPS) - {steps}
