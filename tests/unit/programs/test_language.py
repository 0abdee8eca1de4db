"""Programs of lessons: the language is Python's as far as it goes, and says what each line made."""

import json
import traceback
from typing import Any

import pytest

from server.programs.checks import SEED, outcome


def run(code: str) -> dict[str, Any]:
    return outcome(code, None, [])


def printed(code: str) -> str:
    answer = run(code)
    assert answer["error"] is None, answer["error"]
    said: str = answer["printed"]
    return said


def stopped(code: str) -> str:
    error = run(code)["error"]
    assert error is not None
    return f"{error['line']}: {error['message']}"


SAME = [
    "print(1 + 2 * 3 - 4 / 5 // 1 % 3, 2 ** 10, -7 // 2, not 1, ~5, 6 & 3, 6 | 1, 6 ^ 3)",
    "a, (b, c) = 1, (2, 3)\nprint(a, b, c)",
    "x = [3, 1, 2]\nx[0] += 10\nx.append(5)\nprint(x, x[1:], x[::-1], sorted(x), sum(x), len(x))",
    "n = 0\nwhile True:\n    n += 1\n    if n == 3: continue\n    if n > 5: break\nprint(n)",
    "for i in range(3):\n    pass\nelse:\n    print('over', i)",
    "def f(x, y=2, *, z=3):\n    return x + y * z\nprint(f(1), f(1, 5), f(x=1, z=0))",
    "def f(n):\n    return 1 if n < 2 else n * f(n - 1)\nprint(f(10))",
    "def outer(x):\n    def inner(y):\n        return x + y\n    return inner\nprint(outer(2)(3))",
    "print([i * j for i in range(4) if i % 2 for j in range(3)], sum(i for i in range(5)))",
    "print(f'{3.14159:.2f} {7:>3} {True}', 'a' + 'b' * 3, ', '.join(['x', 'y']))",
    "print(1 < 2 < 3, 1 < 2 > 5, 2 in [1, 2], None is None, 1 and 0 or 'else', max(3, 4))",
    "class A:\n    def __init__(self, x):\n        self.x = x\n    def twice(self):\n"
    "        return 2 * self.x\nprint(A(4).twice())",
    "print(*[1, 2, 3], sep='-', end='!\\n')\nprint(round(2.675, 2), int('7'), abs(-3))",
    "x = (1, 2, 3)\nassert x[-1] == 3\nprint(x[0:2], list(zip(x, x)), list(enumerate(x)))",
    "f = lambda x, y=2: x * y\nprint(f(3), f(3, y=1), sorted([3, 1, 2], key=lambda x: -x))",
    "x = {'a': 1, 'b': [2]}\nx['c'] = 3\nprint(x, x['a'], 'b' in x, len(x), x.get('z'))",
    "a, *b = 1, 2, 3\n*c, d = [1]\n(e, *f), g = (1, 2), 3\nprint(a, b, c, d, e, f, g)",
    "print(isinstance(1, int), str(3) + 'x', any([0, 1]), all([1, 0]))",
    "import torch\nwith torch.no_grad():\n    x = torch.ones(1, requires_grad=True) * 2\nprint(x)",
    "import torch\nprint(torch.tensor(1.5), torch.ones(2).mean(), torch.ones(1).bool().all())",
    "import torch\ny = torch.zeros(2)\nx = y\nx += 1\na = b = [1]\nb += [2]\nprint(y, a)",
    "x = [0, 0]\nn = 0\ndef at():\n    x[1] += 1\n    return 0\nx[at()] += 5\nprint(x)",
    "import torch\nb = None or torch.ones(3)\nprint(b, True and torch.ones(2), 1 < torch.ones(2))",
    "x = 'a'\nprint(f'{x!r} {x=} {x:>4s} {3.14159: .2f} {7:-^5} {255:x}')",
    "import torch\nprint(f'loss {torch.tensor(0.25)} {torch.tensor(0.25):.3f}')",
    "import torch\nprint(torch.full((2, 2), 1000000), torch.arange(3000, 3002))",
    "import torch\nx = torch.ones(2, 3)\nprint(x.max(dim=-1).values, isinstance(x, torch.Tensor))",
    "text = 'hello'\nwords = sorted(set(text))\nids = {c: n for n, c in enumerate(words, 1)}\n"
    "print(ids, [ord(c) for c in reversed(words)])",
    "class A:\n    def _half(self, x):\n        self._x = x\n        return x / 2\n"
    "    def f(this):\n        return this._half(3) + this._x\nprint(A().f())",
    # errors, in Python's words
    "n = 0\ndef f():\n    n += 1\nf()",
    "import torch\nf'{torch.ones(2):.2f}'",
    "import torch\nw = torch.ones(2, requires_grad=True)\nw -= 0.1",
    "x = {}\nx['a']",
    "print(y)",
    "1 / 0",
    "a, b = 1, 2, 3",
    "a, b, c = 1, 2",
    "def f(x):\n    return x\nf()",
    "def f(x):\n    return x\nf(1, 2)",
    "def f(x):\n    return x\nf(1, x=2)",
    "def f(x):\n    return x\nf(y=2)",
    "x = 3\nx()",
    "x = 3\nx[0]",
    "[1, 2].gone",
    "assert 1 == 2, 'no'",
    "import torch\ntorch.vmm",
    "from torch import vmm",
    "from torch import nn\nnn.Linear(4, 2)(nn.Linear(3, 3).weight)",
    "import torch\ntorch.zeros(2, 3) @ torch.zeros(2, 3)",
]


