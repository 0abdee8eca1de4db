"""What one operation of a request costs, measured with `python -m benchmarks.cost`.

On one 2.5 GHz core. A slower machine takes longer by a constant factor, which the workers learn.
"""

# Milliseconds of processor time.
REQUEST_MS = 3.0  # per request
LAYER_MS = 0.5  # per layer and run, however short the text
MULTIPLY_ADD_MS = 1 / 15e6  # per multiply-add in a matrix product
SOFTMAX_MS = 1 / 1.2e5  # per cell of a derived pattern: scores, mask, softmax
SCORE_MS = 1 / 6e4  # per cell read by all metrics
RANK_MS = 1 / 1.5e5  # per cell of a row that is searched for its largest weights
NUMBER_MS = 1 / 2e5  # per number sent
PAINTED_MS = 0.004  # per painted cell and site
