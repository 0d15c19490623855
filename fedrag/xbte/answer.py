"""What an API answered → records: who was asked, what it is related to, and on what grounds.

``read_answer`` raises nothing for what a service sends: a record that cannot be used is left out
and counted. Deviations from the NodeJS engine, whose transforms are otherwise reproduced: inputs
are paired exactly, attributes along the output's own array path, identifiers that name another
prefix are left out, and ``pubmed``/``pmid`` of older mappings count as publications.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from fedrag.metakg.operations import Operation
from fedrag.xbte.combine import Combination, combination
from fedrag.xbte.failure import failure_of
from fedrag.xbte.fields import first, passes
from fedrag.xbte.grounds import Grounds, GroundsReader, label
from fedrag.xbte.identifiers import curie, is_foreign, text
from fedrag.xbte.mapping import CompiledMapping, compiled
from fedrag.xbte.pairing import Inputs, Part, parts
from fedrag.xbte.paths import MISSING, as_path, nodes, rows, scalars
from fedrag.xbte.prepare import prepared
from fedrag.xbte.record import Reading, Record

__all__ = ["NOBODY", "failure_of", "read_answer"]

_NO_IDENTIFIER = "no usable identifier"
_OTHER_KIND = "an identifier of another kind"
NOBODY = "answers none of the inputs"
_UNTOLD = "does not say what it answers"
_UNNAMED = "a combination of which a part has no identifier"


def read_answer(
    operation: Operation,
    payload: Any,
    inputs: Sequence[str],
    *,
    own: Mapping[str, Sequence[str]] | None = None,
) -> Reading:
    """The records in an answer, in its order.

    :param inputs: the CURIEs the call asked about, as they were handed in.
    :param own: the service's own identifiers (from a lookup) → the inputs each stands for.

    >>> operation = Operation("x", "mygene", "post", "/query", "biolink:Gene", "biolink:related_to",
    ...     "biolink:BiologicalProcess", output_prefix="GO", mapping={"GO": "go.BP.id"})
    >>> hits = [{"query": "1017", "go": {"BP": [{"id": "GO:0000082"}, {"id": None}]}}]
    >>> reading = read_answer(operation, hits, ["NCBIGene:1017", "NCBIGene:101"])
    >>> [(r.input, r.output) for r in reading.records], reading.dropped
    ([('NCBIGene:1017', 'GO:0000082')], (('no usable identifier', 1),))
    """
    dropped: Counter[str] = Counter()
    reader = _Reader(operation, Inputs(inputs, own), dropped)
    method = operation.method.lower()
    whole = prepared(operation.manner, payload)
    found = parts(whole, method, reader.made.steps, reader.asked, dropped)
    records = tuple(record for part in found for record in reader.records(part))
    return Reading(records, tuple(dropped.items()))


class _Reader:
    """Reads the parts of one answer."""

    def __init__(self, operation: Operation, asked: Inputs, dropped: Counter[str]) -> None:
        self.operation = operation
        self.manner = operation.manner
        self.made = compiled(operation)
        self.asked = asked
        self.dropped = dropped
        self.grounds = GroundsReader(operation)

    def records(self, part: Part) -> Iterator[Record]:
        made, wanted = self.made, self.made.wanted
        torn = part.torn and len(nodes(part.root, made.anchor)) > 1
        strangers: bool | None = None  # whether no pair had an end that was asked
        for leaf, values in rows(made.plan, part.root):
            if wanted.where and not passes(wanted.where, values):
                continue
            if self.manner.ends is not None:
                pair = self._pair(leaf, values)
                strangers = strangers is not False and pair is None
                yield from pair or ()
            elif made.whole is None or not passes(wanted.when, values):
                yield from self._single(made, leaf, values, part, torn)
        if strangers:
            self.dropped[NOBODY] += 1
        if made.whole is not None:
            yield from self._whole(made.whole, part)

    def _single(
        self,
        made: CompiledMapping,
        leaf: Any,
        values: Sequence[Any],
        part: Part,
        torn: bool = False,
    ) -> list[Record]:
        """The records of one output (or of several in one text), for each input it answers."""
        if leaf is None and len(made.anchor) == 1:
            return []  # a field the record has nothing in, not an element without identifier
        outputs = self._curies(made, made.output.of(leaf), values)
        who = self._who(made, values, part) if outputs else ()
        if not who:
            return []
        combine = self.manner.combine
        found = None
        if combine is not None and combine.side == "input":
            found = self._combined(made, values)
            if found is not None and found.curie is None:
                self.dropped[_UNNAMED] += 1
                return []
        grounds = self.grounds.read(made, values, torn)
        return [_record(a, output, grounds, found=found) for output in outputs for a in who]

    def _whole(self, made: CompiledMapping, part: Part) -> Iterator[Record]:
        """Records whose outputs are one combination; of one thing alone, that thing."""
        for _, values in rows(made.plan, part.root):
            if not (passes(made.wanted.where, values) and passes(made.wanted.when, values)):
                continue
            combined = self._combined(made, values)
            if combined is None:
                for leaf in scalars(first(made.wanted.output, values)):
                    yield from self._single(made, leaf, values, part)
            elif combined.curie is None:
                self.dropped[_UNNAMED] += 1
            elif who := self._who(made, values, part):
                grounds = self.grounds.read(made, values)
                for asked in who:
                    yield _record(asked, combined.curie, grounds, name=combined.name)

    def _combined(self, made: CompiledMapping, values: Sequence[Any]) -> Combination | None:
        combine, wanted = self.manner.combine, made.wanted
        if combine is None or not passes(wanted.when, values):
            return None
        ids, names = first(wanted.combined, values), first(wanted.combined_names, values)
        return combination(combine.prefix, made.combined, ids, names)

    def _curies(
        self, made: CompiledMapping, ids: Sequence[Any], values: Sequence[Any]
    ) -> list[str]:
        """The outputs that identifiers as the service writes them stand for."""
        found: list[str] = []
        for value in ids:
            prefix, written = self._prefix(made, value, values)
            output = curie(prefix, value, written) if prefix else None
            if output is not None:
                found.append(output)
            else:
                other = not prefix or is_foreign(prefix, value)
                self.dropped[_OTHER_KIND if other else _NO_IDENTIFIER] += 1
        return found

    def _prefix(self, made: CompiledMapping, value: Any, values: Sequence[Any]) -> tuple[str, str]:
        """The output's prefix and how the service writes it; none where it is not to be had."""
        decided = self.manner.prefix_from
        if decided is None:
            return self.operation.output_prefix, ""
        told = value if as_path(decided.path) == made.anchor else first(made.wanted.prefix, values)
        for item in scalars(told):
            written = text(item)
            for name in (written, written.partition(":")[0], written.partition("_")[0]):
                if prefix := _known(decided.prefixes, name):
                    return prefix, name
        return "", ""

    def _who(self, made: CompiledMapping, values: Sequence[Any], part: Part) -> tuple[str, ...]:
        told = first(made.wanted.echo, values)
        if told is not MISSING and told is not None:
            found = self.asked.match(told) or self.asked.match(made.echo.of(told))
            reason = NOBODY
            if part.inputs:  # the hit says whom it answers; its other rows are of other things
                return tuple(one for one in found if one in part.inputs)
        else:
            found, reason = part.inputs or self.asked.alone, _UNTOLD
        if not found:
            self.dropped[reason] += 1
        return found

    def _pair(self, leaf: Any, values: Sequence[Any]) -> list[Record] | None:
        """From each end that was asked to the other; None where neither was."""
        made, wanted = self.made, self.made.wanted
        second = first(wanted.second, values)
        one = _End(leaf, made.output.of(leaf), label(first(wanted.first_name, values)))
        other = _End(second, made.second.of(second), label(first(wanted.second_name, values)))
        found: list[Record] | None = None
        for near, far in ((one, other), (other, one))[: 1 if one.ids == other.ids else 2]:
            who = next(filter(None, map(self.asked.match, (near.told, near.ids, near.name))), ())
            if who:
                grounds = self.grounds.read(made, values)
                found = found or []
                found += [
                    _record(asked, output, grounds, far.name, near.name)
                    for output in self._curies(made, far.ids, values)
                    for asked in who
                ]
        return found


@dataclass(frozen=True, slots=True)
class _End:
    told: Any
    ids: list[Any]
    name: str | None


def _record(
    asked: str,
    output: str,
    grounds: Grounds,
    name: str | None = None,
    input_name: str | None = None,
    found: Combination | None = None,
) -> Record:
    return Record(
        input=asked,
        output=output,
        input_name=input_name or grounds.input_name,
        output_name=name or grounds.output_name,
        found_input=found.curie if found else None,
        found_input_name=found.name if found else None,
        publications=tuple(dict.fromkeys(grounds.publications)),
        record_urls=grounds.record_urls,
        attributes=tuple(grounds.attributes),
        sources=grounds.sources,
        qualifiers=grounds.qualifiers,
        negated=grounds.negated,
        taxon=grounds.taxon,
        mapped=grounds.mapped,
    )


def _known(prefixes: Mapping[str, str], written: str) -> str:
    """The Biolink prefix for one the service writes; ``""`` for another."""
    if not prefixes or written in prefixes:
        return prefixes.get(written, written)
    folded = written.casefold()
    return next((prefix for name, prefix in prefixes.items() if name.casefold() == folded), "")
