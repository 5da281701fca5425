"""Bad input: the sentence names file, line, column and value, and nothing is left behind."""

import pytest
from support import fails, ok, run


def train(path, tmp_path, *words, **options):
    return fails("train", path, "--target", "y", "-o", tmp_path / "m", *words, **options)


def write(tmp_path, text, name="data.csv"):
    path = tmp_path / name
    path.write_text(text)
    return path


@pytest.fixture(autouse=True)
def no_model_is_left(tmp_path):
    yield
    assert not (tmp_path / "m").exists()


def test_file_that_is_not_there(tmp_path):
    sentence = train(tmp_path / "nowhere.csv", tmp_path)
    assert "nowhere.csv" in sentence


def test_folder_instead_of_a_file(tmp_path):
    assert str(tmp_path) in train(tmp_path, tmp_path)


def test_empty_file(tmp_path):
    assert "data.csv" in train(write(tmp_path, ""), tmp_path)


def test_header_only(tmp_path):
    assert "data.csv" in train(write(tmp_path, "x,y\n"), tmp_path)


def test_target_that_is_not_there(tmp_path):
    path = write(tmp_path, "x,z\n1,a\n2,b\n")
    assert "'y'" in train(path, tmp_path)
    sentence = fails("train", path, "--target", "9", "-o", tmp_path / "m")
    assert "9" in sentence


def test_ragged_line(tmp_path):
    path = write(tmp_path, "x,z,y\n1,2,a\n1,a\n3,1,b\n")
    sentence = train(path, tmp_path)
    assert "data.csv" in sentence and "line 3" in sentence


def test_missing_label(tmp_path):
    path = write(tmp_path, "x,y\n1,a\n2,b\n3,\n4,b\n")
    sentence = train(path, tmp_path)
    assert "line 4" in sentence and "'y'" in sentence


def test_word_in_a_column_said_to_be_real(tmp_path):
    path = write(tmp_path, "x,y\n1,a\ntwo,b\n3,a\n4,b\n")
    sentence = train(path, tmp_path, "--kinds", "x=real")
    for part in ["data.csv", "line 3", "'x'", "'two'"]:
        assert part in sentence


def test_word_in_a_number_column_at_prediction(tmp_path):
    path = write(tmp_path, "x,y\n1,a\n2,a\n2.5,b\n3,a\n4,b\n5,b\n")
    model = tmp_path / "model"
    ok("train", path, "--target", "y", "-o", model)
    bad = write(tmp_path, "x\n1\nhello\n", "bad.csv")
    # What was already decided is on standard output; the sentence is what counts.
    result = run("predict", model, bad)
    assert result.returncode == 2
    for part in ["bad.csv", "line 3", "'x'", "'hello'"]:
        assert part in result.stderr


def test_bad_weight(tmp_path):
    path = write(tmp_path, "x,w,y\n1,1,a\n2,-1,a\n3,1,b\n4,1,b\n")
    sentence = train(path, tmp_path, "--weights", "w")
    for part in ["line 3", "'w'", "-1"]:
        assert part in sentence


def test_text_that_is_not_utf8(tmp_path):
    path = tmp_path / "latin1.csv"
    path.write_bytes(b"x,y\n1,a\n2,\xe9\n3,a\n")
    sentence = train(path, tmp_path)
    for part in ["latin1.csv", "line 3", "'y'", "UTF-8"]:
        assert part in sentence


def test_collinear_columns_are_explained(tmp_path):
    rows = "".join(f"{i},{2 * i},{'ab'[i % 2]}\n" for i in range(20))
    sentence = train(write(tmp_path, "x,z,y\n" + rows), tmp_path, "--model", "gaussian")
    assert "ridge" in sentence


def test_missing_rows_as_errors(tmp_path):
    path = write(tmp_path, "x,y\n1,a\n2,b\nNA,a\n4,b\n3,a\n")
    sentence = train(path, tmp_path, "--missing", "error")
    assert "data.csv" in sentence and "line 4" in sentence


def test_unknown_label_at_evaluation(tmp_path, penguins_model, penguins):
    text = penguins.read_text().replace("Gentoo", "Emperor", 1)
    sentence = fails("evaluate", penguins_model, write(tmp_path, text, "new.csv"))
    assert "'Emperor'" in sentence and "line" in sentence and "new.csv" in sentence


def test_damaged_model_file(tmp_path, penguins, penguins_model):
    whole = penguins_model.read_bytes()
    damaged = tmp_path / "damaged.model"
    middle = len(whole) // 2
    flipped = whole[:middle] + bytes([whole[middle] ^ 1]) + whole[middle + 1 :]
    for content in [b"", whole[:10], whole[:-1], flipped, b"x" * 100, b"\xff" * 64]:
        damaged.write_bytes(content)
        for words in (["predict", damaged, penguins], ["inspect", damaged]):
            assert "damaged.model" in fails(*words)


def test_a_csv_file_is_no_model(penguins):
    assert "penguins.csv" in fails("inspect", penguins)


def test_control_characters_do_not_break_the_line(tmp_path):
    path = write(tmp_path, 'x,y\n1,a\n"tw\no",b\n3,a\n')
    sentence = train(path, tmp_path, "--kinds", "x=real")
    assert "'tw\\no'" in sentence or "'tw\\x0ao'" in sentence
