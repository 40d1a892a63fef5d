import asyncio
import json
import subprocess

from claude_agent_sdk import ClaudeAgentOptions, ResultMessage, query


def test_the_agent_greets(tmp_path):
    script = tmp_path / "script.json"
    script.write_text(json.dumps({"turns": [{"match": {"text": "greet"}, "text": "Hello."}]}))
    claude = subprocess.check_output(["protogen", "sim", "install", tmp_path, "--script", script], text=True).strip()

    async def ask():
        options = ClaudeAgentOptions(cli_path=claude, cwd=tmp_path)
        return [m.result async for m in query(prompt="greet me", options=options) if isinstance(m, ResultMessage)]

    assert asyncio.run(ask()) == ["Hello."]
