"""Pictures: those that the command draws, byte for byte, as objects that notebooks show."""

import inspect
import subprocess
import sys
import xml.etree.ElementTree as ET

import logodds
import numpy as np
import pandas as pd
import polars as pl
import pytest
from conftest import PENGUINS
from logodds import _core, plot
from logodds.compat import QuadraticDiscriminantAnalysis

MEASURES = ["bill_length_mm", "bill_depth_mm", "flipper_length_mm", "body_mass_g"]
DOCUMENTS = [
    "win a free prize",
    "free money, win now",
    "lunch at noon?",
    "see you at noon",
    "a prize for free",
    "lunch money for you",
]
TOPICS = ["spam", "spam", "ham", "ham", "spam", "ham"]


@pytest.fixture(scope="module")
def penguins():
    return pl.read_csv(PENGUINS, null_values="NA").drop_nulls()


@pytest.fixture(scope="module")
def gaussian(penguins):
    return logodds.GaussianClassifier().fit(penguins.select(MEASURES), penguins["species"])


@pytest.fixture
def drawn_by_command(command, tmp_path):
    """The SVG file that `logodds plot` writes of a saved estimator and a table."""

    def draw(kind, estimator, table=None, *words):
        estimator.save(tmp_path / "model")
        rows = []
        if table is not None:
            table.write_csv(tmp_path / "rows.csv", null_value="NA")
            rows = [tmp_path / "rows.csv"]
        picture = tmp_path / "picture.svg"
        command("plot", kind, tmp_path / "model", *rows, *words, "--title", "T", "-o", picture)
        return picture.read_text()

    return draw


# -- the same as the command's --------------------------------------------------------------------


@pytest.mark.parametrize(
    ("kind", "words", "options"),
    [
        ("confusion", ["--level", "0.9"], {"level": 0.9}),
        ("regions", [], {}),
        (
            "regions",
            ["--x", "body_mass_g", "--y", "bill_depth_mm", "--at", "bill_length_mm=40"],
            {"x_column": "body_mass_g", "y_column": "bill_depth_mm", "at": {"bill_length_mm": 40}},
        ),
        ("scatter", ["--columns", ",".join(MEASURES[:2])], {"columns": MEASURES[:2]}),
        ("posterior", ["--axes", "pca"], {"axes": "pca"}),
        ("densities", [], {}),
        (
            "roc",
            ["--class", "Gentoo", "--thresholds", "Gentoo=0.25"],
            {"class_": "Gentoo", "thresholds": {"Gentoo": 0.25}},
        ),
        (
            "cost",
            ["--class", "Gentoo", "--cost", "Gentoo:Adelie=7,Adelie:Gentoo=2.5"],
            {
                "class_": "Gentoo",
                "cost": {("Gentoo", "Adelie"): 7, ("Adelie", "Gentoo"): 2.5},
            },
        ),
        ("pr", ["--level", "0.5"], {"level": 0.5}),
        ("calibration", ["--bins", "5"], {"bins": 5}),
        ("evidence", ["--row", "7", "--top", "2"], {"row": 7, "top": 2}),
    ],
)
def test_a_classifier_and_rows(kind, words, options, gaussian, penguins, drawn_by_command):
    labels = [] if kind == "evidence" else ["--target", "species"]
    table = penguins.select([*MEASURES, "species"])
    expected = drawn_by_command(kind, gaussian, table, *labels, *words)
    X, y = penguins.select(MEASURES), penguins["species"]
    draw = getattr(plot, kind)
    assert draw(gaussian, X, y, title="T", **options).svg() == expected
    assert draw(gaussian, X.to_pandas(), y.to_list(), title="T", threads=1, **options).svg() == (
        expected
    )


def test_a_model_of_the_command(command, tmp_path):
    """Coded columns, missing values, and the name of the target."""
    command("train", PENGUINS, "--target", "species", "-o", tmp_path / "model")
    command(
        "plot", "confusion", tmp_path / "model", PENGUINS, "--title", "T", "-o", tmp_path / "c.svg"
    )
    table = pl.read_csv(PENGUINS, null_values="NA")
    model = logodds.load(tmp_path / "model")
    picture = plot.confusion(model, table.drop("species"), table["species"], title="T")
    assert picture.svg() == (tmp_path / "c.svg").read_text()


