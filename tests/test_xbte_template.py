"""Templates of x-bte documents: they say what Nunjucks says, and can do no more than print."""

from __future__ import annotations

import subprocess
import sys
from typing import Any

import pytest

from fedrag.errors import ConfigError
from fedrag.xbte.template import (
    check_template,
    filled,
    insert,
    render,
    render_json,
    render_value,
)

ONE = {"queryInputs": "PREFIX:usefulid"}
THREE = {"queryInputs": ["PREFIX:id0", "PREFIX:id1", "PREFIX:id2"]}


@pytest.mark.parametrize(
    ("expression", "single", "several"),
    [
        ("queryInputs", "PREFIX:usefulid", "PREFIX:id0,PREFIX:id1,PREFIX:id2"),
        ("queryInputs | rmPrefix", "usefulid", "id0,id1,id2"),
        ("queryInputs | rmPrefix()", "usefulid", "id0,id1,id2"),
        ("queryInputs | rmPrefix('-')", "PREFIX:usefulid", "PREFIX:id0,PREFIX:id1,PREFIX:id2"),
        ("queryInputs | replPrefix('NEW')", "NEW:usefulid", "NEW:id0,NEW:id1,NEW:id2"),
        ("queryInputs | replPrefix()", "usefulid", "id0,id1,id2"),
        (
            "queryInputs | replPrefix('NEW', '-')",
            "NEW-PREFIX:usefulid",
            "NEW-PREFIX:id0,NEW-PREFIX:id1,NEW-PREFIX:id2",
        ),
        (
            "queryInputs | addPrefix('NEW')",
            "NEW:PREFIX:usefulid",
            "NEW:PREFIX:id0,NEW:PREFIX:id1,NEW:PREFIX:id2",
        ),
        ("queryInputs | addPrefix", "PREFIX:usefulid", "PREFIX:id0,PREFIX:id1,PREFIX:id2"),
        ("queryInputs | rmPrefix | joinSafe('|')", "usefulid", "id0|id1|id2"),
        ("queryInputs | rmPrefix | joinSafe", "usefulid", "id0,id1,id2"),
        ("queryInputs | rmPrefix | join(',')", "usefulid", "id0,id1,id2"),
        ("queryInputs | rmPrefix | join", "usefulid", "id0id1id2"),
        ("queryInputs | substr(-3)", "lid", "id0,id1,id2"),
        ("queryInputs | substr(0, 3)", "PRE", "PRE,PRE,PRE"),
        ("queryInputs | substr(1, -2)", "REFIX:useful", "REFIX:i,REFIX:i,REFIX:i"),
        (
            "queryInputs | rmPrefix | wrap('\"')",
            '"usefulid"',
            '"id0","id1","id2"',
        ),
        ("queryInputs | rmPrefix | wrap('(', ')')", "(usefulid)", "(id0),(id1),(id2)"),
        ("queryInputs | rmPrefix | dump", '"usefulid"', '["id0","id1","id2"]'),
        ("queryInputs | rmPrefix | upper", "USEFULID", "ID0,ID1,ID2"),
        ("queryInputs | first", "P", "PREFIX:id0"),
        ("queryInputs | length", "15", "3"),
        ("queryInputs | rmPrefix | replace('id', 'x')", "usefulx", "x0,x1,x2"),
    ],
)
def test_a_filter_says_what_nunjucks_says(expression: str, single: str, several: str) -> None:
    assert render("{{ " + expression + " }}", ONE) == single
    assert render("{{ " + expression + " }}", THREE) == several


def test_a_prefix_that_occurs_twice_leaves_the_piece_after_the_first_delimiter() -> None:
    assert render("{{ queryInputs | rmPrefix }}", {"queryInputs": "MGI:MGI:97490"}) == "MGI"


def test_values_print_as_javascript_prints_them() -> None:
    given = {"yes": True, "no": False, "none": None, "n": 7, "f": 0.4, "whole": 400.0, "l": [1, []]}
    text = "{{ yes }} {{ no }} [{{ none }}] {{ n }} {{ f }} {{ whole }} {{ l }}"
    assert render(text, given) == "true false [] 7 0.4 400 1,"


def test_a_text_is_given_as_it_is_with_its_markup_and_its_last_line_end() -> None:
    assert render('{{ q }} <&"\n', {"q": "<b>&"}) == '<b>& <&"\n'


def test_a_carriage_return_survives_written_out_or_escaped() -> None:
    two = {"queryInputs": ["TP53", "CDK2"]}
    assert render("{{ queryInputs | join('\r') }}", two) == "TP53\rCDK2"
    assert render("{{ queryInputs | join('\\r') }}", two) == "TP53\rCDK2"


def test_an_identifier_is_never_read_as_a_template() -> None:
    assert render("{{ q }}", {"q": "{{ 7 | dump }}"}) == "{{ 7 | dump }}"
    assert insert("{inputs[0]}", "{{ x }}") == "{{ x }}"


def test_a_template_may_choose_and_loop_with_the_place_in_the_loop() -> None:
    text = (
        "{% for q in queryInputs %}g{{ loop.index0 }}:{{ q | rmPrefix }}"
        "{% if not loop.last %};{% endif %}{% endfor %}{{ ' human' if taxon else '' }}"
    )
    assert render(text, {**THREE, "taxon": "9606"}) == "g0:id0;g1:id1;g2:id2 human"
    assert render("{% if extra %}x{% else %}y{% endif %}", THREE) == "y"
    assert render("{{ extra | default('d') }}", THREE) == "d"


