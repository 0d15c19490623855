"""Edges → sentences, ranked candidates, and the page of evidence that an answer may cite."""

from __future__ import annotations

from fedrag.evidence.embed import (
    ByteStore,
    Embedder,
    LexicalEmbedder,
    NeuralEmbedder,
    load_embedder,
)
from fedrag.evidence.names import clean_name
from fedrag.evidence.phrases import negate, phrase
from fedrag.evidence.polarity import polarity
from fedrag.evidence.prune import prune, tokens, with_keys
from fedrag.evidence.rank import rank
from fedrag.evidence.scope import touches
from fedrag.evidence.sentences import sentence, to_evidence

__all__ = [
    "ByteStore",
    "Embedder",
    "LexicalEmbedder",
    "NeuralEmbedder",
    "clean_name",
    "load_embedder",
    "negate",
    "phrase",
    "polarity",
    "prune",
    "rank",
    "sentence",
    "to_evidence",
    "tokens",
    "touches",
    "with_keys",
]
