"""The way to a Redis or Valkey that workers share, and what happens when it is gone.

Nothing depends on it: a command that gets no answer counts as unanswered, the server is then left
alone for a while, and ``notes`` says so. Commands wait in threads of their own, never in an event
loop. Any server that speaks the protocol (RESP 2) and knows ``EVAL`` will do: Redis from 5, Valkey.
"""

from __future__ import annotations

import asyncio
import importlib.util
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from time import monotonic
from typing import TYPE_CHECKING, Any, TypeVar
from urllib.parse import unquote, urlsplit

from fedrag.config import check_cache_url, shown_cache_url
from fedrag.errors import ConfigError, UnavailableError
from fedrag.net.call import first_words

if TYPE_CHECKING:
    import redis

__all__ = ["RedisLink"]

T = TypeVar("T")

_CONNECT = 1.0  # seconds
_PATIENCE = 2.0  # seconds of silence
_WHOLE = 10.0  # seconds for a command altogether, as far as an event loop waits for it
_THREADS = 4
_TOLD = 900.0  # seconds a note stands: by then no question is left that it concerned


class RedisLink:
    """One server that may go away at any time.

    :param url: ``redis://[user:password@]host[:port][/db]``; ``rediss`` over TLS
        (``?ssl_ca_certs=`` names the authority's file); ``valkey`` and ``valkeys`` likewise; ``unix:///path``.
    :param rest: seconds for which a server that gave no answer is not asked again.
    :raises ConfigError: it is no such address, or the package ``redis`` is not installed.

    >>> link = RedisLink("redis://:secret@127.0.0.1:1/0")
    >>> link.address
    'redis://127.0.0.1:1/0'
    >>> link.ask("GET", "key"), len(link.notes)
    (None, 1)
    """

    def __init__(self, url: str, *, rest: float = 30.0) -> None:
        check_cache_url(url)
        if importlib.util.find_spec("redis") is None:
            raise ConfigError(
                "a shared cache needs the package redis",
                hint="pip install 'fedrag-bio[redis]', or leave out --cache",
            )
        self.address = shown_cache_url(url)
        self.notes: list[str] = []
        self._url = url
        self._rest = rest
        self._lock = threading.Lock()
        self._client: redis.Redis | None = None
        self._threads: ThreadPoolExecutor | None = None
        self._down = False
        self._trouble = ""  # the last there was
        self._again_at = 0.0
        self._noted_at = 0.0

    def ask(self, *command: Any) -> Any:
        """Send one command; ``None`` where there is no answer."""
        return self._guarded(lambda client: client.execute_command(*command), str(command[0]))

    def ask_all(self, commands: Sequence[Sequence[Any]]) -> list[Any] | None:
        """Send several at once; ``None`` where any of them gets no answer."""

        def send(client: Any) -> list[Any]:
            with client.pipeline(transaction=False) as line:
                for command in commands:
                    line.execute_command(*command)
                return list(line.execute())

        answers: list[Any] | None = self._guarded(send, str(commands[0][0]))
        return answers

    async def aside(self, function: Callable[..., T], *args: Any) -> T | None:
        """Call what asks this server in a thread; ``None`` where that takes too long."""
        if self.resting:
            return None
        loop = asyncio.get_running_loop()
        try:
            async with asyncio.timeout(_WHOLE):
                return await loop.run_in_executor(self._opened_threads(), function, *args)
        except TimeoutError:
            self._lost(f"no whole answer within {_WHOLE:g} s")
            return None

    def soon(self, *command: Any) -> None:
        """Send a command whose answer nobody waits for."""
        if not self.resting:
            self._opened_threads().submit(self.ask, *command)

    @property
    def resting(self) -> bool:
        """Whether the server is left alone at the moment."""
        return self._down and monotonic() < self._again_at

    def check(self) -> None:
        """Ask for a sign of life.

        :raises UnavailableError: there was none; the message says why.
        """
        if self.ask("PING") is None:
            raise UnavailableError(
                f"the shared cache at {self.address} cannot be asked: {self._trouble}",
                service="cache",
                hint="is the server running, and may you use it?",
            )

    def note(self, told: str, why: str = "") -> None:
        """Have answers say something once, with the first reason there was for it."""
        with self._lock:
            self._noted_at = monotonic()
            self._trouble = why
            if not any(note.startswith(told) for note in self.notes):
                self.notes.append(f"{told}: {why}" if why else told)

    def close(self) -> None:
        """Finish what is being sent and close the connections; they open again when needed."""
        threads, self._threads = self._threads, None
        if threads is not None:
            threads.shutdown()
        with self._lock:
            client, self._client = self._client, None
        if client is not None:
            client.close()

    def _guarded(self, send: Callable[[Any], Any], what: str) -> Any:
        if not self._may_ask():
            return None
        import redis

        try:
            answer = send(self._opened())
        except redis.ResponseError as error:
            self._answered()
            self.note(f"the shared cache at {self.address} refuses {what}", self._words(error))
        except redis.AuthenticationError:  # the server's words may hold the user's name
            self._lost("it refuses the user or password", rest=float("inf"))
        except redis.TimeoutError:
            self._lost(f"no answer within {_PATIENCE:g} s")
        except Exception as error:  # whatever a broken server makes the client raise
            self._lost(self._words(error))
        else:
            self._answered()
            return answer
        return None

    def _may_ask(self) -> bool:
        """After a rest, one command tries; the others go on without until it has an answer."""
        if not self._down:
            return True
        with self._lock:
            if monotonic() < self._again_at:
                return False
            self._again_at = monotonic() + self._rest
            return True

    def _answered(self) -> None:
        self._down = False
        if self.notes and monotonic() - self._noted_at > _TOLD:
            self.notes.clear()

    def _lost(self, why: str, *, rest: float | None = None) -> None:
        self._again_at = monotonic() + (self._rest if rest is None else rest)
        self._down = True
        self.note(f"going on without the shared cache and pace of {self.address}", why)

    def _words(self, error: Exception) -> str:
        text = str(error) or type(error).__name__
        if password := unquote(urlsplit(self._url).password or ""):
            text = text.replace(password, "[removed]")
        return first_words(text.encode("utf-8", "replace"), 160).rstrip(".")

    def _opened(self) -> redis.Redis:
        with self._lock:
            if self._client is None:
                self._client = _connect(self._url)
            return self._client

    def _opened_threads(self) -> ThreadPoolExecutor:
        if self._threads is None:
            self._threads = ThreadPoolExecutor(_THREADS, thread_name_prefix="fedrag-redis")
        return self._threads


def _connect(url: str) -> redis.Redis:
    """A client; it connects when it is first used."""
    import redis
    from redis.backoff import NoBackoff
    from redis.retry import Retry

    return redis.Redis.from_url(
        url.replace("valkey", "redis", 1) if url.startswith("valkey") else url,
        socket_connect_timeout=_CONNECT,
        socket_timeout=_PATIENCE,
        protocol=2,
        # once more at once, on a new connection: the old one may have been closed while idle
        retry=Retry(NoBackoff(), 1, supported_errors=(redis.ConnectionError,)),
    )
