"""``fedrag bench build``: the question sets from DrugMechDB, step by step."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from fedrag.cli.options import open_session
from fedrag.cli.output import echo_json, end_progress, plain, progress_line

if TYPE_CHECKING:
    from fedrag.bench.build import QuestionSet
    from fedrag.bench.drugmechdb import Corpus
    from fedrag.bench.model import Kind
    from fedrag.bench.symbols import Symbols

__all__ = ["build"]

_PATH: Any = click.Path(path_type=Path)


@click.command()
@click.option("--drugmechdb", required=True, type=_PATH, help="DrugMechDB's indication_paths.json.")
@click.option(
    "--symbols",
    type=_PATH,
    help="A table of gene symbols: accession<TAB>symbol, or HGNC's; else MyGene.info is asked.",
)
@click.option("--out", required=True, type=_PATH, metavar="DIR", help="Where the files go.")
@click.option("--published", type=_PATH, metavar="DIR", help="Compare with the published files.")
@click.option("--config", type=_PATH, help="A TOML file of settings.")
@click.option(
    "--base-url",
    "base_urls",
    multiple=True,
    metavar="SERVICE=URL",
    help="Another address for a service (mygene).",
)
@click.option("--offline", is_flag=True, default=None, help="Use cached calls alone.")
@click.option("--no-cache", is_flag=True, help="Neither read nor write the cache of calls.")
@click.option("--record", type=_PATH, help="Write the calls to a cassette.")
@click.option("--replay", metavar="NAME|FILE|DIR", help="Answer from a cassette.")
@click.option("--json", "as_json", is_flag=True, help="JSON on stdout.")
@click.option("--debug", is_flag=True, help="Show tracebacks.")
def build(drugmechdb: Path, symbols: Path | None, out: Path, **options: Any) -> int:
    """Build the gene, metabolite and drug question sets from DrugMechDB.

    Writes DIR/gene.jsonl, metabolite.jsonl, drug.jsonl and build.json, and says what each step
    left. Without symbols (offline, no table) the gene set is left out, and said so. Exit codes: 0
    built; 2 a file is not what it should be; 3 MyGene.info did not answer: the gene set is missing.
    """
    from fedrag.bench.build import build_sets
    from fedrag.bench.built import prepared, summary, write_build
    from fedrag.bench.compare import compare_sets, compare_steps
    from fedrag.bench.drugmechdb import load_corpus
    from fedrag.bench.steps import accessions_of

    corpus = load_corpus(drugmechdb)
    found, missing, code = _symbols(symbols, corpus, options)
    prepared(out)
    sets = build_sets(corpus, found)
    differences = list(compare_steps(sets, found, accessions_of(corpus)))
    if options["published"]:
        differences += compare_sets(sets, options["published"], found)
    notes = [missing] if missing else _of_several(found)
    if missing and (out / "gene.jsonl").exists():
        notes.append(f"{out / 'gene.jsonl'} is of an earlier build, and stays")
    told = summary(corpus, found, sets, differences, notes)
    write_build(out, sets, told)
    if options["as_json"]:
        echo_json(told)
    else:
        click.echo(plain(_as_text(sets, told, out)))
        for difference in differences:
            click.echo(plain(f"- {difference}"), err=True)
    for note in notes:
        click.echo(plain(f"- {note}"), err=True)
    return code


def _of_several(symbols: Symbols | None) -> list[str]:
    """That accessions have several symbols, of which the first was taken."""
    if symbols is None or not symbols.several:
        return []
    count, (accession, names) = len(symbols.several), next(iter(symbols.several.items()))
    told = f"{count:,} accessions" if count > 1 else "an accession"
    named = f"{accession} ({', '.join(names[:5])})"
    return [f"{symbols.source} gives {told} several symbols, {named}; the first counts"]


def _symbols(
    path: Path | None, corpus: Corpus, options: Mapping[str, Any]
) -> tuple[Symbols | None, str, int]:
    """The symbols, why there are none, and the exit code: that nobody was to be asked is 0."""
    from fedrag.bench.mygene import fetch_symbols
    from fedrag.bench.steps import accessions_of
    from fedrag.bench.symbols import load_symbols
    from fedrag.errors import OfflineError, ServiceError
    from fedrag.session import run_sync

    if path is not None:
        return load_symbols(path), "", 0
    session = open_session(options)

    async def work() -> Symbols:
        async with session:
            progress_line("gene symbols from MyGene.info")
            return await fetch_symbols(session, accessions_of(corpus))

    try:
        return run_sync(work()), "", 0
    except (ServiceError, OfflineError) as error:
        why = f"no gene symbols, so no gene set: {error.message}"
        nobody = session.settings.offline or options.get("replay")
        return None, f"{why}; give a table with --symbols", 0 if nobody else error.exit_code
    finally:
        end_progress()


def _as_text(sets: Mapping[Kind, QuestionSet], told: Mapping[str, Any], out: Path) -> str:
    """Each set's steps with what they left, and where its questions are."""
    lines: list[str] = []
    for kind, made in sets.items():
        lines += [kind, *(f"  {step.count:>6,}  {step.step}" for step in made.steps)]
        if made.questions is None:
            lines.append("  not built")
        else:
            lines.append(f"  {len(made.questions):>6,}  questions: {out / kind}.jsonl")
    source = told["drugmechdb"]
    lines.append(f"DrugMechDB: {source['records']:,} records, sha256 {source['sha256']}")
    if symbols := told["symbols"]:
        none = symbols["without"]
        named = f" ({', '.join(none[:3])}{', …' if len(none) > 3 else ''})" if none else ""
        lines.append(
            f"symbols: {symbols['from']}; {len(none):,} of {symbols['accessions']:,} accessions "
            f"have none{named}: proteins of other species, or a table that is incomplete"
        )
    return "\n".join(lines)
