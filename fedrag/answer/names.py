"""Names of nodes: when two spellings are one name, and where names stand in a text."""

from __future__ import annotations

import re
import unicodedata
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass

from fedrag.answer.draft import Material
from fedrag.answer.words import wordset
from fedrag.datamodel import EdgeNode

__all__ = ["Mention", "Names", "curies_in", "normalise"]

_GREEK = {
    chr(code): unicodedata.name(chr(code)).rsplit(" ", 1)[-1].lower().replace("lamda", "lambda")
    for code in range(ord("α"), ord("ω") + 1)
}
_TOKEN = re.compile(r"[^\W_]+")
_SYMBOL = re.compile(r"[A-Z0-9][A-Z0-9-]*")
_CURIE = re.compile(r"\b[A-Za-z][A-Za-z0-9.]*:[A-Za-z0-9][\w.-]*")
# Words that a claim puts around a name without changing what is named.
_AROUND = wordset(
    """the a an this that human gene genes protein proteins drug drugs disease disorder condition
    activity expression abundance amount level levels function secretion of in its synthesis
    signaling signalling production concentration transport molecule compound patients with
    increased decreased reduced elevated inhibition activation therapy treatment"""
)
# English words that are gene symbols or node names too: found in a text in capitals only.
_ENGLISH = wordset(
    """was set rest impact large cat kit met mice ace fat can ran aim art bad bid bag not for and
    the with has his are all gene genes protein proteins drug drugs disease diseases disorder
    treatment therapy cell cells cause time end max mark sun pain death patients human humans
    activity expression effect increase decrease role process pathway evidence phenotype"""
)


@dataclass(frozen=True, slots=True)
class Mention:
    """A known name in a text, and the identifiers of what it may name."""

    start: int
    end: int
    ids: frozenset[str]
    text: str


def normalise(text: str) -> str:
    """Case, accents, Greek letters and punctuation taken out.

    >>> normalise("  TGF-β1, Human ")
    'tgf beta1 human'
    """
    plain = unicodedata.normalize("NFKD", text)
    plain = "".join(c for c in plain if not unicodedata.combining(c)).casefold()
    plain = "".join(_GREEK.get(c, c) for c in plain)
    return " ".join(_TOKEN.findall(plain))


def _spellings(name: str) -> Iterable[str]:
    yield name
    if _SYMBOL.fullmatch(name) and "-" in name:
        yield name.replace("-", "")
    if name.count(", ") == 1:  # "diabetes mellitus, type 2" and "type 2 diabetes mellitus"
        head, tail = name.split(", ")
        yield f"{tail} {head}"


class Names:
    """Every name that the entities, candidates and evidence of one answer go by."""

    def __init__(self, material: Material) -> None:
        self._ids: dict[str, set[str]] = defaultdict(set)
        self._capitals: set[str] = set()  # names that count only when written in capitals
        self._by_first: dict[str, list[tuple[str, ...]]] = defaultdict(list)
        self._collect(material)
        for name in self._ids:
            tokens = tuple(name.split())
            self._by_first[tokens[0]].append(tokens)
        for options in self._by_first.values():
            options.sort(key=len, reverse=True)

    def _collect(self, material: Material) -> None:
        for item in material.evidence:
            for edge in item.edges:
                self._add_node(edge.subject)
                self._add_node(edge.object)
        genes = {one.gene for one in material.plan.in_place}
        for index, entity in enumerate(material.entities):
            ids = material.entity_ids(index)
            labels = [i.label for i in entity.identifiers if i.label]
            placed = entity.curie in genes  # the mention is a variant's, which the gene is not
            said = [] if placed else [entity.mention]
            self._add([*said, entity.name, *labels, *ids], ids)
        for candidate in material.candidates:
            ids = frozenset({candidate.curie, *candidate.identifiers})
            self._add([candidate.name, candidate.parent or "", *ids], ids)
        for curie, names in material.synonyms.items():
            self._add(names, frozenset({curie}))

    def _add_node(self, node: EdgeNode) -> None:
        # not the identifier asked: a descendant's name must not stand for the term asked
        ids = frozenset(i for i in (node.curie, node.found, node.canonical) if i)
        self._add([node.name, node.found_name or "", *ids], ids)

    def _add(self, names: Iterable[str], ids: frozenset[str]) -> None:
        for name in (s for n in names if n for s in _spellings(n)):
            if not (plain := normalise(name)):
                continue
            self._ids[plain] |= ids
            short = len(plain) <= 3 and not any(c.isdigit() for c in plain)
            if plain in _ENGLISH or short:
                self._capitals.add(plain)

    def resolve(self, field: str) -> frozenset[str]:
        """The identifiers a claim's subject or object may be; empty when it is no known name.

        Words around the name ("the X gene", "activity of X") are taken off at both ends.
        """
        tokens = normalise(field).split()
        for start in range(len(tokens)):
            if start and tokens[start - 1] not in _AROUND:
                break
            for end in range(len(tokens), start, -1):
                if end < len(tokens) and tokens[end] not in _AROUND:
                    break
                if ids := self._ids.get(" ".join(tokens[start:end])):
                    return frozenset(ids)
        return frozenset()

    def listed(self, field: str) -> tuple[str, ...]:
        """The names that a field lists; the field itself when it is one name, or no mere list."""
        if self.resolve(field):
            return (field,)
        found = self.find(field)
        rest = field
        for mention in reversed(found):
            rest = f"{rest[: mention.start]} {rest[mention.end :]}"
        extra = frozenset(normalise(rest).split()) - _AROUND - {"and", "or"}
        return (field,) if extra or not found else tuple(m.text for m in found)

    def find(self, text: str) -> tuple[Mention, ...]:
        """The known names in a text, longest first, never overlapping, in order."""
        tokens = [
            (m.start(), m.end(), part)
            for m in _TOKEN.finditer(text)
            for part in [normalise(m.group())]
            if part
        ]
        found, at = [], 0
        while at < len(tokens):
            size = self._longest(text, tokens, at)
            if size:
                start, end = tokens[at][0], tokens[at + size - 1][1]
                name = " ".join(t[2] for t in tokens[at : at + size])
                found.append(Mention(start, end, frozenset(self._ids[name]), text[start:end]))
            at += size or 1
        return tuple(found)

    def _longest(self, text: str, tokens: list[tuple[int, int, str]], at: int) -> int:
        for option in self._by_first.get(tokens[at][2], ()):
            window = tokens[at : at + len(option)]
            if tuple(t[2] for t in window) != option:
                continue
            written = text[window[0][0] : window[-1][1]]
            if " ".join(option) not in self._capitals or written == written.upper():
                return len(option)
        return 0


def curies_in(text: str) -> tuple[str, ...]:
    """Things that look like a CURIE in a text.

    >>> curies_in("see MONDO:0005044 for more")
    ('MONDO:0005044',)
    """
    return tuple(m.group() for m in _CURIE.finditer(text))
