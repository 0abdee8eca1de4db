"""A run: what a model did with texts, and the edits that lead to another run."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn, Self

from headlight.errors import HeadlightError, RequestError
from headlight.http.connection import Connection
from headlight.http.steps import Async, Steps, Sync, asked, fetched
from headlight.request import Request
from headlight.request.link import link
from headlight.request.masks import Kind
from headlight.request.program import program
from headlight.request.request import Edits, Tokens
from headlight.run.activations import Activations
from headlight.run.batches import Batch, traced
from headlight.run.circuits import Circuits
from headlight.run.compare import AsyncDifference, Difference
from headlight.run.explanations import Explanations
from headlight.run.long_texts import LongTexts
from headlight.run.look import Look
from headlight.run.over import Over, over
from headlight.run.predicted import Predicted
from headlight.run.save import save
from headlight.run.sites import AsyncSite, Site, Tensored
from headlight.run.tensors import Tensors
from headlight.tokens import Token

if TYPE_CHECKING:
    from headlight.inline import Picture
    from headlight.inline.view import View


class BaseRun(Activations, Predicted, LongTexts, Explanations):
    """What a model did with a text, or with several.

    With a single text, given as it is, the tokens are a list, and a tensor is an array. With a list
    of texts there is a list of those, one for each text, without padding.
    """

    def __init__(
        self, doing: Any, connection: Connection, request: Request, batches: Sequence[Batch]
    ) -> None:
        self._connection = connection
        self._request = request
        self._batches = batches
        self._about: Mapping[str, Any] = connection.known(batches[0].model) or {}
        self._fetched = Tensors(connection, request, batches)
        Tensored.__init__(self, doing, self._fetched, batches[0].sites)
        Circuits.__init__(self)

    @property
    def request(self) -> Request:
        """What determines the run: texts, masks, muted heads, settings."""
        return self._request

    @property
    def model(self) -> str:
        """The name of the model."""
        return self._batches[0].model

    @property
    def weights(self) -> str | None:
        """The SHA-256 of the weights that the model had; None where each request brings its own."""
        found: str | None = self._about.get("weights")
        return found

    @property
    def revision(self) -> str | None:
        """The commit on a hub that the model is of, where known."""
        found: str | None = self._about.get("revision")
        return found

    @property
    def tokens(self) -> Any:
        """The tokens: a list, or a list for each text. Each is a `Token`, a str with an id."""
        return self._of_texts([self._real(text.tokens) for text in self._texts])

    @property
    def target_tokens(self) -> Any:
        """The decoder's tokens, in an encoder–decoder; else None."""
        rows = [text.target_tokens for text in self._texts]
        return self._of_texts([None if row is None else self._real(row) for row in rows])

    @fetched
    def words(self) -> Steps[Any]:
        """The words of the text that the tokens make up: a list, or a list for each text.

        Each is a `Word`, a str with the tokens [start, stop). In an encoder–decoder, those of the
        text that it reads. They are the rows and columns of `tensor("pattern", units="words")`.
        """
        each = yield from self._fetched.words()
        return self._of_texts([text["tokens"] for text in each])

    def _part(self, index: int) -> Self:
        """The run of one of the texts."""
        n = len(self._texts)
        if not -n <= index < n:
            raise IndexError(f"This run has {n} texts; got {index}.")
        if n > 1 and self._request.needs_all_texts:
            raise RequestError(
                "The texts are computed together, because their padding is not masked or is on "
                "the left. Take the part from the lists instead, as in `run.pattern[0]`."
            )
        index %= n
        request = replace(self._request.only(range(index, index + 1)), single=True)
        for batch in self._batches:
            if index < len(batch.texts):
                alone = batch.alone(index, request)
                return type(self)(self._doing, self._connection, request, [alone])
            index -= len(batch.texts)
        raise AssertionError("the batches hold all texts")

    def link(self, **view: Any) -> str:
        """The address of the page that shows this run.

        `view` says what it shows, with the names of the address: `layer=2, head=3, view="lines"`.
        """
        return self._connection.address + link(self._request, self.model, view, self.weights)

    @asked
    def save(self, path: str | Path, /, **options: Any) -> Steps[Path]:
        """Write the run to a file, and give its path. The ending of its name says as what.

        - `.html`: the page, which needs no server; `options` say what it shows, as for `link`.
        - `.safetensors`, `.json`: the server's answer, with the `tensors` of the options, and the
          tensors of the residual `stream`, such as `stream=["resid_mid", "mlp_out"]`. The first is
          what `headlight.load` reads.
        - `.svg`, `.pdf`, `.png`, `.pgf`: a figure; `options` are those of `plot`, and `dpi`.
        """
        return (yield from save(self, path, **options))

    @asked
    def show(self, /, *, live: bool = False, **view: Any) -> Steps["Picture"]:
        """The run as a picture in a notebook, which readers can point into and click.

        `view` says what it shows, as for `link`: `layer=2, head=3, view="lines"`. The picture holds
        the run alone. `live` puts the model into it as well, if a page can run that model: masks
        and mutes then work in the picture, which takes 6 MB instead of 0.5.
        """
        from headlight.inline.show import show

        return (yield from show(self, live=live, **view))

    def program(self) -> str:
        """The Python program that makes this run again."""
        return program(self._connection.made, self._request, self.model, self._about)

    @asked
    def fetch(self, *tensors: str) -> Steps[None]:
        """Fetch tensors of all sites together, so that reading them asks the server for nothing."""
        yield from self._fetched.fetch(tensors)

    @asked
    def over(
        self, steps: Sequence[int] | None = None, *, fetch: Sequence[str] = ("pattern",)
    ) -> Steps[Over]:
        """The same texts, masks and mutes at several steps of the model's training.

        The model needs a film (`headlight train --film`); without `steps`, all of it is run. Each
        tensor of `fetch` has the step as its first axis: `run.over().pattern[0]` is the pattern
        before training.

        Raises:
            RequestError: the model has no film (code "no_film"), or not all of the steps.
        """
        return (yield from over(self._connection, self._request, self.model, steps, fetch))

    def __len__(self) -> int:
        return len(self._texts)

    def __str__(self) -> str:
        return self.program()

    def __repr__(self) -> str:
        return f"hl.trace({self._request.arguments(short=True)})"

    @property
    def _texts(self) -> list[Any]:
        return [text for batch in self._batches for text in batch.texts]

    def _real(self, row: list[Token]) -> list[Token]:
        if self._request.needs_all_texts:
            return row
        return [token for token in row if not token.padding]

    def _of_texts(self, each: list[Any]) -> Any:
        return each[0] if self._request.single else each

    def _axes(self, text: int, kind: Kind | None) -> tuple[Tokens, Tokens]:
        found = self._texts[text]
        source, target = found.tokens, found.target_tokens
        if target is None or kind == "encoder":
            return source, source
        if kind is None:
            raise RequestError(
                'Say which sites the tokens belong to: kind="encoder", "decoder" or "cross".',
                field="kind",
            )
        return target, source if kind == "cross" else target


