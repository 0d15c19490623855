"""Files of questions: JSON lines and tables, as people's programs really write them."""

from __future__ import annotations

import json
from typing import Any

import pytest

from fedrag.batch import BadRow, Row, read_rows
from fedrag.errors import ConfigError


def rows(content: str | bytes, name: str = "q.jsonl", **options: Any) -> tuple[Row | BadRow, ...]:
    raw = content.encode() if isinstance(content, str) else content
    return read_rows(raw, name, **options).rows


def bad(content: str | bytes, name: str = "q.jsonl") -> list[tuple[int, str]]:
    found = rows(content, name)
    return [(row.number, row.error.message) for row in found if isinstance(row, BadRow)]


def test_a_line_is_a_row_with_what_it_pins() -> None:
    line = {"id": "a", "question": " What is it? ", "entities": {"it": "X:1"}, "template": "t"}
    assert rows(json.dumps(line)) == (Row("a", 1, "What is it?", {"it": "X:1"}, "t"),)


def test_entities_may_be_a_text_whose_mentions_hold_an_equals_sign() -> None:
    line = json.dumps({"question": "?", "entities": "BRAF=V600E=CAID:1; KIT = NCBIGene:3815 ;"})
    (row,) = rows(line)
    assert isinstance(row, Row)
    assert row.pins == {"BRAF=V600E": "CAID:1", "KIT": "NCBIGene:3815"}


def test_an_id_is_kept_as_it_is_or_is_the_line_number() -> None:
    lines = ['{"question": "a", "id": 70}', "", '{"question": "b"}', '{"question": "c", "id": ""}']
    assert [row.id for row in rows("\n".join(lines))] == [70, 3, 4]


@pytest.mark.parametrize("form", ["jsonl", "csv"])
def test_a_byte_order_mark_windows_line_ends_and_blank_lines_are_no_matter(form: str) -> None:
    texts = {
        "jsonl": '\ufeff{"question": "a"}\r\n\r\n  \r\n{"question": "b"}\r\n',
        "csv": "\ufeffquestion\r\na\r\n\r\n  \r\nb\r\n",
    }
    first, last = {"jsonl": (1, 4), "csv": (2, 5)}[form]
    assert rows(texts[form], f"q.{form}") == (Row(first, first, "a"), Row(last, last, "b"))


def test_a_table_has_its_columns_in_any_order_with_quotes_and_newlines() -> None:
    table = 'template,ID, Question ,entities\n,a,"Is ""it"", or\nnot?",it=X:1\nt,b,two,\n'
    assert rows(table, "q.csv") == (
        Row("a", 2, 'Is "it", or\nnot?', {"it": "X:1"}),
        Row("b", 4, "two", {}, "t"),
    )


@pytest.mark.parametrize("delimiter", [";", "\t", ","])
def test_a_table_of_another_spreadsheet_is_read(delimiter: str) -> None:
    text = "id;question\na;What is it?\n".replace(";", delimiter)
    assert rows(text, "-") == (Row("a", 2, "What is it?"),)


def test_what_comes_from_stdin_is_known_by_how_it_begins() -> None:
    assert rows('\n {"question": "a"}', "stdin") == (Row(2, 2, "a"),)
    assert rows("question\na", "stdin") == (Row(2, 2, "a"),)


def test_a_bad_line_costs_itself_alone() -> None:
    lines = [
        '{"question": "a"}',
        "{",
        '["a"]',
        '{"question": 3}',
        '{"question": "  "}',
        '{"question": "b", "entities": {"it": 3}}',
        '{"question": "b", "entities": ["it"]}',
        '{"question": "b", "template": ["t"]}',
        '{"question": "b", "id": [1]}',
        '{"question": "b", "id": true}',
        '{"question": "last"}',
    ]
    found = rows("\n".join(lines))
    assert [row.number for row in found if isinstance(row, Row)] == [1, 11]
    told = bad("\n".join(lines))
    assert [number for number, _ in told] == list(range(2, 11))
    assert told[1] == (3, "row 3 is no object: ['a']")
    assert told[2] == (4, "row 4: question must be a text, not 3")
    assert told[3] == (5, "row 5 has no question")
    assert told[7] == (9, "row 9: id must be a text or a number, not [1]")


