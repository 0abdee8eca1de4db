"""One attention function for every Transformers family, which also records its calls.

Transformers lets an application register its own attention function and mask format. Every family
that uses this interface then calls the function with q, k, v as they enter the dot product. Ours
combines the requested masks and mutes, computes the result with `attend`, and records a `Site`. So
edits reach every layer, and the record is what the model really used.

The mask that a model gets is a single expanded cell. It takes no memory and only identifies the
rules behind it, which are looked up when the model passes it on. If a model makes its own mask, the
rules are recognised from that mask.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import Any, Literal

import torch
from jaxtyping import Bool, Float
from torch import Tensor, nn
from transformers import AttentionInterface, AttentionMaskInterface

from model.core.attention import added, attend, fading
from model.core.editing import AffineEdits, Editor, Point, at_layer, in_turn
from model.errors import UnavailableError
from model.masks.mask import Mask, site_mask, stripes_of
from model.masks.rules import MaskSettings
from model.slices import end_slice
from model.sources.intervening import edited
from model.sources.pretrained.opening.device import kept
from model.sources.pretrained.opening.rules import Rules, recognise, split
from model.sources.pretrained.stream.flow import Flow, current_flow
from model.trace.recorded import SiteKind, TokenAxis
from model.trace.site import Site

NAME = "headlight"  # under which our attention function is registered
# Arguments that we can ignore: the mask already contains them, or they concern training, caches or
# the format of the result.
IGNORED = frozenset(
    "cache_position deterministic dropout is_causal output_attentions output_hidden_states "
    "output_router_logits past_key_values position_ids return_dict sliding_window token_type_ids "
    "use_cache".split()
)
# The tokens that are the queries and keys of each kind of site.
AXES: Mapping[SiteKind, tuple[TokenAxis, TokenAxis]] = {
    "self": ("tokens", "tokens"),
    "encoder": ("tokens", "tokens"),
    "decoder": ("target_tokens", "target_tokens"),
    "cross": ("target_tokens", "tokens"),
}


@dataclass(kw_only=True)
class Recording:
    """One run of a model: the requested edits, and the sites so far in the order of the calls."""

    real: Mapping[TokenAxis, Bool[Tensor, "batch pos"]]  # False: padding
    settings: MaskSettings = field(default_factory=MaskSettings)
    muted: Bool[Tensor, "#row site head"] | None = None
    edits: AffineEdits | None = None  # the interventions
    edit: Editor | None = None  # a further edit, which is not recorded
    w_o: Sequence[Tensor | None] = ()  # one per site, (head d_head d_model), if known
    layers: Sequence[int] = ()  # the layer of each site; by default, sites are counted
    text: int | None = None  # if set, every row of the batch is this text
    stack: Literal["single", "encoder", "decoder"] = "single"  # the one that is running
    scans: bool = False  # whether scans are sites
    keep: bool = True  # whether to keep sites; False if only a prediction is needed
    calls: list[SiteKind] = field(default_factory=list)
    sites: list[Site] = field(default_factory=list)
    answer: Tensor | None = None  # the last z returned to the model
    entered: Tensor | None = None  # what the running layer was given, if the run is edited
    # that called attention, one per site; of a scan, None
    modules: list[nn.Module | None] = field(default_factory=list)
    # what was added to the residual stream of each stack, if this run is followed
    flows: dict[TokenAxis, Flow] | None = None
    _masks: dict[int, tuple[Tensor, Rules]] = field(default_factory=dict)

    @contextmanager
    def running(self) -> Iterator[None]:
        """Record the attention calls of this thread."""
        token = _current.set(self)
        try:
            yield
        finally:
            _current.reset(token)

    def stand_in(
        self,
        n_batch: int,
        n_query: int,
        n_key: int,
        allowed: Callable[[slice], Tensor],
        device: torch.device | None = None,
    ) -> Tensor:
        """A placeholder mask for the model to pass on; it identifies the rules."""
        mask = torch.ones((), dtype=torch.bool, device=device).expand(n_batch, 1, n_query, n_key)
        rules = self._recognise(allowed, n_query, n_key, self._key_axis(n_query, n_key))
        # keyed by storage, which slices share; kept alive so that its address is not reused
        self._masks[mask.untyped_storage().data_ptr()] = mask, rules
        return mask

    def attend(
        self,
        q: Tensor,
        k: Tensor,
        v: Tensor,
        given: Tensor | None,
        *,
        scale: float | None,
        bias: Tensor | None,
        soft_cap: float | None,
        sink: Tensor | None,
    ) -> Tensor:
        """z (batch head query d_head) of the next site, with its masks and mutes."""
        kind = self._kind()
        self._check_lengths(kind, q.shape[2], k.shape[2])
        rules, given_bias = self._rules(given, q.shape[2], k.shape[2], AXES[kind][1])
        settings: dict[str, Any] = {
            "scale": q.shape[-1] ** -0.5 if scale is None else scale,
            "bias": added(bias, given_bias),
            "soft_cap": soft_cap,
            "sink": sink,
        }
        return self._site(q, k, v, rules, settings)

    def scan(self, q: Tensor, k: Tensor, v: Tensor, decay: Tensor) -> Tensor:
        """z (batch head query d_head) of the next site, of a layer without a softmax."""
        self._check_lengths(self._kind(), q.shape[2], k.shape[2])
        self.answer = None
        self.modules.append(None)
        settings = {"scale": 1.0, "kernel": "product", "decay": decay}
        return self._site(q, k, v, Rules(causal=True), settings)

    def _site(
        self, q: Tensor, k: Tensor, v: Tensor, rules: Rules, settings: dict[str, Any]
    ) -> Tensor:
        """z of the next site, which is recorded."""
        kind = self._kind()
        layer = self.layers[len(self.calls)] if self.layers else self.calls.count(kind)
        query_axis, key_axis = AXES[kind]
        n_heads, n_kv_heads = q.shape[1], k.shape[1]
        k, v = expanded(k, v, n_heads)
        edit = at_layer(in_turn(self.edits, self.edit), layer, kind)
        if edit is not None:
            q, k, v = edit("q", q), edit("k", k), edit("v", v)
            if "decay" in settings:
                settings = settings | {"decay": edit("decay", settings["decay"])}
        mask = site_mask(
            self.settings,
            kind=kind,
            layer=layer,
            n_query=q.shape[2],
            n_key=k.shape[2],
            n_heads=n_heads,
            real_keys=self.real[key_axis],
            causal=rules.causal,
            window=rules.window,
            own=rules.cells,
        )
        bias = settings.get("bias")
        if bias is not None and not bool(bias.any()):
            settings = settings | {"bias": None}
        muted = None if self.muted is None else self.muted[:, len(self.calls), :n_heads]
        self.calls.append(kind)
        if self.keep:
            self.sites.append(
                Site(
                    name=site_name(kind, layer),
                    kind=kind,
                    layer=layer,
                    mask=mask,
                    n_heads=n_heads,
                    n_kv_heads=n_kv_heads,
                    q=kept(q),
                    k=kept(k),
                    v=kept(v),
                    w_o=self.w_o[len(self.calls) - 1] if self.w_o else None,
                    muted=() if muted is None else tuple(muted[0].nonzero()[:, 0].tolist()),
                    query_tokens=query_axis,
                    key_tokens=key_axis,
                    tells_hidden=self.scans,
                    **edited(self.edits, layer, kind),
                    **_kept_settings(settings),
                )
            )
        z: Tensor = _z(q, k, v, mask, text=self.text, **settings)
        z = z if edit is None else edit("z", z)
        return z if muted is None else z.masked_fill(muted[:, :, None, None].to(z.device), 0.0)

    def embedded(self, x: Tensor) -> Tensor:
        """What the tokens of the running stack start with, edited."""
        kind: SiteKind = "self" if self.stack == "single" else self.stack
        edit = at_layer(self.edit, 0, kind)
        return x if edit is None else edit("embedding", x)

    @property
    def is_edited(self) -> bool:
        """Whether anything is changed during the run."""
        return self.edits is not None or self.edit is not None

    def edited(self, point: Point, layer: int, kind: SiteKind, x: Tensor) -> Tensor:
        """A feed-forward network's output, or the stream around a layer, edited."""
        edit = at_layer(in_turn(self.edits, self.edit), layer, kind)
        if edit is None:
            return x
        n = self.real[AXES[kind][0]].shape[1]
        rows = x.reshape(-1, n, x.shape[-1])  # OPT gives the tokens of all texts in one row
        changed = edit(point, rows)
        return x if changed is rows else changed.reshape(-1, *x.shape[1:])  # of more rows, perhaps

    def site_of(self, x: Tensor) -> int | None:
        """The site whose z these are, as it was last returned; None if they are something else."""
        z = self.answer
        same = z is not None and x.data_ptr() == z.data_ptr() and x.numel() == z.numel()
        return len(self.calls) - 1 if same else None

    def _kind(self) -> SiteKind:
        """The kind of the next call; a decoder layer does self-attention, then cross-attention."""
        if self.stack == "single":
            return "self"
        if self.stack == "encoder":
            return "encoder"
        return "cross" if self.calls and self.calls[-1] == "decoder" else "decoder"

    def _check_lengths(self, kind: SiteKind, n_query: int, n_key: int) -> None:
        expected = tuple(self.real[axis].shape[1] for axis in AXES[kind])
        if (n_query, n_key) != expected:
            raise UnsupportedError(
                f"a {kind} site has {n_query} queries and {n_key} keys; expected "
                f"{expected[0]} and {expected[1]}"
            )

    def _key_axis(self, n_query: int, n_key: int) -> TokenAxis:
        """The tokens that are a mask's keys: a decoder has masks for itself and for the encoder."""
        if self.stack != "decoder":
            return "tokens"
        crosses = n_key == self.real["tokens"].shape[1] and n_query != n_key
        return "tokens" if crosses else "target_tokens"

    def _rules(
        self, given: Tensor | None, n_query: int, n_key: int, axis: TokenAxis
    ) -> tuple[Rules, Tensor | None]:
        """The rules of a mask passed with a call, and its bias on the scores."""
        if given is None:
            return Rules(), None
        known = self._masks.get(given.untyped_storage().data_ptr())
        if known is not None:
            return known[1], None
        cells, bias = split(given.expand(-1, -1, n_query, n_key))
        cells = cells.cpu()
        return self._recognise(lambda rows: cells[:, :, rows], n_query, n_key, axis), bias

    def _recognise(
        self, allowed: Callable[[slice], Tensor], n_query: int, n_key: int, axis: TokenAxis
    ) -> Rules:
        """Recognise a mask's rules; if all rows are the same text, from the first row only."""
        real = self.real[axis]
        if self.text is None:
            return recognise(allowed, n_query, n_key, real)
        one = real[self.text : self.text + 1]
        return recognise(lambda rows: allowed(rows)[:1], n_query, n_key, one)


