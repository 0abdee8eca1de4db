"""The processor time of test files is measured with all that they start, and has a budget."""

import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.processor_time import SHARED, WHOLE_S, Meter, ProcessorTime

pytestmark = pytest.mark.long

ROOT = Path(__file__).parents[2]
BURN = "import time\nend = time.process_time() + 0.6\nwhile time.process_time() < end: pass"


def burn(s: float) -> None:
    end = time.process_time() + s
    while time.process_time() < end:
        pass


def test_own_time_and_that_of_children_count_once() -> None:
    meter = Meter()
    before = meter.read()
    burn(0.3)
    subprocess.run([sys.executable, "-c", BURN], check=True)
    took = meter.read() - before
    assert 0.85 < took < 1.6
    assert meter.read() - before < took + 0.2


def test_a_child_counts_while_it_runs_and_after_nobody_waited_for_it() -> None:
    """Chromium ends processes of its own without taking their time over."""
    again = f"import subprocess, sys, time\nsubprocess.Popen([sys.executable, '-c', {BURN!r}])\n"
    orphaning = again + "time.sleep(2)"  # it ends without having waited
    meter = Meter()
    before = meter.read()
    child = subprocess.Popen([sys.executable, "-c", orphaning])
    while child.poll() is None:
        time.sleep(0.1)
        meter.read()
    assert 0.5 < meter.read() - before < 1.5


def test_a_file_over_its_budget_is_named_with_what_to_do() -> None:
    times = ProcessorTime({"unit/test_slow.py": 50})
    times.spent_s.update({"unit/test_slow.py": 60, "unit/test_fast.py": 5})
    assert times.over() == []
    times.spent_s.update({"unit/test_fast.py": 40})
    [words] = times.over()
    assert words.startswith("unit/test_fast.py took 45 s of processor time; 20 s are its budget.")


def test_where_everything_takes_longer_so_may_each_file() -> None:
    def over(slow_s: float, everything_s: float) -> list[str]:
        times = ProcessorTime({})
        times.spent_s.update({"unit/test_slow.py": slow_s, SHARED: everything_s - slow_s})
        return times.over()

    assert over(50, WHOLE_S) and over(50, WHOLE_S / 10)
    assert not over(50, 1.5 * WHOLE_S)
    assert over(70, 1.5 * WHOLE_S)


def test_a_run_over_the_budget_fails_and_one_within_it_does_not(tmp_path: Path) -> None:
    (tmp_path / "tests").mkdir()
    (tmp_path / "tests/test_one.py").write_text(f"def test_one():\n    exec({BURN!r})\n")
    (tmp_path / "conftest.py").write_text(
        "from pathlib import Path\nimport tests.processor_time as it\n"
        "it.TESTS = Path(__file__).parent\n"
        "def pytest_configure(config):\n"
        "    config.pluginmanager.register(it.ProcessorTime({'tests/test_one.py': LIMIT}))\n"
    )
    program = (tmp_path / "conftest.py").read_text()
    for limit, code in ((0.1, 1), (60, 0)):
        (tmp_path / "conftest.py").write_text(program.replace("LIMIT", str(limit)))
        for workers in ("0", "1"):
            command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider"]
            command += ["--rootdir", str(tmp_path), "-n", workers, str(tmp_path / "tests")]
            command += ["-p", "xdist"]
            environment = {"PYTHONPATH": str(ROOT), "PATH": "/usr/bin:/bin"}
            environment["PYTEST_DISABLE_PLUGIN_AUTOLOAD"] = "1"  # they take a second each time
            done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True)
            assert done.returncode == code, (limit, workers, done.stdout.decode()[-800:])
