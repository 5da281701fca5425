"""CountVectorizer and HashingVectorizer against scikit-learn's, entry for entry."""

import io
import itertools
import pickle
import random
import warnings

import numpy as np
import pytest
import sklearn
from conftest import shared_data
from documents import read_documents
from logodds import compat
from many_scripts import SENTENCES, random_text
from scipy import sparse
from sklearn.base import clone
from sklearn.feature_extraction import text as reference
from sklearn.model_selection import GridSearchCV
from sklearn.naive_bayes import MultinomialNB
from sklearn.pipeline import make_pipeline

DOCUMENTS = [*SENTENCES, *(" ".join(pair) for pair in itertools.pairwise(SENTENCES))]


def assert_same_matrix(ours, theirs):
    assert type(ours) is type(theirs)
    assert ours.shape == theirs.shape
    assert ours.dtype == theirs.dtype
    assert (ours.indices.dtype, ours.indptr.dtype) == (theirs.indices.dtype, theirs.indptr.dtype)
    theirs.sort_indices()
    for part in ("indptr", "indices", "data"):
        np.testing.assert_array_equal(getattr(ours, part), getattr(theirs, part))


def assert_same_counts(documents, further=(), **parameters):
    ours, theirs = (home.CountVectorizer(**parameters) for home in (compat, reference))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        assert_same_matrix(ours.fit_transform(documents), theirs.fit_transform(documents))
        assert_same_matrix(ours.transform(further), theirs.transform(further))
    assert ours.vocabulary_ == theirs.vocabulary_
    kinds = {type(place) for place in ours.vocabulary_.values()}
    assert kinds == {type(place) for place in theirs.vocabulary_.values()}
    names = ours.get_feature_names_out()
    assert names.dtype == object
    np.testing.assert_array_equal(names, theirs.get_feature_names_out())
    return ours, theirs


def assert_same_hashes(documents, **parameters):
    ours, theirs = (home.HashingVectorizer(**parameters) for home in (compat, reference))
    assert_same_matrix(ours.fit_transform(documents), theirs.fit_transform(documents))


TERMS = [
    {"analyzer": analyzer, "ngram_range": grams, "lowercase": lowercase}
    for analyzer in ("word", "char", "char_wb")
    for grams in ((1, 1), (1, 2), (2, 2), (2, 4), (3, 3))
    for lowercase in (True, False)
]


@pytest.mark.parametrize("terms", TERMS, ids=str)
def test_terms(terms):
    assert_same_counts(DOCUMENTS, DOCUMENTS[::-2], **terms)
    assert_same_hashes(DOCUMENTS, **terms)


CHOICES = [
    {"min_df": 2},
    {"min_df": 0.06},
    {"min_df": 0.0},
    {"max_df": 2},
    {"max_df": 0.5, "min_df": 2},
    {"max_features": 7},
    {"max_features": 10**6},
    {"max_features": 20, "min_df": 2, "ngram_range": (1, 2)},
    {"max_features": 5, "binary": True},
    {"max_features": 5, "dtype": np.float32},
    {"binary": True},
    {"dtype": np.float32},
    {"dtype": np.int32, "analyzer": "char"},
    {"stop_words": ["the", "und", "ещё", "can"]},
    {"stop_words": ["the", "und", "ещё", "can"], "ngram_range": (1, 3)},
    {"stop_words": "english"},
    {"stop_words": []},
    {"vocabulary": ["fox", "quick", "ежик", "ещё"]},
    {"vocabulary": {"fox": 1, "quick": 0, "the quick": 2}, "ngram_range": (1, 2)},
    {"vocabulary": {"fox", "quick", "λ"}},
    {"vocabulary": ["fox", "Quick"], "lowercase": True},
    {"vocabulary": ["a", "b", "é"], "analyzer": "char", "binary": True},
    {"token_pattern": r"\b\w\w+\b"},
    {"token_pattern": r"(?u)\b\w+\b"},
    {"token_pattern": r"\w(\w)"},
    {"token_pattern": r"[a-z]+", "ngram_range": (2, 2), "stop_words": ["fox"]},
    {"token_pattern": r"\w+", "min_df": 2, "max_features": 9},
    {"strip_accents": "unicode"},
    {"strip_accents": "ascii", "analyzer": "char_wb", "ngram_range": (2, 3)},
    {"strip_accents": str.title},
    {"preprocessor": str.upper},
    {"tokenizer": str.split, "token_pattern": None},
    {"analyzer": str.split, "min_df": 2},
    {"analyzer": lambda text: [len(word) for word in text.split()]},
    {"lowercase": False, "stop_words": ["The", "fox"]},
]


