"""Likeness of names by the published model: cosine between embeddings of answer and gold.

The published benchmark judges metabolites and drugs by the cosine that a BioBERT fine-tuned for
sentence likeness gives two names (Deka et al. 2022). It says how alike names look to that model,
not whether they are of one thing. The model comes through the extra ``neural``; no package of a
registry holds it, and without it no figure is called BioBERT's.
"""

from __future__ import annotations

from collections.abc import Iterable

from fedrag.errors import ConfigError
from fedrag.evidence.embed import Encoder, NeuralEmbedder

__all__ = ["PUBLISHED_MODEL", "NameSimilarity"]

PUBLISHED_MODEL = "pritamdeka/BioBERT-mnli-snli-scinli-scitail-mednli-stsb"


class NameSimilarity:
    """The cosine of two names, -1 to 1; vectors are kept in memory.

    :param model: a model's name or a local folder; the published one by default.
    :param offline: use the model only if it is on this machine.
    :param encoder: what encodes a list of texts, instead of the model.
    :ivar name: the model, to be told with every figure; a folder under any name is itself.
    :ivar published: whether it is the published model, by its name.

    >>> vectors = {"PTGS2": [1.0, 0.0], "COX-2": [3.0, 4.0]}
    >>> alike = NameSimilarity("letters", encoder=lambda texts: [vectors[t] for t in texts])
    >>> round(alike("PTGS2", "COX-2"), 2), alike.name, alike.published
    (0.6, 'letters', False)
    """

    def __init__(
        self,
        model: str = PUBLISHED_MODEL,
        *,
        offline: bool = False,
        encoder: Encoder | None = None,
    ) -> None:
        self.name = model
        self.published = model == PUBLISHED_MODEL
        self._embedder = NeuralEmbedder(model, store=_Memory(), encoder=encoder, offline=offline)

    def __call__(self, answer: str, gold: str) -> float:
        """The cosine of two names.

        :raises ConfigError: sentence-transformers is not installed, or the model not to be had.
        """
        try:
            first, second = self._embedder.embed([answer, gold])
        except ConfigError as error:
            raise self._missing(error) from error
        return float(first @ second)

    def prepare(self, names: Iterable[str]) -> None:
        """Encode many names at once, which is faster than two by two.

        :raises ConfigError: as a call does.
        """
        wanted = sorted({name for name in names if name.strip()})
        try:
            self._embedder.embed(wanted)
        except ConfigError as error:
            raise self._missing(error) from error

    def _missing(self, error: ConfigError) -> ConfigError:
        return ConfigError(
            f"no cosine of names: {error.message}",
            hint=f"pip install fedrag-bio[neural], and get {PUBLISHED_MODEL} where there is a "
            "network (huggingface-cli download), then give its name or folder; "
            "all other scores need no model",
        )


class _Memory:
    """Vectors by key, for the life of the process."""

    def __init__(self) -> None:
        self._rows: dict[str, bytes] = {}

    def get(self, key: str) -> bytes | None:
        return self._rows.get(key)

    def set(self, key: str, value: bytes) -> None:
        self._rows[key] = value
