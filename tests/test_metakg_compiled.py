"""Compiled documents: the same as read anew, kept whole, and made again when they are not."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from copy import deepcopy
from pathlib import Path
from typing import Any

import orjson
import pytest
import yaml
import zstandard
from hypothesis import given, settings
from hypothesis import strategies as st
from test_metakg_document import SOUND, written
from test_metakg_operations import DOCUMENT

from fedrag.errors import ConfigError
from fedrag.metakg import Service, check_document, compiled, load_service, load_services, registry
from fedrag.metakg.compiled import Compiled, read_compiled
from fedrag.metakg.document import document_files, service_of
from fedrag.metakg.yamlfile import YamlError
from fedrag.resources import metakg_dir


@pytest.fixture(autouse=True)
def _forgetful(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each test begins as a new process does."""
    monkeypatch.setattr(compiled, "_READ", {})


def again(path: Path, cache: Path, monkeypatch: pytest.MonkeyPatch) -> Compiled:
    """What a further process would read."""
    monkeypatch.setattr(compiled, "_READ", {})
    return read_compiled(path, cache)


def kept(cache: Path) -> list[Path]:
    return sorted(cache.iterdir())


@pytest.mark.parametrize("path", document_files(metakg_dir()), ids=lambda p: p.stem)
def test_a_service_from_the_cache_is_the_one_from_the_document(
    path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    plain = load_service(path)
    assert load_service(path, tmp_path) == plain
    monkeypatch.setattr(compiled, "_READ", {})
    assert load_service(path, tmp_path) == plain
    assert len(kept(tmp_path)) == 1


def test_the_cache_is_asked_before_the_document_is_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, cache = written(tmp_path, DOCUMENT), tmp_path / "compiled"
    first = read_compiled(path, cache)
    monkeypatch.setattr(compiled, "parse", None)  # whoever reads the document now fails
    second = again(path, cache, monkeypatch)
    assert second.operations("mine") == first.operations("mine")
    assert second.count == 7


def test_operations_from_the_cache_share_what_they_shared(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, cache = written(tmp_path, DOCUMENT), tmp_path / "compiled"
    read_compiled(path, cache)
    operations = again(path, cache, monkeypatch).operations("mine")
    assert operations[1].call is operations[2].call
    assert operations[1].manner is operations[6].manner
    assert {o.service for o in operations} == {"mine"}


@pytest.mark.parametrize(
    "damage",
    [
        b"",
        b"not zstd at all",
        zstandard.compress(b"not json"),
        zstandard.compress(b"[]"),
        zstandard.compress(b"{}"),
        zstandard.compress(b'{"problem": null, "flaws": [], "outline": {}, "tables": {}}'),
        zstandard.compress(b'{"problem": null, "flaws": [[1]], "outline": {}}'),
    ],
)
def test_a_corrupt_one_is_made_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, damage: bytes
) -> None:
    path, cache = written(tmp_path, DOCUMENT), tmp_path / "compiled"
    whole = read_compiled(path, cache)
    (file,) = kept(cache)
    sound = file.read_bytes()
    file.write_bytes(damage)
    assert again(path, cache, monkeypatch).operations("a") == whole.operations("a")
    assert file.read_bytes() == sound


def test_half_a_file_is_made_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path, cache = written(tmp_path, DOCUMENT), tmp_path / "compiled"
    read_compiled(path, cache)
    (file,) = kept(cache)
    sound = file.read_bytes()
    file.write_bytes(sound[: len(sound) // 2])
    assert again(path, cache, monkeypatch).count == 7
    assert file.read_bytes() == sound


def test_a_pickle_in_the_cache_is_never_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, cache = written(tmp_path, DOCUMENT), tmp_path / "compiled"
    read_compiled(path, cache)
    (file,) = kept(cache)
    file.write_bytes(zstandard.compress(b"cos\nsystem\n(S'exit 1'\ntR."))
    monkeypatch.setitem(sys.modules, "pickle", None)
    assert again(path, cache, monkeypatch).count == 7


@pytest.mark.parametrize("what", ["document", "version", "overlays"])
def test_another_document_version_or_overlay_is_compiled_anew(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, what: str
) -> None:
    path, cache = written(tmp_path, DOCUMENT), tmp_path / "compiled"
    read_compiled(path, cache)
    if what == "document":
        written(tmp_path, DOCUMENT.replace("batch_size: 7", "batch_size: 8"))
    elif what == "version":
        monkeypatch.setattr(compiled, "__version__", "0.0.0")
    else:
        monkeypatch.setattr(compiled, "overlays_bytes", lambda: b"{}")
    size = again(path, cache, monkeypatch).operations("a")[0].manner.batch_size
    assert size == (8 if what == "document" else 7)
    assert len(kept(cache)) == 2


def test_a_folder_that_cannot_be_written_costs_nothing_but_time(tmp_path: Path) -> None:
    path = written(tmp_path, DOCUMENT)
    blocked = written(tmp_path, "a file where the folder would be", "compiled")
    assert read_compiled(path, blocked).count == 7


def test_a_document_that_cannot_be_used_is_remembered_with_its_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, cache = written(tmp_path, SOUND.replace("timeout", "tiemout")), tmp_path / "compiled"
    for _ in range(2):
        monkeypatch.setattr(compiled, "_READ", {})
        with pytest.raises(ConfigError, match=r"mine\.yaml:16: info\.x-fedrag\.tiemout: unknown"):
            load_service(path, cache)
    assert len(kept(cache)) == 1


def test_a_document_that_is_not_there_is_told(tmp_path: Path) -> None:
    with pytest.raises(YamlError, match="cannot be read"):
        read_compiled(tmp_path / "none.yaml", tmp_path)


def test_old_compiled_documents_are_let_go(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compiled, "_MOST_FILES", 2)
    for number in range(4):
        path = written(tmp_path, DOCUMENT.replace("batch_size: 7", f"batch_size: {number + 1}"))
        again(path, tmp_path / "compiled", monkeypatch)
    assert len(kept(tmp_path / "compiled")) == 2


def test_what_is_kept_is_the_outline_not_the_prose(tmp_path: Path) -> None:
    text = DOCUMENT.replace("  title: Annotated", "  title: Annotated\n  description: long prose")
    path = written(tmp_path, text)
    made = read_compiled(path)
    assert made.outline["info"]["title"] == "Annotated"
    assert "description" not in made.outline["info"]
    assert made.outline["paths"] == {"/gene/{id}/{kind}": {"get": {}}, "/query": {"post": {}}}


def test_a_json_document_is_read_as_one(tmp_path: Path) -> None:
    from fedrag.metakg.yamlfile import parse

    content = orjson.dumps(parse(Path("a.yaml"), DOCUMENT.encode()))
    (tmp_path / "mine.json").write_bytes(content)
    from_yaml = load_service(written(tmp_path, DOCUMENT))
    assert load_service(tmp_path / "mine.json") == from_yaml
    (tmp_path / "mine.json").write_bytes(content[:-20])
    with pytest.raises(ConfigError, match=r"mine\.json:1: is not JSON"):
        load_service(tmp_path / "mine.json")


def test_a_number_that_json_cannot_hold_is_a_problem_not_a_crash(tmp_path: Path) -> None:
    path = written(tmp_path, SOUND.replace('version: "1"', f"version: {10**30}"))
    with pytest.raises(ConfigError, match=r"mine\.yaml:1: holds a value that JSON cannot"):
        load_service(path)


@settings(max_examples=150, deadline=None, derandomize=True)
@given(data=st.data())
def test_whatever_stands_where_a_value_belongs_costs_no_more_than_the_document(
    data: st.DataObject, tmp_path_factory: pytest.TempPathFactory
) -> None:
    raw = yaml.safe_load(DOCUMENT)
    for _ in range(data.draw(st.integers(1, 3))):
        place = data.draw(st.sampled_from(sorted(_places(raw), key=str)))
        _put(raw, place, deepcopy(data.draw(st.sampled_from(_JUNK))))
    path = tmp_path_factory.mktemp("junk") / "mine.json"
    path.write_bytes(orjson.dumps(raw, option=orjson.OPT_NON_STR_KEYS))
    made = read_compiled(path)
    assert made.count <= 7
    report = check_document(path)
    assert report.meta_edges == made.count or made.problem is not None
    registry.registry_services(path.parent, None, ())


_JUNK: tuple[Any, ...] = (
    *(None, 3, -1.5, True, "", "x", "http://[::1", [], {}, [None], {"a": 1}, {"": {}}, ["x"]),
    *({"$ref": "#/info"}, {"$ref": 3}, {"$ref": "#/components/x-bte-kgs-operations/drugs/0"}),
)


def _places(value: Any, at: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Every place in a document but the whole of it."""
    listed = list(enumerate(value)) if isinstance(value, list) else []
    for key, below in value.items() if isinstance(value, dict) else listed:
        yield (*at, key)
        yield from _places(below, (*at, key))


def _put(value: Any, place: tuple[Any, ...], new: Any) -> None:
    *way, last = place
    for key in way:
        value = value[key]
    value[last] = new


def test_all_of_the_registrys_documents_survive_the_cache(
    corpora: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def services() -> list[Service]:
        monkeypatch.setattr(compiled, "_READ", {})
        pairs = [(p, read_compiled(p, tmp_path)) for p in document_files(corpora / "smartapi")]
        return [service_of(made, path.stem) for path, made in pairs if made.count]

    fresh = services()
    monkeypatch.setattr(compiled, "parse", None)
    assert services() == fresh
    assert sum(len(service.operations) for service in fresh) == 6443
    assert registry.registry_services(corpora / "smartapi", tmp_path, ())  # reads nothing anew


def test_the_documents_that_ship_come_from_the_cache_too(tmp_path: Path) -> None:
    assert load_services(metakg_dir(), tmp_path) == load_services(metakg_dir())
    assert len(kept(tmp_path)) == len(document_files(metakg_dir()))
