"""Intervals and tests of the benchmark, against values worked out elsewhere."""

from __future__ import annotations

import importlib
from typing import Any

import pytest

from fedrag.bench import stats
from fedrag.errors import ConfigError

pytest.importorskip("statsmodels", reason="the extra bench is not installed")
pytest.importorskip("scipy", reason="the extra bench is not installed")


def test_wilson_gives_the_interval_of_the_formula() -> None:
    # (p + z²/2n ± z √(p(1-p)/n + z²/4n²)) / (1 + z²/n) for 407 of 798
    assert stats.wilson(407, 798) == pytest.approx((0.4753761703, 0.5445778990), abs=1e-10)


def test_wilson_at_the_ends_touches_them_and_stays_within() -> None:
    none, all_of_them = stats.wilson(0, 10), stats.wilson(10, 10)
    assert none == pytest.approx((0.0, 0.2775327999), abs=1e-10)
    assert all_of_them == pytest.approx((0.7224672001, 1.0), abs=1e-10)
    assert none is not None
    assert all_of_them is not None
    assert (none[0], all_of_them[1]) == (0.0, 1.0)


def test_wilson_of_nothing_is_none_and_of_no_proportion_is_refused() -> None:
    assert stats.wilson(0, 0) is None
    with pytest.raises(ValueError, match="11 of 10 is no proportion"):
        stats.wilson(11, 10)
    with pytest.raises(ValueError, match="-1 of 10"):
        stats.wilson(-1, 10)


def test_mean_does_not_depend_on_the_order() -> None:
    values = [1e16, 1.0, -1e16, 3.0]
    assert stats.mean(values) == stats.mean(values[::-1]) == 1.0


def test_bootstrap_repeats_to_the_last_digit() -> None:
    values = [0.0, 0.2, 1.0, 0.5, 0.5, 0.1, 0.9, 0.3]
    first = stats.bootstrap(values)
    stats._bootstrap.cache_clear()
    assert stats.bootstrap(values) == first
    assert first is not None
    assert first[0] < 0.4375 < first[1]
    assert stats.bootstrap(values, seed=2) != first


def test_bootstrap_resamples_two_lists_of_one_length_in_pairs() -> None:
    values = [0.0, 0.2, 1.0, 0.5, 0.5, 0.1, 0.9, 0.3]
    low, high = stats.bootstrap(values) or (0.0, 0.0)
    shifted = stats.bootstrap([value + 4 for value in values])
    assert shifted == pytest.approx((low + 4, high + 4), abs=1e-12)


def test_bootstrap_of_less_than_two_values_is_none_and_so_is_that_of_equal_ones() -> None:
    assert stats.bootstrap([]) is None
    assert stats.bootstrap([0.5]) is None
    assert stats.bootstrap([0.1, 0.1, 0.1]) is None


def test_a_share_pooled_over_questions_is_resampled_by_question() -> None:
    """Ten rows of one question are one draw: the interval is wider than that of 100 rows."""
    pairs = [(10, 10)] * 6 + [(0, 10)] * 4
    low, high = stats.bootstrap_share(pairs) or (0.0, 0.0)
    by_row = stats.wilson(60, 100) or (0.0, 0.0)
    by_question = stats.bootstrap([1.0] * 6 + [0.0] * 4)
    assert low < by_row[0] < 0.6 < by_row[1] < high
    assert (low, high) == pytest.approx(by_question, abs=1e-12)
    assert stats.bootstrap_share(pairs) == (low, high)


def test_a_share_of_questions_of_unequal_size_is_of_all_that_they_have() -> None:
    low, high = stats.bootstrap_share([(1, 1), (0, 9), (5, 10), (0, 0)]) or (0.0, 0.0)
    assert 0.0 <= low < 6 / 20 < high <= 1.0


def test_a_share_of_none_or_all_has_the_interval_of_as_many_questions() -> None:
    assert stats.bootstrap_share([(4, 4), (2, 2), (0, 0)]) == stats.wilson(2, 2)
    assert stats.bootstrap_share([(0, 4), (0, 2)]) == stats.wilson(0, 2)
    assert stats.bootstrap_share([]) is None
    assert stats.bootstrap_share([(0, 0)]) is None
    assert stats.bootstrap_share([(1, 2)]) is None


@pytest.mark.parametrize(
    ("first", "second", "p"),
    [
        (0, 0, 1.0),
        (5, 5, 1.0),
        (1, 9, 2 * 11 / 1024),  # two-sided binomial: P(at most 1 of 10)
        (9, 1, 2 * 11 / 1024),
        (0, 5, 2 / 32),
    ],
)
def test_mcnemar_is_the_exact_binomial_test(first: int, second: int, p: float) -> None:
    assert stats.mcnemar(first, second) == pytest.approx(p, abs=1e-12)


def test_mcnemar_of_the_published_contingency_is_beyond_doubt() -> None:
    assert stats.mcnemar(245, 47) == pytest.approx(1.7841464349011668e-33, rel=1e-9)


def test_odds_ratio_of_the_published_contingency() -> None:
    ratio, low, high = stats.odds_ratio(245, 47)
    assert ratio == 245 / 47
    assert (low, high) == pytest.approx((3.8023959960, 7.2831204428), abs=1e-8)


def test_odds_ratio_without_a_loser_is_infinite_and_told_as_none() -> None:
    # Clopper-Pearson of 5 of 5: the lower end is 0.025 ** (1/5)
    least = 0.025**0.2
    ratio, low, high = stats.odds_ratio(5, 0)
    assert (ratio, high) == (None, None)
    assert low == pytest.approx(least / (1 - least))
    assert stats.odds_ratio(0, 5) == pytest.approx((0.0, 0.0, (1 - least) / least))
    assert stats.odds_ratio(0, 0) == (None, None, None)


def test_without_the_extra_a_clear_error_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def missing(name: str) -> Any:
        raise ImportError(name)

    monkeypatch.setattr(stats, "import_module", missing)
    stats.wilson.cache_clear()
    with pytest.raises(ConfigError, match=r"need statsmodels \(pip install fedrag-bio\[bench\]\)"):
        stats.wilson(1, 7)
    with pytest.raises(ConfigError, match="need scipy"):
        stats.bootstrap([0.123, 0.456])
    assert importlib.import_module("statsmodels") is not None
