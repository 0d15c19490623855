"""Embedders: the lexical one is the same everywhere; neural vectors are remembered as bytes."""

from __future__ import annotations

import hashlib
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fedrag.errors import ConfigError
from fedrag.evidence import LexicalEmbedder, NeuralEmbedder, embed, load_embedder

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


def test_a_missing_package_is_a_kind_message(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "sentence_transformers", None)
    with pytest.raises(ConfigError, match=r"needs sentence-transformers") as caught:
        NeuralEmbedder().embed(["x"])
    assert "pip install fedrag-bio[neural]" in str(caught.value)


class Hub:
    """Stands for the package: which models are here, which can be downloaded, what fails how."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.here: dict[str, Exception | None] = {}
        self.there: dict[str, Exception | None] = {}
        self.answers = True
        self.loads: list[tuple[str, bool]] = []
        module = ModuleType("sentence_transformers")
        vars(module)["SentenceTransformer"] = self.load
        monkeypatch.setitem(sys.modules, "sentence_transformers", module)
        monkeypatch.setattr(embed, "_hub_answers", lambda: self.answers)

    def load(self, model: str, local_files_only: bool = False) -> Hub:
        self.loads.append((model, local_files_only))
        known = self.here if local_files_only else self.there
        if error := known.get(model, OSError(f"no {model}\nsecond line")):
            raise error
        return self

    def encode(self, texts: list[str], **_: object) -> np.ndarray:
        return np.ones((len(texts), 4))


def test_a_model_on_this_machine_is_loaded_without_the_network(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    hub = Hub(monkeypatch)
    hub.here["mine"] = None
    assert NeuralEmbedder("mine").embed(["x"]).shape == (1, 4)
    assert hub.loads == [("mine", True)]


def test_a_model_that_is_not_here_is_downloaded_unless_the_run_is_offline(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    hub = Hub(monkeypatch)
    hub.there["far"] = None
    with pytest.raises(ConfigError, match="this run uses no network"):
        load_embedder("far", offline=True).embed(["x"])
    assert hub.loads == [("far", True)]
    assert load_embedder("far").embed(["x"]).shape == (1, 4)
    hub.answers = False
    with pytest.raises(ConfigError, match="the model hub does not answer"):
        load_embedder("far").embed(["x"])


@pytest.mark.parametrize(
    ("raised", "said"),
    [
        (OSError("no such file\nand more"), "no such file "),
        (KeyError("path"), "'path'"),
        (ImportError("this model needs einops"), "einops"),
        (type("SafetensorError", (Exception,), {})("incomplete metadata"), "incomplete metadata"),
        (TypeError(), "TypeError"),
    ],
)
def test_a_damaged_model_is_a_kind_message_whatever_its_loader_raises(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, raised: Exception, said: str
) -> None:
    hub = Hub(monkeypatch)
    hub.here[str(tmp_path)] = raised
    hub.there["far"] = raised
    for model in (str(tmp_path), "far"):
        with pytest.raises(ConfigError, match="cannot be loaded") as caught:
            NeuralEmbedder(model).embed(["x"])
        assert said in str(caught.value)
        assert "more" not in str(caught.value)


def test_another_model_in_the_same_folder_does_not_get_its_vectors(tmp_path: Path) -> None:
    store, encoder, weights = Store(), Encoder(), tmp_path / "model.safetensors"
    weights.write_bytes(b"one")
    NeuralEmbedder(str(tmp_path), store=store, encoder=encoder).embed(["x"])
    NeuralEmbedder(str(tmp_path), store=store, encoder=encoder).embed(["x"])
    assert encoder.asked == ["x"]
    weights.write_bytes(b"another")
    NeuralEmbedder(str(tmp_path), store=store, encoder=encoder).embed(["x"])
    assert encoder.asked == ["x", "x"]


def test_a_folder_is_known_by_where_it_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    store, encoder = Store(), Encoder()
    for place in ("a", "b"):
        (tmp_path / place / "model").mkdir(parents=True)
        monkeypatch.chdir(tmp_path / place)
        NeuralEmbedder("model", store=store, encoder=encoder).embed(["x"])
    assert encoder.asked == ["x", "x"]


def test_embedders_are_loaded_by_name() -> None:
    assert load_embedder().name == "lexical-1024"
    assert load_embedder("neural").name == "pritamdeka/S-PubMedBert-MS-MARCO"
    assert load_embedder("models/mine").name == "models/mine"
