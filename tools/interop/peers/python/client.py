"""The Python peer of the interop suite: a client with the official Python SDK.

Usage: client.py ENDPOINT PROTOCOL_VERSION BACKEND FEATURE... It prints one line of JSON for each feature.
"""

import json
import sys
import time
from collections.abc import Awaitable, Callable

import anyio
from mcp import Client
from mcp.client.session import ClientRequestContext
from mcp.types import (
    CreateMessageRequestParams,
    CreateMessageResult,
    ElicitRequestParams,
    ElicitResult,
    TextContent,
)


def report(feature: str, outcome: str, detail: str = "") -> None:
    print(json.dumps({"feature": feature, "outcome": outcome, "detail": detail}), flush=True)


def expect(what: str, want: object, got: object) -> None:
    if want != got:
        raise AssertionError(f"{what}: expected {want!r}, got {got!r}")


async def answer_question(_context: ClientRequestContext, _params: ElicitRequestParams) -> ElicitResult:
    return ElicitResult(action="accept", content={"name": "Ada"})


async def answer_riddle(_context: ClientRequestContext, _params: CreateMessageRequestParams) -> CreateMessageResult:
    return CreateMessageResult(role="assistant", model="interop", content=TextContent(type="text", text="four"))


class Checks:
    def __init__(self, client: Client, version: str, backend: str) -> None:
        self.client = client
        self.version = version
        self.backend = backend

    async def call(self, tool: str, arguments: dict[str, object] | None = None) -> str:
        result = await self.client.call_tool(f"{self.backend}__{tool}", arguments or {})
        return result.content[0].text

    async def revision(self) -> None:
        expect("revision", self.version, self.client.protocol_version)

    async def tools(self) -> None:
        names = [tool.name for tool in (await self.client.list_tools()).tools]
        expect("tools/list names add", True, f"{self.backend}__add" in names)
        expect("add", "5", await self.call("add", {"a": 2, "b": 3}))
        result = await self.client.call_tool(f"{self.backend}__fail", {})
        expect("fail", True, result.is_error)

    async def resources(self) -> None:
        uri = f"{self.backend}+interop://greeting"
        uris = [str(resource.uri) for resource in (await self.client.list_resources()).resources]
        expect("resources/list names the greeting", True, uri in uris)
        contents = (await self.client.read_resource(uri)).contents[0]
        expect("uri", uri, str(contents.uri))
        expect("greeting", True, contents.text.startswith("hello from "))

    async def prompts(self) -> None:
        name = f"{self.backend}__greet"
        expect("prompts/list names greet", True, name in [p.name for p in (await self.client.list_prompts()).prompts])
        result = await self.client.get_prompt(name, {"name": "Ada"})
        expect("greet", "Greet Ada", result.messages[0].content.text)

    async def progress(self) -> None:
        seen: list[float] = []
        arrived = anyio.Event()

        async def on_progress(progress: float, _total: float | None, _message: str | None) -> None:
            seen.append(progress)
            if len(seen) == 3:
                arrived.set()

        result = await self.client.call_tool(f"{self.backend}__count", {"steps": 3}, progress_callback=on_progress)
        expect("count", "counted to 3", result.content[0].text)
        with anyio.move_on_after(2):
            await arrived.wait()
        expect("progress", [1, 2, 3], seen)

    async def cancellation(self) -> None:
        mark = f"python-{time.time_ns()}"
        with anyio.CancelScope() as scope:

            async def on_progress(_progress: float, _total: float | None, _message: str | None) -> None:
                scope.cancel()

            await self.client.call_tool(f"{self.backend}__wait", {"mark": mark}, progress_callback=on_progress)
        for _ in range(50):
            if await self.call("was_cancelled", {"mark": mark}) == "yes":
                return
            await anyio.sleep(0.1)
        raise AssertionError("the server did not see the cancellation within five seconds")

    async def elicitation(self) -> None:
        expect("ask_name", "hello Ada", await self.call("ask_name"))

    async def sampling(self) -> None:
        expect("ask_model", "the model said four", await self.call("ask_model"))


async def check(feature: str, run: Callable[[], Awaitable[None]]) -> None:
    try:
        with anyio.fail_after(20):
            await run()
        report(feature, "passed")
    except Exception as error:
        report(feature, "failed", f"{type(error).__name__}: {error}")


async def main(endpoint: str, version: str, backend: str, *features: str) -> None:
    # 'legacy' is the SDK's name for the revisions with a handshake; it offers the newest of them.
    mode = "legacy" if version < "2026-07-28" else version
    async with Client(
        endpoint, mode=mode, elicitation_callback=answer_question, sampling_callback=answer_riddle
    ) as client:
        checks = Checks(client, version, backend)
        for feature in features:
            await check(feature, getattr(checks, feature))


if __name__ == "__main__":
    if len(sys.argv) < 5:
        sys.exit("usage: client.py ENDPOINT PROTOCOL_VERSION BACKEND FEATURE...")
    try:
        anyio.run(main, *sys.argv[1:])
    except Exception as error:
        report("connection", "failed", f"{type(error).__name__}: {error}")
