"""Sentences as unit vectors, behind one small protocol.

The default needs no download: hashed words and character trigrams. ``fedrag-bio[neural]`` adds
sentence-transformers models, whose vectors are remembered by model and sentence.
"""

from __future__ import annotations

import hashlib
import logging
import re
import unicodedata
import zlib
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from fedrag.errors import ConfigError

if TYPE_CHECKING:
    import numpy as np

__all__ = ["ByteStore", "Embedder", "LexicalEmbedder", "NeuralEmbedder", "load_embedder"]

DEFAULT_MODEL = "pritamdeka/S-PubMedBert-MS-MARCO"
_HUB_TIMEOUT = 5.0  # seconds for the model hub to answer at all
Encoder = Callable[[list[str]], Any]

_WORD = re.compile(r"[^\W_]+(?:[-'][^\W_]+)*")
_STOP_WORDS = """
    a an and are as at be been by can could do does for from has have how in into is it its may
    most not of on or play plays role significant such than that the their there these this to used
    via was were what when where which who why will with would
"""
_COMMON_WORDS = """
    activity affect affected affects associated association biological cause caused causes chemical
    condition contributes decrease decreased decreases disease drug drugs effect gene genes genetic
    increase increased increases interacts mechanism pathway phenotype process protein proteins
    regulates related studied treat treated treating treatment treats
"""
_WEIGHTS = dict.fromkeys(_STOP_WORDS.split(), 0.05) | dict.fromkeys(_COMMON_WORDS.split(), 0.4)
_GRAM_WEIGHT = 0.6  # of a word's weight, shared by its character trigrams


class Embedder(Protocol):
    """Turns texts into vectors."""

    @property
    def name(self) -> str:
        """Which embedder this is, for notes and cache keys."""
        ...

    def embed(self, texts: Sequence[str]) -> np.ndarray:
        """One row of length 1 per text (a row of zeros for a text without words)."""
        ...


class ByteStore(Protocol):
    """Where vectors are remembered: bytes by key."""

    def get(self, key: str) -> bytes | None:
        """What was stored under the key, None where nothing is."""
        ...

    def set(self, key: str, value: bytes) -> None:
        """Store bytes under a key."""
        ...


class LexicalEmbedder:
    """Words and character trigrams, hashed with signs into a fixed number of dimensions.

    Weights are sublinear in a term's count, low for function words and for what nearly every
    biomedical statement says. Equal on every machine and
    in every process. The method is feature hashing (Weinberger et al., 2009,
    https://arxiv.org/abs/0902.2206).

    :param dimensions: length of the vectors.

    >>> rows = LexicalEmbedder().embed(["inhibits SLC12A3", "inhibition of SLC12A3", "treats gout"])
    >>> bool(rows[0] @ rows[1] > 0.5 > rows[0] @ rows[2])
    True
    """

    def __init__(self, dimensions: int = 1024) -> None:
        self.dimensions = dimensions
        self.name = f"lexical-{dimensions}"
        self._terms: dict[str, tuple[list[int], list[float]]] = {}

    def embed(self, texts: Sequence[str]) -> np.ndarray:
        """One row of length 1 per text."""
        import numpy as np

        rows = np.zeros((len(texts), self.dimensions), dtype=np.float32)
        for row, text in zip(rows, texts, strict=True):
            indices, values = self._features(text)
            if indices:
                row += np.bincount(indices, weights=values, minlength=self.dimensions)
        norms = np.sqrt(np.einsum("ij,ij->i", rows, rows))
        norms[norms == 0] = 1.0
        rows /= norms[:, None]
        return rows

    def _features(self, text: str) -> tuple[list[int], list[float]]:
        counts: dict[str, int] = {}
        for word in _WORD.findall(unicodedata.normalize("NFKC", text).casefold()):
            counts[word] = counts.get(word, 0) + 1
        indices: list[int] = []
        values: list[float] = []
        for word, count in counts.items():
            where, weights = self._term(word)
            indices += where
            values += weights if count == 1 else [w * (1 + count**0.5) / 2 for w in weights]
        return indices, values

    def _term(self, word: str) -> tuple[list[int], list[float]]:
        """Where a word and its trigrams fall, with sign and weight; remembered."""
        known = self._terms.get(word)
        if known is None:
            weight = _WEIGHTS.get(word, 1.0)
            padded = f"^{word}$"
            grams = [padded[i : i + 3] for i in range(len(padded) - 2)]
            share = weight * _GRAM_WEIGHT / max(1.0, len(grams) ** 0.5)
            placed = [self._place(f"w:{word}", weight), *(self._place(g, share) for g in grams)]
            known = [index for index, _ in placed], [value for _, value in placed]
            self._terms[word] = known
        return known

    def _place(self, term: str, weight: float) -> tuple[int, float]:
        number = zlib.crc32(term.encode("utf-8"))
        return (number >> 1) % self.dimensions, weight if number & 1 else -weight


