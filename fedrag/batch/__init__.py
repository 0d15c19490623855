"""Many questions from a file: one line out for each, here or on a Dask cluster.

>>> from fedrag.batch import read_rows
>>> [row.question for row in read_rows(b"question\\nWhat causes gout?\\n", "q.csv").rows]
['What causes gout?']
"""

from fedrag.batch.lines import Verdict, answer_line, brief, verdict_of
from fedrag.batch.output import FileOutput, Output, StreamOutput
from fedrag.batch.rows import BadRow, Batch, Row, RowError, read_rows
from fedrag.batch.run import Asker, asked_here, run_rows
from fedrag.batch.setup import session_from_setup, setup_of
from fedrag.batch.spread import Spread, quiet
from fedrag.batch.tally import Tally

__all__ = [
    "Asker",
    "BadRow",
    "Batch",
    "FileOutput",
    "Output",
    "Row",
    "RowError",
    "Spread",
    "StreamOutput",
    "Tally",
    "Verdict",
    "answer_line",
    "asked_here",
    "brief",
    "quiet",
    "read_rows",
    "run_rows",
    "session_from_setup",
    "setup_of",
    "verdict_of",
]
