"""DocumentClassifier: scikit-learn's posteriors, containers of documents, words, online rows."""

import pickle
import warnings

import logodds
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from conftest import ROOT, model_bytes, shared_data
from documents import read_rows
from logodds import DocumentClassifier, NaiveBayesClassifier
from many_scripts import SENTENCES
from sklearn.base import clone
from sklearn.feature_extraction.text import CountVectorizer, HashingVectorizer, TfidfTransformer
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.naive_bayes import BernoulliNB, ComplementNB, MultinomialNB
from sklearn.pipeline import make_pipeline

SMS = ROOT / "data" / "sms_spam.txt"


@pytest.fixture(scope="module")
def sms():
    """5574 short messages, and whether each is spam."""
    rows = [line.split("\t", 1) for line in SMS.read_text(encoding="utf-8").splitlines()]
    return [text for _, text in rows], np.array([label for label, _ in rows])


# -- the numbers ----------------------------------------------------------------------------------

REFERENCES = [
    ({}, CountVectorizer(), MultinomialNB()),
    ({"smoothing": 0.01}, CountVectorizer(), MultinomialNB(alpha=0.01)),
    ({"family": "bernoulli"}, CountVectorizer(), BernoulliNB()),
    ({"family": "complement"}, CountVectorizer(), ComplementNB()),
    ({"ngrams": (1, 2)}, CountVectorizer(ngram_range=(1, 2)), MultinomialNB()),
    ({"ngrams": "2-3"}, CountVectorizer(ngram_range=(2, 3)), MultinomialNB()),
    ({"chars": (2, 4)}, CountVectorizer(analyzer="char", ngram_range=(2, 4)), MultinomialNB()),
    ({"min_df": 3, "max_df": 0.2}, CountVectorizer(min_df=3, max_df=0.2), MultinomialNB()),
    ({"stop_words": ["to", "you"]}, CountVectorizer(stop_words=["to", "you"]), MultinomialNB()),
    (
        {"vocabulary": ["free", "call"]},
        CountVectorizer(vocabulary=["free", "call"]),
        MultinomialNB(),
    ),
    ({"keep_case": True}, CountVectorizer(lowercase=False), MultinomialNB()),
    ({"binary": True}, CountVectorizer(binary=True), MultinomialNB()),
    ({"priors": "uniform"}, CountVectorizer(), MultinomialNB(fit_prior=False)),
    (
        {"hash_bits": 10},
        HashingVectorizer(n_features=1024, norm=None, alternate_sign=False),
        MultinomialNB(),
    ),
    (
        {"tf_idf": True},
        make_pipeline(CountVectorizer(), TfidfTransformer(norm=None)),
        MultinomialNB(),
    ),
    (
        {"normalize": "l1"},
        HashingVectorizer(n_features=2**31 - 2, norm="l1", alternate_sign=False),
        None,
    ),
]


@pytest.mark.parametrize(("parameters", "vectorizer", "model"), REFERENCES, ids=str)
def test_posteriors_are_scikit_learns(parameters, vectorizer, model, sms):
    documents, labels = sms
    train, test = documents[:1672], documents[1672:]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        ours = DocumentClassifier(**parameters).fit(train, labels[:1672])
        posteriors = ours.predict_proba(test)
    if model is None:
        assert ours.score(test, labels[1672:]) > 0.85
        return
    theirs = make_pipeline(vectorizer, model).fit(train, labels[:1672])
    known = np.ones(len(test), dtype=bool)
    if "family" in parameters:  # without a known word there is the prior alone, in any family
        known = np.asarray(vectorizer.transform(test).sum(axis=1)).ravel() > 0
        np.testing.assert_allclose(posteriors[~known], [ours.priors_] * int((~known).sum()))
    reference = theirs.predict_proba(test)
    np.testing.assert_allclose(posteriors[known], reference[known], rtol=1e-8, atol=1e-12)
    assert list(ours.classes_) == list(theirs.classes_)


