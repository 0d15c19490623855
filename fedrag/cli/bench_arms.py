"""The arms of ``fedrag bench run``: named on the command line, and told in its help."""

from __future__ import annotations

import click

__all__ = ["WithArms", "arms_of"]

_CODES = """\
Exit codes: 0 every question was asked; 2 an option or a file is wrong; 3 an arm failed on all its
questions, or a call was neither in the cassette nor, with --offline, in the cache (the other
questions are scored); 130 interrupted, by Ctrl-C or SIGTERM, with what was done kept."""


class WithArms(click.Command):
    """A command whose help lists the arms, which are read from where they are."""

    def format_epilog(self, _: click.Context, formatter: click.HelpFormatter) -> None:
        """The arms, the default ones, and the exit codes."""
        from fedrag.bench.arms import ARMS, PERCENTILE_ARMS

        told = {name: arm for name, arm in ARMS.items() if name not in PERCENTILE_ARMS}
        rows = [(name, _first_line(arm)) for name, arm in told.items()]
        every = f"{PERCENTILE_ARMS[0]} … {PERCENTILE_ARMS[-1]}"
        rows += [
            (every, _first_line(ARMS[PERCENTILE_ARMS[0]])),
            ("percentiles", f"All of {every}."),
        ]
        with formatter.section("Arms"):
            formatter.write_dl(rows)
        formatter.write_paragraph()
        formatter.write_text(
            "Without --arms: ranking, pruned and full, which without a model only measure what "
            "their contexts hold; and model_only where there is a model."
        )
        formatter.write_paragraph()
        formatter.write_text(_CODES)


def _first_line(arm: object) -> str:
    return (arm.__doc__ or "").partition("\n")[0]


def arms_of(given: tuple[str, ...], has_model: bool) -> tuple[str, ...]:
    """The arms that ``--arms`` names, each once; none where it is not given.

    :raises click.UsageError: there is no such arm, or it needs a model and there is none.
    """
    from fedrag.bench.arms import ARMS, PERCENTILE_ARMS, needs_model

    told = [name.strip() for value in given for name in value.split(",") if name.strip()]
    if given and not told:
        raise click.UsageError(f"--arms names no arm; there are {', '.join(ARMS)}")
    names: list[str] = []
    for name in told:
        names += PERCENTILE_ARMS if name == "percentiles" else [name]
    for name in names:
        if name not in ARMS:
            raise click.UsageError(f"--arms: there is no arm {name!r}; there are {', '.join(ARMS)}")
        if needs_model(name) and not has_model:
            raise click.UsageError(f"--arms: {name} needs --llm and --llm-url")
    return tuple(dict.fromkeys(names))