def test_axes(penguins, drawn_by_command):
    X, y = penguins.select(MEASURES), penguins["species"]
    axes = logodds.PCA().fit(X)
    assert plot.pca(axes, X, title="T").svg() == drawn_by_command("pca", axes, X)
    canonical = logodds.CanonicalAxes().fit(X, y)
    expected = drawn_by_command(
        "canonical", canonical, X.with_columns(species=y), "--target", "species"
    )
    assert plot.canonical(canonical, X, y, title="T").svg() == expected


def test_lines(penguins, drawn_by_command):
    X, y = penguins.select(MEASURES[:1]), penguins["body_mass_g"]
    line = logodds.LeastSquares().fit(X, y)
    expected = drawn_by_command("lines", line, X.with_columns(y=y), "--residuals")
    assert plot.lines(line, X, y, residuals=True, title="T").svg() == expected
    with pytest.raises(ValueError, match="requires y"):
        plot.lines(line, X)


def test_documents(drawn_by_command):
    model = logodds.DocumentClassifier().fit(DOCUMENTS, TOPICS)
    expected = drawn_by_command("words", model, None, "--class", "spam", "--top", "3")
    assert plot.words(model, class_="spam", top=3, title="T").svg() == expected
    table = pl.DataFrame({"text": DOCUMENTS, "topic": TOPICS})
    expected = drawn_by_command("confusion", model, table, "--target", "topic")
    assert plot.confusion(model, DOCUMENTS, TOPICS, title="T").svg() == expected


def test_clusters_have_no_classes(penguins, drawn_by_command):
    X = penguins.select(MEASURES)
    model = logodds.KMeans(3).fit(X)
    assert plot.scatter(model, X, title="T").svg() == drawn_by_command("scatter", model, X)
    with pytest.raises(ValueError, match="KMeans has no classes"):
        plot.scatter(model, X, penguins["species"])
    assert plot.clusters(model, X, title="T").svg() == drawn_by_command("clusters", model, X)
    expected = drawn_by_command("elbow", model, X, "--k", "1-4")
    assert plot.elbow(model, X, k="1-4", title="T").svg() == expected


def test_a_model_alone(penguins, drawn_by_command):
    two = penguins.filter(pl.col("species") != "Gentoo")
    model = logodds.GaussianClassifier().fit(two.select(MEASURES[:1]), two["species"])
    expected = drawn_by_command("overlap", model, None, "--threshold", "45")
    assert plot.overlap(model, threshold=45, title="T").svg() == expected
    nearest = logodds.NeighborsClassifier(1).fit(penguins.select(MEASURES[:2]), penguins["species"])
    assert plot.kdiagram(nearest, title="T").svg() == drawn_by_command("kdiagram", nearest)


def test_tables(command, tmp_path):
    """Of optimizers, under the names of the files or given ones."""
    files = {}
    for optimizer in ("newton", "lbfgs"):
        files[optimizer] = tmp_path / f"{optimizer}.csv"
        train = ["train", PENGUINS, "--target", "species", "--model", "softmax", "--quiet"]
        command(*train, "--optimizer", optimizer, "--trace", files[optimizer], "-o", tmp_path / "m")
    command("plot", "trace", *files.values(), "--title", "T", "-o", tmp_path / "trace.svg")
    expected = (tmp_path / "trace.svg").read_text()
    assert plot.trace(files.values(), title="T").svg() == expected
    assert plot.trace(files, title="T").svg() == expected
    renamed = plot.trace({"Broyden & Co": files["lbfgs"]}).svg()
    assert "Broyden &amp; Co" in renamed
    assert "lbfgs" not in renamed
    assert (
        plot.trace(files["lbfgs"], title="T").svg() == plot.trace([files["lbfgs"]], title="T").svg()
    )
    with pytest.raises(OSError, match="absent"):
        plot.trace("absent.csv")


