"""Everything fedrag raises on purpose, as one tree.

::

    FedragError                     exit code
    ├── ConfigError                 2   a flag, file, template or document is wrong
    │   ├── CassetteError           2   a cassette cannot be read
    │   ├── RunError                2   a run is not in the log, or cannot be read
    │   └── batch.RowError          2   a row of a file of questions cannot be used
    ├── EntityError                 5   a mention could not be used
    │   ├── UnresolvedEntityError       nothing fits the mention
    │   └── AmbiguousEntityError        several things fit it (only with ``strict``)
    ├── PlanError                   2   understood, but nothing can be planned or asked
    ├── ServiceError                3   a service failed; ``state`` says how
    │   ├── RateLimitedError            it answered 429 until the retries were spent
    │   ├── UnavailableError            it could not be reached, or answered 5xx or 4xx
    │   ├── ServiceTimeoutError         it did not answer in time
    │   ├── BadPayloadError             it answered something that cannot be read
    │   ├── TruncatedError              it answered more than may be read
    │   └── NeedsKeyError               it wants a key that was not given
    ├── OfflineError                3   a replay does not hold the call
    ├── CitationError               3   an answer's citation does not hold (only with ``strict``)
    ├── LLMError                    3   the language model failed (a note where it can be)
    │   └── answer.WriteError           with what was rejected and what was spent
    └── web.RequestError, BusyError, SlowError    what the web service refuses or gives up

A message says what failed, on which input, and what to do next. Errors raised after work was done
carry what was won in ``answer``; ``run`` is the run's identifier where it was kept.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

if TYPE_CHECKING:
    from fedrag.datamodel import Answer, ServiceState

__all__ = [
    "AmbiguousEntityError",
    "BadPayloadError",
    "CassetteError",
    "CitationError",
    "ConfigError",
    "EntityError",
    "FedragError",
    "LLMError",
    "NeedsKeyError",
    "OfflineError",
    "PlanError",
    "RateLimitedError",
    "RunError",
    "ServiceError",
    "ServiceTimeoutError",
    "TruncatedError",
    "UnavailableError",
    "UnresolvedEntityError",
]


class FedragError(Exception):
    """The root of the tree; catching it catches every failure fedrag foresees.

    :param message: what failed, on which input.
    :param hint: what to do next, one sentence.

    >>> str(FedragError("no such file: a.json", hint="check the path"))
    'no such file: a.json (check the path)'
    """

    exit_code: ClassVar[int] = 1

    def __init__(self, message: str, *, hint: str | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint
        self.answer: Answer | None = None
        self.run = ""

    def __str__(self) -> str:
        return f"{self.message} ({self.hint})" if self.hint else self.message


class ConfigError(FedragError):
    """A flag, environment variable, configuration file, template or service document is wrong."""

    exit_code = 2


class CassetteError(ConfigError):
    """A cassette is missing, malformed, or was written by an incompatible version."""


class RunError(ConfigError):
    """A run is not in the log of runs, several fit its name, or its file cannot be read."""


class EntityError(FedragError):
    """A mention in the question could not be used as it stands."""

    exit_code = 5

    def __init__(
        self, message: str, *, mention: str, nearest: tuple[str, ...] = (), hint: str | None = None
    ) -> None:
        super().__init__(message, hint=hint)
        self.mention = mention
        self.nearest = nearest


class UnresolvedEntityError(EntityError):
    """No identifier fits the mention; ``nearest`` lists the closest names that were seen."""


class AmbiguousEntityError(EntityError):
    """Several identifiers fit the mention equally well, and ``strict`` was asked for."""


class PlanError(FedragError):
    """The question was understood (the message says how), but nothing can be planned or asked."""

    exit_code = 2


class ServiceError(FedragError):
    """A service failed. ``state`` is the word the service table uses for it.

    >>> RateLimitedError("bte answered 429", service="bte").state
    'rate_limited'
    """

    exit_code = 3
    state: ClassVar[ServiceState] = "unavailable"

    def __init__(
        self, message: str, *, service: str, status: int | None = None, hint: str | None = None
    ) -> None:
        super().__init__(message, hint=hint)
        self.service = service
        self.status = status
        self.call: str | None = None  # the key of the call that failed


class RateLimitedError(ServiceError):
    """The service answered 429 until the retries were spent."""

    state = "rate_limited"


class UnavailableError(ServiceError):
    """The service could not be reached or refused the call (connection, TLS, 4xx, 5xx, breaker)."""

    state = "unavailable"


class ServiceTimeoutError(ServiceError):
    """The service did not answer within its timeout or the question's deadline."""

    state = "timeout"


class BadPayloadError(ServiceError):
    """The service answered what its protocol does not promise (HTML with 200, half a JSON)."""

    state = "bad_payload"


class TruncatedError(ServiceError):
    """The service answered more bytes than the configured limit allows to read."""

    state = "truncated"


class NeedsKeyError(ServiceError):
    """The service wants credentials that the user did not configure."""

    state = "needs_key"


class OfflineError(FedragError):
    """A replayed cassette does not hold the call that was needed."""

    exit_code = 3


class CitationError(FedragError):
    """With ``strict``: the answer holds a sentence whose citation does not support it."""

    exit_code = 3


class LLMError(FedragError):
    """The language model could not be reached or did not answer usably."""

    exit_code = 3