ACCURACIES = [
    ({}, 0.772836),
    ({"smoothing": 0.01}, 0.803903),
    ({"family": "bernoulli"}, 0.630775),
    ({"family": "complement"}, 0.826739),
]


@pytest.mark.parametrize(("parameters", "accuracy"), ACCURACIES, ids=str)
def test_newsgroups(parameters, accuracy):
    train, test = (
        list(zip(*read_rows(shared_data(f"20newsgroups/20news-bydate-{part}.tsv.xz")), strict=True))
        for part in ("train", "test")
    )
    model = DocumentClassifier(**parameters).fit(train[2], train[0])
    assert model.score(test[2], test[0]) == pytest.approx(accuracy, abs=5e-7)


def test_order_of_words_counts_for_markov():
    documents = ["dog bites man", "man bites dog"] * 10
    labels = ["usual", "news"] * 10
    bag = DocumentClassifier().fit(documents, labels)
    sequence = DocumentClassifier("markov", backoff=0.5).fit(documents, labels)
    np.testing.assert_allclose(bag.predict_proba(documents), 0.5)
    assert sequence.score(documents, labels) == 1.0


# -- what documents may be ------------------------------------------------------------------------

CONTAINERS = {
    "tuple": tuple,
    "iterator": iter,
    "array": np.array,
    "objects": lambda d: np.array(d, dtype=object),
    "column": lambda d: np.array(d, dtype=object)[:, np.newaxis],
    "pandas": pd.Series,
    "pandas index": lambda d: pd.Series(d, index=range(len(d), 0, -1)),
    "pandas objects": lambda d: pd.Series(d, dtype=object),
    "pandas frame": lambda d: pd.DataFrame({"text": d}),
    "polars": pl.Series,
    "polars categorical": lambda d: pl.Series(d, dtype=pl.Categorical),
    "arrow": pa.array,
    "arrow large": lambda d: pa.array(d, type=pa.large_string()),
    "arrow views": lambda d: pa.array(d, type=pa.string_view()),
    "arrow dictionary": lambda d: pa.array(d).dictionary_encode(),
    "arrow chunks": lambda d: pa.chunked_array([d[:3], d[3:3], d[3:]]),
    "bytes": lambda d: [document.encode() for document in d],
}


@pytest.mark.parametrize("container", CONTAINERS.values(), ids=CONTAINERS)
def test_containers(container):
    labels = [place % 3 for place in range(len(SENTENCES))]
    expected = DocumentClassifier().fit(SENTENCES, labels)
    model = DocumentClassifier().fit(container(SENTENCES), labels)
    assert model_bytes(model) == model_bytes(expected)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        np.testing.assert_array_equal(
            model.predict_proba(container(SENTENCES)), expected.predict_proba(SENTENCES)
        )


@pytest.mark.parametrize(
    "container",
    [list, pd.Series, pl.Series, pa.array, lambda d: np.array(d, dtype=object)],
    ids=["list", "pandas", "polars", "arrow", "array"],
)
def test_a_missing_document_has_the_prior(container):
    documents = container(["good word", "bad word", None, "bad"])
    model = DocumentClassifier().fit(documents, ["a", "b", "b", "b"])
    np.testing.assert_allclose(model.predict_proba(container([None, "good"]))[0], [0.25, 0.75])


@pytest.mark.parametrize("bad", [3, 2.5, ["list"], object()], ids=str)
def test_an_item_that_is_no_document_is_named(bad):
    with pytest.raises(TypeError, match="document 1 is no str"):
        DocumentClassifier().fit(["good", bad], [0, 1])


