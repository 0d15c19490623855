"""A loopback OpenAI-compatible server that answers what a test scripts, over real HTTP."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

Scripted = tuple[int, str, str]  # status, body, content type
Answering = Callable[[dict[str, Any]], Scripted]


def chat(content: Any, *, usage: dict[str, int] | None = None, **message: Any) -> Scripted:
    """A chat completion with this content."""
    body = {
        "id": "chatcmpl-1",
        "object": "chat.completion",
        "created": 1,
        "model": "m",
        "choices": [
            {
                "index": 0,
                "finish_reason": message.pop("finish", "stop"),
                "message": {"role": "assistant", "content": content, **message},
            }
        ],
        "usage": usage or {"prompt_tokens": 100, "completion_tokens": 10, "total_tokens": 110},
    }
    return 200, json.dumps(body), "application/json"


def failure(status: int, body: Any) -> Scripted:
    """An error reply with this JSON body."""
    return status, json.dumps(body), "application/json"


class ModelServer:
    """What was asked (bodies and headers), and what is answered next; the last one repeats."""

    def __init__(self) -> None:
        self.script: list[Scripted | Answering] = []
        self.bodies: list[dict[str, Any]] = []
        self.headers: list[dict[str, str]] = []
        self.url = ""

    def answers(self, *script: Scripted | Answering) -> None:
        self.script = list(script)

    def next(self, body: dict[str, Any]) -> Scripted:
        self.bodies.append(body)
        step = self.script.pop(0) if len(self.script) > 1 else self.script[0]
        return step(body) if callable(step) else step

    @property
    def rungs(self) -> list[str]:
        """The response format of each request, in short."""
        found = []
        for body in self.bodies:
            form = body.get("response_format") or {"type": "prompt"}
            found.append(form["type"] + ("+schema" if "schema" in form else ""))
        return found


def _handler(server: ModelServer) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
            length = int(self.headers.get("content-length", 0))
            server.headers.append({k.lower(): v for k, v in self.headers.items()})
            status, body, kind = server.next(json.loads(self.rfile.read(length)))
            data = body.encode()
            self.send_response(status if self.path == "/v1/chat/completions" else 404)
            self.send_header("content-type", kind)
            self.send_header("content-length", str(len(data)))
            self.end_headers()
            with suppress(BrokenPipeError):  # the client's timeout was shorter
                self.wfile.write(data)

        def log_message(self, format: str, *args: Any) -> None:
            """Tests stay quiet."""

    return Handler


@contextmanager
def model_server() -> Iterator[ModelServer]:
    """The server on a free loopback port."""
    server = ModelServer()
    http = ThreadingHTTPServer(("127.0.0.1", 0), _handler(server))
    server.url = f"http://127.0.0.1:{http.server_address[1]}/v1"
    thread = threading.Thread(target=http.serve_forever, args=(0.02,), daemon=True)
    thread.start()
    try:
        yield server
    finally:
        http.shutdown()
        http.server_close()
        thread.join()