def test_names_may_hold_what_lists_are_divided_by(penguins, drawn_by_command):
    """Commas, equals signs, backslashes: in columns, in levels and in classes."""
    names = ["a,b", "c=d", "e\\f"]
    X = penguins.select(pl.col(old).alias(new) for old, new in zip(MEASURES, names, strict=False))
    y = penguins["species"].replace({"Adelie": "A,d=e"})
    model = logodds.GaussianClassifier().fit(X, y)
    drawn = plot.scatter(model, X, y, columns=names[:2], title="T").svg()
    table = X.with_columns(species=y)
    labels = ["--target", "species"]
    assert drawn == drawn_by_command("scatter", model, table, *labels, "--columns", r"a\,b,c\=d")
    drawn = plot.regions(model, X, y, x_column=names[0], y_column=names[2], at={"c=d": 17})
    assert drawn.arrays
    drawn = plot.roc(model, X, y, class_="A,d=e", thresholds={"A,d=e": 0.25}, title="T").svg()
    assert drawn == drawn_by_command(
        "roc", model, table, *labels, "--class", "A,d=e", "--thresholds", r"A\,d\=e=0.25"
    )
    assert plot.cost(model, X, y, class_="A,d=e", cost={("A,d=e", "Gentoo"): 3}).arrays


# -- rows and labels ------------------------------------------------------------------------------


def test_sparse_rows_and_whole_labels():
    sparse = pytest.importorskip("scipy.sparse")
    rng = np.random.default_rng(3)
    counts = rng.poisson(1.0, size=(60, 4)).astype(float)
    y = rng.integers(5, 7, size=60)
    model = logodds.SoftmaxClassifier(decay=0.1).fit(counts, y)
    dense = plot.confusion(model, counts, y)
    assert plot.confusion(model, sparse.csr_matrix(counts), y).svg() == dense.svg()
    table = np.array(
        [[np.sum((y == t) & (model.predict(counts) == d)) for d in (5, 6)] for t in (5, 6)]
    )
    assert any(np.array_equal(array, table) for array in dense.arrays.values())


def test_labels_are_those_of_the_model(gaussian, penguins):
    X, y = penguins.select(MEASURES), penguins["species"].to_list()
    with pytest.raises(ValueError, match="'Emperor', which is no class of this Gauss"):
        plot.confusion(gaussian, X, [*y[:-1], "Emperor"])
    with pytest.raises(ValueError, match="different numbers of rows"):
        plot.confusion(gaussian, X, y[:-1])
    with pytest.raises(ValueError, match="give y"):
        plot.confusion(gaussian, X)
    with pytest.raises(ValueError, match="give X"):
        plot.scatter(gaussian)
    with pytest.raises(ValueError, match="give X"):
        plot.regions(gaussian, y=y)


def test_what_does_not_fit_is_refused(gaussian, penguins):
    X = penguins.select(MEASURES)
    with pytest.raises(ValueError, match="lines"):
        plot.lines(gaussian, X)
    with pytest.raises(ValueError, match="words"):
        plot.words(gaussian)
    with pytest.raises(ValueError, match="not fitted"):
        plot.regions(logodds.GaussianClassifier())
    with pytest.raises(TypeError, match="estimators of logodds"):
        plot.regions("model")
    one_class = QuadraticDiscriminantAnalysis(priors=[1.0, 0.0, 0.0], store_covariance=True)
    with pytest.raises(ValueError, match="which this Quadratic"):
        plot.regions(one_class.fit(X.to_numpy(), penguins["species"].to_list()))
    with pytest.raises(TypeError, match="colour"):
        plot.regions(gaussian, colour="red")
    with pytest.raises(AttributeError, match="no kind of picture 'region'; take one of"):
        plot.region(gaussian)


# -- the object -----------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def picture(gaussian, penguins):
    return plot.regions(gaussian, penguins.select(MEASURES), penguins["species"])