@pytest.mark.parametrize("choice", CHOICES, ids=str)
def test_choices(choice):
    assert_same_counts(DOCUMENTS, DOCUMENTS[::3], **choice)


HASHED = [
    {"n_features": 2**20, "norm": None},
    {"n_features": 7, "norm": None, "dtype": np.int64},
    {"n_features": 7, "norm": None, "alternate_sign": False, "dtype": np.float32},
    {"n_features": 5, "binary": True},
    {"n_features": 11, "norm": "l1"},
    {"n_features": 1},
    {"n_features": 2**31 - 2, "norm": None},
    {"n_features": 64, "norm": "l2", "dtype": np.float32},
    {"n_features": 64, "norm": "l1", "dtype": np.int32},
    {"n_features": 64, "stop_words": ["the"], "ngram_range": (1, 2)},
    {"n_features": 64, "token_pattern": r"\w+"},
    {"n_features": 64, "strip_accents": "unicode"},
    {"n_features": 9, "analyzer": str.split, "alternate_sign": False},
    {"n_features": 9, "analyzer": lambda text: text.encode().split(), "norm": "l1"},
]


@pytest.mark.parametrize("choice", HASHED, ids=str)
def test_hashes(choice):
    assert_same_hashes(DOCUMENTS, **choice)


@pytest.mark.parametrize("terms", TERMS, ids=str)
def test_any_text(terms):
    rng = random.Random(str(terms))
    for _ in range(20):
        documents = [random_text(rng) for _ in range(rng.randrange(1, 20))]
        documents.append("so that there are words")
        assert_same_counts(documents, documents, **terms)
        assert_same_hashes(documents, **terms, n_features=16)


@pytest.mark.parametrize("terms", TERMS, ids=str)
def test_half_of_a_surrogate_pair_is_a_character(terms):
    rng = random.Random(str(terms))
    documents = [random_text(rng, surrogates=True) for _ in range(30)]
    documents += ["broken \ud83d pair\udc00of halves", "Ω\ud800ΑΣ"]
    assert_same_counts(documents, documents, **terms)


def test_a_word_too_long_for_the_core():
    documents = ["short words", "x" * 70000 + " short", "é" * 40000]
    assert_same_counts(documents, documents)
    assert_same_counts(documents, documents, ngram_range=(1, 2))
    assert_same_hashes(documents)


def test_many_chunks_in_any_number_of_threads():
    import logodds

    rng = np.random.default_rng(0)
    words = [f"word{i}" for i in range(5000)] + ["Ärger", "ёж", "很长"]
    documents = [" ".join(rng.choice(words, size=400)) for _ in range(2000)]
    made = []
    for threads in (1, 2, 5):
        logodds.set_threads(threads)
        try:
            ours, _ = assert_same_counts(documents, documents[::7], min_df=3)
        finally:
            logodds.set_threads(None)
        made.append(list(ours.vocabulary_.items()))
    assert made[0] == made[1] == made[2]


@pytest.mark.parametrize("terms", [{}, {"ngram_range": (1, 2)}, {"analyzer": "char"}], ids=str)
def test_newsgroups(terms):
    train = read_documents(shared_data("20newsgroups/20news-bydate-train.tsv.xz"))[::9]
    test = read_documents(shared_data("20newsgroups/20news-bydate-test.tsv.xz"))[::29]
    ours, theirs = assert_same_counts(train, test, **terms)
    if not terms:
        assert list(ours.vocabulary_) == list(theirs.vocabulary_)  # the order of appearance
    assert_same_hashes(test, **terms)


# -- what documents may be ------------------------------------------------------------------------


def test_containers_of_documents():
    import pandas as pd
    import polars as pl
    import pyarrow as pa

    documents = SENTENCES[:6]
    expected = compat.CountVectorizer().fit_transform(documents)
    for given in (
        tuple(documents),
        iter(documents),
        np.array(documents),
        np.array(documents, dtype=object),
        pd.Series(documents),
        pd.Series(documents, dtype=object),
        pl.Series(documents),
        [pa.scalar(d).as_py() for d in documents],
        dict.fromkeys(documents),
        [document.encode() for document in documents],
    ):
        assert_same_matrix(compat.CountVectorizer().fit_transform(given), expected.copy())


