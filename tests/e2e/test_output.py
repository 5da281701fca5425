"""What is written, and what is not: complete files or none, a closed pipe is no error."""

import os
import resource
import signal
import stat
import subprocess
import tempfile
import time
from pathlib import Path

import pytest
from support import BINARY, FAMILIES, fails, ok, penguin_rows, read_csv, run, write_csv

FULL_DISK = Path("/dev/full")
NOBODY = 65534
ENDING_SIGNALS = [signal.SIGHUP, signal.SIGINT, signal.SIGQUIT, signal.SIGTERM, signal.SIGXCPU]


def test_numbers_read_back_exactly(penguins, penguins_model):
    for row in read_csv(ok("predict", penguins_model, penguins, "--proba").stdout):
        for name, text in row.items():
            if name != "prediction" and text:
                digits = text.split("e")[0].replace(".", "").lstrip("0")
                assert len(digits) <= 17
                assert len(text) <= len(repr(float(text)))  # Python's is the shortest as well


def test_without_proba_there_is_one_column(penguins, penguins_model):
    lines = ok("predict", penguins_model, penguins, "--missing", "skip").stdout.splitlines()
    assert lines[0] == "prediction"
    assert set(lines[1:]) == {"Adelie", "Chinstrap", "Gentoo", '""'}
    assert len(lines) == 345  # no line is blank, so row n is line n + 1


def test_a_failed_train_leaves_the_old_model(tmp_path, penguins):
    model = tmp_path / "m"
    ok("train", penguins, "--target", "species", "-o", model)
    before = model.read_bytes()
    bad = tmp_path / "bad.csv"
    bad.write_text(penguins.read_text() + "Adelie,1\n")
    fails("train", bad, "--target", "species", "-o", model)
    assert model.read_bytes() == before
    assert sorted(path.name for path in tmp_path.iterdir()) == ["bad.csv", "m"]


def test_a_failed_predict_leaves_the_old_file_and_nothing_else(tmp_path, penguins, penguins_model):
    out = tmp_path / "out.csv"
    out.write_text("precious\n")
    bad = tmp_path / "bad.csv"
    bad.write_text(penguins.read_text() + "Adelie,1\n")
    fails("predict", penguins_model, bad, "-o", out)
    assert out.read_text() == "precious\n"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["bad.csv", "out.csv"]


def test_output_has_the_usual_permissions(tmp_path, penguins, penguins_model):
    out = tmp_path / "out.csv"
    ok("predict", penguins_model, penguins, "-o", out)
    plain = tmp_path / "plain"
    plain.touch()
    assert stat.S_IMODE(out.stat().st_mode) == stat.S_IMODE(plain.stat().st_mode)


def test_a_link_is_followed(tmp_path, penguins, penguins_model):
    target, link = tmp_path / "target.csv", tmp_path / "link.csv"
    target.write_text("old\n")
    link.symlink_to(target)
    ok("predict", penguins_model, penguins, "-o", link)
    assert link.is_symlink()
    assert target.read_text().startswith("prediction\n")


def test_a_dangling_link_is_followed_and_a_loop_refused(tmp_path, penguins, penguins_model):
    for name, words in (
        ("p.csv", ["predict", penguins_model, penguins]),
        ("m", ["train", penguins, "--target", "species"]),
    ):
        link, loop = tmp_path / f"link-{name}", tmp_path / f"loop-{name}"
        link.symlink_to(name)
        loop.symlink_to(loop.name)
        ok(*words, "-o", link)
        assert link.is_symlink()
        assert (tmp_path / name).stat().st_size > 0
        assert str(loop) in fails(*words, "-o", loop)
        assert loop.is_symlink()
    assert len(list(tmp_path.iterdir())) == 6


def test_a_long_name(tmp_path, penguins, penguins_model):
    out = tmp_path / ("n" * 251)
    ok("predict", penguins_model, penguins, "-o", out)
    ok("train", penguins, "--target", "species", "-o", out)
    assert list(tmp_path.iterdir()) == [out]


def test_standard_output_by_name(tmp_path, penguins, penguins_model):
    out = tmp_path / "out"
    words = f'"{BINARY}" predict "{penguins_model}" "{penguins}" -o /dev/stdout'
    subprocess.run(["sh", "-c", f'{words} > "{out}"'], check=True, stderr=subprocess.DEVNULL)
    lines = out.read_text().splitlines()
    assert lines[0] == "prediction"
    assert lines[345].split() == ["model", "gaussian"]  # the summary comes after, not over it


