"""How long a notebook takes from `import headlight` to a picture, with a server of its own.

    python -m benchmarks.inline

It times the steps of one process: start a server, trace a text, make the first picture and another.
The last line is JSON, in seconds. A checkout must be packed: `python -m scripts.pack`.
"""

import json
import time


def main() -> None:
    times = [time.perf_counter()]
    import headlight

    with headlight.start() as hl:
        times.append(time.perf_counter())
        run = hl.trace("Maria saw herself in the mirror.")
        times.append(time.perf_counter())
        for head in range(2):
            run.show(layer=2, head=head)._repr_mimebundle_()
            times.append(time.perf_counter())
    steps = zip(("start", "trace", "first", "another"), times, times[1:], strict=False)
    found = {name: round(end - begin, 2) for name, begin, end in steps}
    print(json.dumps(found | {"to_first_picture": round(times[3] - times[0], 2)}))


if __name__ == "__main__":
    main()