def test_encodings_and_files(tmp_path):
    latin = [s.encode("latin-1", "replace") for s in SENTENCES]
    assert_same_counts(latin, latin[:3], encoding="latin-1")
    assert_same_counts(latin, latin[:3], decode_error="ignore", analyzer="char")
    assert_same_hashes(latin, decode_error="replace")
    with pytest.raises(UnicodeDecodeError):
        compat.CountVectorizer().fit(latin)
    names = []
    for number, document in enumerate(SENTENCES):
        (tmp_path / str(number)).write_bytes(document.encode())
        names.append(str(tmp_path / str(number)))
    assert_same_counts(names, names[:4], input="filename")
    for home in (compat, reference):
        files = [io.BytesIO(document.encode()) for document in SENTENCES]
        made = home.CountVectorizer(input="file").fit_transform(files)
        assert made.sum() == compat.CountVectorizer().fit_transform(SENTENCES).sum()


@pytest.mark.parametrize("bad", [3, None, np.nan, ["list"], 2.5], ids=repr)
@pytest.mark.parametrize("lowercase", [True, False])
@pytest.mark.parametrize("name", ["CountVectorizer", "HashingVectorizer"])
def test_items_that_are_no_documents(bad, lowercase, name):
    kinds = []
    for home in (compat, reference):
        with pytest.raises((AttributeError, TypeError, ValueError)) as caught:
            getattr(home, name)(lowercase=lowercase).fit_transform(["good one", bad])
        kinds.append(type(caught.value))
        if home is compat and bad is not np.nan:
            assert "document 1" in str(caught.value)
    assert kinds[0] is kinds[1]


# -- errors and warnings --------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("parameters", "documents"),
    [
        ({"vocabulary": ["a", "b", "a"]}, ["words here"]),
        ({"vocabulary": {"a": 0, "b": 0}}, ["words here"]),
        ({"vocabulary": {"a": 0, "b": 2}}, ["words here"]),
        ({"vocabulary": []}, ["words here"]),
        ({}, ["a b c", ""]),
        ({}, []),
        ({"stop_words": ["only"]}, ["only only"]),
        ({"min_df": 2}, ["one two", "three four"]),
        ({"min_df": 3, "max_df": 2}, ["one two", "three four"]),
        ({"max_df": 0.0}, ["one two"]),
        ({"min_df": -1}, ["one two"]),
        ({"min_df": 1.5}, ["one two"]),
        ({"max_features": 0}, ["one two"]),
        ({"analyzer": "words"}, ["one two"]),
        ({"ngram_range": [1, 2]}, ["one two"]),
        ({"ngram_range": (2, 1)}, ["one two"]),
        ({"stop_words": "german"}, ["one two"]),
        ({"strip_accents": "latin"}, ["one two"]),
        ({"token_pattern": r"(\w)(\w)"}, ["one two"]),
        ({}, "one two"),
    ],
    ids=str,
)
def test_refusals(parameters, documents):
    said = []
    for home in (compat, reference):
        with pytest.raises(ValueError, match=r"\w") as caught:
            home.CountVectorizer(**parameters).fit(documents)
        said.append(str(caught.value).split(" must be ")[0])
    assert said[0] == said[1]


def test_use_before_fit():
    for home in (compat, reference):
        with pytest.raises(sklearn.exceptions.NotFittedError, match="Vocabulary not fitted"):
            home.CountVectorizer().transform(["some words"])
    given = {"vocabulary": ["some", "words"]}
    assert_same_matrix(
        compat.CountVectorizer(**given).transform(["some words"]),
        reference.CountVectorizer(**given).transform(["some words"]),
    )


def test_english_needs_scikit_learn(monkeypatch):
    import sys

    monkeypatch.setitem(sys.modules, "sklearn.feature_extraction.text", None)
    with pytest.raises(ValueError, match="give the words as a list"):
        compat.CountVectorizer(stop_words="english").fit(["the words"])


# -- attributes and conventions -------------------------------------------------------------------


def test_inverse_transform():
    ours, theirs = assert_same_counts(DOCUMENTS, min_df=2)
    X = ours.transform(DOCUMENTS[:7])
    X.data[3] = 0
    for given_rows in (X, X.toarray(), sparse.csc_matrix(X), sparse.coo_array(X)):
        for a, b in zip(
            ours.inverse_transform(given_rows), theirs.inverse_transform(given_rows), strict=True
        ):
            assert a.dtype == b.dtype
            np.testing.assert_array_equal(a, b)