class NeuralEmbedder:
    """A sentence-transformers model, its vectors remembered by model and sentence.

    :param model: a model's name or a local folder.
    :param store: where vectors are kept between runs, as little-endian 32-bit floats.
    :param encoder: what encodes a list of texts; by default the model, loaded at the first call.
    :param offline: use the model only if it is on this machine.
    :raises ConfigError: at the first call that is not answered from the store: the package is not
        installed, or the model cannot be loaded.
    """

    def __init__(
        self,
        model: str = DEFAULT_MODEL,
        *,
        store: ByteStore | None = None,
        encoder: Encoder | None = None,
        offline: bool = False,
    ) -> None:
        self.name = model
        self._offline = offline
        self._identity = _identity(model)
        self._store = store
        self._encoder = encoder

    def embed(self, texts: Sequence[str]) -> np.ndarray:
        """One row of length 1 per text; only texts that are not remembered are encoded."""
        import numpy as np

        rows = {text: self._remembered(text) for text in dict.fromkeys(texts)}
        missing = [text for text, row in rows.items() if row is None]
        if missing:
            encoded = np.asarray(self._encode(missing), dtype="<f4").reshape(len(missing), -1)
            norms = np.linalg.norm(encoded, axis=1, keepdims=True)
            norms[norms == 0] = 1.0
            for text, row in zip(missing, encoded / norms, strict=True):
                rows[text] = row
                if self._store is not None:
                    self._store.set(self._key(text), row.astype("<f4").tobytes())
        if not texts:
            return np.zeros((0, 0), dtype=np.float32)
        found = [row for row in (rows[text] for text in texts) if row is not None]
        if len({row.shape for row in found}) > 1:  # the model behind a name or folder changed
            return self._afresh(texts)
        return np.stack(found)

    def _afresh(self, texts: Sequence[str]) -> np.ndarray:
        store, self._store = self._store, None
        rows = self.embed(texts)
        self._store = store
        if store is not None:
            for text, row in zip(texts, rows, strict=True):
                store.set(self._key(text), row.astype("<f4").tobytes())
        return rows

    def _key(self, text: str) -> str:
        digest = hashlib.sha256(f"{self._identity}\x00{text}".encode()).hexdigest()
        return f"embedding:{digest}"

    def _remembered(self, text: str) -> np.ndarray | None:
        import numpy as np

        stored = self._store.get(self._key(text)) if self._store is not None else None
        if not stored or len(stored) % 4:
            return None
        row = np.frombuffer(stored, dtype="<f4")
        return row if bool(np.isfinite(row).all()) else None

    def _encode(self, texts: list[str]) -> Any:
        if self._encoder is None:
            self._encoder = _load_encoder(self.name, offline=self._offline)
        return self._encoder(texts)


def _identity(model: str) -> str:
    """What vectors are remembered by: a folder may hold another model tomorrow, or elsewhere.

    >>> _identity("no/such-folder")
    'no/such-folder'
    """
    folder = Path(model)
    try:
        if not folder.is_dir():
            return model
        files = sorted(p for pattern in ("*", "*/*") for p in folder.glob(pattern) if p.is_file())
        stamps = [f"{p.name} {p.stat().st_size} {p.stat().st_mtime_ns}" for p in files]
    except OSError:
        return model
    return "\n".join([str(folder.resolve()), *stamps])


def _load_encoder(model: str, *, offline: bool = False) -> Encoder:
    """The model's encoder: from this machine where it is there, else from its hub."""
    try:
        from sentence_transformers import SentenceTransformer
    except ImportError as error:
        raise ConfigError(
            f"the embedder {model!r} needs sentence-transformers",
            hint="pip install fedrag-bio[neural], or use --embedder lexical",
        ) from error
    with _quiet():
        try:
            loaded = SentenceTransformer(model, local_files_only=True)
        except Exception as error:  # a damaged model raises whatever its loader stumbles over
            if Path(model).exists():
                raise _unloadable(model, error) from error
            if offline:
                raise _unloadable(model, error, "this run uses no network") from error
            if not _hub_answers():
                raise _unloadable(model, error, "the model hub does not answer") from error
            loaded = _downloaded(SentenceTransformer, model)

    def encode(texts: list[str]) -> Any:
        return loaded.encode(texts, convert_to_numpy=True, show_progress_bar=False)

    return encode


def _hub_answers() -> bool:
    """Whether models can be downloaded: one call, where loading would retry for minutes."""
    try:
        constants = import_module("huggingface_hub.constants")
        if constants.HF_HUB_OFFLINE:
            return False
        session = import_module("huggingface_hub.utils").get_session()
        session.head(constants.ENDPOINT, timeout=_HUB_TIMEOUT)
    except Exception:
        return False
    return True


def _downloaded(transformer: Callable[[str], Any], model: str) -> Any:
    try:
        return transformer(model)
    except Exception as error:
        raise _unloadable(model, error) from error


def _unloadable(model: str, error: Exception, also: str = "") -> ConfigError:
    why = next(iter(str(error).splitlines()), "")[:200].rstrip(". ") or type(error).__name__
    return ConfigError(
        f"the embedding model {model!r} cannot be loaded: {why}{'; ' if also else ''}{also}",
        hint="give a local folder or a model's name, or use --embedder lexical",
    )


@contextmanager
def _quiet() -> Iterator[None]:
    """No progress bars and warnings of the model's loaders on stderr."""
    loggers = [logging.getLogger(n) for n in ("transformers", "sentence_transformers")]
    levels = [logger.level for logger in loggers]
    try:
        bars = import_module("transformers.utils.logging")
        shown = bars.is_progress_bar_enabled()
        bars.disable_progress_bar()
    except ImportError:
        shown = False
    for logger in loggers:
        logger.setLevel(logging.ERROR)
    try:
        yield
    finally:
        for logger, level in zip(loggers, levels, strict=True):
            logger.setLevel(level)
        if shown:
            bars.enable_progress_bar()


def load_embedder(
    name: str = "lexical", *, store: ByteStore | None = None, offline: bool = False
) -> Embedder:
    """The embedder called ``name``: ``lexical``, ``neural`` (its default model), a model or folder.

    :param offline: never download a model (a replay, ``--offline``).

    >>> load_embedder("lexical").name, load_embedder("neural").name
    ('lexical-1024', 'pritamdeka/S-PubMedBert-MS-MARCO')
    """
    if name == "lexical":
        return LexicalEmbedder()
    model = DEFAULT_MODEL if name == "neural" else name
    return NeuralEmbedder(model, store=store, offline=offline)
