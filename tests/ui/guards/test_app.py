"""The same to plain Textual: a crash, signals, a click on what has just gone."""

from __future__ import annotations

import inspect

from textual.app import App
from textual.drivers._writer_thread import MAX_QUEUED_WRITES, WriterThread
from textual.drivers.linux_driver import LinuxDriver

from tui_attention.ui.guards.app import GuardedApp

ENV = {"TERM": "xterm-256color", "LANG": "C.UTF-8"}


def source(thing: object) -> str:
    return inspect.getsource(thing)  # type: ignore[arg-type]


def test_textual_still_shows_every_local_variable_of_a_crash() -> None:
    assert "show_locals=True" in source(App._fatal_error)
    assert "show_locals" not in source(GuardedApp._fatal_error)


def test_textual_still_answers_no_signal_that_ends_a_program() -> None:
    for number in ("SIGTERM", "SIGHUP", "SIGQUIT"):
        assert number not in source(LinuxDriver)
        assert number not in source(App.run_async)


def test_textual_still_reads_a_closed_terminal_for_ever() -> None:
    loop = source(LinuxDriver.run_input_thread)
    assert "if not unicode_data:" in loop
    assert "exit_event.set()" not in loop


def test_textual_still_answers_being_continued_in_the_middle_of_anything() -> None:
    assert "signal.signal(signal.SIGCONT" in source(LinuxDriver.__init__)
    assert "call_soon" not in source(LinuxDriver._sigcont_application)


def test_textuals_writer_still_waits_for_ever_once_its_thread_has_ended() -> None:
    class Gone:
        def write(self, text: str) -> None:
            raise OSError(5, "gone")

        def flush(self) -> None:
            return

    writer = WriterThread(Gone())  # type: ignore[arg-type]
    writer.run = lambda: None  # type: ignore[method-assign]
    writer.start()
    writer.join()
    for _ in range(MAX_QUEUED_WRITES):
        writer.write("x")
    assert writer._queue.full()


def test_textual_still_asserts_that_a_clicked_widget_has_a_parent() -> None:
    from textual.screen import Screen

    assert "assert isinstance(container, Widget)" in source(Screen._forward_event) or (
        "content_widget.parent" in source(Screen._forward_event)
    )
