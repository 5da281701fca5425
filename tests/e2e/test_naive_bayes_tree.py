"""--structure tree against a straight computation: the tree of most information, and posteriors."""

import itertools
import math
from collections import Counter

import numpy as np
import pytest
from support import ok, ok_json, posteriors, read_csv, shared_data

MISSING = "?"


def heaviest_tree(weights: dict[frozenset, float]) -> set[frozenset]:
    """Kruskal's: edges by weight, unless both ends are in one tree already."""
    trees: list[set] = [{node} for node in set().union(*weights)]
    chosen = set()
    for edge in sorted(weights, key=weights.get, reverse=True):
        ends = [tree for tree in trees if tree & edge]
        if len(ends) == 2:
            trees = [tree for tree in trees if tree not in ends] + [ends[0] | ends[1]]
            chosen.add(edge)
    return chosen


def edges_of(model) -> list[tuple[str, str, float]]:
    tables = {table["title"]: table for table in ok_json("inspect", model)["tables"]}
    return [tuple(row) for row in tables["tree"]["rows"]]


def train(path, target, output, *options):
    words = ["train", path, "--target", target, "--model", "naive-bayes", "--structure", "tree"]
    ok(*words, *options, "-o", output, "--quiet")
    return output


def discrete_information(rows, target, first, second) -> float:
    """I(first; second | class) of the rows that have both, in nats."""
    seen = [(r[target], r[first], r[second]) for r in rows if MISSING not in (r[first], r[second])]
    joint, of_class = Counter(seen), Counter(k for k, _, _ in seen)
    left, right = Counter((k, a) for k, a, _ in seen), Counter((k, b) for k, _, b in seen)
    return sum(
        n / len(seen) * math.log(n * of_class[k] / (left[k, a] * right[k, b]))
        for (k, a, b), n in joint.items()
    )


def share(rows, asked, given, levels, alpha) -> float:
    """(n + alpha) / (N + alpha levels) among the rows with `given`."""
    known = [r for r in rows if all(r[n] == v for n, v in given) and r[asked[0]] != MISSING]
    return (sum(r[asked[0]] == asked[1] for r in known) + alpha) / (len(known) + alpha * levels)


@pytest.mark.parametrize("alpha", [1, 0.5])
def test_words(tmp_path, alpha):
    path = shared_data("house_votes_84/house_votes_84.csv")
    rows, target = read_csv(path.read_text()), "Class"
    model = train(path, target, tmp_path / "m", "--smoothing", alpha)
    names = [name for name in rows[0] if name != target]
    information = {
        frozenset(pair): discrete_information(rows, target, *pair)
        for pair in itertools.combinations(names, 2)
    }
    edges = edges_of(model)
    assert {frozenset(edge[:2]) for edge in edges} == heaviest_tree(information)
    for child, parent, value in edges:
        assert value == pytest.approx(information[frozenset((child, parent))], rel=1e-9)
    parents = {child: parent for child, parent, _ in edges}

    def log_joint(row, label):
        total = math.log(sum(r[target] == label for r in rows) / len(rows))
        for name in names:
            if row[name] == MISSING:
                continue
            given = [(target, label)]
            parent = parents.get(name)
            if parent is not None and row[parent] != MISSING:
                given.append((parent, row[parent]))
            total += math.log(share(rows, (name, row[name]), given, 2, alpha))
        return total

    some = rows[::9]
    scores = np.array([[log_joint(row, label) for label in ("democrat", "republican")]
                       for row in some])  # fmt: skip
    expected = 1 / (1 + np.exp(scores[:, ::-1] - scores))
    text = ok("predict", model, path, "--proba", "--quiet").stdout
    given = np.array(posteriors(text, ["democrat", "republican"]))[::9]
    np.testing.assert_allclose(given, expected, rtol=0, atol=1e-10)


def test_numbers(tmp_path):
    """Each column by a regression on its parent: a Gaussian whose precision follows the tree."""
    path = shared_data("iris/iris.csv")
    rows = read_csv(path.read_text())
    target = next(name for name in rows[0] if name.lower() in ("species", "class"))
    names = [name for name in rows[0] if name != target]
    labels = sorted({row[target] for row in rows})
    x = np.array([[float(row[name]) for name in names] for row in rows])
    y = np.array([labels.index(row[target]) for row in rows])
    covariances = [np.cov(x[y == k].T, bias=True) for k in range(3)]
    information = {}
    for i, j in itertools.combinations(range(4), 2):
        squares = [c[i, j] ** 2 / (c[i, i] * c[j, j]) for c in covariances]
        information[frozenset((names[i], names[j]))] = -np.mean(np.log1p(-np.array(squares))) / 2
    model = train(path, target, tmp_path / "m")
    edges = edges_of(model)
    assert {frozenset(edge[:2]) for edge in edges} == heaviest_tree(information)
    parents = {names.index(child): names.index(parent) for child, parent, _ in edges}

    def log_density(k, column):
        mean, cov = x[y == k].mean(axis=0), covariances[k]
        center, variance = mean[column], cov[column, column]
        if column in parents:
            parent = parents[column]
            slope = cov[column, parent] / cov[parent, parent]
            center = center + slope * (x[:, parent] - mean[parent])
            variance = variance - slope * cov[column, parent]
        return -((x[:, column] - center) ** 2) / (2 * variance) - math.log(variance) / 2

    scores = np.array([sum(log_density(k, c) for c in range(4)) for k in range(3)]).T
    expected = np.exp(scores - scores.max(axis=1, keepdims=True))
    expected /= expected.sum(axis=1, keepdims=True)
    text = ok("predict", model, path, "--proba", "--quiet").stdout
    np.testing.assert_allclose(posteriors(text, labels), expected, rtol=0, atol=1e-9)