def test_a_json_text_keeps_lists_and_escapes_what_stands_in_quotation_marks() -> None:
    text = '{"ids": {{ queryInputs | dump }}, "first": "{{ queryInputs | first }}", "n": {{ n }}}'
    read = render_json(text, {"queryInputs": ['a"b', "c\\d"], "n": 3})
    assert read == {"ids": ['a"b', "c\\d"], "first": 'a"b', "n": 3}


def test_a_json_text_may_hold_a_query_of_several_lines() -> None:
    text = '{"query": "query ($id: String) {\n  gene(id: $id) { name }}", "id": {{ q | dump }}}'
    assert render_json(text, {"q": "7"}) == {
        "query": "query ($id: String) {\n  gene(id: $id) { name }}",
        "id": "7",
    }


def test_a_json_text_that_does_not_become_json_is_told() -> None:
    with pytest.raises(ConfigError, match="does not become JSON"):
        render_json('{"ids": {{ queryInputs }}}', THREE)


def test_a_text_of_a_json_body_that_is_dumped_becomes_the_value() -> None:
    given: dict[str, Any] = {**THREE, "size": 50}
    body = {
        "ids": "{{ queryInputs | rmPrefix | dump }}",
        "text": "{{ queryInputs | rmPrefix }}",
        "nested": [{"size": " {{ size | dump }} "}, "{{ size }}", 4, None],
        "partly": "ids: {{ queryInputs | rmPrefix | dump }}",
    }
    assert filled(body, lambda text: render_value(text, given)) == {
        "ids": ["id0", "id1", "id2"],
        "text": "id0,id1,id2",
        "nested": [{"size": 50}, "50", 4, None],
        "partly": 'ids: ["id0","id1","id2"]',
    }


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("{{ queryInputs.__class__ }}", "may not read the attribute '__class__'"),
        ("{{ queryInputs.pop }}", "may not read the attribute 'pop'"),
        ("{{ loop.cycle }}", "may not read the attribute 'cycle'"),
        ("{{ cycler('a') }}", "may not hold Call"),
        ("{{ queryInputs * 1000000000 }}", "may not hold Mul"),
        ("{{ 9 ** 999999999 }}", "may not hold Pow"),
        ("{% set x = queryInputs %}", "may not hold Assign"),
        ("{% macro m() %}{% endmacro %}", "may not hold Macro"),
        ("{% include 'x' %}", "may not hold Include"),
        ("{{ '%999999999d' | format(1) }}", "No filter named 'format'"),
        ("{{ queryInputs | map('upper') }}", "No filter named 'map'"),
        ("{{ queryInputs | nosuch }}", "No filter named 'nosuch'"),
        ("{{ queryInputs is callable }}", "No test named 'callable'"),
        (
            "{% for a in queryInputs %}{% for b in queryInputs %}x{% endfor %}{% endfor %}",
            "may not loop inside a loop",
        ),
        ("{{ queryInputs", "unexpected end of template"),
        ("{{ " + "queryInputs|upper" * 1 + "|upper" * 60 + " }}", "too many parts"),
        ("{{ " + "(" * 9000 + "1" + ")" * 9000 + " }}", "the template"),
        ("{{ q }}" + " " * 20_000, "longer than 20000 characters"),
    ],
)
def test_what_a_template_may_not_hold_is_refused_before_it_runs(text: str, said: str) -> None:
    with pytest.raises(ConfigError) as caught:
        check_template(text)
    assert said in str(caught.value)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("{{ nosuch }}", "'nosuch' is undefined"),
        ("{{ nosuch | rmPrefix }}", "'nosuch' is undefined"),
        ("{% for a in nosuch %}{% endfor %}", "'nosuch' is undefined"),
        ("{{ queryInputs | rmPrefix('') }}", "empty separator"),
        ("{{ queryInputs | substr('a') }}", "slice indices"),
        ("{{ queryInputs | dump(99) }}", "indentation of 0 to 10"),
        ("{{ queryInputs['append'] }}", "unsafe"),
        ("{{ queryInputs['__class__'] }}", "unsafe"),
    ],
)
def test_a_template_that_cannot_be_filled_says_why(text: str, said: str) -> None:
    with pytest.raises(ConfigError) as caught:
        render(text, THREE)
    assert said in str(caught.value)
    assert "cannot be filled" in str(caught.value)


def test_a_template_cannot_make_more_text_than_a_request_may_carry() -> None:
    long = {"queryInputs": ["x" * 3000] * 1000, "big": "y" * 2000}
    for text in (
        "{{ queryInputs | wrap(big) }}",
        "{{ queryInputs | join(big) }}",
        "{{ queryInputs }}{{ queryInputs }}",
        "{{ queryInputs | replace('x', 'zz') }}",
    ):
        with pytest.raises(ConfigError, match="more than 4194304 characters"):
            render(text, long)


def test_jinja_is_not_loaded_until_a_template_needs_it() -> None:
    code = (
        "import sys; import fedrag.xbte.request; from fedrag.xbte.template import render;"
        "assert render('subject.id:x', {}) == 'subject.id:x'; assert 'jinja2' not in sys.modules;"
        "render('{{ a }}', {'a': 1}); assert 'jinja2' in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], check=True, timeout=60)
