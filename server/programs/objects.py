"""Functions and classes that a program defines."""

import ast
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from torch import nn

from model.message import Message
from server.programs.limits import Refused

if TYPE_CHECKING:
    from server.programs.expressions import Scope


@dataclass(frozen=True, eq=False, repr=False)
class Function:
    """A function, with the names that were in sight where it was defined."""

    run: Callable[["Function", Sequence[Any], Mapping[str, Any]], Any]
    name: str
    line: int
    parameters: Sequence[str]
    defaults: Mapping[str, Any]
    body: Sequence[ast.stmt]
    scope: "Scope"

    def __repr__(self) -> str:
        return f"<function {self.name}>"

    def __call__(self, *args: Any, **named: Any) -> Any:
        return self.run(self, args, named)

    def bind(self, args: Sequence[Any], named: Mapping[str, Any]) -> dict[str, Any]:
        """The parameters with their values.

        Raises:
            TypeError: they do not fit, as Python says it.
        """
        if len(args) > len(self.parameters):
            raise TypeError(
                f"{self.name}() takes {_counted(len(self.parameters))} but {len(args)} "
                f"{'was' if len(args) == 1 else 'were'} given"
            )
        given = dict(zip(self.parameters, args, strict=False))
        for name, value in named.items():
            if name not in self.parameters:
                raise TypeError(f"{self.name}() got an unexpected keyword argument '{name}'")
            if name in given:
                raise TypeError(f"{self.name}() got multiple values for argument '{name}'")
            given[name] = value
        given = {**self.defaults, **given}
        missing = [name for name in self.parameters if name not in given]
        if missing:
            raise TypeError(
                f"{self.name}() missing {_counted(len(missing), 'required ')}: "
                f"{' and '.join(repr(name) for name in missing)}"
            )
        return {name: given[name] for name in self.parameters}


@dataclass(frozen=True, eq=False, repr=False)
class Builtin:
    """A function that is there without an import."""

    name: str
    does: Callable[..., Any]

    def __repr__(self) -> str:
        return f"<built-in function {self.name}>"

    def __call__(self, *args: Any, **named: Any) -> Any:
        return self.does(*args, **named)


def _counted(n: int, which: str = "") -> str:
    return f"{n} {which}positional argument{'' if n == 1 else 's'}"


@dataclass(frozen=True, eq=False, repr=False)
class Class:
    """A class, which may be an nn.Module."""

    name: str
    base: Any
    methods: Mapping[str, Function]

    def __post_init__(self) -> None:
        if self.base not in (None, nn.Module):
            raise Refused(Message("A class may have one base here: nn.Module."))

    def __repr__(self) -> str:
        return f"<class {self.name}>"

    def __call__(self, *args: Any, **named: Any) -> "Instance":
        made = Instance(self, initialised=self.base is None)
        if "__init__" in self.methods:
            self.methods["__init__"](made, *args, **named)
        else:
            made.initialise()
        return made


@dataclass(eq=False, repr=False)
class Instance:
    """An object of such a class. Calling a module runs its `forward`."""

    of: Class
    initialised: bool
    fields: dict[str, Any] = field(default_factory=dict)

    def __repr__(self) -> str:
        return f"<{self.of.name} object>"

    def initialise(self) -> None:
        """What `super().__init__()` does."""
        self.initialised = True

    def get(self, name: str) -> Any:
        if name in self.fields:
            return self.fields[name]
        if name == "parameters" and self.of.base is not None:
            return lambda: parameters_of(self)
        if name in self.of.methods and not name.startswith("__"):
            method = self.of.methods[name]
            return lambda *args, **named: method(self, *args, **named)
        raise AttributeError(f"'{self.of.name}' object has no attribute '{name}'")

    def set(self, name: str, value: Any) -> None:
        if name.startswith("__"):
            raise Refused(Message("Names of attributes do not begin with two underscores here."))
        if isinstance(value, nn.Module | Instance) and not self.initialised:
            raise AttributeError("cannot assign module before Module.__init__() call")
        self.fields[name] = value

    def __call__(self, *args: Any, **named: Any) -> Any:
        if self.of.base is None or "forward" not in self.of.methods:
            raise TypeError(f"'{self.of.name}' object is not callable")
        return self.of.methods["forward"](self, *args, **named)


@dataclass(frozen=True, eq=False, repr=False)
class Chain:
    """nn.Sequential, of what programs define, too."""

    parts: tuple[Any, ...]

    def __getitem__(self, n: Any) -> Any:
        return self.parts[n]

    def __len__(self) -> int:
        return len(self.parts)

    def __call__(self, x: Any) -> Any:
        for part in self.parts:
            x = part(x)
        return x


def sequential(*parts: Any) -> Any:
    """The real one if it can be."""
    whole = all(isinstance(part, nn.Module) for part in parts)
    return nn.Sequential(*parts) if whole else Chain(parts)


def module_list(parts: Any = ()) -> list[Any]:
    """nn.ModuleList, as a list of anything."""
    return list(parts)


def parameters_of(value: Any) -> list[nn.Parameter]:
    """All parameters of a module, of those in it, and of lists of them."""
    match value:
        case nn.Module():
            return list(value.parameters())
        case nn.Parameter():
            return [value]
        case Instance():
            return [one for part in value.fields.values() for one in parameters_of(part)]
        case Chain():
            return parameters_of(list(value.parts))
        case list():
            return [one for part in value for one in parameters_of(part)]
    return []