@pytest.mark.parametrize("terms", [*TERMS[::4], {"stop_words": ["fox"], "ngram_range": (1, 2)}])
def test_build_analyzer(terms):
    ours, theirs = (home.CountVectorizer(**terms).build_analyzer() for home in (compat, reference))
    for sentence in SENTENCES:
        assert ours(sentence) == theirs(sentence)


def test_a_given_vocabulary_is_kept_as_it_is():
    ours, theirs = assert_same_counts(DOCUMENTS, vocabulary={"quick": 1, "fox": 0})
    assert list(ours.vocabulary_) == list(theirs.vocabulary_)
    assert ours.fixed_vocabulary_ and theirs.fixed_vocabulary_
    assert not compat.CountVectorizer().fit(DOCUMENTS).fixed_vocabulary_


def test_a_new_vocabulary_counts():
    vectorizer = compat.CountVectorizer().fit(["one two three"])
    vectorizer.transform(["one"])
    vectorizer.vocabulary_ = {"four": 0, "one": 1}
    assert vectorizer.transform(["one four four"]).toarray().tolist() == [[2, 1]]


def test_own_steps_in_a_subclass():
    class Reversed(compat.CountVectorizer):
        def build_tokenizer(self):
            tokenize = super().build_tokenizer()
            return lambda text: [word[::-1] for word in tokenize(text)]

    class Shouted(compat.HashingVectorizer):
        def build_preprocessor(self):
            return str.upper

    assert set(Reversed().fit(["stop now"]).vocabulary_) == {"pots", "won"}
    expected = reference.HashingVectorizer(preprocessor=str.upper).transform(["stop now"])
    assert_same_matrix(Shouted().transform(["stop now"]), expected)


@pytest.mark.parametrize("make", [compat.CountVectorizer, compat.HashingVectorizer])
def test_clone_pickle_and_parameters(make):
    vectorizer = make(ngram_range=(1, 2), stop_words=["fox"], binary=True)
    expected = vectorizer.fit_transform(DOCUMENTS)
    copy = pickle.loads(pickle.dumps(vectorizer))
    assert_same_matrix(copy.transform(DOCUMENTS), expected)
    again = clone(vectorizer)
    assert not hasattr(again, "vocabulary_")
    assert_same_matrix(again.fit_transform(DOCUMENTS), expected)
    theirs = getattr(reference, make.__name__)()
    assert make().get_params() == theirs.get_params()
    assert make().set_params(binary=True).binary
    with pytest.raises(ValueError, match="Invalid parameter"):
        make().set_params(vocab=1)


def test_arrays_where_scikit_learn_is_set_to_arrays():
    with sklearn.config_context(sparse_interface="sparray"):
        assert_same_counts(DOCUMENTS, DOCUMENTS)
        assert_same_hashes(DOCUMENTS)


def test_pipeline_and_grid_search():
    documents = [f"{word} number {i % 7}" for i, word in enumerate(["good", "bad"] * 30)]
    labels = ["pos", "neg"] * 30
    found = []
    for home in (compat, reference):
        pipeline = make_pipeline(home.CountVectorizer(), MultinomialNB())
        search = GridSearchCV(
            pipeline,
            {"countvectorizer__ngram_range": [(1, 1), (1, 2)], "countvectorizer__min_df": [1, 40]},
            cv=3,
        ).fit(documents, labels)
        found.append((search.best_params_, search.cv_results_["mean_test_score"].tolist()))
        assert search.predict(["good thing"]) == ["pos"]
    assert found[0] == found[1]
    hashed = make_pipeline(
        compat.HashingVectorizer(alternate_sign=False), compat.MultinomialNB()
    ).fit(documents, labels)
    assert hashed.score(documents, labels) == 1.0


def test_nothing_heavy_is_imported():
    import subprocess
    import sys

    code = (
        "import sys, logodds.compat as c\n"
        "assert not {'scipy', 'sklearn'} & set(sys.modules)\n"
        "sys.modules['sklearn'] = None\n"
        "assert c.CountVectorizer().fit_transform(['some words', 'words']).sum() == 3\n"
        "assert c.HashingVectorizer(norm=None).transform(['some words']).nnz == 2\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
