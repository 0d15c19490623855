"""Options that several commands share, and the session they describe."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from difflib import get_close_matches
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

if TYPE_CHECKING:
    from fedrag.config import ServiceConfig, Settings
    from fedrag.session import Session

__all__ = ["answer_options", "open_session", "pairs", "run_options", "session_options"]

F = TypeVar("F", bound=Callable[..., Any])

# Options that are settings as they are.
_SETTINGS = (
    "deadline",
    "taxon",
    "top_k",
    "max_tokens",
    "embedder",
    "offline",
    "strict",
    "registry",
    "commercial_ok",
    "cache_url",
)

_SESSION = (
    click.option("--config", type=click.Path(path_type=Path), help="A TOML file of settings."),
    click.option(
        "--base-url",
        "base_urls",
        multiple=True,
        metavar="SERVICE=URL",
        help="Another address for a service; an unknown SERVICE is added as a TRAPI service.",
    ),
    click.option(
        "--services",
        "--only",
        "only",
        multiple=True,
        metavar="NAME,...",
        help="Ask only these knowledge services.",
    ),
    click.option(
        "--exclude",
        "--exclude-service",
        "exclude",
        multiple=True,
        metavar="NAME,...",
        help="Never ask these.",
    ),
    click.option(
        "--registry",
        metavar="DIR|synced",
        help="Ask the services of a folder of documents too, or of `fedrag metakg sync`.",
    ),
    click.option(
        "--commercial-ok",
        is_flag=True,
        default=None,
        help="Leave out services whose licence forbids commercial use.",
    ),
    click.option("--offline", is_flag=True, default=None, help="Use cached calls alone."),
    click.option("--no-cache", is_flag=True, help="Neither read nor write the cache of calls."),
    click.option(
        "--cache", "cache_url", metavar="redis://…", help="A cache of calls shared by machines."
    ),
    click.option(
        "--no-log",
        is_flag=True,
        help="Keep no run for `fedrag runs` (what asks a question keeps one).",
    ),
    click.option(
        "--record",
        type=click.Path(path_type=Path),
        help="Write the calls to a cassette: FILE.json, packed FILE.json.zst, or a folder.",
    ),
    click.option("--deadline", type=float, metavar="SECONDS", help="For the whole question [120]."),
    click.option("--taxon", metavar="CURIE", help="Whose genes to keep [NCBITaxon:9606]."),
    click.option("--json", "as_json", is_flag=True, help="JSON on stdout."),
    click.option("--debug", is_flag=True, help="Show tracebacks."),
)
_ANSWER = (
    click.option(
        "--entity", "pins", multiple=True, metavar="MENTION=CURIE", help="Pin what a mention is."
    ),
    click.option("--template", metavar="ID", help="Force a query-graph template."),
    click.option(
        "--strict",
        is_flag=True,
        default=None,
        help="Refuse ambiguity, partiality, and words of the question that cannot be applied.",
    ),
)


def _decorate(function: F, options: Iterable[Callable[[F], F]]) -> F:
    for option in reversed(tuple(options)):
        function = option(function)
    return function


def session_options(function: F) -> F:
    """Options that say which services are called, how, and from where."""
    replay = click.option(
        "--replay", metavar="NAME|FILE|DIR", help="Answer from a cassette (e.g. demo)."
    )
    return _decorate(function, (*_SESSION, replay))


def run_options(function: F) -> F:
    """The same for a command that has a cassette of its own: ``--replay`` may stand alone."""
    replay = click.option(
        "--replay",
        is_flag=False,
        flag_value="",
        metavar="[NAME|FILE|DIR]",
        help="Answer from a cassette; with no value, the question set's own.",
    )
    return _decorate(function, (*_SESSION, replay))


def answer_options(function: F) -> F:
    """Options that say how the question is read."""
    return _decorate(function, _ANSWER)


def pairs(values: Iterable[str], option: str) -> dict[str, str]:
    """``KEY=VALUE`` options as a dictionary.

    >>> pairs(["hypertension=MONDO:0005044"], "--entity")
    {'hypertension': 'MONDO:0005044'}
    """
    result = {}
    for value in values:
        key, equals, rest = value.rpartition("=") if option == "--entity" else value.partition("=")
        if not equals or not key.strip() or not rest.strip():
            raise click.UsageError(f"{option} wants KEY=VALUE, not {value!r}")
        result[key.strip()] = rest.strip()
    return result


def open_session(options: Mapping[str, Any], then: Mapping[str, Any] | None = None) -> Session:
    """The session that the options, the environment and the configuration file describe.

    :param then: settings of an earlier run, which hold where no option is given.
    """
    from fedrag.config import load_settings
    from fedrag.session import Session

    overrides = {key: options.get(key) for key in _SETTINGS}
    for key in ("only", "exclude"):
        overrides[key] = _names(options.get(key) or ()) or None
    overrides["status"] = tuple(options.get("status") or ()) or None
    if options.get("no_cache"):
        overrides["cache"] = False
    if options.get("no_log"):
        overrides["log"] = False
    overrides["llm"] = {"model": options.get("llm"), "url": options.get("llm_url")}
    settings = load_settings(overrides, path=options.get("config"))
    if base_urls := pairs(options.get("base_urls") or (), "--base-url"):
        overrides["services"] = _services(base_urls, settings)
        settings = load_settings(overrides, path=options.get("config"))
    if then is not None:
        from fedrag.runs import as_then

        settings = as_then(settings, then, overrides)
    return Session(settings, record=options.get("record"), replay=options.get("replay"))


def _names(values: Iterable[str]) -> tuple[str, ...]:
    """Names given one by one or with commas.

    >>> _names(["string,civic", "bte"])
    ('string', 'civic', 'bte')
    """
    return tuple(name.strip() for value in values for name in value.split(",") if name.strip())


def _services(base_urls: Mapping[str, str], settings: Settings) -> dict[str, ServiceConfig]:
    """Another address for a known service; any other name is a TRAPI service of the user's own."""
    from fedrag.config import ServiceConfig
    from fedrag.metakg import known_names

    known = known_names(settings)
    for name in base_urls:
        if name not in known and (near := get_close_matches(name, known, n=1, cutoff=0.75)):
            raise click.UsageError(f"--base-url: no service is called {name!r}; is it {near[0]}?")
    return {
        name: ServiceConfig(base_url=url, protocol=None if name in known else "trapi")
        for name, url in base_urls.items()
    }
