"""The inspector as one file, to download: what “Save → page” asks for."""

from functools import partial
from typing import Literal
from urllib.parse import quote

from fastapi import APIRouter, Request, Response

from server.api.routes.dependencies import ModelsDep, SettingsDep
from server.errors import CLIENT_GONE
from server.http.guard.frames import POLICY, frame_policy
from server.languages.choice import language_of
from server.pages.assets.pages import templates
from server.pages.export.asked import asked
from server.pages.export.file import empty_file, file_of, is_recorded, model_in
from server.pages.export.recorded import Half
from server.run.participants import participant_of
from server.run.tracing import Cancelled, Job, Tracer
from server.run.tracing.cost import check_budget, estimate

router = APIRouter(include_in_schema=False)

PACKING_MS = 500.0  # to put a file together, beside the run that it records


@router.get("/export")
async def export(
    http: Request,
    models: ModelsDep,
    settings: SettingsDep,
    export: Half | Literal["empty", "recorded"] = "float16",
) -> Response:
    """The page that this query string of the inspector shows, as one HTML file.

    `export` is the number format of a recorded run, or "empty" for a file without a model, or
    "recorded" for one run also of a model that a page could run. Nothing else of the query is read
    here: it names no file, and only models of this server.
    """
    tracer: Tracer = http.app.state.tracer
    query = f"?{http.url.query}" if http.url.query else ""
    pages = templates(language_of(http.scope))
    cost = PACKING_MS
    if export == "empty":
        name: str = export
        make = partial(empty_file, models, settings, pages)
    else:
        name = await models.ready(model_in(query, models), waiting=tracer.workers.place)
        alone = export == "recorded"
        dtype: Half = "float32" if export == "float32" else "float16"
        make = partial(file_of, models, settings, pages, query, dtype, alone=alone)
        if is_recorded(name, alone=alone):
            request = asked(query)
            run = estimate(request, request.to_inputs(settings), models.info(name))
            check_budget(run, settings)
            cost += run.ms
    job = Job(make, cost=cost, participant=participant_of(http.scope))
    try:
        content: bytes = await tracer.run(job)
    except Cancelled:
        return Response(status_code=CLIENT_GONE)
    file = quote(f"headlight-{name}.html", safe="")
    return Response(
        content,
        media_type="text/html",
        headers={
            "Cache-Control": "no-store",
            "Content-Disposition": f"attachment; filename*=UTF-8''{file}",
            # a file to keep: shown by this server, it runs nothing
            POLICY: frame_policy("sandbox; default-src 'none'", ()),
        },
    )
