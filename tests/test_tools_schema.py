"""What the tools say of themselves: small, strict, and true of what they return."""

from __future__ import annotations

from typing import Any, get_args

import orjson
import pytest
from jsonschema import Draft202012Validator

import fedrag
from fedrag.answer.prompt import token_count
from fedrag.errors import ConfigError
from fedrag.testing.agent import schema_fault
from fedrag.tools import TOOLS, call_tool, tool_schema
from fedrag.tools.schemas import Style

QUESTION = "what are the targets of imatinib?"
STYLES: tuple[Style, ...] = get_args(Style)


def _inputs(style: Style) -> dict[str, dict[str, Any]]:
    places = {"openai": ("function", "parameters"), "anthropic": ("input_schema",)}
    found = {}
    for tool in tool_schema(style):
        schema: Any = tool
        for key in places.get(style, ("inputSchema",)):
            schema = schema[key]
        found[tool.get("name") or tool["function"]["name"]] = schema
    return found


@pytest.mark.parametrize("style", STYLES)
def test_all_tools_together_stay_under_2000_tokens(style: Style) -> None:
    assert 300 < token_count(orjson.dumps(tool_schema(style)).decode()) < 2_000


@pytest.mark.parametrize("style", STYLES)
def test_there_are_four_tools_with_flat_closed_arguments(style: Style) -> None:
    inputs = _inputs(style)
    assert list(inputs) == ["ask", "evidence", "resolve", "services"]
    for schema in inputs.values():
        Draft202012Validator.check_schema(schema)
        assert schema["additionalProperties"] is False
        assert all("properties" not in one for one in schema["properties"].values())


def test_openai_schemas_keep_the_rules_of_its_strict_mode() -> None:
    assert all(tool["function"]["strict"] is True for tool in tool_schema("openai"))
    assert schema_fault({"tools": tool_schema("openai")}) is None


def test_what_may_be_left_out_is_optional_for_others_and_nullable_in_strict_mode() -> None:
    assert _inputs("anthropic")["ask"]["required"] == ["question"]
    strict = _inputs("openai")["ask"]
    assert strict["required"] == list(strict["properties"])
    assert strict["properties"]["only"]["type"] == ["array", "null"]
    assert strict["properties"]["question"]["type"] == "string"


def test_mcp_tools_are_told_as_read_only() -> None:
    for tool in tool_schema("mcp"):
        assert tool["annotations"]["readOnlyHint"] is True
        Draft202012Validator.check_schema(tool["outputSchema"])


def test_the_tool_of_evidence_asks_for_the_run() -> None:
    assert "Pass the run that ask returned" in TOOLS["evidence"].description


def test_an_unknown_style_is_named() -> None:
    with pytest.raises(ConfigError, match="'gemini'"):
        tool_schema("gemini")  # type: ignore[arg-type]


def test_a_caller_may_change_the_schemas_it_got() -> None:
    tool_schema("openai")[0]["function"]["parameters"]["properties"].clear()
    assert "question" in _inputs("openai")["ask"]["properties"]


def test_the_package_offers_the_tools() -> None:
    assert {"tool_schema", "call_tool", "acall_tool"} <= set(dir(fedrag))
    assert [tool["name"] for tool in fedrag.tool_schema("anthropic")] == list(TOOLS)


CALLS = [
    ("ask", {"question": QUESTION}),
    ("ask", {"question": QUESTION, "max_tokens": 400, "page": 2}),
    ("evidence", {"id": "E2"}),
    ("resolve", {"text": "imatinib"}),
    ("services", {}),
    ("services", {"max_tokens": 400, "page": 2}),
]


@pytest.mark.parametrize(("name", "arguments"), CALLS)
def test_results_are_as_their_output_schema_says(name: str, arguments: dict[str, Any]) -> None:
    call_tool("ask", {"question": QUESTION}, replay="demo", log=False)
    told = call_tool(name, arguments, replay="demo", log=False)
    Draft202012Validator(TOOLS[name].output_schema()).validate(told)
    assert told.keys() <= TOOLS[name].output_schema()["properties"].keys()
