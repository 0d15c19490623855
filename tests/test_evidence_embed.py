"""Embedders: the lexical one is the same everywhere; neural vectors are remembered as bytes."""

from __future__ import annotations

import hashlib
import subprocess
import sys

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fedrag.errors import ConfigError
from fedrag.evidence import LexicalEmbedder, NeuralEmbedder, load_embedder

QUESTION = (
    "Which gene plays the most significant role in how hydrochlorothiazide treats hypertension?"
)


class Store(dict[str, bytes]):
    """A byte store in memory."""

    def set(self, key: str, value: bytes) -> None:
        self[key] = value


class Encoder:
    """Stands for a model: a fixed vector per text, and a list of what it was asked to encode."""

    def __init__(self, dimensions: int = 8) -> None:
        self.dimensions = dimensions
        self.asked: list[str] = []

    def __call__(self, texts: list[str]) -> np.ndarray:
        self.asked += texts
        digests = [hashlib.sha256(text.encode()).digest()[: self.dimensions] for text in texts]
        return np.array([list(digest) for digest in digests], dtype=np.float64) + 1.0


def test_lexical_rows_have_length_one_and_zero_for_no_words() -> None:
    rows = LexicalEmbedder().embed([QUESTION, "SLC12A3", "", "…"])
    assert rows.shape == (4, 1024)
    assert np.linalg.norm(rows, axis=1) == pytest.approx([1, 1, 0, 0], abs=1e-6)


def test_lexical_cosine_prefers_what_shares_words_and_stems() -> None:
    about, elsewhere = "Hydrochlorothiazide decreases activity of SLC12A3", "aspirin treats gout"
    rows = LexicalEmbedder().embed([QUESTION, about, elsewhere])
    assert rows[0] @ rows[1] > rows[0] @ rows[2]


def test_a_text_has_the_same_vector_in_any_company() -> None:
    alone = LexicalEmbedder().embed(["imatinib inhibits KIT"])[0]
    among = LexicalEmbedder().embed(["a", "imatinib inhibits KIT", QUESTION])[1]
    assert np.array_equal(alone, among)


def test_lexical_vectors_are_the_same_in_every_process() -> None:
    code = (
        "from fedrag.evidence import LexicalEmbedder; import hashlib;"
        f"print(hashlib.sha256(LexicalEmbedder().embed([{QUESTION!r}]).tobytes()).hexdigest())"
    )
    digests = {
        subprocess.run(
            [sys.executable, "-c", code],
            capture_output=True,
            text=True,
            check=True,
            env={"PYTHONHASHSEED": seed, "PYTHONPATH": ":".join(sys.path)},
        ).stdout
        for seed in ("1", "2")
    }
    assert len(digests) == 1


@given(st.lists(st.text(max_size=60), max_size=5))
def test_any_text_can_be_embedded(texts: list[str]) -> None:
    rows = LexicalEmbedder(64).embed(texts)
    assert rows.shape == (len(texts), 64)
    assert np.isfinite(rows).all()


def test_neural_vectors_are_remembered_by_model_and_sentence() -> None:
    store, encoder = Store(), Encoder()
    first = NeuralEmbedder("a", store=store, encoder=encoder).embed(["x", "y", "x"])
    again = NeuralEmbedder("a", store=store, encoder=encoder).embed(["y", "x", "z"])
    assert encoder.asked == ["x", "y", "z"]
    assert np.allclose(first[0], again[1])
    assert np.linalg.norm(first, axis=1) == pytest.approx([1, 1, 1])
    NeuralEmbedder("b", store=store, encoder=encoder).embed(["x"])
    assert encoder.asked == ["x", "y", "z", "x"]
    assert {len(value) for value in store.values()} == {8 * 4}
    assert len(store) == 4


def test_a_damaged_or_outgrown_store_is_written_anew() -> None:
    store, encoder = Store(), Encoder()
    NeuralEmbedder("a", store=store, encoder=encoder).embed(["x", "y"])
    damaged = next(iter(store))
    store[damaged] = b"abc"
    assert NeuralEmbedder("a", store=store, encoder=encoder).embed(["x", "y"]).shape == (2, 8)
    bigger = Encoder(16)
    assert NeuralEmbedder("a", store=store, encoder=bigger).embed(["x", "z"]).shape == (2, 16)
    assert bigger.asked == ["z", "x", "z"]


def test_no_texts_need_no_model() -> None:
    assert NeuralEmbedder("no such model").embed([]).shape[0] == 0


def test_a_missing_package_is_a_kind_message() -> None:
    try:
        import sentence_transformers  # noqa: F401
    except ImportError:
        with pytest.raises(ConfigError, match=r"pip install fedrag-bio\[neural\]"):
            NeuralEmbedder().embed(["x"])
    else:
        with pytest.raises(ConfigError, match="cannot be loaded"):
            NeuralEmbedder("/no/such/folder").embed(["x"])


def test_embedders_are_loaded_by_name() -> None:
    assert load_embedder().name == "lexical-1024"
    assert load_embedder("neural").name == "pritamdeka/S-PubMedBert-MS-MARCO"
    assert load_embedder("models/mine").name == "models/mine"