@pytest.mark.parametrize("code", SAME)
def test_programs_do_and_say_what_python_does(
    code: str, capsys: pytest.CaptureFixture[str]
) -> None:
    answer = run(code)
    try:
        exec(code, {})
    except Exception as error:
        said = str(error).split(" (/")[0]  # where a module lies
        assert answer["error"] is not None
        assert answer["error"]["message"].startswith(f"{type(error).__name__}: {said}"[:60])
        frames = traceback.extract_tb(error.__traceback__)
        [*_, line] = [frame.lineno for frame in frames if frame.filename == "<string>"]
        assert answer["error"]["line"] == line
    else:
        assert answer["error"] is None, answer["error"]
    assert answer["printed"] == capsys.readouterr().out


def test_each_line_tells_the_shapes_that_it_made() -> None:
    code = """\
import torch
x = torch.ones(2, 3, 4)
def mean(values):
    return values.mean(1)
for n in range(3):
    y = mean(x)
a, b = x.shape[0], 1.5
x.sum()"""
    told = [
        (one["line"], one["name"], one["times"], one["shape"] or one["text"])
        for one in run(code)["values"]
    ]
    assert told == [
        (2, "x", 1, [2, 3, 4]),
        (3, "values", 3, [2, 3, 4]),
        (4, "", 3, [2, 4]),
        (5, "n", 3, "2"),
        (6, "y", 3, [2, 4]),
        (7, "a", 1, "2"),
        (7, "b", 1, "1.5000"),
        (8, "", 1, "24.0000"),
    ]


def test_modules_run_and_pass_gradients() -> None:
    code = """\
import torch
from torch import nn

class Block(nn.Module):
    def __init__(self, e):
        super().__init__()
        self.layer = nn.Linear(e, e)

    def forward(self, x):
        return x + self.layer(x)

block = Block(4)
x = torch.ones(2, 4).requires_grad_()
block(x).sum().backward()
print(list(x.grad.shape), block.layer.weight.grad.shape)"""
    assert printed(code) == "[2, 4] torch.Size([4, 4])\n"


def test_a_module_forgets_to_begin_as_in_torch() -> None:
    code = """\
from torch import nn
class Block(nn.Module):
    def __init__(self, e):
        self.layer = nn.Linear(e, e)
Block(4)"""
    assert stopped(code) == "4: AttributeError: cannot assign module before Module.__init__() call"


def test_a_histogram_counts_all_numbers() -> None:
    [drawn] = run("import torch\nhistogram(torch.arange(100), bins=10)")["histograms"]
    assert drawn["counts"] == [10] * 10
    assert drawn["edges"][0] == 0 and drawn["edges"][-1] == 99
    assert drawn["mean"] == pytest.approx(49.5)
    [large] = run("histogram([3e38, 2e38, 1.0, float('inf')])")["histograms"]
    assert sum(large["counts"]) == 3 and large["std"] < 1e100
    assert "ValueError" in stopped("histogram([float('nan')])")


def test_syntax_errors_name_their_line() -> None:
    assert stopped("x = 1\ny = (2").startswith("2: SyntaxError:")
    assert stopped("x = 1\nreturn x") == "2: SyntaxError: 'return' outside function"
    outside = "for i in range(2):\n    def f():\n        break\n    f()"
    assert stopped(outside) == "3: SyntaxError: 'break' outside loop"
    assert stopped("for i in range(3):\nprint(i)").startswith(
        "2: SyntaxError: expected an indented"
    )


SOLUTION = "def f(x):\n    return x.cumsum(0)"
CHECKS: Any = [
    {"about": "three rows", "given": "import torch\nx = torch.ones(3, 2)", "call": "f(x)"}
]


@pytest.mark.parametrize(
    ("code", "wrong"),
    [
        (SOLUTION, None),
        ("def f(x):\n    ...", "Expected a tensor of the shape [3, 2]; got nothing."),
        ("def f(x):\n    return x.sum(0)", "Expected the shape [3, 2]; got [2]."),
        ("def f(x):\n    return x", "At [1, 0], expected 2.0000; got 1.0000. (4 of 6 numbers"),
        (
            "def f(x):\n    return x > 0",
            "Expected numbers of the type torch.float32; got",
        ),
        ("def f(x):\n    return g(x)", "This stopped on line 2: NameError: name 'g' is not"),
        ("x = 1", "This stopped: NameError: name 'f' is not"),
    ],
)
def test_checks_say_what_is_wrong_in_shapes_and_numbers(code: str, wrong: str | None) -> None:
    [check] = outcome(code, SOLUTION, CHECKS)["checks"]
    assert check["about"] == "three rows"
    assert check["wrong"] == wrong if wrong is None else check["wrong"].startswith(wrong)


