"""The space of the queries and keys of a head, over many texts."""

from dataclasses import replace
from typing import Annotated, Any, ClassVar, Literal

from pydantic import Field, model_validator

from model.analysis.space import FIELD, MAX_PAIRS, Method, Space, methods, space_of, space_over
from model.dossier.english import english_texts
from model.errors import UnavailableError
from model.kinds import SiteKind as Kind
from model.message import Message
from model.trace.trace import Trace
from server.api.analyses.analysis import Analysis, Fields, Runs, Work
from server.api.fields import Index, Request, Response, Text
from server.run.prices import MULTIPLY_ADD_MS, NUMBER_MS

MAX_SENTENCES = 100
_CHARACTERS = 2_000  # of a sentence
_POINT_BYTES = 130  # in JSON
TSNE_MS = 6.0  # of a point, on one core: 750 steps
_EVERYDAY_TOKENS = 40  # in one of the everyday sentences, about: they have one or two clauses


class AnalyseSpace(Request):
    """Which head, and over which texts."""

    layer: Index
    head: Index
    kind: Kind | None = Field(default=None, description="Of the site, in an encoder–decoder.")
    specials: bool = Field(default=False, description="Whether special tokens are points, too.")
    sentences: (
        Annotated[
            list[Annotated[Text, Field(max_length=_CHARACTERS)]],
            Field(min_length=1, max_length=MAX_SENTENCES),
        ]
        | None
    ) = Field(
        default=None,
        description="Other texts than those of the request, run with the model's own masks and "
        "nothing muted. null means the texts of the request, with their masks.",
    )
    method: Method = Field(
        default="pca",
        description="Which plane: that of the two largest principal components, or that of t-SNE, "
        "which keeps neighbours together and no distances (van der Maaten & Hinton 2008); it needs "
        "the extra `tsne` on the server.",
    )
    everyday: Annotated[Index, Field(ge=1, le=MAX_SENTENCES)] | None = Field(
        default=None, description="So many everyday English sentences in place of `sentences`."
    )

    @model_validator(mode="after")
    def _one_of_both(self) -> "AnalyseSpace":
        if self.sentences is not None and self.everyday is not None:
            raise ValueError("give `sentences` or `everyday`, not both")
        return self

    @property
    def others(self) -> tuple[str, ...] | None:
        """The texts that are none of the request."""
        if self.sentences is not None:
            return tuple(self.sentences)
        return None if self.everyday is None else english_texts(self.everyday)


class SpacePoint(Response):
    """A query or a key, and where it lies in the plane."""

    side: Literal["query", "key"]
    text: int
    position: int
    token: str
    special: bool
    x: float
    y: float
    norm: float = Field(description="Its length in the whole space, after both were matched.")


class SpaceOfHead(Response):
    """The queries and keys of a head in one plane."""

    site: str
    layer: int
    head: int
    d_head: int
    matched: float = Field(
        description="What keys were multiplied by, and queries divided by, so that both are about "
        "as long. Keys were moved by their mean first. Neither changes a pattern."
    )
    method: Method
    methods: list[Method] = Field(description="The planes that this server can compute.")
    shares: list[float] | None = Field(
        description="Of the variance along x and y: two numbers; null of t-SNE."
    )
    correlation: float | None = Field(
        description="How far distances in the plane order q·k, with keys moved: the rank "
        "correlation of −distance with it (Spearman), over the pairs that masks leave open; null "
        "if there are too few."
    )
    n_pairs: int = Field(description=f"That were ordered; of more than {MAX_PAIRS:,}, a sample.")
    sentences: list[str] | None = Field(description="The texts that are none of the request.")
    points: list[SpacePoint] = Field(description="All queries, then all keys.")


class SpaceOfQueriesAndKeys(Analysis):
    name = "space"
    request: ClassVar[Fields] = {
        "space": (
            AnalyseSpace | None,
            Field(
                default=None,
                description="Put the queries and keys of a head in one plane, in which a query "
                "lies near the keys that it looks for (Yeh et al. 2023).",
            ),
        )
    }
    answer = (SpaceOfHead | None, Field(description="Of all texts together."))
    needs_server = True
    is_slow = True
    too_slow = (Message("the space of queries and keys"), Message("Send fewer sentences."))
    too_large = Message("Send fewer sentences.")

    def ms(self, analyse: Any, work: Work) -> float:
        asked, others = analyse.space, analyse.space.others
        points = 2 * work.texts * work.tokens
        runs = 0.0
        if others is not None:
            tokens = [_tokens(asked, text) for text in others]
            points = 2 * sum(tokens)
            runs = sum(work.run_ms * max(1.0, n / work.tokens) for n in tokens)
        products = points * work.info.d_head**2 + MAX_PAIRS * work.info.d_head
        neighbours = TSNE_MS * points if asked.method == "tsne" else 0.0
        return float(runs + products * MULTIPLY_ADD_MS + 8 * points * NUMBER_MS + neighbours)

    def kept(self, work: Work) -> int:
        points = max(work.texts * work.tokens, MAX_SENTENCES * _EVERYDAY_TOKENS)
        return 6 * points * work.info.d_head + work.cells

    def nbytes(self, trace: Trace, analyse: Any, number_bytes: int) -> int:
        asked, others = analyse.space, analyse.space.others
        n = sum(map(len, (*trace.tokens, *(trace.target_tokens or ()))))
        if others is not None:
            n = sum(_tokens(asked, text) for text in others)
        return 2 * _POINT_BYTES * n + sum(map(len, others or ()))

    def read(self, trace: Trace, analyse: Any, runs: Runs | None) -> Any:
        assert runs is not None
        asked = analyse.space
        site = trace.site_of(asked.layer, asked.kind, FIELD)
        others = asked.others
        if others is None:
            found = space_of(trace, site, asked.head, specials=asked.specials, method=asked.method)
            return _document(found, asked.method, None)
        if trace.target_tokens is not None:
            raise UnavailableError(
                f"{trace.model} reads a target beside each text, so other sentences alone cannot "
                "be run. Leave them out, and send several texts with their targets.",
                field=f"{FIELD}.sentences",
            )
        n = -(-sum(_tokens(asked, text) for text in others) // max(1, sum(map(len, trace.tokens))))
        each = Message("{n} run", "{n} runs", n=n)
        runs.check(n, each, Message("Running the sentences"), FIELD)

        def compute() -> dict[str, Any]:
            inputs = replace(
                runs.inputs,
                texts=others,
                ids=None,
                pairs=None,
                muted=(),
                interventions=(),
                generate=None,
                answer=None,
                special_tokens=None,
                masks=runs.inputs.masks.unedited(),
                names=tuple(f"Sentence {n + 1} of the space" for n in range(len(others))),
            )
            found = space_over(
                runs.runner(inputs),
                trace,
                site,
                asked.head,
                causal=runs.info.causal,
                specials=asked.specials,
                method=asked.method,
            )
            return _document(found, asked.method, others)

        return runs.cached("space", asked.model_dump_json(), compute)


def _tokens(asked: AnalyseSpace, text: str) -> int:
    """About how many tokens a sentence has, at most."""
    return _EVERYDAY_TOKENS if asked.sentences is None else 2 + len(text)


def _document(space: Space, method: Method, sentences: tuple[str, ...] | None) -> dict[str, Any]:
    points = [point._asdict() for point in space.points]
    planes = {"method": method, "methods": methods()}
    return {**vars(space), **planes, "points": points, "sentences": sentences}
