"""On a terminal: colors on standard output, a progress bar on standard error for long work."""

import os
import pty
import subprocess
import time

import pytest
from support import BINARY, PENGUINS

ERASE = "\r\x1b[2K"


def read_all(terminal) -> str:
    data = b""
    while True:
        try:
            part = os.read(terminal, 65536)
        except OSError:  # Linux says EIO when the other side is closed
            break
        if not part:
            break
        data += part
    os.close(terminal)
    return data.decode()


def environment(**more) -> dict:
    env = {key: value for key, value in os.environ.items() if key != "NO_COLOR"}
    return {**env, "TERM": "xterm", **more}


def on_terminal(*words, **more) -> str:
    """What the command shows when its standard output is a terminal."""
    ours, theirs = pty.openpty()
    process = subprocess.Popen(
        [str(BINARY), *map(str, words)],
        stdin=subprocess.DEVNULL,
        stdout=theirs,
        stderr=subprocess.DEVNULL,
        env=environment(**more),
    )
    os.close(theirs)
    text = read_all(ours)
    assert process.wait() == 0
    return text


def test_color_on_a_terminal_only(penguins_model):
    words = ["evaluate", penguins_model, PENGUINS]
    assert "\x1b[" in on_terminal(*words)
    assert "\x1b" not in on_terminal(*words, NO_COLOR="1")
    assert "\x1b[" in on_terminal(*words, NO_COLOR="")
    assert "\x1b" not in on_terminal(*words, "--json")


def test_values_cannot_speak_to_the_terminal(tmp_path):
    path = tmp_path / "d.csv"
    path.write_text("x,y\n" + "".join(f"{i % 5},{'ab'[i % 2]}\x1b[31m\n" for i in range(20)))
    text = on_terminal("train", path, "--target", "y", "-o", tmp_path / "m", NO_COLOR="1")
    assert "\x1b" not in text
    assert "a\\x1b[31m" in text


def slow_predict(penguins_model, seconds, stderr, *words) -> int:
    """Predicts rows that come in two parts, `seconds` apart."""
    header, body = PENGUINS.read_text().split("\n", 1)
    process = subprocess.Popen(
        [str(BINARY), "predict", str(penguins_model), "-", "--threads", "2", *words],
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        stderr=stderr,
        env=environment(),
    )
    process.stdin.write((header + "\n" + body * 20).encode())
    process.stdin.flush()
    time.sleep(seconds)
    process.stdin.write((body * 20).encode())
    process.stdin.close()
    return process.wait()


def progress_shown(penguins_model, seconds, *words) -> str:
    ours, theirs = pty.openpty()
    status = slow_predict(penguins_model, seconds, theirs, *words)
    os.close(theirs)
    assert status == 0
    return read_all(ours)


@pytest.mark.slow
def test_progress_of_long_work_is_shown_and_erased(penguins_model):
    text = progress_shown(penguins_model, 1.5)
    bar, _, rest = text.rpartition(ERASE)
    assert " rows" in bar
    assert bar.startswith(ERASE)
    assert "\x1b" not in rest and rest.startswith("note: ")


def test_no_progress_for_short_work(penguins_model):
    assert ERASE not in progress_shown(penguins_model, 0)


@pytest.mark.slow
def test_quiet_means_no_progress(penguins_model):
    assert progress_shown(penguins_model, 1.5, "--quiet") == ""


@pytest.mark.slow
def test_no_progress_in_a_file(penguins_model, tmp_path):
    with (tmp_path / "stderr").open("w") as file:
        assert slow_predict(penguins_model, 1.5, file) == 0
    assert "\x1b" not in (tmp_path / "stderr").read_text()
