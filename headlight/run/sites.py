"""The sites of a run, and their tensors, fetched one by one when they are read."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, TypeVar, Unpack

from headlight.errors import RequestError
from headlight.http.steps import Async, Steps, Sync, asked, fetched
from headlight.request.masks import Kind
from headlight.run.look import TENSORS, DType, Look, Pooling, Units
from headlight.run.look import Site as Document
from headlight.run.tensors import Reads, Tensor

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from plotly.graph_objects import Figure

    from headlight.figures.content import Options


def _tensor(name: str, about: str) -> "fetched[BaseSite, Tensor]":
    def steps(site: "BaseSite") -> Steps[Tensor]:
        return (yield from BaseSite.tensor.steps(site, name))

    steps.__doc__ = f"[head, {', '.join(TENSORS[name])}] {about}."
    return fetched(steps)


class BaseSite:
    """A site of a run: a place in the model where attention happens.

    Its tensors are arrays, or lists of arrays where a run has several texts.
    """

    def __init__(self, doing: Any, tensors: Reads, document: Document) -> None:
        self._doing = doing
        self._tensors = tensors
        self._document = document

    q = _tensor("q", "queries, as they enter the dot product")
    k = _tensor("k", "keys, as they enter the dot product")
    v = _tensor("v", "values")
    scores = _tensor("scores", "before the softmax, scaled; also where a cell is blocked")
    pattern = _tensor("pattern", "after the softmax")
    z = _tensor("z", "pattern · v; 0 for a muted head")
    blocked_by = _tensor("blocked_by", "bits that say which masks block a cell; 0: it is open")
    gate = _tensor("gate", "the factor of z between 0 and 1, if the site `has_gate`")
    hidden = _tensor("hidden", "what v is multiplied by where there is no softmax: signed")
    net = _tensor("net", "of the first head of a pair less `minus` times that of the second")
    bias = _tensor("bias", "what the site adds to the scores, if it `has_bias`")
    result = _tensor("result", "z · W_O of each head")
    norms = _tensor("norms", "how much is moved: ‖pattern · v · W_O‖₂")
    value_weighted = _tensor("value_weighted", "pattern · ‖v‖₂, each row divided by its sum")

    @asked
    def tensor(
        self,
        name: str,
        *,
        heads: Sequence[int] | None = None,
        rows: tuple[int, int] | None = None,
        resolution: int | None = None,
        pooling: Pooling = "max",
        units: Units = "pieces",
        dtype: DType = "float32",
    ) -> Steps[Tensor]:
        """One tensor, or a part of it: some heads, some query rows [start, stop).

        `resolution` pools patterns to at most so many rows and columns; `pooling` says whether a
        block has the maximum or the mean of its cells. With units of "words", rows and columns of
        patterns are the run's `words`. `dtype` is the number format: float16 takes half as long to
        send.
        """
        look = Look(
            tensors=(name,),
            heads=None if heads is None else tuple(heads),
            rows=rows,
            resolution=resolution,
            pooling=pooling,
            units=units,
            dtype=dtype,
        )
        return (yield from self._tensors.of_site(self._document, look))

    @asked
    def rows(self, name: str, start: int, stop: int, dtype: DType = "float32") -> Steps[Tensor]:
        """The query rows [start, stop) of a tensor."""
        look = Look(tensors=(name,), rows=(start, stop), dtype=dtype)
        return (yield from self._tensors.of_site(self._document, look))

    @property
    def name(self) -> str:
        return str(self._document["name"])

    @property
    def kind(self) -> Kind:
        kind: Kind = self._document["kind"]
        return kind

    @property
    def layer(self) -> int:
        return int(self._document["layer"])

    @property
    def n_heads(self) -> int:
        return len(self._document["heads"])

    @property
    def about(self) -> Document:
        """All that the server says of it: scale, soft cap, sink, key–value heads, ….

        `GET /api/trace` in the server's own pages, /docs, explains each.
        """
        return self._document

    def __repr__(self) -> str:
        return f"<site {self.name}: {self.n_heads} heads>"


for _name in TENSORS.keys() - vars(BaseSite).keys():  # that a table has, and no line above
    setattr(BaseSite, _name, _tensor(_name, "as the server derives it"))


class Site(BaseSite, Sync):
    __doc__ = BaseSite.__doc__


class AsyncSite(BaseSite, Async):
    __doc__ = BaseSite.__doc__


S = TypeVar("S", bound=BaseSite)


class Tensored:
    """What has sites with tensors: a run, or the difference between two."""

    def __init__(self, doing: Any, tensors: Reads, sites: Sequence[Document]) -> None:
        self._doing = doing
        self._tensors = tensors
        self._documents = sites

    @property
    def sites(self) -> tuple[str, ...]:
        """The names of the sites, from the first layer to the last."""
        return tuple(site["name"] for site in self._documents)

    @fetched
    def pattern(self) -> Steps[Tensor]:
        """After the softmax: [layer, head, query, key]; where sites differ, a list by site."""
        return (yield from Tensored.tensor.steps(self, "pattern"))

    @asked
    def tensor(
        self,
        name: str,
        *,
        layers: Sequence[int] | None = None,
        kinds: Sequence[Kind] | None = None,
        heads: Sequence[int] | None = None,
        rows: tuple[int, int] | None = None,
        resolution: int | None = None,
        pooling: Pooling = "max",
        units: Units = "pieces",
        dtype: DType = "float32",
    ) -> Steps[Tensor]:
        """One tensor of every site, as `pattern` is, or a part of it.

        `rows` are query rows [start, stop). `resolution` pools patterns to at most so many rows and
        columns; `pooling` says whether a block has the maximum or the mean of its cells. With units
        of "words", rows and columns of patterns are the run's `words`. `dtype` is the number
        format: float16 takes half as long to send.
        """
        look = Look(
            tensors=(name,),
            layers=None if layers is None else tuple(layers),
            kinds=None if kinds is None else tuple(kinds),
            heads=None if heads is None else tuple(heads),
            rows=rows,
            resolution=resolution,
            pooling=pooling,
            units=units,
            dtype=dtype,
        )
        return (yield from self._tensors.of_sites(self._documents, look))

    @asked
    def plot(
        self,
        layer: int | None = None,
        head: int | None = None,
        ax: "Axes | None" = None,
        **options: "Unpack[Options]",
    ) -> Steps[Any]:
        """Draw a head with matplotlib, in the page's colours, and give the axes.

        Without a head, it draws all heads of the layer, and without a layer, all heads: the axes
        are then an array. Without `ax`, it makes a figure that is as large as it needs, whose
        `savefig` keeps text as text. docs/figures.md shows all options.

        Args:
            layer, head: which head.
            ax: the axes to draw on.
            options: what is drawn: `view` ("heatmap" or "lines"), `kind` of sites, `text`,
                `tensor`, `rows`, `overlay`, the `language` of its words; and how it looks: `title`,
                `caption`, `values`, `colorbar`, `legend`, `dark`, `scale`, `steps`, `transparent`,
                `fontsize`, `width` and `height` in inches.
        """
        from headlight.figures.content import parted
        from headlight.figures.plotting import plot

        return (yield from plot(self, layer, head, ax, *parted(options)))

    @asked
    def figure(
        self,
        layer: int,
        head: int,
        **options: "Unpack[Options]",
    ) -> Steps["Figure"]:
        """Draw a head with plotly: each cell says what the page says under the pointer.

        The arguments are those of `plot`; `caption`, `values`, `width` and `height` have no effect.
        """
        from headlight.figures.content import parted
        from headlight.figures.interactive import figure

        return (yield from figure(self, layer, head, *parted(options)))

    def _site_of(self, name: str, kind: type[S]) -> S:
        for site in self._documents:
            if site["name"] == name:
                return kind(self._doing, self._tensors, site)
        raise RequestError(
            f"The model has the sites {', '.join(self.sites)}; got {name!r}.",
            code="unknown_site",
            field="site",
        )
