"""What happens between the tokens and the prediction: the residual stream, and sums over it."""

from collections.abc import Sequence
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from headlight.errors import RequestError
from headlight.frames import Table
from headlight.http.steps import Steps, asked, fetched
from headlight.request.interventions import At
from headlight.request.masks import Kind
from headlight.run.analyses import Analyses
from headlight.run.chosen import ChosenPosition, ChosenToken, ids_of
from headlight.run.tensors import Tensor
from headlight.run.why import Off, Why, switched_off
from headlight.space import Space
from headlight.tokens import places

Stack = Literal["encoder", "decoder"]
VECTORS = 64  # that one request puts in words


class Circuits(Analyses):
    """The part of a run that needs its residual stream."""

    @asked
    def stream(
        self,
        name: str = "resid_post",
        *,
        layers: Sequence[int] | None = None,
        positions: tuple[int, int] | None = None,
        stack: Stack | None = None,
        dtype: Literal["float32", "float16"] = "float32",
    ) -> Steps[Tensor]:
        """A tensor of the residual stream: [layer, position, d_model].

        Names are `resid_pre`, `resid_mid`, `resid_mid_cross`, `resid_post` and `mlp_out`; the
        scales of norms, `attn_scale` and `mlp_scale`, are [layer, position]. `final_scale` and
        `logits` belong to no layer: [position] and [position, vocab_size].

        Args:
            layers: all, if None.
            positions: [start, stop).
            stack: which stack of an encoder–decoder.
        """
        settings: dict[str, Any] = {
            "tensors": [name],
            "layers": None if layers is None else list(layers),
            "positions": None if positions is None else list(positions),
            "dtype": dtype,
        }
        found: list[Tensor] = []
        for part in self._parts():
            each = yield from self._answers(part, {"analyse": {"stream": settings}})
            for request, answer in each:
                two = answer.document["target_tokens"] is not None
                _check_stack(stack, two)
                start = "stream/" if stack is None else f"stream/{stack}."
                keys = [key for key in answer.tensors if key.startswith(start)]
                if not keys:
                    raise RequestError(
                        f"The {stack} has no {name}; the other stack has it.", field="stack"
                    )
                arrays = [answer.tensors[key] for key in keys]
                is_final = "final" in keys[0].removeprefix("stream/").split(".")
                rows = answer.document["target_tokens" if stack == "decoder" else "tokens"]
                for text, row in enumerate(rows):
                    whole = np.stack([array[text] for array in arrays])  # layer position …
                    real = sum(not token["padding"] for token in row) - (positions or (0,))[0]
                    kept = whole if request.needs_all_texts else whole[:, : max(0, real)]
                    found.append(kept[0] if is_final else kept)
        return found[0] if self._request.single else found

    @fetched
    def logits(self) -> Steps[Tensor]:
        """[position, vocab_size]: what the softmax over the vocabulary is taken of."""
        two = bool(self._batches[0].texts[0].target_tokens)
        steps = Circuits.stream.steps(self, "logits", stack="decoder" if two else None)
        return (yield from self._once("logits", steps))

    @asked
    def direction(
        self,
        token: ChosenToken,
        *,
        of: Literal["unembedding", "embedding", "ov", "lens"] = "unembedding",
        layer: int | None = None,
        head: int | None = None,
        kind: Kind | None = None,
    ) -> Steps[npt.NDArray[np.float32]]:
        """A direction of the residual stream that belongs to a token, [d_model].

        `embedding` has no position; `unembedding` raises the token's logit at the end of the
        stream; `ov` is what a head writes where it looks at the token alone; `lens` raises the
        logit after a layer by a tuned lens, for which the server waits the first time. Add one
        with `add(…, vector=…)`, or put it in words with `decode`.
        """
        ids = yield from ids_of([{"token": token}], self._connection, self._request)
        id = ids[token] if isinstance(token, str) else token
        one = {"of": of, "token": id, "layer": layer, "head": head, "kind": kind}
        asked_for = {"analyse": {"directions": {"each": [one]}}}
        [(_, answer)] = yield from self._answers(range(1), asked_for)
        return np.array(answer.document["directions"][0], dtype=np.float32)

    @asked
    def decode(
        self,
        vectors: Any,
        *,
        layer: int | None = None,
        head: int | None = None,
        kind: Kind | None = None,
        top_k: int = 10,
    ) -> Steps[Table]:
        """Directions of the residual stream in words: an array [d_model], or [vector, d_model].

        `list` says which list a token is in: `raises` and `lowers` have the tokens that the
        direction speaks for and against at the end of the stream, with `value` in logits above the
        mean and before the last norm's scale; `near` those whose embeddings are most similar, by
        cosine. With a layer and a head, the vectors are [d_head], and what its W_O makes of them is
        put in words.
        """
        rows = np.atleast_2d(np.asarray(vectors, dtype=float))
        settings = {"layer": layer, "head": head, "kind": kind, "top_k": top_k}
        found: list[dict[str, Any]] = []
        for start in range(0, len(rows), VECTORS):
            asked_for = {"vectors": rows[start : start + VECTORS].tolist(), **settings}
            [(_, answer)] = yield from self._answers(range(1), {"analyse": {"decode": asked_for}})
            found += answer.document["decode"]
        return Table.of(
            [
                {"vector": index, "list": name, "id": token["id"], "token": token["text"]}
                | {"value": token["value"]}
                for index, one in enumerate(found)
                for name in ("raises", "lowers", "near")
                for token in one[name] or ()
            ]
        )

    @asked
    def neurons(
        self,
        layer: int,
        *,
        at: int | None = None,
        position: ChosenPosition = None,
        token: ChosenToken = None,
        against: ChosenToken = None,
        top_k: int = 10,
    ) -> Steps[Table]:
        """The neurons of a feed-forward network that matter most to a token's logit: a row each.

        `activation` is what the network's last matrix reads of it, and `value` what it adds to the
        logit, or to its lead over `against`, directly. `raises` and `lowers` are the tokens that it
        speaks for and against. `at` is a token before that of the prediction: nothing there reaches
        the logit directly, and those that write most come first.
        """
        asked_for: dict[str, Any] = {"layer": layer, "at": at, "top_k": top_k}
        asked_for |= {"position": position, "token": token, "against": against}
        each = yield from self._asked({"analyse": {"neurons": asked_for}}, "neurons")
        return Table.of(
            [
                {
                    "text": index,
                    "layer": layer,
                    **{name: one[name] for name in ("neuron", "activation", "value")},
                    **{
                        name: [token["text"] for token in one[name]]
                        for name in ("raises", "lowers")
                    },
                }
                for index, text in enumerate(each)
                for one in text["neurons"]
            ]
        )

    @asked
    def space(
        self,
        layer: int,
        head: int,
        *,
        kind: Kind | None = None,
        specials: bool = False,
        sentences: Sequence[str] | int | None = None,
        method: Literal["pca", "tsne"] = "pca",
    ) -> Steps[Space]:
        """The queries and keys of a head in one plane: a query lies near the keys it looks for.

        They are those of the run's texts, with its masks and mutes; or of other `sentences`, run as
        they are: a list, or so many everyday English ones. The plane is that of their two main
        components; `"tsne"` keeps neighbours together and no distances, and needs the extra `tsne`
        on the server.

        Raises:
            RequestError: there is no such head, or the texts are more than the server takes
                together (give them as `sentences` then).
        """
        if len(self._batches) > 1 and sentences is None:
            raise RequestError(
                "These texts are more than the server takes together, and one plane needs all of "
                "them. Give them to the run of any text: run.space(…, sentences=texts).",
                field="sentences",
            )
        asked_for: dict[str, Any] = {"layer": layer, "head": head, "kind": kind}
        asked_for |= {"specials": specials, "method": method}
        if isinstance(sentences, int):
            asked_for["everyday"] = sentences
        elif sentences is not None:
            asked_for["sentences"] = list(sentences)
        whole = range(self._request.n_texts if sentences is None else 1)
        [(_, answer)] = yield from self._answers(whole, {"analyse": {"space": asked_for}})
        return Space.of(answer.document["space"])

    @asked
    def attribution(
        self,
        *,
        position: ChosenPosition = None,
        token: ChosenToken = None,
        against: ChosenToken = None,
    ) -> Steps[Table]:
        """What each part of the run adds to a token's logit, or to its lead over `against`.

        `value` is in logits. The last row of a text, of the kind `remainder`, is what no part adds,
        and the one before it, `soft_cap`, is what a cap of the logits changes, if the model has
        one. With these, the values sum to the logit.
        """
        asked_for = {"position": position, "token": token, "against": against}
        each = yield from self._asked({"analyse": {"attribution": asked_for}}, "attribution")
        cap, rest = (
            {"kind": kind, "layer": None, "site": None, "head": None}
            for kind in ("soft_cap", "remainder")
        )
        return Table.of(
            [
                {"text": index, "token": text["token"]["text"], **part, "value": value}
                for index, text in enumerate(each)
                for part, value in (
                    *((one["part"], one["value"]) for one in text["contributions"]),
                    *([] if text["soft_cap"] is None else [(cap, text["soft_cap"])]),
                    (rest, text["remainder"]),
                )
            ]
        )

    @asked
    def attribution_sources(
        self,
        *,
        position: ChosenPosition = None,
        token: ChosenToken = None,
        against: ChosenToken = None,
    ) -> Steps[Table]:
        """As `attribution`, but what each source token adds through each head.

        `key` is the position of the source token. The values of a head sum to its contribution.
        """
        asked_for = {"position": position, "token": token, "against": against}
        each = yield from self._asked({"analyse": {"attribution": asked_for}}, "attribution")
        return Table.of(
            [
                {
                    "text": index,
                    "token": text["token"]["text"],
                    "site": one["site"],
                    "layer": one["layer"],
                    "head": one["head"],
                    "key": key,
                    "value": value,
                }
                for index, text in enumerate(each)
                for one in text["sources"]
                for key, value in enumerate(one["values"])
            ]
        )

    @asked
    def patching(
        self,
        clean: str,
        *,
        at: At = "resid_pre",
        by: Literal["position", "head"] = "position",
        metric: Literal["logit_difference", "logit"] = "logit_difference",
        position: ChosenPosition = None,
        token: ChosenToken = None,
        against: ChosenToken = None,
        pairs: Sequence[tuple[int, int]] | None = None,
        exact: int | None = None,
    ) -> Steps[Table]:
        """How much of the answer of a clean sentence each patch gives back.

        The texts of the run are the corrupted ones. A row for each layer, and each aligned position
        or each head. In an encoder–decoder, both sentences have the target of the run's text, and
        positions of the kinds `decoder` and `cross` count in it. `restored` is (metric − corrupted)
        / (clean − corrupted), `estimate` is what a gradient promises for it, and `disagrees` where
        that is far from it. The metric is the lead of `token` over `against` in logits; by default,
        of the likeliest token of the clean run over that of this one. `pairs` align positions, as
        (in the clean sentence, in the text). `exact` runs only that many patches, those with the
        largest estimates: of the others `metric` and `restored` are None.
        """
        asked_for = {
            "clean": clean,
            "at": at,
            "by": by,
            "metric": metric,
            "position": position,
            "token": token,
            "against": against,
            "pairs": None if pairs is None else [list(pair) for pair in pairs],
            "exact": exact,
        }
        each = yield from self._asked({"analyse": {"patching": asked_for}}, "patching")
        return Table.of(
            [
                {
                    "text": index,
                    "token": text["token"]["text"],
                    "against": text["against"] and text["against"]["text"],
                    "kind": layer["kind"],
                    "layer": layer["layer"],
                    by: place if by == "head" else _patched_at(text, layer["kind"])[place],
                    "clean": text["clean"],
                    "corrupted": text["corrupted"],
                    **cell,
                }
                for index, text in enumerate(each)
                for layer in text["layers"]
                for place, cell in enumerate(layer["cells"])
            ]
        )

    @asked
    def why(
        self,
        *,
        layer: int,
        head: int,
        query: int | str,
        key: int | str,
        kind: Kind | None = None,
        without: Sequence[Off] = (),
        whole_head: bool = False,
    ) -> Steps[Any]:
        """A `Why`: the score of a query and a key as a sum over pairs of their parts.

        Query and key are named by position or by text. In a run of several texts there is a list,
        with one entry for each text. `without` switches parts off: parts as `Why.query_parts` lists
        them, or `{"part": …, "side": "query"}` for one side. `whole_head` also gives the whole
        head's pattern without them.

        Raises:
            RequestError: no token, or more than one, has the text; or there is no such part.
        """
        found: list[Why] = []
        whole = self._request.needs_all_texts
        for text, traced in enumerate(text for batch in self._batches for text in batch.texts):
            own, other = traced.tokens, traced.target_tokens
            queries = own if other is None or kind == "encoder" else other
            keys = other if other is not None and kind == "decoder" else own
            part = self._alone(text)
            settings = {
                "layer": layer,
                "head": head,
                "kind": kind,
                "whole_head": whole_head,
                "query": places([query], queries, "query")[0],
                "key": places([key], keys, "key")[0],
                "text": text - part.start,
                "without": switched_off(without),
            }
            ((_, answer),) = yield from self._answers(part, {"analyse": {"cell": settings}})
            n = len(keys) if whole else sum(not token.padding for token in keys)
            found.append(Why.of(answer.document["cell"][0], keys, n))
        return found[0] if self._request.single else found


def _patched_at(patching: Any, kind: Kind) -> list[int]:
    """The positions of the patches in the text, or in the target that a decoder reads."""
    name = "target_pairs" if kind in ("decoder", "cross") else "pairs"
    return [position for _, position in patching[name]]


def _check_stack(stack: Stack | None, two: bool) -> None:
    if two and stack is None:
        raise RequestError('Say which stack: stack="encoder" or stack="decoder".', field="stack")
    if not two and stack is not None:
        raise RequestError(
            f"The model has a single stack; got stack={stack!r}. Leave it out.", field="stack"
        )