def test_what_is_no_sequence_of_documents():
    with pytest.raises(ValueError, match="string object received"):
        DocumentClassifier().fit("some words", [0])
    with pytest.raises(ValueError, match="0 sample"):
        DocumentClassifier().fit([], [])
    with pytest.raises(ValueError, match="one column"):
        DocumentClassifier().fit(pd.DataFrame({"a": ["x"], "b": ["y"]}), [0])
    with pytest.raises(ValueError, match="one column"):
        DocumentClassifier().fit(np.array([["x", "y"]]), [0])
    with pytest.raises(ValueError, match="inconsistent numbers of samples"):
        DocumentClassifier().fit(["a b", "c d"], [0])
    with pytest.raises(ValueError, match="requires y"):
        DocumentClassifier().fit(["a b"], None)


def test_half_of_a_surrogate_pair():
    model = DocumentClassifier().fit(["good \ud83d word", "bad"], [0, 1])
    assert model.vocabulary_ == ["bad", "good", "word"]


# -- words ----------------------------------------------------------------------------------------


def test_vocabulary_is_in_the_order_of_code_points():
    model = DocumentClassifier().fit(SENTENCES, range(len(SENTENCES)))
    assert model.vocabulary_ == sorted(CountVectorizer().fit(SENTENCES).vocabulary_)


def test_top_words():
    documents = ["free prize call", "free call now", "see you at home", "home at last"]
    model = DocumentClassifier().fit(documents, ["spam", "spam", "ham", "ham"])
    tops = model.top_words(2)
    assert list(tops) == ["ham", "spam"]
    assert [top.word for top in tops["spam"]] == ["call", "free"]
    best = tops["ham"][0]
    assert (best.word, best.count, best.elsewhere) == ("at", 2.0, 0.0)
    # ln p(at | ham) - ln p(at | spam): 9 terms, 7 words in ham and 6 in spam
    assert best.log_odds == pytest.approx(np.log(3 / 16) - np.log(1 / 15))


def test_explain_names_the_words():
    model = DocumentClassifier().fit(["good good fine", "bad poor fine"], ["yes", "no"])
    explained = model.explain(["good fine good unheard", "poor"])
    words = {share.word: share for share in explained.words[0]}
    assert list(words) == ["good", "fine"]
    assert words["good"].count == 2.0
    odds = np.log((2 + 1) / (3 + 4)) - np.log((0 + 1) / (3 + 4))
    assert words["good"].contribution == pytest.approx(2 * odds)
    for row, shares in enumerate(explained.words):
        total = sum(share.contribution for share in shares)
        assert total == pytest.approx(explained.contributions[row, 0])
        assert explained.log_odds[row] == pytest.approx(explained.prior[row] + total)
    halved = model.explain(["good"], log_base=np.e**2).words[0][0].contribution
    assert halved == pytest.approx(odds / 2)


def test_a_document_without_known_words_has_the_prior_and_a_warning():
    model = DocumentClassifier().fit(["good", "bad", "bad"], [0, 1, 1])
    with pytest.warns(UserWarning, match="2 of 3 documents have no term of the vocabulary"):
        posteriors = model.predict_proba(["good", "unheard of", ""])
    np.testing.assert_allclose(posteriors[1:], [[1 / 3, 2 / 3]] * 2)


def test_attributes_wait_for_fit():
    assert not hasattr(DocumentClassifier(), "vocabulary_")
    with pytest.raises(ValueError, match="not fitted yet"):
        DocumentClassifier().top_words()


# -- parameters -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("parameters", "sentence"),
    [
        ({"family": "poisson"}, "poisson"),
        ({"ngrams": (2, 1)}, "ngrams"),
        ({"ngrams": (1, 2), "chars": (2, 3)}, "exclude each other"),
        ({"min_df": -1}, "min-df"),
        ({"max_df": 1.5}, "max-df"),
        ({"vocabulary": ["a", "a"]}, "twice"),
        ({"vocabulary": []}, "empty"),
        ({"stop_words": ["a\nb"]}, "line break"),
        ({"stop_words": [1]}, "terms are str"),
        ({"hash_bits": 40}, "hash-bits"),
        ({"hash_bits": 8, "max_vocabulary": 3}, "exclude each other"),
        ({"min_df": 3}, "min-df"),
    ],
    ids=str,
)
def test_bad_parameters(parameters, sentence):
    with pytest.raises(logodds.LogoddsError, match=sentence):
        DocumentClassifier(**parameters).fit(["good word", "bad word"], [0, 1])