def test_what_is_not_utf_8_costs_its_own_row_and_can_be_written() -> None:
    assert bad(b'{"question": "a"}\n{"question": "\xff"}\n')[0][0] == 2
    found = rows(b"question,id\na,\xff\n\xff,b\nc,d\n", "q.csv")
    assert [row.id for row in found] == ["?", "b", "d"]
    assert isinstance(found[1], BadRow)
    assert found[1].error.message == "row 3: question is not UTF-8"
    assert found[1].question == "?"


def test_a_quote_that_is_not_closed_is_told_where_it_begins() -> None:
    ((number, message),) = bad('question\na\n"b\nc\nd\n', "q.csv")
    assert number == 3
    assert "is a quote not closed?" in message


def test_a_row_of_more_cells_than_columns_is_bad() -> None:
    assert bad("question,id\na,b,c\n", "q.csv") == [(2, "row 2 has 3 cells under 2 columns")]


def test_the_second_row_of_an_id_is_told_and_the_first_is_asked() -> None:
    lines = (
        '{"id": "a", "question": "1"}\n{"id": "b", "question": "2"}\n{"id": "a", "question": "3"}'
    )
    assert bad(lines) == [(3, "row 3 has the id of row 1: a")]
    assert [type(row) for row in rows(lines)] == [Row, Row, BadRow]


@pytest.mark.parametrize("order", [1, -1])
def test_a_generated_id_gives_way_to_a_row_whose_own_id_it_is(order: int) -> None:
    own = json.dumps({"question": "own", "id": "2" if order == 1 else "1"})
    found = rows("\n".join([own, '{"question": "none"}'][::order]))
    ids = {row.question: row.id for row in found if isinstance(row, Row)}
    assert ids == ({"own": "2", "none": "row-2"} if order == 1 else {"own": "1", "none": "row-1"})


def test_a_table_with_a_partly_filled_id_column_asks_every_row() -> None:
    table = "id,question\n3,a\n,b\nrow-3,c\n,d\nrow-3-2,e\n2,f\n"
    assert [row.id for row in rows(table, "q.csv")] == ["3", "row-3-3", "row-3", 5, "row-3-2", "2"]
    assert bad(table, "q.csv") == []


def test_a_line_that_is_no_row_takes_no_id_either() -> None:
    found = rows('{\n{"question": "a", "id": 1}')
    assert [(row.id, type(row)) for row in found] == [("row-1", BadRow), (1, Row)]


def test_a_number_and_its_text_are_one_id() -> None:
    assert bad('{"id": 1, "question": "a"}\n{"id": "1", "question": "b"}')[0][0] == 2


def test_pins_and_template_of_all_rows_yield_to_a_rows_own() -> None:
    lines = '{"question": "a"}\n{"question": "b", "entities": "x=A:2", "template": "own"}'
    assert rows(lines, pins={"x": "A:1", "y": "B:1"}, template="all") == (
        Row(1, 1, "a", {"x": "A:1", "y": "B:1"}, "all"),
        Row(2, 2, "b", {"x": "A:2", "y": "B:1"}, "own"),
    )


def test_a_misspelt_field_is_told_once() -> None:
    lines = '{"question": "a", "entites": "x=A:1", "gold": 1}\n{"question": "b", "gold": 2}'
    notes = read_rows(lines.encode(), "q.jsonl").notes
    assert notes == ("q.jsonl: not read: entites (is it entities?), gold",)


@pytest.mark.parametrize(
    ("content", "name", "words"),
    [
        (b"", "q.jsonl", "holds no question"),
        (b"\n \n", "q.csv", "holds no question"),
        (b"question\n", "q.csv", "holds no question"),
        (b"text,id\na,b\n", "q.csv", "has no column \"question\": its first line is 'text,id'"),
        (b"question,question\na,b\n", "q.csv", "has two columns 'question'"),
        ("question\na\n".encode("utf-16"), "q.csv", "is UTF-16"),
    ],
)
def test_a_file_that_cannot_be_read_at_all_is_one_message(
    content: bytes, name: str, words: str
) -> None:
    with pytest.raises(ConfigError) as error:
        read_rows(content, name)
    assert words in error.value.message
    assert error.value.hint


def test_a_row_of_megabytes_is_bad_and_its_line_stays_small() -> None:
    found = rows(json.dumps({"question": "x" * 5_000_000}) + '\n{"question": "a"}')
    assert isinstance(found[0], BadRow)
    assert found[0].error.message == "row 1: question has 5,000,000 characters"
    assert len(found[0].question or "") <= 2_000
    assert isinstance(found[1], Row)