class BaseDraft:
    """A request that comes from a run, and can be traced in turn. An edit gives another one."""

    def __init__(self, run: BaseRun, request: Request) -> None:
        self._run = run
        self._request = request

    @property
    def request(self) -> Request:
        """What determines the run: texts, masks, muted heads, settings."""
        return self._request

    def link(self, **view: Any) -> str:
        """The address of the page that shows it, as `Run.link`."""
        run = self._run
        return run._connection.address + link(self._request, run.model, view, run.weights)

    def _traced(self) -> Steps[list[Batch]]:
        return traced(self._run._connection, self._request, Look())

    def _axes(self, text: int, kind: Kind | None) -> tuple[Tokens, Tokens]:
        old, new = self._run.request, self._request
        same = all(
            getattr(old, name) == getattr(new, name)
            for name in ("texts", "targets", "pairs", "model", "generate", "scratch")
        )
        return self._run._axes(text, kind) if same else (None, None)

    def __repr__(self) -> str:
        return f"<not traced yet: {self._request.arguments(short=True)}>"


class Draft(BaseDraft, Edits["Draft"]):
    __doc__ = BaseDraft.__doc__
    _run: "Run"

    def trace(self) -> "Run":
        """Run the model."""
        run = self._run
        return Run(run._doing, run._connection, self._request, run._doing.do(self._traced()))

    def _edited(self, request: Request) -> "Draft":
        return Draft(self._run, request)


class AsyncDraft(BaseDraft, Edits["AsyncDraft"]):
    __doc__ = BaseDraft.__doc__
    _run: "AsyncRun"

    async def trace(self) -> "AsyncRun":
        """Run the model."""
        run = self._run
        batches = await run._doing.do(self._traced())
        return AsyncRun(run._doing, run._connection, self._request, batches)

    def _edited(self, request: Request) -> "AsyncDraft":
        return AsyncDraft(self._run, request)


class Run(BaseRun, Edits[Draft], Sync):
    __doc__ = BaseRun.__doc__

    def site(self, name: str) -> Site:
        """A site by its name, such as `layers.2`; `sites` lists the names."""
        found: Site = self._site_of(name, Site)
        return found

    def compare(self, other: "Run") -> Difference:
        """What differs from another run: this one minus the other."""
        return Difference(self, other)

    def view(self, /, *, live: bool = False, **view: Any) -> "View":
        """The run as a widget, whose state is Python's as well: `selected`, `masks`, `muted`.

        It takes what `show` takes. Other masks and mutes are run by the server, or, if `live`, by
        the page. It needs the extra `notebook`.
        """
        from headlight.inline.view import view_of

        found: View = self._doing.do(view_of(self, live=live, **view))
        return found

    def _edited(self, request: Request) -> Draft:
        return Draft(self, request)

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickled, a run keeps what was fetched of it, and asks no server."""
        from headlight.kept import run_of, state_of

        return run_of, (state_of(self),)

    def __getitem__(self, index: int) -> "Run":
        return self._part(index)

    def __iter__(self) -> Iterator["Run"]:
        return (self[index] for index in range(len(self)))


class AsyncRun(BaseRun, Edits[AsyncDraft], Async):
    __doc__ = BaseRun.__doc__

    def site(self, name: str) -> AsyncSite:
        """A site by its name, such as `layers.2`; `sites` lists the names."""
        found: AsyncSite = self._site_of(name, AsyncSite)
        return found

    def compare(self, other: "AsyncRun") -> AsyncDifference:
        """What differs from another run: this one minus the other."""
        return AsyncDifference(self, other)

    def view(self, /, **view: Any) -> NoReturn:
        """Not here: a widget waits for the server by itself, which needs a client that waits."""
        raise HeadlightError(
            "a view needs a client that waits, such as headlight.connect(address); "
            "here, show(...) draws the run as it is"
        )

    def _edited(self, request: Request) -> AsyncDraft:
        return AsyncDraft(self, request)

    def __getitem__(self, index: int) -> "AsyncRun":
        return self._part(index)

    def __iter__(self) -> Iterator["AsyncRun"]:
        return (self[index] for index in range(len(self)))
