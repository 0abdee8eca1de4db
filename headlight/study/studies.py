"""What a client asks of many pairs of sentences."""

from collections.abc import Iterable
from pathlib import Path
from typing import Any, Literal, Unpack

from headlight.http.connection import Connection
from headlight.http.steps import Steps, asked
from headlight.request.interventions import At
from headlight.request.request import Options, Request
from headlight.request.texts import Texts
from headlight.study.asking import InFile
from headlight.study.circuit import Circuit, find_circuit
from headlight.study.edges import EdgeCircuit, find_edges
from headlight.study.means import Means, What, means
from headlight.study.pairs import as_pair
from headlight.study.study import By, Study, study


class Studies:
    """The part of a client that studies pairs."""

    _connection: Connection

    def _request(self, texts: Texts | Request, options: Options) -> Request:
        raise NotImplementedError  # of a client

    @asked
    def study(
        self,
        pairs: Iterable[Any],
        /,
        *,
        at: At = "head",
        by: By = "head",
        metric: Literal["logit_difference", "logit"] = "logit_difference",
        exact: int | None = None,
        keep: str | Path | None = None,
        **options: Unpack[Options],
    ) -> Steps[Study]:
        """What each head, or each token of each layer, restores of the answer, over many pairs.

        A pair is (clean, corrupted), or a `Pair` with its answer, as `pairs_of` makes them of
        templates; tokens are aligned by their role. The options are those of `trace`, and the rest
        those of `Run.patching`. With a file `keep`, a study that was stopped goes on.

        >>> from headlight.study import pairs_of
        >>> one, other = "The {A} saw", "The {B} saw"
        >>> pairs = pairs_of(one, other, {"A": ["woman", "girl"], "B": ["man", "boy"]}, n=3)
        >>> hl.study(pairs, at="head")
        <study of 3 pairs, 0 of which do not follow the rule>

        Raises:
            RequestError: an answer is not one token, or the server refuses a sentence.
        """
        request = self._request((), options)
        return (
            yield from study(
                self._connection,
                [as_pair(each) for each in pairs],
                request,
                at=at,
                by=by,
                metric=metric,
                exact=exact,
                keep=InFile(keep),
            )
        )

    @asked
    def means(
        self,
        pairs: Iterable[Any],
        /,
        of: What = "attribution",
        *,
        keep: str | Path | None = None,
        **options: Unpack[Options],
    ) -> Steps[Means]:
        """What each part does in the clean sentences of many pairs: means with intervals.

        - "attribution": what each head, feed-forward network and embedding adds to the lead of the
          answer over its rival, as a share of the lead.
        - "mutes": by how much ln p(answer) changes when a head is muted, in nats.
        - "paths": what each edge of the path map carries, by the roles of its tokens, as a share of
          the lead.

        A clean sentence that stands in several pairs counts once. Pairs, `keep` and options are as
        in `study`.

        >>> from headlight.study import pairs_of
        >>> fill = {"A": ["woman", "girl"], "B": ["man", "boy"]}
        >>> pairs = pairs_of("The {A} saw", "The {B} saw", fill, n=3)
        >>> hl.means(pairs, "mutes")
        <means of mutes in 2 sentences>

        Raises:
            RequestError: an answer is not one token, or the server refuses a sentence.
        """
        request = self._request((), options)
        given = [as_pair(each) for each in pairs]
        return (yield from means(self._connection, given, request, of, InFile(keep)))

    @asked
    def find_circuit(
        self,
        pairs: Iterable[Any],
        /,
        *,
        goal: float = 0.9,
        held_out: float = 1 / 3,
        keep: str | Path | None = None,
        **options: Unpack[Options],
    ) -> Steps[Circuit]:
        """The few heads that give the answer of many pairs of sentences, checked on held-out ones.

        Heads are added in the order of their estimates until `goal` of the answer is left with all
        other heads as in the corrupted sentences, and those are dropped again without which as much
        is left. The last pairs, a share of `held_out`, are used for nothing but the check. Pairs,
        `keep` and options are as in `study`.

        Raises:
            RequestError: too few pairs follow the rule, or the goal is not reached.
        """
        request = self._request((), options)
        given = [as_pair(each) for each in pairs]
        return (
            yield from find_circuit(
                self._connection, given, request, goal=goal, held_out=held_out, keep=InFile(keep)
            )
        )

    @asked
    def find_edges(
        self,
        pairs: Iterable[Any],
        /,
        *,
        goal: float = 0.9,
        held_out: float = 1 / 3,
        keep: str | Path | None = None,
        **options: Unpack[Options],
    ) -> Steps[EdgeCircuit]:
        """The few edges between parts that give the answer of many pairs, checked on held-out ones.

        As `find_circuit`, but what is kept or not is what one part reads of another: a head with
        its queries, keys or values, a feed-forward network, or the answer.

        Raises:
            RequestError: too few pairs follow the rule, the goal is not reached, or the model's
                stream is no plain sum of what its parts write.
        """
        request = self._request((), options)
        given = [as_pair(each) for each in pairs]
        return (
            yield from find_edges(
                self._connection, given, request, goal=goal, held_out=held_out, keep=InFile(keep)
            )
        )
