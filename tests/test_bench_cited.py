"""Which citations of an answer are for the answer, and which for what is told beside it."""

from __future__ import annotations

import pytest

from fedrag.bench.cited import keys_about
from fedrag.datamodel import Candidate, Sentence

NAMES = ("chloramphenicol", "chloramphenicol succinate", "KIT", "Fusion Proteins, bcr-abl (P210)")
CANDIDATES = tuple(Candidate(f"X:{i}", name, (), 1.0) for i, name in enumerate(NAMES))


def about(answer: str, *texts: str) -> list[str]:
    best = next(one for one in CANDIDATES if one.name == answer)
    return sorted(keys_about([Sentence(text) for text in texts], best, CANDIDATES))


@pytest.mark.parametrize(
    ("text", "kit"),
    [
        ("KIT is the best supported of 4 candidates returned [E1][E2].", ["E1", "E2"]),
        ("KIT [E1] is the first, tied with chloramphenicol [E2]: no difference.", ["E1"]),
        ("KIT [E1] is the first. Status: established [E3].", ["E1", "E3"]),
        ("Next come chloramphenicol [E4] and Fusion Proteins, bcr-abl (P210) [E5].", []),
        ("Chloramphenicol [E4] comes before KIT [E1].", ["E1"]),
        ("Both chloramphenicol and KIT are inhibited [E6].", ["E6"]),
        ("kit is inhibited by imatinib [E1, E2].", ["E1", "E2"]),
        ("KITLG is another gene [E7].", []),
        ("Imatinib inhibits something [E8].", []),
        ("KIT is told without a key.", []),
    ],
)
def test_a_key_is_cited_for_the_candidates_named_since_the_keys_before_it(
    text: str, kit: list[str]
) -> None:
    assert about("KIT", text) == kit


def test_a_longer_name_is_not_the_shorter_one_in_it() -> None:
    text = "chloramphenicol succinate [E1] comes next, chloramphenicol [E2] last."
    assert about("chloramphenicol", text) == ["E2"]
    assert about("chloramphenicol succinate", text) == ["E1"]


def test_a_sentence_names_anew() -> None:
    assert about("KIT", "KIT is the first.", "It is inhibited [E1].") == []
    assert about("KIT", "KIT is the first [E1].", "KIT is inhibited [E2].") == ["E1", "E2"]
