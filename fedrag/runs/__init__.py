"""Every run kept, to be looked at, cited and asked again.

``log`` is the folder of runs, one small file each (``files`` says how they lie there), ``record``
what is kept of one, ``whole`` an answer written down whole and read back, ``settings`` the settings
without their secrets, ``keep`` what a session hands its runs to, ``changes`` what is different when
a run is asked again. Nothing here imports the session.
"""

from fedrag.runs.changes import Changes, changes
from fedrag.runs.keep import Asked, RunKeeper, cassette_facts
from fedrag.runs.log import RunLog, log_folder, open_log
from fedrag.runs.record import RunRecord, RunSummary, error_to_dict
from fedrag.runs.settings import as_then, settings_to_dict

__all__ = [
    "Asked",
    "Changes",
    "RunKeeper",
    "RunLog",
    "RunRecord",
    "RunSummary",
    "as_then",
    "cassette_facts",
    "changes",
    "error_to_dict",
    "log_folder",
    "open_log",
    "settings_to_dict",
]
