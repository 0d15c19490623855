"""The same batch on a Dask cluster: this process reads, hands out and writes; workers ask.

Each line is written here, once, when its task has come back; a task whose worker died is run
again by the scheduler on another one. Dask pickles what it sends between its own processes, so a
cluster must be one that is trusted.
"""

from __future__ import annotations

import asyncio
import logging
import re
import uuid
from collections.abc import Callable
from contextlib import suppress
from types import TracebackType
from typing import Any, Self

import orjson

from fedrag.batch.lines import error_line
from fedrag.batch.rows import Row
from fedrag.batch.worker import answer_task, task_of
from fedrag.errors import ConfigError, UnavailableError

__all__ = ["Spread", "quiet"]

_ADDRESS = re.compile(r"(?:(?:tcp|tls|ws|wss|ucx)://)?(?:\[[0-9a-fA-F:.]+\]|[\w.-]+):\d{1,5}")
_CONNECT = 10.0  # seconds until something takes the connection
_HELLO = 15.0  # seconds until it has also shown itself to be a scheduler
_CLOSE = 5.0
_KEPT = "what is written stays; with --out, --resume goes on from there"


def quiet() -> None:
    """Silence the loggers of Dask in this process, for a command line.

    They would tell on stderr, with tracebacks, what :class:`Spread` raises in one line.
    """
    with suppress(ImportError):  # told by Spread; a later import would set the levels again
        import distributed  # noqa: F401
    for name in ("distributed", "distributed.client", "distributed.core", "tornado"):
        logging.getLogger(name).setLevel(logging.CRITICAL)


