"""The seeded split by drug."""

from __future__ import annotations

import pytest

from fedrag.bench.split import SPLIT_SEED, is_development
from fedrag.errors import ConfigError

KEYS = [f"DRUGBANK:DB{n:05}" for n in range(5000)]


def test_about_a_fifth_is_for_tuning_and_another_seed_chooses_another_fifth() -> None:
    chosen = {key for key in KEYS if is_development(key)}
    other = {key for key in KEYS if is_development(key, seed=SPLIT_SEED + 1)}
    assert 900 < len(chosen) < 1100
    assert 100 < len(chosen & other) < 300


def test_the_side_of_a_drug_never_changes() -> None:
    assert [n for n in range(40) if is_development(KEYS[n])] == [1, 2, 8, 10, 13, 15, 25, 35, 39]


def test_a_larger_share_keeps_whom_a_smaller_one_chose() -> None:
    few = {key for key in KEYS if is_development(key, share=0.1)}
    more = {key for key in KEYS if is_development(key, share=0.3)}
    assert few < more
    assert not any(is_development(key, share=0) for key in KEYS)
    assert all(is_development(key, share=1) for key in KEYS)


@pytest.mark.parametrize("share", [-0.1, 1.1])
def test_a_share_outside_its_range_is_told(share: float) -> None:
    with pytest.raises(ConfigError, match=f"a share of {share} is none"):
        is_development("DRUGBANK:DB00619", share=share)
