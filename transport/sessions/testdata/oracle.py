"""Does what standard input asks the Python SDK for, and prints what came of it."""

import json
import sys

import claude_agent_sdk as sdk


def info(s):
    return s and {
        "id": s.session_id, "summary": s.summary, "title": s.custom_title or "", "prompt": s.first_prompt or "",
        "tag": s.tag or "", "dir": s.cwd or "", "branch": s.git_branch or "", "created": s.created_at or 0,
        "modified": s.last_modified, "size": s.file_size,
    }


def messages(list):
    return [
        {"type": m.type, "uuid": m.uuid, "session": m.session_id, "message": m.message,
         "use": m.parent_tool_use_id or "", "agent": m.parent_agent_id or ""}
        for m in list
    ]


def ask(a):
    dir, limit, skip = a.get("dir") or None, a.get("limit") or None, a.get("skip") or 0
    match a["op"]:
        case "list":
            return [info(s) for s in sdk.list_sessions(dir, limit, skip, not a.get("noWorktrees"))]
        case "info":
            return info(sdk.get_session_info(a["id"], dir))
        case "messages":
            return messages(sdk.get_session_messages(a["id"], dir, limit, skip))
        case "subagents":
            return sdk.list_subagents(a["id"])
        case "subagent":
            return messages(sdk.get_subagent_messages(a["id"], a["agent"]))
        case "rename":
            return sdk.rename_session(a["id"], a["text"])
        case "tag":
            return sdk.tag_session(a["id"], a.get("text") or None)
        case "fork":
            return sdk.fork_session(a["id"], None, a.get("upTo") or None, a.get("text") or None).session_id
        case "delete":
            return sdk.delete_session(a["id"])


print(json.dumps([ask(a) for a in json.load(sys.stdin)]))
