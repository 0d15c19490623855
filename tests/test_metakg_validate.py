"""``fedrag metakg validate`` and ``sync``: what is printed, and the exit code."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from test_metakg_check import OPERATIONS
from test_metakg_document import SOUND, written
from test_metakg_registry import document

from fedrag.cli.main import cli
from fedrag.errors import UnavailableError
from fedrag.resources import metakg_dir


def run(*arguments: str | Path) -> Result:
    return CliRunner().invoke(cli, [str(a) for a in arguments], standalone_mode=False)


def told(*arguments: str | Path) -> tuple[int, dict[str, Any]]:
    done = run("metakg", "validate", *arguments, "--json")
    return done.return_value, json.loads(done.stdout)


def test_a_sound_document_is_exit_code_0(tmp_path: Path) -> None:
    assert told(written(tmp_path, SOUND)) == (
        0,
        {"documents": 1, "operations": 0, "meta_edges": 0, "errors": [], "warnings": []},
    )


def test_every_error_is_told_with_file_line_operation_and_message(tmp_path: Path) -> None:
    path = written(tmp_path, OPERATIONS)
    code, report = told(path)
    assert (code, report["documents"], report["operations"], report["meta_edges"]) == (2, 1, 2, 3)
    assert report["errors"] == [
        {
            "file": str(path),
            "line": 15,
            "operation": "get /gene nowhere",
            "where": "paths./gene.get.x-bte-kgs-operations.1",
            "message": "#/components/x-bte-kgs-operations/nowhere leads nowhere",
        },
        {
            "file": str(path),
            "line": 27,
            "operation": "post /drug targets.1",
            "where": "components.x-bte-kgs-operations.targets.1",
            "message": "the operation cannot be read: it has no 'outputs'",
        },
        {
            "file": str(path),
            "line": 27,
            "operation": "post /drug targets.1",
            "where": "components.x-bte-kgs-operations.targets.1",
            "message": "the operation cannot be read: it has no 'response_mapping'",
        },
    ]
    assert [w["line"] for w in report["warnings"]] == [9, 17]


def test_warnings_alone_are_exit_code_0(tmp_path: Path) -> None:
    text = SOUND.replace("https://a.transltr.io/1.4/", "http://a.transltr.io")
    code, report = told(written(tmp_path, text))
    assert (code, len(report["errors"]), len(report["warnings"])) == (0, 0, 1)


def test_a_folder_is_counted_as_a_whole(tmp_path: Path) -> None:
    written(tmp_path, SOUND)
    written(tmp_path, OPERATIONS, "more.yml")
    (tmp_path / "inside").mkdir()
    (tmp_path / "inside" / "one.json").write_text(json.dumps(document("One")))
    (tmp_path / ".hidden.yaml").write_text("[")
    (tmp_path / "notes.txt").write_text("[")
    code, report = told(tmp_path)
    assert (code, report["documents"], report["operations"], report["meta_edges"]) == (2, 3, 3, 4)


def test_for_people_it_is_one_line_each_and_a_sum(tmp_path: Path) -> None:
    path = written(tmp_path, OPERATIONS)
    done = run("metakg", "validate", path)
    assert done.return_value == 2
    assert done.stdout.splitlines()[0] == (
        f"{path}:9: paths./gene.get: warning: biolink:Illness is not a Biolink 4.4.6 category"
    )
    assert len(done.stdout.splitlines()) == 5
    assert done.stderr == "1 documents, 2 operations, 3 meta-edges, 3 errors, 2 warnings\n"


def test_control_characters_of_a_document_do_not_reach_the_terminal(tmp_path: Path) -> None:
    text = OPERATIONS.replace("operations/nowhere", "operations/\\e[31mred")
    assert "\x1b" not in run("metakg", "validate", written(tmp_path, text)).stdout


def test_a_folder_without_documents_is_refused(tmp_path: Path) -> None:
    done = run("metakg", "validate", tmp_path)
    assert "there is no YAML or JSON document" in str(done.exception)


def test_all_documents_that_ship_are_sound() -> None:
    code, report = told(metakg_dir())
    assert (code, report["errors"], report["warnings"]) == (0, [], [])
    assert report["operations"] > 0


def test_of_the_registrys_folder_one_file_and_two_operations_are_refused(corpora: Path) -> None:
    code, report = told(corpora / "smartapi")
    assert (code, report["documents"], report["operations"], report["meta_edges"]) == (
        2,
        79,
        6432,
        6443,
    )
    assert [(Path(e["file"]).name, e["line"], e["operation"]) for e in report["errors"]] == [
        (
            "semmed__semmed_anatomy.yaml",
            243,
            "post /query AnatomicalEntity-negatively_regulated_by-SmallMolecule",
        ),
        (
            "semmed__semmed_phenotype.yaml",
            258,
            "post /query PhenotypicFeature-negatively_regulated_by-SmallMolecule",
        ),
        ("text_mining__x_bte_operations.yml", 3, ""),
    ]


# ---------------------------------------------------------------- sync, over HTTP


class _Registry(BaseHTTPRequestHandler):
    """Answers as the registry does, with an entity tag."""

    def do_GET(self) -> None:
        unchanged = self.headers.get("if-none-match") == '"1"'
        hits = [document("One"), {"info": {"title": "TRAPI"}, "paths": {}}]
        body = b"" if unchanged else json.dumps({"hits": hits, "total": 2}).encode()
        self.send_response(304 if unchanged else 200)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(body)))
        self.send_header("etag", '"1"')
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: Any) -> None:
        """Say nothing."""


@pytest.fixture
def registry() -> Iterator[str]:
    with ThreadingHTTPServer(("127.0.0.1", 0), _Registry) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()
        thread.join()


def test_sync_fetches_once_and_its_services_are_there_offline(
    registry: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FEDRAG_CACHE_DIR", str(tmp_path))
    first = run("metakg", "sync", "--url", registry, "--json")
    assert json.loads(first.stdout) == {
        "folder": str(tmp_path / "registry"),
        "changed": True,
        "documents": 1,
        "others": 1,
        "unread": 0,
        "missing": 0,
    }
    second = run("metakg", "sync", "--url", registry)
    assert "1 annotated documents in" in second.stdout
    assert "unchanged since the last time" in second.stdout
    listed = run("services", "--registry", "synced", "--offline", "--json")
    rows = {row["service"]: row for row in json.loads(listed.stdout)}
    assert rows["one"]["base_url"] == "https://api.example.org"
    assert (rows["one"]["enabled"], rows["one"]["verified"]) == (True, False)


def test_a_registry_that_redirects_elsewhere_is_told_of_with_the_flag_there_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def moved(self: _Registry) -> None:
        self.send_response(302)
        self.send_header("location", "http://elsewhere.example.org/")
        self.send_header("content-length", "0")
        self.end_headers()

    monkeypatch.setenv("FEDRAG_CACHE_DIR", str(tmp_path))
    monkeypatch.setattr(_Registry, "do_GET", moved)
    with ThreadingHTTPServer(("127.0.0.1", 0), _Registry) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        done = run("metakg", "sync", "--url", f"http://127.0.0.1:{server.server_port}")
        server.shutdown()
        thread.join()
    assert isinstance(done.exception, UnavailableError)
    assert done.exception.hint == "if that is its new address, give --url URL"


def test_a_registry_service_can_be_moved_with_base_url(tmp_path: Path) -> None:
    (tmp_path / "one.json").write_text(json.dumps(document("One")))
    moved = ("--base-url", "one=http://127.0.0.1:9")
    listed = run("services", "--registry", tmp_path, *moved, "--services", "one,bte", "--json")
    rows = {row["service"]: row for row in json.loads(listed.stdout)}
    assert (rows["one"]["protocol"], rows["one"]["base_url"]) == ("rest", "http://127.0.0.1:9")
    on = {name for name, row in rows.items() if row["enabled"]}
    assert on == {"one", "bte", "nameres", "nodenorm"}
