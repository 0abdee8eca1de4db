"""The commands of `headlight`, a file each. A row here is all that registers one.

They import what is heavy in their bodies, so that --help and the shell's completion are quick.
"""

from collections.abc import Callable

from server.commands.classes import class_
from server.commands.doctor import doctor
from server.commands.dossier import dossier
from server.commands.evaluate import evaluate
from server.commands.export import export
from server.commands.figure import figure
from server.commands.film import film
from server.commands.get import get
from server.commands.heads import heads
from server.commands.serve import serve
from server.commands.trace import trace
from server.commands.train import train

COMMANDS: dict[str, Callable[..., None]] = {  # in the order of --help
    "serve": serve,
    "class": class_,
    "get": get,
    "trace": trace,
    "heads": heads,
    "dossier": dossier,
    "figure": figure,
    "export": export,
    "train": train,
    "evaluate": evaluate,
    "film": film,
    "doctor": doctor,
}
