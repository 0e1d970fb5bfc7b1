"""The Python peer of the interop suite: a server with the official Python SDK."""

import asyncio
import os
import socket
import sys
from pathlib import Path
from typing import Annotated

import anyio
import uvicorn
from mcp.server.mcpserver import Context, MCPServer
from mcp.server.mcpserver.resolve import Elicit, Resolve, Sample
from mcp.types import CreateMessageResult, SamplingMessage, TextContent
from pydantic import BaseModel

server = MCPServer("interop-python")


class Name(BaseModel):
    name: str


def question() -> Elicit[Name]:
    return Elicit("What is your name?", Name)


def riddle() -> Sample:
    content = TextContent(type="text", text="What is two and two?")
    return Sample([SamplingMessage(role="user", content=content)], max_tokens=16)


@server.tool(structured_output=False)
def add(a: int, b: int) -> str:
    return str(a + b)


@server.tool(structured_output=False)
def fail() -> str:
    raise ValueError("this tool fails")


@server.tool(structured_output=False)
async def count(steps: int, context: Context) -> str:
    for step in range(1, steps + 1):
        await context.report_progress(step, steps)
    return f"counted to {steps}"


@server.tool(structured_output=False)
async def wait(mark: str, context: Context) -> str:
    """Ends when it is cancelled. The mark goes to a file: a client may have several processes of one server."""
    await context.report_progress(1, 2)
    try:
        await anyio.sleep_forever()
    except anyio.get_cancelled_exc_class():
        with open(os.environ["INTEROP_CANCELLED"], "a", encoding="utf-8") as file:
            file.write(f"{mark}\n")
        raise
    return ""


@server.tool(structured_output=False)
def was_cancelled(mark: str) -> str:
    file = Path(os.environ["INTEROP_CANCELLED"])
    return "yes" if file.exists() and mark in file.read_text("utf-8").splitlines() else "no"


@server.tool(structured_output=False)
async def ask_name(answer: Annotated[Name, Resolve(question)]) -> str:
    return f"hello {answer.name}"


@server.tool(structured_output=False)
async def ask_model(answer: Annotated[CreateMessageResult, Resolve(riddle)]) -> str:
    return f"the model said {answer.content.text}"


@server.resource("interop://greeting", name="greeting", mime_type="text/plain")
def greeting() -> str:
    return "hello from python"


@server.prompt()
def greet(name: str) -> str:
    return f"Greet {name}"


async def serve_http() -> None:
    listener = socket.socket()
    listener.bind(("127.0.0.1", 0))
    print(f"http://127.0.0.1:{listener.getsockname()[1]}/mcp", flush=True)
    app = server.streamable_http_app()
    await uvicorn.Server(uvicorn.Config(app, log_level="warning")).serve(sockets=[listener])


if __name__ == "__main__":
    if "--http" in sys.argv:
        asyncio.run(serve_http())
    else:
        server.run()
