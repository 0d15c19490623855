"""Tables of the retrieved edges: tab-separated, comma-separated, and as a data frame."""

from __future__ import annotations

import csv
import io
import sys
from dataclasses import replace

import pandas
import pytest
from export_material import EVIL, FORMULA, demo, full_edge, hostile, of_edges

from fedrag.errors import ConfigError
from fedrag.export import answer_to_csv, answer_to_dataframe, answer_to_tsv
from fedrag.export.rows import COLUMNS


def test_csv_and_tsv_hold_the_same_cells() -> None:
    for answer in (demo(), hostile()):
        rows = list(csv.reader(io.StringIO(answer_to_csv(answer))))
        assert rows == list(csv.reader(io.StringIO(answer_to_tsv(answer)), dialect="excel-tab"))
        assert all("\t" not in cell for row in rows for cell in row)
        assert rows[0] == list(COLUMNS)
        assert len(rows) == len(answer.all_edges) + 1


def test_a_row_has_the_whole_passport_of_its_edge() -> None:
    (row,) = csv.DictReader(io.StringIO(answer_to_csv(of_edges(full_edge()))))
    assert row["key"] == "E1"
    assert row["polarity"] == "support"
    assert (row["subject"], row["object_name"]) == ("DRUGBANK:DB00999", "SLC12A3")
    assert "biolink:object_direction_qualifier=decreased" in row["qualifiers"].split("|")
    assert row["negated"] == "false"
    assert (row["primary_source"], row["aggregators"]) == ("infores:drugcentral", "infores:hub")
    assert row["publications"] == "PMID:15774254|PMC:8568632|doi:10.1000/x_y|NCT01297777"
    assert row["cited_by_record"] == "PMID:99|PMID:15774254"
    assert row["object_categories"].split("|")[0] == "biolink:Gene"


def test_an_edge_that_the_page_does_not_cite_has_no_key() -> None:
    second = full_edge()
    (row,) = csv.DictReader(io.StringIO(answer_to_csv(of_edges(second, cited=0))))
    assert (row["key"], row["polarity"]) == ("", "")


def test_a_cell_that_a_spreadsheet_would_run_is_quoted_in_both() -> None:
    (row,) = csv.DictReader(io.StringIO(answer_to_csv(hostile())))
    assert row["object_name"] == f"'{FORMULA}"
    assert row["subject_name"].startswith("<script>alert(1)</script>]]>&\"'[2J ER - TY")
    assert "\x1b" not in answer_to_tsv(hostile())


@pytest.mark.parametrize("name", ['"=1+1"', '"', "' =1", '" @x'])
def test_a_quotation_mark_hides_no_formula_and_swallows_no_row(name: str) -> None:
    edge = full_edge()
    odd = replace(edge, subject=replace(edge.subject, name=name))
    answer = of_edges(odd, full_edge())
    table = pandas.read_csv(io.StringIO(answer_to_tsv(answer)), sep="\t", dtype=str)
    assert len(table) == 2
    cell = str(table["subject_name"][0])
    assert cell == (name if name == '"' else f"'{name}")


@pytest.mark.parametrize("sign", ["=", "+", "-", "@", "＝", "\t=", "\x00="])
def test_no_sign_that_begins_a_formula_begins_a_cell(sign: str) -> None:
    edge = full_edge()
    bad = replace(edge, subject=replace(edge.subject, name=f"{sign}1"))
    (row,) = csv.DictReader(io.StringIO(answer_to_csv(of_edges(bad))))
    assert row["subject_name"] == f"'{sign.strip().strip(chr(0))}1"


def test_a_data_frame_has_values_of_their_own_types() -> None:
    frame = answer_to_dataframe(of_edges(full_edge()))
    assert list(frame.columns) == list(COLUMNS)
    row = frame.iloc[0]
    assert row["publications"][:2] == ("PMID:15774254", "PMC:8568632")
    assert row["qualifiers"]["biolink:object_direction_qualifier"] == "decreased"
    assert frame["negated"].dtype == bool
    assert row["retrieved_at"] == pandas.Timestamp("2026-11-30T08:24:44Z")


def test_a_flat_data_frame_has_cells_that_can_be_compared_and_stored() -> None:
    frame = answer_to_dataframe(of_edges(full_edge()), flat=True)
    row = frame.iloc[0]
    assert row["publications"] == "|".join(full_edge().publications)
    assert "biolink:object_direction_qualifier=decreased" in row["qualifiers"].split("|")
    assert frame["negated"].dtype == bool
    assert row["retrieved_at"] == pandas.Timestamp("2026-11-30T08:24:44Z")
    whole = demo().to_dataframe(flat=True)
    assert len(pandas.concat([whole, whole]).drop_duplicates()) == len(whole)


def test_a_data_frame_of_no_edges_has_its_columns_and_types() -> None:
    frame = demo().to_dataframe()
    empty = answer_to_dataframe(of_edges(cited=0))
    assert len(frame) == len(demo().all_edges)
    assert len(empty) == 0
    assert empty.dtypes["retrieved_at"].tz is not None


def test_a_time_that_is_none_is_told_as_missing() -> None:
    frame = answer_to_dataframe(hostile())
    assert pandas.isna(frame.iloc[0]["retrieved_at"])
    assert frame.iloc[0]["subject_name"] == EVIL


@pytest.mark.parametrize("name", ["pandas", "networkx"])
def test_a_missing_extra_is_a_kind_error(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, name, None)
    make = {"pandas": demo().to_dataframe, "networkx": demo().to_networkx}[name]
    with pytest.raises(ConfigError, match=f"needs {name}") as caught:
        make()
    assert caught.value.hint == "pip install 'fedrag-bio[frames]'"
