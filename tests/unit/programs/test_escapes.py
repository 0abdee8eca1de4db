"""Known ways out of restricted Python: none works here, and each is refused with a reason."""

import pytest

from server.programs import runner
from server.programs.checks import outcome

WAYS_OUT = [
    # to the classes of everything
    "().__class__.__bases__[0].__subclasses__()",
    "''.__class__.__mro__",
    "[].__class__.__base__.__subclasses__()",
    "(1).__class__",
    "print.__self__",
    "print.__globals__",
    "len.__self__",
    "def f():\n    pass\nf.__globals__",
    "def f():\n    pass\nf.__code__",
    "def f():\n    pass\nf.run",
    "def f():\n    pass\nf.scope.outer.names",
    "class A:\n    pass\nA.of",
    "class A:\n    pass\nA().__dict__",
    "class A:\n    pass\nA().of",
    "class A:\n    pass\nA().fields",
    "class A:\n    pass\nA().__class__",
    "class A:\n    def f(self):\n        pass\nA().f.__closure__",
    "(x for x in [1]).gi_frame.f_globals",
    "[x for x in [1]].__iter__",
    # through formats, which read attributes
    "'{0.__class__}'.format(1)",
    "'{0.__class__}'.format_map({})",
    "f'{().__class__}'",
    "f'{1:{().__class__}}'",
    "'%s' % ()",
    "f'{1!r:>{10 ** 9}}'",
    # names that reach outside
    "__import__('os').system('id')",
    "__builtins__",
    "open('/etc/passwd').read()",
    "open('canary', 'w').write('x')",
    "eval('1')",
    "exec('x = 1')",
    "compile('1', '', 'eval')",
    "globals()",
    "locals()",
    "vars()",
    "getattr([], '__class__')",
    "setattr(print, 'x', 1)",
    "type('X', (), {})",
    "input()",
    "breakpoint()",
    "super().__init__",
    "object()",
    # modules
    "import os",
    "import sys",
    "from os import system",
    "import torch.utils.cpp_extension",
    "from torch import os",
    "from torch import *",
    "from . import x",
    "import subprocess as torch",
    "import builtins",
    # torch
    "import torch\ntorch.load('x')",
    "import torch\ntorch.save([1], 'canary')",
    "import torch\ntorch.os.system('id')",
    "import torch\ntorch.classes.load_library('x')",
    "import torch\ntorch.ops.load_library('x')",
    "import torch\ntorch.hub.load('a', 'b')",
    "import torch\ntorch.sys.modules",
    "import torch\ntorch.jit.load('x')",
    "import torch\ntorch.from_file('canary', size=1)",
    "import torch\ntorch.serialization",
    "import torch\ntorch.zeros(1).numpy().tofile('canary')",
    "import torch\ntorch.zeros(1).data_ptr()",
    "import torch\ntorch.zeros(1).storage()",
    "import torch\ntorch.zeros(1).register_hook(print)",
    "import torch\ntorch.zeros(1).apply_(print)",
    "import torch\ntorch.zeros(1).__reduce__()",
    "import torch\ntorch.randn.__self__",
    "import torch\ntorch.float32.__class__",
    "from torch import nn\nnn.Module.__subclasses__()",
    "from torch import nn\nnn.Linear(1, 1).register_forward_hook(print)",
    "from torch import nn\nnn.Linear.forward",
    "from torch import nn\nnn.Linear(1, 1).__dict__",
    "from torch import nn\nnn.Linear(1, 1).weight = 1",
    "import einops\neinops.einops",
    "import math\nmath.__loader__",
    # syntax
    "(lambda: 1).__globals__",
    "@print\ndef f():\n    pass",
    "class A(metaclass=print):\n    pass",
    "class A(int):\n    pass",
    "class A:\n    x = print",
    "def f(*x):\n    pass",
    "print(**{})",
    "with open('x') as f:\n    pass",
    "import torch\nwith torch.ones(1):\n    pass",
    "import torch\ntorch.no_grad().__enter__",
    "import torch\n@torch.no_grad()\ndef f():\n    pass",
    "isinstance.__self__",
    "str.format",
    "int.__subclasses__()",
    "str.mro()",
    "{}.__class__",
    "{**{}}",
    "{1: 2}.setdefault",
    "try:\n    1 / 0\nexcept ZeroDivisionError as e:\n    e.__traceback__.tb_frame",
    "raise SystemExit",
    "global x",
    "del print",
    "x = {1}",
    "async def f():\n    pass",
    "(x := 1)",
    "match 1:\n    case int():\n        pass",
    "type X = int",
    "1 << 9",
    "x = b'x'",
    "x = 1j",
    "self = 1\nself.x = 2",
    "class A:\n    def f(self):\n        self.__class__ = 1\nA().f()",
    # too much
    "x = 9 ** 9 ** 9",
    "x = 2\nfor i in range(99):\n    x = x * x",
    "[0] * 10 ** 9",
    "'x' * 10 ** 9",
    "range(10 ** 9)",
    "while True:\n    pass",
    "def f():\n    return f()\nf()",
    "import torch\ntorch.zeros(10 ** 5, 10 ** 5)",
    "import torch\ntorch.ones(1).expand(10 ** 9)",
    "x = [0]\nwhile True:\n    x[:0] = x",
    "x = {}\nn = 0\nwhile True:\n    n += 1\n    x[n] = n",
    "(" * 5_000 + ")" * 5_000,
    "-" * 5_000 + "1",
    "x = \0",
]


@pytest.mark.parametrize("code", WAYS_OUT)
def test_there_is_no_way_out(
    code: str, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path_factory.mktemp("nothing")
    monkeypatch.chdir(folder)
    answer = outcome(code, None, [])
    assert answer["error"] is not None, answer
    assert answer["error"]["message"]
    assert not list(folder.iterdir())


def asked(code: str) -> dict[str, object]:
    return {"code": code, "solution": None, "checks": [], "seed": None}


@pytest.mark.parametrize(
    ("code", "words"),
    [
        # one call that computes long, which no count of steps sees
        (
            "import torch\nx = torch.rand(999, 999)\nfor i in range(9999):\n    x = x @ x",
            "computing",
        ),
        ("x = ['x' * 99_999] * 99_999\ny = ''.join(x)", "memory"),
        ("x = [0]\nfor i in range(60):\n    x = [x, x]\nprint(x)", "The program"),
    ],
)
@pytest.mark.long
def test_what_takes_too_much_ends_alone(code: str, words: str) -> None:
    error = runner._run(asked(code))["error"]
    assert words in error["message"]
    assert runner._run(asked("print(1)"))["printed"] == "1\n"


@pytest.mark.long
def test_a_run_has_no_files_and_no_output(monkeypatch: pytest.MonkeyPatch) -> None:
    """The second wall: even code that got out of the language would find nothing to open."""

    def out(*_: object) -> dict[str, object]:
        found = []
        for way in ("open('/etc/passwd')", "__import__('os').pipe()", "open('canary', 'w')"):
            try:
                eval(way)
                found.append(way)
            except OSError:
                pass
        return {"printed": str(found)}

    monkeypatch.setattr(runner, "outcome", out)
    assert runner._run(asked(""))["printed"] == "[]"