def test_inputs_are_not_overwritten(tmp_path, penguins, penguins_model):
    data, model = tmp_path / "data.csv", tmp_path / "model"
    data.write_bytes(penguins.read_bytes())
    model.write_bytes(penguins_model.read_bytes())
    assert "would replace" in fails("train", data, "--target", "species", "-o", data)
    assert "would replace" in fails("predict", model, data, "-o", data)
    assert "would replace" in fails("predict", model, data, "-o", model)
    assert data.read_bytes() == penguins.read_bytes()
    assert model.read_bytes() == penguins_model.read_bytes()


def test_folder_that_is_not_there(tmp_path, penguins, penguins_model):
    place = tmp_path / "nowhere" / "file"
    assert str(place) in fails("train", penguins, "--target", "species", "-o", place)
    assert str(place) in fails("predict", penguins_model, penguins, "-o", place)


def test_folder_as_output(tmp_path, penguins, penguins_model):
    assert str(tmp_path) in fails("train", penguins, "--target", "species", "-o", tmp_path)
    assert str(tmp_path) in fails("predict", penguins_model, penguins, "-o", tmp_path)
    assert list(tmp_path.iterdir()) == []


@pytest.fixture
def public_folder():
    """A folder that every user can enter; those of pytest are private."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        folder.chmod(0o755)
        yield folder


def test_folder_that_may_not_be_written(public_folder, penguins, penguins_model):
    user = NOBODY if os.geteuid() == 0 else None  # root writes everywhere
    data, model = public_folder / "data.csv", public_folder / "model"
    data.write_bytes(penguins.read_bytes())
    model.write_bytes(penguins_model.read_bytes())
    before = sorted(public_folder.iterdir())
    public_folder.chmod(0o555)
    new = public_folder / "new"
    for words in (["train", data, "--target", "species"], ["predict", model, data]):
        assert str(new) in fails(*words, "-o", new, user=user, cwd="/")
    public_folder.chmod(0o755)
    assert sorted(public_folder.iterdir()) == before


def full_disk(*words):
    with FULL_DISK.open("w") as full:
        return subprocess.run(
            [str(BINARY), *map(str, words)],
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
        )


@pytest.mark.skipif(not FULL_DISK.exists(), reason="no /dev/full here")
def test_full_disk(penguins, penguins_model):
    for words in (
        ["predict", penguins_model, penguins],
        ["models"],
        ["--help"],
        ["evaluate", penguins_model, penguins, "--json"],
    ):
        result = full_disk(*words)
        assert result.returncode == 2
        assert result.stderr.startswith("logodds: cannot write to standard output")
        assert result.stderr.count("\n") == 1


@pytest.mark.skipif(not FULL_DISK.exists(), reason="no /dev/full here")
def test_an_unprinted_summary_does_not_hide_the_file(tmp_path, penguins, penguins_model):
    model, out = tmp_path / "m", tmp_path / "p.csv"
    for words, sentence in (
        (
            ["train", penguins, "--target", "species", "-o", model],
            f"the model was written to {model}",
        ),
        (
            ["predict", penguins_model, penguins, "-o", out],
            f"the predictions were written to {out}",
        ),
    ):
        for more in ([], ["--json"]):
            result = full_disk(*words, *more)
            assert result.returncode == 2
            assert sentence in result.stderr and "free some space" in result.stderr
            assert result.stderr.count("\n") == 1
    assert model.exists() and out.exists()


@pytest.mark.parametrize("action", [signal.SIG_IGN, signal.SIG_DFL])
def test_file_size_limit_leaves_nothing_behind(tmp_path, penguins, penguins_model, action):
    def limit():
        resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        signal.signal(signal.SIGXFSZ, action)

    for words in (
        ["predict", penguins_model, penguins, "--proba", "-o", tmp_path / "p.csv"],
        ["train", penguins, "--target", "species", "-o", tmp_path / "m"],
    ):
        result = subprocess.run(
            [str(BINARY), *map(str, words)],
            capture_output=True,
            text=True,
            preexec_fn=limit,
            check=False,
        )
        if action == signal.SIG_IGN:
            assert result.returncode == 2, result.stderr
            assert result.stderr.startswith("logodds: ")
        else:
            assert result.returncode == -signal.SIGXFSZ
        assert list(tmp_path.iterdir()) == []


def test_closed_standard_output_is_an_error(tmp_path, penguins, penguins_model):
    script = f'exec "{BINARY}" predict "{penguins_model}" "{penguins}" --quiet >&-'
    result = subprocess.run(["sh", "-c", script], capture_output=True, text=True, check=False)
    assert result.returncode == 2
    assert "standard output: it is closed" in result.stderr
    assert "space" not in result.stderr
    out = tmp_path / "out.csv"
    script = f'exec "{BINARY}" predict "{penguins_model}" "{penguins}" -o "{out}" --quiet >&-'
    assert subprocess.run(["sh", "-c", script], check=False).returncode == 0
    assert out.read_text().startswith("prediction\n")


def test_closed_pipe_is_no_error(tmp_path, penguins_model):
    many = write_csv(tmp_path / "many.csv", penguin_rows() * 100)
    script = f'"{BINARY}" predict "{penguins_model}" "{many}" --proba; echo $? >"{tmp_path}/status"'
    result = subprocess.run(
        f"({script}) | head -1", shell=True, capture_output=True, text=True, check=False
    )
    assert result.stdout.startswith("prediction,")
    assert result.stderr == ""
    assert (tmp_path / "status").read_text() == "0\n"


def predict_halfway(out, penguins, model, ignored=()):
    """A predict that has begun to write `out` and waits for more rows."""

    def prepare():
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        for number in ENDING_SIGNALS:  # what starts the tests may ignore some, as sh does for &
            signal.signal(number, signal.SIG_IGN if number in ignored else signal.SIG_DFL)

    process = subprocess.Popen(
        [str(BINARY), "predict", str(model), "-", "-o", str(out)],
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        preexec_fn=prepare,
    )
    header, body = penguins.read_bytes().split(b"\n", 1)
    process.stdin.write(header + b"\n" + body * 300)
    process.stdin.flush()
    deadline = time.monotonic() + 20
    while not list(out.parent.iterdir()) and time.monotonic() < deadline:
        time.sleep(0.02)
    assert len(list(out.parent.iterdir())) == 1
    return process


@pytest.mark.parametrize("number", ENDING_SIGNALS)
def test_an_interrupted_predict_leaves_nothing(tmp_path, penguins, penguins_model, number):
    process = predict_halfway(tmp_path / "out.csv", penguins, penguins_model)
    process.send_signal(number)
    assert process.wait(timeout=20) == -number
    process.stdin.close()
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("number", [signal.SIGHUP, signal.SIGINT])
def test_what_is_ignored_from_the_start_stays_ignored(tmp_path, penguins, penguins_model, number):
    out = tmp_path / "out.csv"
    process = predict_halfway(out, penguins, penguins_model, ignored=[number])
    process.send_signal(number)
    time.sleep(0.1)
    process.stdin.close()
    assert process.wait(timeout=20) == 0
    assert len(out.read_text().splitlines()) == 1 + 344 * 300
    assert list(tmp_path.iterdir()) == [out]


@pytest.mark.parametrize("family", FAMILIES)
def test_any_number_of_threads_gives_the_same_bytes(tmp_path, family):
    data = write_csv(tmp_path / "d.csv", penguin_rows(complete=False) * 20)
    seen = set()
    for threads in (1, 2, 7):
        model = tmp_path / f"m{threads}"
        ok(
            "train",
            data,
            "--target",
            "species",
            "--model",
            family,
            "--threads",
            threads,
            "-o",
            model,
        )
        answer = ok("predict", model, data, "--proba", "--threads", threads).stdout
        measures = ok("evaluate", model, data, "--json", "--threads", threads).stdout
        seen.add((model.read_bytes(), answer, measures))
    assert len(seen) == 1


def test_every_vector_level_gives_nearly_the_same(penguins, tmp_path):
    sentence = fails("models", env={"LOGODDS_SIMD": "none"})
    levels = [name for name in ("avx512", "avx2", "sse4", "plain") if name in sentence]
    assert "plain" in levels
    errors = set()
    for level in levels:
        env = {"LOGODDS_SIMD": level}
        ok("train", penguins, "--target", "species", "-o", tmp_path / "m", env=env)
        errors.add(run("predict", tmp_path / "m", penguins, env=env).stdout)
    assert len(errors) == 1


def test_quiet_says_nothing(tmp_path, penguins, penguins_model):
    for words in (
        ["train", penguins, "--target", "species", "-o", tmp_path / "m"],
        ["predict", penguins_model, penguins, "-o", tmp_path / "p.csv"],
    ):
        result = ok(*words, "--quiet")
        assert result.stdout == result.stderr == ""
