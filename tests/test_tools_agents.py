"""Agents of others with the tools: the examples of the documentation, against a loopback model.

The model is ``fedrag.testing``'s, over real HTTP and behind the clients that people use: OpenAI's
own and LangChain's. It refuses schemas as a strict server does.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import openai
import pytest
from langchain_core.messages import HumanMessage, ToolMessage
from langchain_core.tools import StructuredTool
from langchain_openai import ChatOpenAI

import fedrag
from fedrag.testing import Federation
from fedrag.testing.agent import schema_fault

QUESTION = "what are the targets of imatinib?"


@pytest.fixture(scope="module")
def model() -> Iterator[str]:
    """The address of a language model that uses tools."""
    with Federation() as federation:
        federation.llm.behave("agent")
        yield federation.base_urls["llm"]


def test_plain_openai_function_calling(model: str) -> None:
    client = openai.OpenAI(base_url=model, api_key="none")
    tools: Any = fedrag.tool_schema("openai")
    messages: list[Any] = [{"role": "user", "content": QUESTION}]
    called = []
    while True:
        said = client.chat.completions.create(model="loopback-1", messages=messages, tools=tools)
        message: Any = said.choices[0].message
        messages.append(message)
        if not message.tool_calls:
            break
        for call in message.tool_calls:
            result = fedrag.call_tool(call.function.name, call.function.arguments, replay="demo")
            called.append(call.function.name)
            messages.append(
                {"role": "tool", "tool_call_id": call.id, "content": json.dumps(result)}
            )
    client.close()
    assert called == ["ask", "evidence"]
    assert "1. ABL1: imatinib decreases activity of ABL1 [E1]." in message.content
    assert message.content.endswith("E1: infores:drugmechdb")


def test_langchain_with_bound_tools(model: str) -> None:
    llm = ChatOpenAI(model="loopback-1", base_url=model, api_key="none").bind_tools(  # type: ignore[arg-type]
        fedrag.tool_schema("openai")
    )
    messages: list[Any] = [HumanMessage(QUESTION)]
    while True:
        said = llm.invoke(messages)
        messages.append(said)
        if not said.tool_calls:
            break
        for call in said.tool_calls:
            result = fedrag.call_tool(call["name"], call["args"], replay="demo")
            messages.append(ToolMessage(json.dumps(result), tool_call_id=call["id"]))
    assert [type(m).__name__ for m in messages].count("ToolMessage") == 2
    assert str(said.content).endswith("E1: infores:drugmechdb")


def test_langchain_tools_of_its_own_kind(model: str) -> None:
    def tool_of(schema: dict[str, Any]) -> StructuredTool:
        name = schema["name"]
        return StructuredTool(
            name=name,
            description=schema["description"],
            args_schema=schema["input_schema"],
            func=lambda **arguments: fedrag.call_tool(name, arguments, replay="demo"),
        )

    tools = {schema["name"]: tool_of(schema) for schema in fedrag.tool_schema("anthropic")}
    told = tools["ask"].invoke({"question": QUESTION})
    assert told["name"] == "ABL1"
    assert tools["evidence"].invoke({"run": told["run"], "id": "E1"})["key"] == "E1"
    llm = ChatOpenAI(model="loopback-1", base_url=model, api_key="none")  # type: ignore[arg-type]
    said = llm.bind_tools(list(tools.values())).invoke(QUESTION)
    assert [call["name"] for call in said.tool_calls] == ["ask"]


def test_an_error_reaches_the_model_as_a_result(model: str) -> None:
    client = openai.OpenAI(base_url=model, api_key="none")
    asked: list[Any] = [{"role": "user", "content": "What are the targets of zorbalixinib?"}]
    tools: Any = fedrag.tool_schema("openai")
    said = client.chat.completions.create(model="loopback-1", messages=asked, tools=tools)
    message: Any = said.choices[0].message
    assert said.choices[0].finish_reason == "tool_calls"
    call: Any = (message.tool_calls or [])[0]
    result = fedrag.call_tool(call.function.name, call.function.arguments, replay="demo")
    told: Any = {"role": "tool", "tool_call_id": call.id, "content": json.dumps(result)}
    said = client.chat.completions.create(
        model="loopback-1", messages=[*asked, message, told], tools=tools
    )
    client.close()
    assert 'give entities: ["zorbalixinib=CURIE"]' in str(said.choices[0].message.content)


def _without(tools: list[dict[str, Any]], key: str) -> list[dict[str, Any]]:
    del tools[0]["function"]["parameters"][key]
    return tools


@pytest.mark.parametrize("key", ["additionalProperties", "required"])
def test_the_loopback_model_refuses_what_strict_mode_does(model: str, key: str) -> None:
    client = openai.OpenAI(base_url=model, api_key="none", max_retries=0)
    tools: Any = _without(fedrag.tool_schema("openai"), key)
    with pytest.raises(openai.BadRequestError, match="Invalid schema for function 'ask'"):
        client.chat.completions.create(
            model="loopback-1", messages=[{"role": "user", "content": QUESTION}], tools=tools
        )
    client.close()


def test_a_keyword_that_strict_mode_does_not_take_is_a_fault() -> None:
    tools = fedrag.tool_schema("openai")
    tools[0]["function"]["parameters"]["properties"]["page"]["default"] = 1
    assert "'default' is not permitted" in str(schema_fault({"tools": tools}))
