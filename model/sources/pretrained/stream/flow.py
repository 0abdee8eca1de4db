"""Follows the residual stream through a run: which tensor is the sum of which others.

Every family adds, norms and scales its stream in an order of its own. So nothing is assumed of it:
while the model runs, each addition, each factor and each norm is noted, and what the last hidden
states are the sum of is read backwards from them. Whatever else was added is a leaf: what an
embedding or a feed-forward network wrote.
"""

import weakref
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, replace
from typing import Any, NamedTuple, Protocol, runtime_checkable

from torch import Tensor, nn
from torch.overrides import TorchFunctionMode

from model.sources.pretrained.stream.norms import NormRule
from model.trace.stream import FrozenNorm, Part

ADD, MULTIPLY, DIVIDE = "add", ("mul", "multiply"), ("div", "true_divide")
# functions that give the numbers that they get, perhaps in another dtype
COPIES = frozenset(
    "clone contiguous detach to float double half bfloat16 type type_as dropout".split()
)


@dataclass(eq=False)
class Leaf:
    """A tensor that is not a sum: its numbers, and when it was made."""

    time: int
    carries: bool  # it is part of what the first layer read
    value: Tensor
    factor: float = 1.0  # of the numbers
    part: Part | None = None  # if what it is needs no finding


@dataclass(frozen=True, eq=False)
class Heads:
    """The output of a site's W_O."""

    time: int
    site: int
    w_o: nn.Module
    carries: bool = False


@dataclass(frozen=True, eq=False)
class Sum:
    time: int
    carries: bool
    terms: tuple["Node", "Node"]


@dataclass(frozen=True, eq=False)
class Scaled:
    time: int
    carries: bool
    of: "Node"
    factor: float


@dataclass(frozen=True, eq=False)
class Normed:
    time: int
    carries: bool
    of: "Node"
    norm: FrozenNorm
    is_last: bool  # the module stands outside the layers


Node = Leaf | Heads | Sum | Scaled | Normed


@runtime_checkable  # the shape checker in tests calls isinstance on it
class Sites(Protocol):
    """The sites of a run so far."""

    @property
    def calls(self) -> Sequence[object]: ...

    def site_of(self, x: Tensor) -> int | None:
        """The site whose z these are; None if they are something else."""
        ...


Key = int | str  # the place or the name of an argument


@dataclass(frozen=True, kw_only=True, eq=False)
class Call:
    """How the attention module of a site was called, without the stream that it read."""

    site: int
    module: nn.Module
    args: tuple[Any, ...]
    kwargs: Mapping[str, Any]
    reads: Node | None  # what its queries are made of; None: nothing of the stream's size
    x: Key | None  # the argument with it
    context: Key | None  # the argument with the encoder's output, in cross-attention


class Alive(NamedTuple):
    """A tensor that was made during the run, while it is alive."""

    ref: "weakref.ref[Tensor]"
    time: int
    node: Node | None  # None: a leaf, unless something else is made of it