def test_files(picture, tmp_path):
    beginnings = {"svg": b"<", "html": b"<!", "png": b"\x89PNG\r\n", "pdf": b"%PDF"}
    for ending, beginning in beginnings.items():
        picture.save(tmp_path / f"a.{ending}")
        content = getattr(picture, ending)()
        content = content.encode() if isinstance(content, str) else content
        assert content.startswith(beginning)
        assert (tmp_path / f"a.{ending}").read_bytes() == content
    assert len(picture.png(scale=1.0)) < len(picture.png())
    with pytest.raises(ValueError, match=r"\.svg"):
        picture.save(tmp_path / "a.gif")
    assert not (tmp_path / "a.gif").exists()


def test_terminal(picture):
    lines = picture.terminal(columns=60).splitlines()
    assert max(map(len, lines)) <= 60
    assert "\x1b[" not in picture.terminal()
    assert "\x1b[" in picture.terminal(color=True)
    for columns in (-1, 0, 19):
        with pytest.raises(ValueError, match=rf"columns is {columns}; .* 20 to 1000"):
            picture.terminal(columns)


def test_sizes_that_make_no_sense_are_refused(picture, gaussian):
    for scale in (0, -1, float("nan"), float("inf")):
        with pytest.raises(ValueError, match="give the pixels to a unit"):
            picture.png(scale)
    for size in ({"width": -5}, {"height": float("nan")}, {"width": 1e9}):
        with pytest.raises(ValueError, match=r"give up to 20000 units"):
            plot.regions(gaussian, **size)


def test_notebooks(picture, gaussian):
    assert picture._repr_svg_() == picture.svg()
    assert "regions" in repr(picture)
    identifiers = []
    for one in (picture, plot.regions(gaussian, x_column=MEASURES[0], y_column=MEASURES[1])):
        root = ET.fromstring(one._repr_html_())
        assert root.tag == "div"
        identifiers.append({element.get("id") for element in root.iter() if element.get("id")})
    assert identifiers[0]
    assert not identifiers[0] & identifiers[1]


def test_arrays_and_notes(picture):
    assert all(array.dtype == np.float64 for array in picture.arrays.values())
    assert picture.arrays
    assert all(isinstance(note, str) for note in picture.notes)


def test_page(gaussian):
    root = ET.fromstring(plot.regions(gaussian, width=500, height=400, title="A <title>").svg())
    assert (float(root.get("width")), float(root.get("height"))) == (500, 400)
    assert plot.regions(gaussian, title="A <title>").title == "A <title>"


# -- the registry of kinds ------------------------------------------------------------------------


@pytest.mark.parametrize("record", _core.plot_kinds(), ids=lambda record: record["name"])
def test_every_kind_is_a_function_with_its_options(record):
    function = getattr(plot, record["name"])
    parameters = inspect.signature(function).parameters
    first = ["tables"] if record["needs"] == "tables" else ["model", "X", "y"]
    names = {"x": "x_column", "y": "y_column", "class": "class_"}
    options = [
        names.get(option["name"], option["name"].replace("-", "_")) for option in record["options"]
    ]
    assert list(parameters) == [*first, *options, "title", "width", "height", "threads"]
    for name, option in zip(options, record["options"], strict=True):
        assert parameters[name].kind == inspect.Parameter.KEYWORD_ONLY
        assert parameters[name].default == option["default"]
        assert option["help"] in function.__doc__
    assert function.__name__ == record["name"]
    assert record["name"] in plot.__all__


def test_pictures_are_imported_when_they_are_asked_for():
    code = (
        "import sys, logodds; print('logodds.plot' in sys.modules, logodds.plot.Picture.__name__)\n"
        "try: logodds.plots\n"
        "except AttributeError as error: print(error)"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout == "False Picture\nmodule 'logodds' has no attribute 'plots'\n"


def test_a_frame_may_hold_more_columns(gaussian, penguins):
    frame = penguins.to_pandas()
    assert isinstance(frame, pd.DataFrame)
    whole = plot.confusion(gaussian, frame, frame["species"])
    alone = plot.confusion(gaussian, frame[MEASURES], frame["species"])
    assert whole.svg() == alone.svg()
