"""Tells who reached for the network: and whether for a file that is kept, so that only the first run has to."""

from types import FrameType

from .naming import Cause, cause_of_module
from .tracing import Tracer

_KEEPING = (
    'datasets.utils.file_utils',
    'evalscope.api.dataset.hub',
    'evalscope.utils.download_utils',
    'evalscope.utils.resource_utils',
    'huggingface_hub._snapshot_download',
    'huggingface_hub.file_download',
    'modelscope.hub.file_download',
    'modelscope.hub.snapshot_download',
    'nltk.downloader',
    'tiktoken.load',
    'torch.hub',
)
"""Modules that fetch a file unless it is on the disk. None is to be mended where scoring wants a file: who calls is."""

NOT_THERE_YET = 'what it fetches is not on the disk yet, where a run with a network leaves it'


def who_asked(frame: FrameType, tracer: Tracer) -> tuple[Cause | None, str]:
    """Return the project's function, or module while it is imported, that reached for the network.

    Args:
        frame: The frame of the attempt.
        tracer: Knows what is the project's.

    Returns:
        The cause, and the condition on which the attempt is made: empty if it always is.
    """
    asked: FrameType | None = frame
    keeping: FrameType | None = None
    while asked is not None:
        if asked.f_globals.get('__name__') in _KEEPING:
            keeping = asked
        asked = asked.f_back
    if keeping is None:
        return tracer.innermost(frame), ''
    asked = keeping.f_back
    while asked is not None:
        module = asked.f_globals.get('__name__', '')
        if asked.f_code.co_name == '<module>' and tracer.is_project(module):
            return cause_of_module(asked, module), NOT_THERE_YET
        cause = tracer.cause_of(asked)
        if cause is not None:
            return cause, NOT_THERE_YET
        asked = asked.f_back
    return None, NOT_THERE_YET
