import asyncio
import sys

from sdk import Session


async def may(name, input, request):
    if name == "Write" and input["file_path"].endswith(".txt"):
        return {"behavior": "allow"}
    return {"behavior": "deny", "message": "only text files, please"}


async def main():
    async with Session(cli=sys.argv[1], can_use_tool=may, args=["--permission-mode", "default"]) as session:
        await session.prompt("Write a greeting to hello.txt.")
        async for message in session.messages():
            if message["type"] == "assistant":
                for block in message["message"]["content"]:
                    print(block.get("text") or f"[{block.get('name')}]")
            elif message["type"] == "result":
                print(f"{message['subtype']}, {message['num_turns']} steps")
                break


asyncio.run(main())