def test_shares_and_numbers_of_documents():
    documents = ["one two", "one two", "one", "three"]
    for limit, kept in ((2, ["one", "two"]), (0.75, ["one"]), (1, ["one", "three", "two"])):
        model = DocumentClassifier(min_df=limit).fit(documents, [0, 1, 0, 1])
        assert model.vocabulary_ == kept
    for limit, kept in ((2, ["three", "two"]), (0.5, ["three", "two"]), (1, ["three"])):
        model = DocumentClassifier(max_df=limit).fit(documents, [0, 1, 0, 1])
        assert model.vocabulary_ == kept


def test_clone_pickle_grid_search(sms):
    documents, labels = sms
    search = GridSearchCV(
        DocumentClassifier(), {"smoothing": [0.01, 100.0], "ngrams": [(1, 1), (1, 2)]}, cv=3
    ).fit(documents[:900], labels[:900])
    assert search.best_params_["smoothing"] == 0.01
    best = search.best_estimator_
    assert clone(best).get_params() == best.get_params()
    again = pickle.loads(pickle.dumps(best))
    np.testing.assert_array_equal(
        again.predict_proba(documents[900:1000]), best.predict_proba(documents[900:1000])
    )
    assert cross_val_score(best, np.array(documents[:600]), labels[:600], cv=3).min() > 0.9


# -- rows that come and go, files -----------------------------------------------------------------


@pytest.mark.parametrize(
    "parameters",
    [
        {},
        {"family": "bernoulli", "min_df": 2},
        {"family": "complement", "tf_idf": True},
        {"family": "markov"},
        {"hash_bits": 8},
        {"chars": (2, 3)},
    ],
    ids=str,
)
def test_update_merge_forget(parameters, sms):
    documents, labels = sms[0][:600], sms[1][:600]
    whole = DocumentClassifier(**parameters).fit(documents, labels)
    first = DocumentClassifier(**parameters).fit(documents[:250], labels[:250])
    second = DocumentClassifier(**parameters).fit(documents[250:], labels[250:])
    assert model_bytes(first.merge(second)) == model_bytes(whole)
    grown = clone(whole).partial_fit(documents[:250], labels[:250])
    grown.partial_fit(documents[250:], labels[250:])
    assert model_bytes(grown) == model_bytes(whole)
    assert model_bytes(grown.forget(documents[250:], labels[250:])) == model_bytes(first)


def test_classes_join_and_may_be_declared():
    model = DocumentClassifier().partial_fit(["good word"], ["a"], classes=["a", "b", "c"])
    assert list(model.classes_) == ["a", "b", "c"]
    model.partial_fit(["bad word"], ["c"])
    np.testing.assert_allclose(model.predict_proba(["bad"])[0, 1], 0.0)
    assert set(model.top_words()) == {"a", "c"}


def test_weights(sms):
    documents, labels = sms[0][:300], sms[1][:300]
    weights = np.arange(300) % 3
    weighted = DocumentClassifier().fit(documents, labels, sample_weight=weights)
    rows = np.repeat(np.arange(300), weights)
    repeated = DocumentClassifier().fit([documents[r] for r in rows], labels[rows])
    assert weighted.vocabulary_ == repeated.vocabulary_
    np.testing.assert_allclose(weighted.predict_proba(documents), repeated.predict_proba(documents))


