"""The seeded split by drug: what is tuned is tuned on one part, and reported on the rest."""

from __future__ import annotations

import hashlib

from fedrag.errors import ConfigError

__all__ = ["SPLIT_SEED", "SPLIT_SHARE", "is_development"]

SPLIT_SEED = 20260
SPLIT_SHARE = 0.2
_BITS = 64


def is_development(drug_key: str, *, seed: int = SPLIT_SEED, share: float = SPLIT_SHARE) -> bool:
    """Whether a drug's questions belong to the part that may be tuned on.

    A drug's side depends on nothing but its key and the seed, so that it is the same in every set,
    sample and subset.

    :param drug_key: :attr:`fedrag.bench.model.Question.drug_key`.
    :param share: how much of all drugs is for tuning, from 0 to 1.
    :raises ConfigError: a share outside 0 to 1.

    >>> is_development("DRUGBANK:DB00619"), is_development("DRUGBANK:DB00619", share=0.5)
    (False, False)
    """
    if not 0 <= share <= 1:
        raise ConfigError(f"a share of {share} is none", hint="give one from 0 to 1")
    digest = hashlib.sha256(f"{seed}:{drug_key}".encode()).digest()
    return int.from_bytes(digest[: _BITS // 8], "big") < share * 2.0**_BITS