class Spread:
    """A connection to a Dask scheduler, as an asynchronous context manager.

    :param address: of the scheduler, like ``tcp://127.0.0.1:8786``.
    :param setup: of the workers' sessions (:func:`fedrag.batch.setup_of`).
    :param short: write the short form of answers.
    :param patience: seconds that a cluster without any worker is waited for; a connection is
        waited for no longer, and at most 10 seconds, or 15 until a scheduler has answered.
    :param note: told what the workers' caches have to say, once for each line that comes.
    :raises ConfigError: that is no address, or the extra ``dask`` is missing.
    :raises UnavailableError: no scheduler answers there, or it has no worker.
    """

    def __init__(
        self,
        address: str,
        setup: bytes,
        *,
        short: bool = False,
        patience: float = 30.0,
        note: Callable[[str], None] | None = None,
    ) -> None:
        if not _ADDRESS.fullmatch(address):
            raise ConfigError(
                f"{address!r} is no address of a Dask scheduler",
                hint="it is like tcp://127.0.0.1:8786, as `dask scheduler` prints it",
            )
        self.address = address
        self._setup, self._short, self._patience = setup, short, patience
        self._note = note
        self._client: Any  # distributed.Client, which is annotated in part only
        self._over: asyncio.Future[None]
        self._watch: asyncio.Task[None]

    async def __aenter__(self) -> Self:
        self._client = await self._connected()
        self._over = asyncio.get_running_loop().create_future()
        try:
            await self._wait_for_a_worker()
        except BaseException:
            await self._client.close()
            raise
        self._watch = asyncio.create_task(self._watched())
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self._watch.cancel()
        self._over.cancel()
        with suppress(Exception):  # the batch is over; a scheduler that is gone changes nothing
            await self._client.close(timeout=5)

    async def _connected(self) -> Any:
        try:
            import distributed
        except ImportError:
            raise ConfigError(
                "--dask needs the package distributed", hint="pip install 'fedrag-bio[dask]'"
            ) from None
        connect: Any = distributed.Client
        client = connect(
            self.address,
            asynchronous=True,
            set_as_default=False,
            timeout=min(self._patience, _CONNECT),
            name="fedrag-batch",
        )
        try:
            async with asyncio.timeout(_HELLO):  # Dask itself waits for a greeting without end
                return await client
        except BaseException as error:
            await _let_go(client)
            if isinstance(error, Exception):
                raise self._unconnected(error) from error
            raise

    def _unconnected(self, error: Exception) -> UnavailableError:
        """Nothing takes the connection; or what takes it does not talk as a scheduler does."""
        if str(error).startswith("Timed out trying to connect"):
            return self._unavailable("does not answer", "start it with `dask scheduler`")
        why = f" ({error})"[:200] if str(error) else ""
        return UnavailableError(
            f"what answers at {self.address} is no Dask scheduler{why}",
            service="dask",
            hint="give the address that `dask scheduler` prints, and install the same Dask here",
        )

    def _unavailable(self, what: str, hint: str) -> UnavailableError:
        return UnavailableError(
            f"the Dask scheduler at {self.address} {what}", service="dask", hint=hint
        )

    # --- asking ----------------------------------------------------------------------------------

    async def ask(self, row: Row) -> bytes:
        """The line of one question, from whichever worker answers it.

        :raises ConfigError: a worker cannot build the session.
        :raises UnavailableError: the scheduler or the last worker went away.
        """
        task = task_of(row, self._setup, short=self._short)
        key = f"fedrag-question-{uuid.uuid4().hex}"
        future = self._client.submit(answer_task, task, key=key, pure=False)
        try:
            line = await self._or_over(future.result())
        except Exception as error:
            return self._line_of_failure(row, error)
        finally:
            future.release()
        line, _, notes = line.partition(b"\n")
        if self._note and notes:
            for told in orjson.loads(notes):
                self._note(told)
        return self._checked(line)

    async def _or_over(self, result: Any) -> bytes:
        """What comes back, unless the cluster is lost before."""
        waited = asyncio.ensure_future(result)
        try:
            await asyncio.wait({waited, self._over}, return_when=asyncio.FIRST_COMPLETED)
            if self._over.done():
                self._over.result()
            if waited.cancelled():  # the client gives up all its tasks when it loses the scheduler
                raise self._unavailable("went away", _KEPT)
            line: bytes = waited.result()
            return line
        finally:
            waited.cancel()

    def _line_of_failure(self, row: Row, error: Exception) -> bytes:
        """The line of a question that brought down its workers; else the cluster is at fault."""
        kind = type(error).__name__
        if kind == "KilledWorker":
            told = UnavailableError(
                "each worker that asked this question died", service="dask", hint="see their logs"
            )
            return error_line(row, told)
        if isinstance(error, UnavailableError):
            raise error
        if "Cancelled" in kind:
            raise self._unavailable("went away", _KEPT) from error
        raise ConfigError(
            f"the Dask cluster at {self.address} cannot run fedrag: {kind}: {error}"[:500],
            hint="install the same fedrag for its scheduler and its workers",
        ) from error

    def _checked(self, line: bytes) -> bytes:
        if not line.startswith(b'{"setup":'):
            return line
        told = orjson.loads(line)["setup"]
        raise ConfigError(f"a Dask worker cannot ask: {told['message']}", hint=told["hint"])

    # --- is anybody there? -----------------------------------------------------------------------

    async def _wait_for_a_worker(self) -> None:
        try:
            await self._client.wait_for_workers(1, timeout=self._patience)
        except TimeoutError as error:
            raise self._no_worker() from error

    def _no_worker(self) -> UnavailableError:
        return self._unavailable("has no worker", f"start some with `dask worker {self.address}`")

    async def _watched(self) -> None:
        """End the batch when the cluster has had no worker for too long: nobody else tells."""
        clock = asyncio.get_running_loop().time
        seen = clock()
        while not self._over.done():
            await asyncio.sleep(min(2.0, self._patience / 4))
            with suppress(Exception):  # whatever it is, it means that nobody is seen
                if await asyncio.wait_for(self._client.nthreads(), self._patience):
                    seen = clock()
            if clock() - seen > self._patience and not self._over.done():
                self._over.set_exception(self._no_worker())


async def _let_go(client: Any) -> None:
    """Close a client that never got its connection."""
    with suppress(Exception):  # it is given up, whatever becomes of it
        async with asyncio.timeout(_CLOSE):
            await client.close(timeout=_CLOSE)
