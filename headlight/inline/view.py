"""A view of a run that Python and the reader change together: a widget of a notebook."""

from collections.abc import Mapping
from dataclasses import asdict, replace
from typing import TYPE_CHECKING, Any

from headlight.errors import HeadlightError, RequestError
from headlight.extras import needs
from headlight.http.steps import Steps
from headlight.inline.picture import Picture, script, title_of
from headlight.inline.selection import Selection
from headlight.inline.show import page_of, picture_of
from headlight.request import Masks, Request
from headlight.request.link import relinked
from headlight.request.masks import Head
from headlight.request.request import heads

with needs("anywidget", "notebook"):
    import anywidget
    import traitlets

if TYPE_CHECKING:
    from headlight.run.run import Run


class _Checked(traitlets.TraitType[Any, Any]):
    """A trait whose view checks a value, and acts on it, before the trait has it."""

    def validate(self, obj: Any, value: Any) -> Any:
        return getattr(obj, f"_checked_{self.name}")(value)


def _sent(write: Any) -> dict[str, Any]:
    """What makes a trait known to the front end, as JSON."""
    return {
        "sync": True,
        "to_json": lambda value, _: write(value),
        "from_json": lambda value, _: value,
    }


class View(anywidget.AnyWidget):
    """A page of the inspector below a cell, whose state is Python's as well: see `Run.view`.

    Each of the traits changes when somebody clicks, and changes the page when it is set.
    Observers are called for both: `view.observe(act, "selected")`.

    Attributes:
        selected: the head and the tokens that are selected, a `Selection`. It also takes a dict of
            what is to change, `view.selected = {"layer": 1, "query": "saw"}`.
        masks: `Masks`, or a dict of what differs from the model's own. Setting them runs the model.
        muted: the heads that are muted, as (layer, head). Setting them runs the model.

    Raises:
        RequestError: a value is not one, or the server refuses it. The view stays as it was.
    """

    _esm = script("host.js") + script("widget.js")
    _css = script("widget.css")

    selected = _Checked().tag(**_sent(asdict))
    masks = _Checked().tag(**_sent(Masks.document))
    muted = _Checked().tag(**_sent(list))

    _frame = traitlets.Dict().tag(sync=True)  # the attributes of the frame, with its page
    _query = traitlets.Unicode().tag(sync=True)  # what the page shows, as part of an address
    _said = traitlets.Dict(allow_none=True, default_value=None).tag(sync=True)  # by the page
    _own_causal = traitlets.Bool(allow_none=True).tag(sync=True)  # the model's own mask

    def __init__(self, run: "Run", shown: Selection, query: str, page: bytes, *, live: bool):
        self._run = run
        self._shown = shown  # what the page has selected, or will have
        self._live = live
        super().__init__(
            selected=shown,
            masks=run.request.masks,
            muted=run.request.muted,
            _frame=_frame(page, shown),
            _query=query,
            _own_causal=run._about.get("causal"),
        )
        self.on_msg(self._asked)

    @property
    def run(self) -> "Run":
        """The run that the view shows, with its masks and mutes."""
        return self._run

    def _checked_selected(self, given: Any) -> Selection:
        return self._shown.changed(given, self._run)

    def _checked_masks(self, given: Any) -> Masks:
        try:
            masks = Masks.of(given)
        except (TypeError, ValueError):
            raise RequestError(
                "Expected masks, such as {'causal': False}, with the names "
                f"{', '.join(asdict(Masks()))}; got {given!r}.",
                field="masks",
            ) from None
        self._show(replace(self._run.request, masks=masks))
        return self._run.request.masks

    def _checked_muted(self, given: Any) -> tuple[Head, ...]:
        try:
            muted = tuple(heads(given))
        except (TypeError, ValueError, IndexError):
            raise RequestError(
                f"Expected a list of heads, such as [(2, 3)]; got {given!r}.", field="muted"
            ) from None
        self._show(replace(self._run.request, muted=muted))
        return muted

    def _show(self, request: Request) -> None:
        """Run the model with other edits, and show that. A page with the model does it itself."""
        if request == self._run.request:
            return
        run = self._run._edited(request).trace()
        query = self._at(self._shown, request)
        page = None if self._live else run._doing.do(page_of(run, query, live=False))
        self._run = run
        with self.hold_sync():  # the page and what it shows change together
            self._query = query
            if page is not None:
                self._frame = _frame(page, self._shown)

    def _at(self, selected: Selection, request: Request) -> str:
        place = {**selected.place(), "depth": "embed"}
        return relinked(self._query, request, self._run.model, place)

    @traitlets.observe("selected")
    def _go(self, change: Any) -> None:
        if change.new != self._shown:  # then it is Python that chose it
            self._shown = change.new
            self._query = self._at(change.new, self._run.request)

    @traitlets.observe("_said")
    def _hear(self, change: Any) -> None:
        self._shown = Selection.said(change.new)
        self.selected = self._shown

    def _asked(self, _: Any, edit: Mapping[str, Any], __: Any) -> None:
        """The reader asks for other masks and mutes: both at once, so the model runs once."""
        try:
            muted = tuple(heads(edit["muted"]))
            masks = Masks.of(edit["masks"])
            self._show(replace(self._run.request, masks=masks, muted=muted))
            self.masks, self.muted = masks, muted
            problem = ""
        except HeadlightError as error:
            problem = error.message
        self.send({"problem": problem})

    def _repr_mimebundle_(self, **kwargs: Any) -> Any:
        """The widget, with a picture of what it shows now for whoever opens it without a kernel."""
        data, metadata = super()._repr_mimebundle_(**kwargs) or ({}, {})
        run, query = self._run, self._at(self._shown, self._run.request)
        picture = run._doing.do(picture_of(run, query, asdict(self._shown), live=False))
        return {**picture._repr_mimebundle_(), **data, "text/plain": repr(self)}, metadata

    def __repr__(self) -> str:
        return f"<View of {self._run!r}>"


def view_of(run: "Run", *, live: bool, **view: Any) -> Steps[View]:
    """The view; see `Run.view`."""
    yield from run._connection.model(run.model)
    shown = Selection.at(view, run)
    place = {**view, **shown.place(), "depth": "embed"}
    query = relinked("", run.request, run.model, place)
    page = yield from page_of(run, query, live=live)
    return View(run, shown, query, page, live=live)


def _frame(page: bytes, selected: Selection) -> dict[str, str]:
    return Picture(page, title_of(asdict(selected))).frame()
