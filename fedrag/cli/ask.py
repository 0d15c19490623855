"""``fedrag ask``, and its first steps alone: ``resolve`` and ``plan``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from fedrag.cli.options import answer_options, open_session, pairs, session_options
from fedrag.cli.output import columns, echo_json, end_progress, plain, progress_line

if TYPE_CHECKING:
    from fedrag.datamodel import Answer

__all__ = ["ask", "plan", "resolve"]

NO_SERVICE, ABSTAINED, UNRESOLVED = 3, 4, 5
# The names of ``fedrag.export.FORMS``, which is imported late.
FORMATS = (
    "text",
    "json",
    "tsv",
    "csv",
    "trapi",
    "kgx",
    "cytoscape",
    "graphml",
    "html",
    "ris",
    "bibtex",
    "pmids",
)


_STATUSES = (
    "established",
    "in_trials",
    "other_diseases",
    "preclinical_or_text_mined",
    "approved",
)


@click.command()
@click.argument("words", nargs=-1, required=True, metavar="QUESTION")
@click.option(
    "--format",
    "form",
    type=click.Choice(FORMATS),
    help="What to write the answer as [text].",
)
@click.option("--explain", is_flag=True, help="Show each score line by line.")
@click.option("--all", "everything", is_flag=True, help="Show all candidates.")
@click.option("--top-k", type=int, help="Sentences on the page and in the prompt [40].")
@click.option("--max-tokens", type=int, help="Tokens of evidence on the page [3000].")
@click.option("--embedder", metavar="NAME|PATH", help="lexical, neural, or a model's name or path.")
@click.option(
    "--status",
    multiple=True,
    type=click.Choice(_STATUSES),
    help="Keep only treatment candidates of this status (approved: old name of established).",
)
@click.option("--llm", metavar="MODEL", help="Let this language model write the answer.")
@click.option("--llm-url", metavar="URL", help="Where it is served (OpenAI-compatible).")
@answer_options
@session_options
def ask(words: tuple[str, ...], **options: Any) -> int:
    """Answer QUESTION, every claim citing its edges.

    The answer goes to stdout. Exit codes: 0 answered, 2 nothing could be planned or (with --strict)
    a part of the question cannot be applied, 3 no service answered, 4 no evidence, 5 an entity is
    unresolved or (with --strict) ambiguous.
    """
    from fedrag.errors import FedragError
    from fedrag.session import run_sync

    form = _form(options["form"], as_json=options["as_json"])
    pins = pairs(options["pins"], "--entity")
    session = open_session(options)

    async def work() -> Answer:
        async with session:
            return await session.ask(
                " ".join(words), pins=pins, template=options["template"], progress=progress_line
            )

    try:
        answer = run_sync(work())
    except FedragError as error:
        end_progress()
        if error.answer is not None:
            _write(error.answer, form, options)
        raise
    end_progress()
    _write(answer, form, options)
    return exit_code(answer)


def _form(named: str | None, *, as_json: bool) -> str:
    """The form that ``--format`` and ``--json`` name together."""
    if as_json and named not in (None, "json"):
        raise click.UsageError(f"--json and --format {named}: use one of the two")
    return "json" if as_json else named or "text"


def exit_code(answer: Answer) -> int:
    """0 answered, 3 no service answered, 4 they answered and there is no evidence."""
    if answer.completeness == "unknown":
        return NO_SERVICE
    return ABSTAINED if answer.abstained else 0


def _write(answer: Answer, form: str, options: dict[str, Any]) -> None:
    from fedrag import export

    if form == "text":
        text = export.answer_to_text(
            answer,
            explain=options["explain"],
            all_candidates=options["everything"],
            width=columns(),
        )
        click.echo(plain(text), nl=False)
    else:
        click.echo(export.render(answer, form), nl=False)


@click.command()
@click.argument("text", nargs=-1, required=True)
@click.option(
    "--entity", "pins", multiple=True, metavar="MENTION=CURIE", help="Pin what a mention is."
)
@session_options
def resolve(text: tuple[str, ...], **options: Any) -> int:
    """Show which entities TEXT names and which identifiers they resolve to.

    Exit code 5 when a mention is unresolved, or none is recognised.
    """
    from fedrag.session import run_sync

    session = open_session(options)
    pins = pairs(options["pins"], "--entity")

    async def work() -> Any:
        async with session:
            return await session.resolve(" ".join(text), pins=pins)

    resolution = run_sync(work())
    if options["as_json"]:
        from fedrag.export import entity_to_dict

        echo_json(
            {
                "entities": [entity_to_dict(e) for e in resolution.entities],
                "unresolved": [
                    {"mention": u.mention, "nearest": list(u.nearest)}
                    for u in resolution.unresolved
                ],
                "notes": list(resolution.notes),
            }
        )
    else:
        click.echo(plain(_resolution_text(resolution)), nl=False)
    return 0 if resolution.entities and not resolution.unresolved else UNRESOLVED


def _resolution_text(resolution: Any) -> str:
    lines = []
    for entity in resolution.entities:
        categories = ", ".join(c.removeprefix("biolink:") for c in entity.categories[:2])
        lines.append(f"{entity.mention} → {entity.name}  {entity.curie}  ({categories})")
        known = len(entity.identifiers)
        lines.append(f"    found by: {entity.how}; {known} equivalent identifiers")
        lines += [f"    {line}" for line in entity.conflated]
        lines += [
            f"    {'or' if entity.ambiguous else 'less likely'}: {c.name}  {c.curie}"
            for c in entity.candidates[:5]
        ]
    for unresolved in resolution.unresolved:
        nearest = ", ".join(unresolved.nearest) or "nothing near it"
        lines.append(f"{unresolved.mention} → unresolved; nearest: {nearest}")
    lines += [f"- {note}" for note in resolution.notes]
    return "\n".join(lines or ["no entity was recognised"]) + "\n"


@click.command()
@click.argument("words", nargs=-1, required=True, metavar="QUESTION")
@answer_options
@session_options
def plan(words: tuple[str, ...], **options: Any) -> int:
    """Show what QUESTION would ask: TRAPI query graphs, and for each edge who is asked and why."""
    from fedrag.plan import explain_plan, plan_to_trapi
    from fedrag.session import run_sync

    question = " ".join(words)
    session = open_session(options)
    pins = pairs(options["pins"], "--entity")

    async def work() -> Any:
        async with session:
            return await session.plan(question, pins=pins, template=options["template"])

    made, resolution = run_sync(work())
    if options["as_json"]:
        from fedrag.export import entity_to_dict, plan_to_dict

        echo_json(
            {
                "question": question,
                "entities": [entity_to_dict(e) for e in resolution.entities],
                "plan": plan_to_dict(made),
                "queries": plan_to_trapi(made),
            }
        )
    else:
        click.echo(plain(explain_plan(made)))
    return 0
