"""Likeness of names: who it is by is told, and without a model the error says what to do."""

from __future__ import annotations

import sys

import pytest

from fedrag.bench.cosine import PUBLISHED_MODEL, NameSimilarity
from fedrag.errors import ConfigError

VECTORS = {
    "glucose": [1.0, 0.0],
    "D-glucose": [4.0, 3.0],
    "insulin": [0.0, 2.0],
    "opposite": [-3.0, 0.0],
    "nothing": [0.0, 0.0],
}


class Encoder:
    def __init__(self) -> None:
        self.asked: list[list[str]] = []

    def __call__(self, texts: list[str]) -> list[list[float]]:
        self.asked.append(texts)
        return [VECTORS[text] for text in texts]


def test_it_is_the_cosine_of_the_two_vectors() -> None:
    alike = NameSimilarity("toy", encoder=Encoder())
    assert alike("glucose", "glucose") == 1.0
    assert alike("glucose", "D-glucose") == pytest.approx(0.8, abs=1e-6)
    assert alike("glucose", "insulin") == 0.0
    assert alike("glucose", "opposite") == -1.0
    assert alike("glucose", "nothing") == 0.0
    assert alike("D-glucose", "glucose") == alike("glucose", "D-glucose")


def test_a_name_is_encoded_once() -> None:
    encoder = Encoder()
    alike = NameSimilarity("toy", encoder=encoder)
    alike("glucose", "insulin")
    alike("glucose", "D-glucose")
    alike("insulin", "D-glucose")
    assert encoder.asked == [["glucose", "insulin"], ["D-glucose"]]


def test_prepared_names_are_encoded_at_once_blank_ones_never() -> None:
    encoder = Encoder()
    alike = NameSimilarity("toy", encoder=encoder)
    alike.prepare(["insulin", "glucose", "insulin", " ", ""])
    assert alike("glucose", "insulin") == 0.0
    assert encoder.asked == [["glucose", "insulin"]]


def test_only_the_published_model_is_called_so() -> None:
    assert NameSimilarity().name == PUBLISHED_MODEL
    assert NameSimilarity().published
    other = NameSimilarity("all-MiniLM-L6-v2")
    assert (other.name, other.published) == ("all-MiniLM-L6-v2", False)


def test_without_the_package_the_error_says_how_to_get_the_model(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(sys.modules, "sentence_transformers", None)
    alike = NameSimilarity(offline=True)
    with pytest.raises(ConfigError) as caught:
        alike("glucose", "insulin")
    assert caught.value.message == (
        f"no cosine of names: the embedder {PUBLISHED_MODEL!r} needs sentence-transformers"
    )
    assert caught.value.hint is not None
    assert "pip install fedrag-bio[neural]" in caught.value.hint
    assert PUBLISHED_MODEL in caught.value.hint
    with pytest.raises(ConfigError, match="no cosine of names"):
        alike.prepare(["glucose"])
