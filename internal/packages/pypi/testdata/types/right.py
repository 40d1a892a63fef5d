"""What a program does with the types; checkers find nothing wrong here."""

from collections.abc import Iterator
from typing import Literal, assert_type

import ccwire
from ccwire.types import (
    Assistant,
    BashInput,
    CanUseToolRequest,
    FromCLI,
    HookInput,
    InitializeResponse,
    PermissionAllow,
    PreToolUseInput,
    PreToolUseOutput,
    Request,
    ResultSuccess,
    SystemInit,
    TextBlock,
    UnknownContentBlock,
    UserMessage,
)
from ccwire.testing import simulated


def narrow(line: FromCLI) -> Iterator[str]:
    if line["type"] == "assistant":
        assert_type(line, Assistant)
        for block in line["message"]["content"]:
            if block["type"] == "text":
                assert_type(block, TextBlock)
                yield block["text"]
    elif line["type"] == "system" and line["subtype"] == "init":
        assert_type(line, SystemInit)
    elif line["type"] == "result":
        if line["subtype"] == "success":
            assert_type(line, ResultSuccess)
            yield line["result"]
        else:
            yield line["subtype"]
    elif line["type"] == "control_request":
        request = line["request"]
        match request["subtype"]:
            case "can_use_tool":
                assert_type(request, CanUseToolRequest)
                yield request["tool_name"]
            case "hook_callback":
                yield hook(request["input"])
            case other:
                yield other


def hook(input: HookInput) -> str:
    if input["hook_event_name"] == "PreToolUse":
        assert_type(input, PreToolUseInput)
        return input["tool_name"]
    return input["hook_event_name"]


def unknown(block: TextBlock | UnknownContentBlock) -> None:
    if block["type"] != "text":
        assert_type(block, UnknownContentBlock)
        assert_type(block["type"], Literal["(unknown)"])


def answer(line: FromCLI) -> bytes:
    assert line["type"] == "control_request"
    id = line["request_id"]
    if line["request"]["subtype"] != "can_use_tool":
        return ccwire.write(ccwire.refuse(id, "not supported"))
    allow: PermissionAllow = {"behavior": "allow", "updatedInput": line["request"]["input"]}
    return ccwire.write(ccwire.answer.can_use_tool(id, allow))


def maps() -> None:
    assert_type(ccwire.response("initialize", {}), InitializeResponse)
    assert_type(ccwire.hook_output("PreToolUse", {}), PreToolUseOutput)
    assert_type(ccwire.tool_input("Bash", {}), BashInput)
    assert_type(ccwire.read_as(UserMessage, "{}"), UserMessage)
    ccwire.answer.set_color("1")
    ccwire.answer.hook_callback("1", {"continue": True, "async": True})


def new_values(request: Request) -> None:
    if request["subtype"] == "set_permission_mode":
        request["mode"] = "a mode of a later version"


def simulate() -> None:
    with simulated(turns=[{"text": "Hello."}], faults=["noise@result"]) as claude:
        print(claude.path, claude.from_sdk[0]["type"])