def test_save_and_load(tmp_path, sms):
    documents, labels = sms
    parameters = {
        "ngrams": (1, 2),
        "min_df": 2,
        "max_df": 0.5,
        "stop_words": ["the", "you"],
        "smoothing": 0.1,
    }
    model = DocumentClassifier(**parameters).fit(documents[:500], labels[:500])
    model.save(tmp_path / "model")
    again = logodds.load(tmp_path / "model")
    assert type(again) is DocumentClassifier
    assert again.get_params() == model.get_params()
    np.testing.assert_array_equal(
        again.predict_proba(documents[500:600]), model.predict_proba(documents[500:600])
    )
    again.partial_fit(documents[500:600], labels[500:600])


def test_the_command_makes_the_same_model(tmp_path, command, sms):
    documents, labels = sms
    command("train", SMS, "--format", "lines", "-o", tmp_path / "model", "--quiet")
    shell = logodds.load(tmp_path / "model")
    assert type(shell) is DocumentClassifier
    python = DocumentClassifier().fit(documents, labels)
    assert shell.vocabulary_ == python.vocabulary_
    np.testing.assert_array_equal(
        shell.predict_proba(documents[:50]), python.predict_proba(documents[:50])
    )
    python.save(tmp_path / "own")
    (tmp_path / "lines").write_text(f"ham\t{documents[0]}\n", encoding="utf-8")
    assert labels[0] in command(
        "predict", tmp_path / "own", tmp_path / "lines", "--format", "lines"
    )


# -- documents beside other columns ---------------------------------------------------------------


@pytest.mark.parametrize("make", [pd.DataFrame, pl.DataFrame, pa.table], ids=lambda m: m.__module__)
def test_a_text_column_beside_others(make, sms):
    documents, labels = sms[0][:400], sms[1][:400]
    frame = make({"body": documents, "length": [len(d) + 0.5 for d in documents]})
    model = NaiveBayesClassifier(kinds={"body": "text"}, ngrams=(1, 2)).fit(frame, labels)
    assert model.kinds_ == {"body": "text", "length": "real"}
    assert model.families_["body"] == "multinomial"
    text = DocumentClassifier(ngrams=(1, 2)).fit(documents, labels)
    number = NaiveBayesClassifier().fit(make({"length": frame["length"]}), labels)
    logs = (
        text.predict_log_proba(documents)
        + number.predict_log_proba(make({"length": frame["length"]}))
        - np.log(text.priors_)
    )
    logs -= np.log(np.exp(logs).sum(axis=1, keepdims=True))
    np.testing.assert_allclose(model.predict_log_proba(frame), logs, rtol=1e-7, atol=1e-9)
    assert model.vocabularies_ == {"body": text.vocabulary_}
    assert list(model.top_words(3)) == ["body"]
    assert all(share.column == "body" for share in model.explain(frame).words[0])
    before = model_bytes(model)
    model.partial_fit(frame, labels)
    assert model_bytes(model.forget(frame, labels)) == before


def test_a_text_column_of_an_array():
    X = np.array([["good word", 1.5], ["bad word", 2.5], [None, 1.0], ["bad", 3.0]], dtype=object)
    y = [0, 1, 0, 1]
    model = NaiveBayesClassifier(kinds={0: "text"}).fit(X, y)
    assert model.vocabularies_ == {"x1": ["bad", "good", "word"]}
    frame = pd.DataFrame({"x1": X[:, 0], "x2": X[:, 1].astype(float)})
    other = NaiveBayesClassifier(kinds={"x1": "text"}).fit(frame, y)
    np.testing.assert_allclose(model.predict_proba(X), other.predict_proba(frame))


def test_columns_that_look_like_documents_are_text(sms):
    frame = pd.DataFrame({"body": sms[0][:300], "label": sms[1][:300]})
    model = NaiveBayesClassifier().fit(frame[["body"]], frame["label"])
    assert model.kinds_ == {"body": "text"}
    assert any("documents" in note for note in model.notes_)
    given = NaiveBayesClassifier(kinds={"body": "categorical"}).fit(frame[["body"]], frame["label"])
    assert given.kinds_ == {"body": "categorical"}