def test_a_checked_program_draws_what_its_solution_draws() -> None:
    code = "import torch\nx = torch.randn(3)"
    checks: Any = [{"about": "", "given": "", "call": "x"}]
    assert [one["wrong"] for one in outcome(code, code, checks)["checks"]] == [None]
    assert outcome(code + "\nprint(x)", None, [], SEED) != outcome(code + "\nprint(x)", None, [], 1)


def test_what_a_check_gives_stands_at_no_line_of_the_reader() -> None:
    answer = outcome("def f(x):\n    return x.cumsum(0)", SOLUTION, CHECKS)
    assert [(one["line"], one["name"], one["shape"]) for one in answer["values"]] == [
        (1, "x", [3, 2]),
        (2, "", [3, 2]),
    ]


def test_names_of_a_comprehension_and_lists_are_not_told() -> None:
    assert run("x = [n for n in range(3)]")["values"] == []


def test_what_a_program_defines_prints_as_its_name() -> None:
    code = "class A:\n    pass\ndef f():\n    pass\nprint(A, f, A(), [A(), f])"
    assert printed(code) == "<class A> <function f> <A object> [<A object>, <function f>]\n"


TRAINED = """\
import torch
from torch import nn

class Head(nn.Module):
    def __init__(self, e):
        super().__init__()
        self.w = nn.Parameter(torch.ones(e))

    def forward(self, x):
        return x * self.w

class Model(nn.Module):
    def __init__(self, e):
        super().__init__()
        self.heads = nn.ModuleList([Head(e) for n in range(2)])
        self.mlp = nn.Sequential(Head(e), nn.Linear(e, 1))

    def forward(self, x):
        return self.mlp(sum([head(x) for head in self.heads]))

torch.manual_seed(0)
model = Model(3)
x = torch.ones(2, 3)
before = ((model(x) - 1) ** 2).mean()
before.backward()
with torch.no_grad():
    for p in model.parameters():
        p -= 0.01 * p.grad
after = ((model(x) - 1) ** 2).mean()
print(len(model.parameters()), after < before)
"""


def test_modules_of_ones_own_are_trained_in_lists_and_sequences() -> None:
    assert printed(TRAINED) == "5 tensor(True)\n"
    code = "from torch import nn\nfor p in nn.Linear(2, 3).parameters():\n    print(list(p.shape))"
    assert printed(code) == "[3, 2]\n[3]\n"


def test_no_inner_object_is_seen_in_print() -> None:
    code = "import torch\nprint([print], f'{print}', str(torch), [histogram])"
    function = "<built-in function {}>".format
    wanted = f"[{function('print')}] {function('print')} <module 'torch'> "
    assert printed(code) == f"{wanted}[{function('histogram')}]\n"


@pytest.mark.parametrize("code", ['print("\\ud800")', 'assert False, "\\ud800"'])
def test_half_of_a_character_is_not_sent(code: str) -> None:
    assert "\\ud800" in code
    json.dumps(run(code), ensure_ascii=False).encode()


def test_checks_print_what_the_one_that_differs_printed_and_compare_anything() -> None:
    code = "def f(n):\n    print('called', n)\n    return {}\nf(1)"
    checks: Any = [{"about": "", "given": "import torch", "call": "f(3)"}]

    def judged(made: str, wanted: str) -> tuple[str | None, str]:
        answer = outcome(
            f"import torch\n{code.format(made)}", f"def f(n):\n    return {wanted}", checks
        )
        return answer["checks"][0]["wrong"], answer["printed"]

    wrong, said = judged("torch.ones(3) * n", "n * 2")
    assert wrong == "Expected 6; got a tensor of the shape [3]." and said == "called 1\ncalled 3\n"
    assert judged("[torch.ones(2), 2]", "[1, 2]")[0] == "Expected 1; got a tensor of the shape [2]."
    assert "cannot be compared" in str(judged("[int('f' * 5000, 16), 1]", "[1, 2]")[0])


def test_what_all_checks_print_is_that_of_the_first() -> None:
    checks: Any = [{"about": "", "given": "", "call": f"f({n})"} for n in (3, 4)]
    code = "def f(n):\n    print('called', n)\n    return n"
    assert outcome(code, code, checks)["printed"] == "called 3\n"
    wrong = "def f(n):\n    print('called', n)\n    return 3"
    assert outcome(wrong, code, checks)["printed"] == "called 4\n"


def test_an_exercise_can_ask_to_do_without_something() -> None:
    checks: Any = [{"about": "without .softmax", "given": "", "call": "", "lacks": "softmax"}]
    uses = "import torch\ndef softmax(x):\n    return x.softmax(-1)"
    [check] = outcome(uses, "", checks)["checks"]
    assert check["wrong"] == "Line 3 uses .softmax. Write it without."
    does = "def softmax(x):\n    return x.exp() / x.exp().sum()"
    assert outcome(does, "", checks)["checks"] == [{"about": "without .softmax", "wrong": None}]


def test_a_device_is_refused() -> None:
    assert "CPU" in stopped("import torch\ntorch.ones(2, device='meta')")
