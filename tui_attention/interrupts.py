"""Ctrl+C and other ends at a moment when nobody is there yet, or any more, to answer them: no traceback, no mess.

`quiet` holds from the first line of the program; `ordinary` when a verb begins that answers KeyboardInterrupt itself.
"""

from __future__ import annotations

import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    import signal
    from types import FrameType
else:
    # What is compiled of `signal`; the rest of it loads enum, and a Ctrl+C meanwhile would be a traceback.
    import _signal as signal

ENDS = tuple(getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP", "SIGQUIT") if hasattr(signal, name))


class Ends:
    """A handler that ends the process at once with 128 + the signal's number, having written `farewell`."""

    def __init__(self, farewell: bytes = b"", descriptor: int = 2) -> None:
        self.farewell, self.descriptor = farewell, descriptor

    def __call__(self, number: int, frame: FrameType | None) -> None:
        if self.farewell:
            try:
                os.write(self.descriptor, self.farewell)
            except OSError:
                os._exit(128 + number)
        os._exit(128 + number)


def quiet() -> None:
    """Ctrl+C ends the program without a word, as long as it is only being loaded."""
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, Ends())


def ordinary() -> None:
    """Ctrl+C raises KeyboardInterrupt again, where `quiet` had taken it."""
    if isinstance(signal.getsignal(signal.SIGINT), Ends):
        signal.signal(signal.SIGINT, signal.default_int_handler)


def at_once(farewell: bytes, descriptor: int) -> None:
    """Every end writes `farewell` first: the terminal has been changed, and nobody else can change it back yet."""
    for number in ENDS:
        if signal.getsignal(number) != signal.SIG_IGN:
            signal.signal(number, Ends(farewell, descriptor))


def deaf() -> None:
    """The program is leaving with a code of its own: Ctrl+C no longer changes it."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