class Flow(TorchFunctionMode):
    """One stack's run: the nodes of its tensors, and the calls of its attention modules."""

    def __init__(
        self, sites: Sites, *, n_text: int, n_pos: int, d_model: int, context: Tensor | None = None
    ) -> None:
        super().__init__()
        self.sites, self.context = sites, context  # of an encoder, for its decoder
        self.n_text, self.n_pos, self.d_model = n_text, n_pos, d_model
        self.clock = 0
        self.begun: int | None = None  # when the first layer began
        self.calls: list[Call] = []
        self.read_by: dict[nn.Module, tuple[Node, ...]] = {}  # what other modules read, per call
        self.output: Tensor | None = None  # the last hidden states
        self._alive: dict[int, Alive] = {}

    @contextmanager
    def following(self) -> Iterator[None]:
        """Follow what this thread computes."""
        token = _current.set(self)
        try:
            with self:
                yield
        finally:
            _current.reset(token)

    def __torch_function__(
        self,
        func: Callable[..., Any],
        types: Any,
        args: tuple[Any, ...] = (),
        kwargs: Mapping[str, Any] | None = None,
    ) -> Any:
        name = getattr(func, "__name__", "")
        changes = name.endswith("_") and not name.endswith("__")
        before = self._before(args[0]) if changes and args else None
        result = func(*args, **(kwargs or {}))
        if isinstance(result, Tensor) and self._fits(result):
            self.clock += 1
            if changes or result is not (args[0] if args else None):
                made = self._made(name.rstrip("_"), args, kwargs or {}, result, before)
                self._note(result, made)
        return result

    def begin_layers(self) -> None:
        """The first layer begins: what was made before is what it reads."""
        if self.begun is None:
            self.begun = self.clock

    def heads(self, site: int, w_o: nn.Module, output: Tensor) -> None:
        """The output of a site's W_O."""
        self._note(output, Heads(self.clock, site, w_o))

    def normed(self, rule: NormRule, x: Tensor, output: Tensor, *, is_last: bool) -> None:
        """The output of a norm."""
        if not self._fits(output) or output is x:
            return
        of = self.node(x)
        if _is_followed(of):
            norm = rule.frozen(x, self.n_text)
            self.clock += 1
            self._note(output, Normed(self.clock, of.carries, of, norm, is_last))

    def changed(self, before: Tensor, after: Tensor, layer: int) -> None:
        """The stream, before and after an intervention: the difference is a part of its own."""
        if after is before:
            return
        node = self.node(before)
        self.clock += 1
        difference = Leaf(self.clock, False, after - before, part=Part("intervention", layer))
        self._note(after, Sum(self.clock, node.carries, (node, difference)))

    def attention(
        self, module: nn.Module, args: tuple[Any, ...], kwargs: Mapping[str, Any]
    ) -> None:
        """An attention module is called for the next site."""
        x: Key | None = None
        context: Key | None = None
        reads: Node | None = None
        arguments: list[tuple[Key, Any]] = [*enumerate(args), *kwargs.items()]
        for key, given in arguments:
            if not isinstance(given, Tensor):
                continue
            if given is self.context:
                context = key
            elif reads is None and self._fits(given):
                node = self.node(given)
                x, reads = (key, node) if _is_followed(node) else (None, None)
        self.calls.append(
            Call(
                site=len(self.sites.calls),
                module=module,
                args=tuple(None if n in (x, context) else each for n, each in enumerate(args)),
                kwargs={
                    name: None if name in (x, context) else each for name, each in kwargs.items()
                },
                reads=reads,
                x=x,
                context=context,
            )
        )

    def attended(self, *given: Tensor | None) -> None:
        """What the last call passed straight on to attention, such as its mask, is not kept."""
        call = self.calls[-1]
        passed = [each for each in given if each is not None]

        def without(value: Any) -> Any:
            return _blank(value) if any(value is each for each in passed) else value

        self.calls[-1] = replace(
            call,
            args=tuple(map(without, call.args)),
            kwargs={name: without(value) for name, value in call.kwargs.items()},
        )

    def reader(self, module: nn.Module, x: Tensor) -> None:
        """Another module that reads the stream is called: a feed-forward network."""
        self.read_by[module] = (*self.read_by.get(module, ()), self.node(x))

    def node(self, tensor: Tensor) -> Node:
        """What this tensor is."""
        seen = self._of(tensor)
        if seen is not None and seen.node is not None:
            return seen.node
        time = self.clock if seen is None else seen.time
        leaf = Leaf(time, self.begun is None or time <= self.begun, tensor)
        if leaf.carries:  # one node for one tensor; others are needed only where they are added
            self._alive[id(tensor)] = Alive(weakref.ref(tensor), time, leaf)
        return leaf

    def _of(self, tensor: Tensor) -> "Alive | None":
        seen = self._alive.get(id(tensor))
        return seen if seen is not None and seen.ref() is tensor else None

    def _fits(self, tensor: Tensor) -> bool:
        """Whether it has the size of the stream."""
        return (
            tensor.shape[-1:] == (self.d_model,)
            and tensor.numel() == self.n_text * self.n_pos * self.d_model
        )

    def _note(self, tensor: Tensor, node: Node | None) -> None:
        key = id(tensor)

        def forget(ref: "weakref.ref[Tensor]") -> None:
            seen = self._alive.get(key)
            if seen is not None and seen.ref is ref:
                del self._alive[key]

        time = self.clock if node is None else node.time
        self._alive[key] = Alive(weakref.ref(tensor, forget), time, node)

    def _before(self, tensor: Any) -> Node | None:
        """The node of a tensor that a function is about to overwrite, with numbers of its own."""
        if not isinstance(tensor, Tensor) or not self._fits(tensor):
            return None
        node = self.node(tensor)
        if isinstance(node, Leaf) and node.value is tensor:
            node.value = tensor.clone()
        return node

    def _made(
        self,
        name: str,
        args: tuple[Any, ...],
        kwargs: Mapping[str, Any],
        result: Tensor,
        before: Node | None,
    ) -> Node | None:
        """The node of a function's result; None if it is a leaf."""
        tensors = [before if before is not None and n == 0 else each for n, each in enumerate(args)]
        if name == ADD:
            return self._sum(tensors) if kwargs.get("alpha", 1) == 1 else None
        if name in MULTIPLY or name in DIVIDE:
            return self._scaled(tensors, divides=name in DIVIDE)
        first = args[0] if args else None
        if not isinstance(first, Tensor) or before is not None or not self._fits(first):
            return None
        is_view = first.data_ptr() == result.data_ptr() and first.numel() == result.numel()
        seen = self._of(first) if is_view or name in COPIES else None
        if seen is None or seen.node is not None:
            return None if seen is None else seen.node
        return self.node(first) if self.begun is not None and seen.time <= self.begun else None

    def _sum(self, args: Sequence[Any]) -> Node | None:
        terms = [self.node(each) if isinstance(each, Tensor) else each for each in args]
        nodes = [term for term in terms if isinstance(term, Node)]
        if len(nodes) != 2 or len(terms) != 2 or not any(map(_is_followed, nodes)):
            return None
        return Sum(self.clock, any(term.carries for term in nodes), (nodes[0], nodes[1]))

    def _scaled(self, args: Sequence[Any], *, divides: bool) -> Node | None:
        if len(args) != 2:
            return None
        one, other = args if isinstance(args[0], Node) or _is_wide(args[0]) else args[::-1]
        factor = other.item() if isinstance(other, Tensor) and other.numel() == 1 else other
        swapped = one is not args[0]
        if not isinstance(factor, int | float) or (swapped and divides):
            return None
        if not isinstance(one, Node) and not (isinstance(one, Tensor) and self._fits(one)):
            return None
        of = one if isinstance(one, Node) else self.node(one)
        factor = 1 / factor if divides else float(factor)
        if isinstance(of, Leaf) and not of.carries:
            return Leaf(self.clock, False, of.value, of.factor * factor)
        return Scaled(self.clock, of.carries, of, factor)


def _blank(tensor: Tensor) -> Tensor:
    """Zeros of the same shape and type, which take no memory."""
    return tensor.new_zeros(()).expand(tensor.shape)


def _is_wide(value: Any) -> bool:
    return isinstance(value, Tensor) and value.numel() > 1


def _is_followed(node: Node) -> bool:
    return node.carries or not isinstance(node, Leaf)


_current: ContextVar[Flow | None] = ContextVar("flow", default=None)


def current_flow() -> Flow | None:
    """The flow that this thread's run is followed by, if any."""
    return _current.get()