def expanded(k: Tensor, v: Tensor, n_heads: int) -> tuple[Tensor, Tensor]:
    """k and v of grouped queries with one head for each head of q."""
    if k.shape[1] == n_heads:
        return k, v
    k, v = (tensor.repeat_interleave(n_heads // k.shape[1], dim=1) for tensor in (k, v))
    return k, v


def _kept_settings(settings: Mapping[str, Any]) -> dict[str, Any]:
    return {name: kept(s) if isinstance(s, Tensor) else s for name, s in settings.items()}


class UnsupportedError(UnavailableError):
    """A family calls attention in a way that we do not support; the message says how."""


def _z(
    q: Tensor,
    k: Tensor,
    v: Tensor,
    mask: Mask,
    *,
    text: int | None,
    bias: Tensor | None = None,
    decay: Tensor | None = None,
    **settings: Any,
) -> Float[Tensor, "batch head query d_head_v"]:
    """Attention of a whole site; with a mask or bias, one stripe of query rows at a time."""
    if mask.is_open and bias is None and decay is None:
        z: Tensor = attend(q, k, v, **settings)
        return z
    texts = slice(None) if text is None else slice(text, text + 1)
    # made first: stripes kept one by one among the larger masks would leave holes in memory
    whole = q.new_empty(*q.shape[:3], v.shape[-1])
    for rows in stripes_of(mask.n_query):
        keys = mask.visible_keys(rows)
        whole[:, :, rows] = attend(
            q[:, :, rows],
            k[:, :, keys],
            v[:, :, keys],
            mask=mask.allows(rows)[texts, ..., keys].to(q.device),
            bias=added(
                None if bias is None else bias[:, :, rows, keys],
                None if decay is None else fading(decay, rows)[..., keys],
            ),
            **settings,
        )
    return whole


_current: ContextVar[Recording | None] = ContextVar("recording", default=None)


def _answer(
    module: nn.Module,
    query: Tensor,
    key: Tensor,
    value: Tensor,
    attention_mask: Tensor | None,
    scaling: float | None = None,
    softcap: float | None = None,
    s_aux: Tensor | None = None,
    position_bias: Tensor | None = None,
    **other: Any,
) -> tuple[Tensor, None]:
    """The attention function that Transformers calls: returns z (batch query head d_head)."""
    recording = _running()
    unknown = sorted(k for k, value in other.items() if value is not None and k not in IGNORED)
    if unknown:
        raise UnsupportedError(f"it calls attention with {', '.join(unknown)}")
    recording.modules.append(module)
    flow = current_flow()
    if flow is not None:
        flow.attended(attention_mask, position_bias)
    z = recording.attend(
        query,
        key,
        value,
        attention_mask,
        scale=scaling,
        bias=position_bias,
        soft_cap=softcap,
        sink=s_aux,
    )
    recording.answer = z.transpose(1, 2).contiguous()
    end_slice()
    return recording.answer, None


def _make_mask(
    batch_size: int,
    q_length: int,
    kv_length: int,
    *,
    device: torch.device | None = None,
    mask_function: Callable[[Tensor, Tensor, Tensor, Tensor], Tensor],
    **other: Any,
) -> Tensor:
    """The mask function that Transformers calls. Its padding argument is ignored: we know it."""
    batch = torch.arange(batch_size, device=device)[:, None, None, None]
    head = torch.zeros(1, 1, 1, 1, dtype=torch.long, device=device)
    query = torch.arange(q_length, device=device)[None, None, :, None]
    key = torch.arange(kv_length, device=device)[None, None, None, :]

    def allowed(rows: slice) -> Tensor:
        found = mask_function(batch, head, query[:, :, rows], key)
        return found.expand(-1, -1, query[:, :, rows].shape[2], kv_length).cpu()

    return _running().stand_in(batch_size, q_length, kv_length, allowed, device)


def edit_embeddings(*modules: nn.Module) -> None:
    """Let the recording of a run edit what these modules give for its tokens."""

    def given(module: nn.Module, args: object, x: Tensor) -> Tensor | None:
        recording = _current.get()
        return None if recording is None or recording.edit is None else recording.embedded(x)

    for module in dict.fromkeys(modules):
        module.register_forward_hook(given)


def current_recording() -> Recording | None:
    """The recording of the run in this thread, if there is one."""
    return _current.get()


def _running() -> Recording:
    recording = _current.get()
    assert recording is not None, "this model runs within a Recording"
    return recording


def site_name(kind: SiteKind, layer: int) -> str:
    """layers.2, encoder.layers.2, decoder.layers.2.self, decoder.layers.2.cross"""
    match kind:
        case "self":
            return f"layers.{layer}"
        case "encoder":
            return f"encoder.layers.{layer}"
        case "decoder":
            return f"decoder.layers.{layer}.self"
        case "cross":
            return f"decoder.layers.{layer}.cross"


AttentionInterface.register(NAME, _answer)
AttentionMaskInterface.register(NAME, _make_mask)
