"""The law of one column within each class, straight from its formula, in extended precision.

Every family is a function of the training values (with classes and weights) and a rule that returns
the function ln p(x | C_k) of an array of values: one row a value, one column a class.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from straight_table import Extended

Law = Callable[[np.ndarray], np.ndarray]
PI = Extended("3.14159265358979323846264338327950288")


@dataclass
class Sample:
    """The values of a column that are there; `levels` is None for numbers."""

    x: np.ndarray
    classes: np.ndarray
    weights: np.ndarray
    class_count: int
    levels: int | None

    def of_class(self, k: int) -> tuple[np.ndarray, np.ndarray]:
        """Values and weights; of all classes together where the class has none."""
        mine = self.classes == k
        return (self.x[mine], self.weights[mine]) if mine.any() else (self.x, self.weights)

    def each_class(self) -> list[tuple[np.ndarray, np.ndarray]]:
        return [self.of_class(k) for k in range(self.class_count)]


@dataclass
class Rule:
    smoothing: float = 1.0
    floor: float = 1e-9  # share of the variance of the whole column


def mean_of(x: np.ndarray, w: np.ndarray) -> Extended:
    return (w * x).sum() / w.sum()


def variance_of(x: np.ndarray, w: np.ndarray) -> Extended:
    return (w * (x - mean_of(x, w)) ** 2).sum() / w.sum()


def grouped(x: np.ndarray, w: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The different values, each with its weight."""
    points, places = np.unique(x, return_inverse=True)
    weights = np.zeros(len(points), Extended)
    np.add.at(weights, places, w)
    return points, weights


def log(x) -> np.ndarray:
    with np.errstate(divide="ignore"):
        return np.log(np.asarray(x, Extended))


def log_sum(terms: np.ndarray) -> np.ndarray:
    """ln sum exp over the last axis; -inf where all terms are."""
    top = terms.max(axis=-1, keepdims=True)
    top = np.where(np.isfinite(top), top, 0)
    return log(np.exp(terms - top).sum(axis=-1)) + top[..., 0]


def shifted(z: np.ndarray, least: int = 25) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """z + m >= least with a whole m, ln of z (z + 1) ... (z + m - 1), and sum of 1 / (z + i)."""
    z = np.array(z, Extended)
    log_product, inverses = np.zeros_like(z), np.zeros_like(z)
    for _ in range(least):
        small = z < least
        log_product += np.where(small, np.log(z), 0)
        inverses += np.where(small, 1 / z, 0)
        z = np.where(small, z + 1, z)
    return z, log_product, inverses


def series(z: np.ndarray, coefficients: list[tuple[int, int]], first: int) -> np.ndarray:
    """sum of (p / q) z^-(first + 2 i)."""
    powers = (Extended(p) / q * z ** -(first + 2 * i) for i, (p, q) in enumerate(coefficients))
    return sum(powers)


def log_gamma(z) -> np.ndarray:
    """Stirling's series past 25, the recurrence below."""
    z, log_product, _ = shifted(z)
    terms = [(1, 12), (-1, 360), (1, 1260), (-1, 1680), (1, 1188), (-691, 360360), (1, 156)]
    return (z - 0.5) * np.log(z) - z + np.log(2 * PI) / 2 + series(z, terms, 1) - log_product


def digamma(z) -> np.ndarray:
    z, _, inverses = shifted(z)
    terms = [(1, 12), (-1, 120), (1, 252), (-1, 240), (1, 132), (-691, 32760), (1, 12)]
    return np.log(z) - 1 / (2 * z) - series(z, terms, 2) - inverses


def root(f: Callable[[Extended], Extended], low: float, high: float) -> Extended:
    """Of a falling function on the positive numbers, by bisection of the logarithm."""
    a, b = np.log(Extended(low)), np.log(Extended(high))
    for _ in range(120):
        middle = (a + b) / 2
        a, b = (middle, b) if f(np.exp(middle)) > 0 else (a, middle)
    return np.exp((a + b) / 2)


def stacked(densities: list[Callable[[np.ndarray], np.ndarray]]) -> Law:
    """One function a class to one of all classes."""
    return lambda x: np.stack([np.asarray(d(x), Extended) for d in densities], axis=-1)


# Real numbers.


def normal(mean: Extended, variance: Extended) -> Callable[[np.ndarray], np.ndarray]:
    return lambda x: -((x - mean) ** 2) / (2 * variance) - np.log(2 * PI * variance) / 2


def gaussian(sample: Sample, rule: Rule) -> Law:
    least = rule.floor * variance_of(sample.x, sample.weights)
    classes = [(mean_of(x, w), max(variance_of(x, w), least)) for x, w in sample.each_class()]
    return stacked([normal(mean, variance) for mean, variance in classes])


def log_normal(sample: Sample, rule: Rule) -> Law:
    of_logs = gaussian(
        Sample(np.log(sample.x), sample.classes, sample.weights, sample.class_count, None), rule
    )
    return lambda x: of_logs(np.log(x)) - np.log(x)[:, None]


def exponential(sample: Sample, rule: Rule) -> Law:
    least = rule.floor * mean_of(sample.x, sample.weights)
    means = [max(mean_of(x, w), least) for x, w in sample.each_class()]
    return stacked([lambda x, m=m: -np.log(m) - x / m for m in means])


def gamma(sample: Sample, rule: Rule) -> Law:
    """ln a - digamma(a) = ln mean - mean of ln x."""
    least_variance = rule.floor * variance_of(sample.x, sample.weights)

    def density(x, w):
        mean = mean_of(x, w)
        gap = np.log(mean) - mean_of(np.log(x), w)
        most = mean**2 / least_variance
        shape = root(lambda a: np.log(a) - digamma(a) - gap, 1e-6, float(most))
        scale = mean / shape
        constant = log_gamma(shape) + shape * np.log(scale)
        return lambda x: (shape - 1) * np.log(x) - x / scale - constant

    return stacked([density(x, w) for x, w in sample.each_class()])


def row_count(x: np.ndarray, w: np.ndarray) -> Extended:
    """The weight in the largest unit that every value's weight is a multiple of."""
    weights = grouped(x, w)[1]
    unit, slack = weights[0], weights.max() * Extended(1e-9)
    for weight in weights:
        while weight > slack:
            rest = unit % weight
            unit, weight = weight, Extended(0) if weight - rest <= slack else rest
    if unit < weights.min() * Extended(1e-6):
        return w.sum() ** 2 / (weights**2).sum()
    return w.sum() / unit


def quantile(x: np.ndarray, w: np.ndarray, share: float) -> Extended:
    """Type 7 of R, of rows whose weights are scaled to add up to their number."""
    order = np.argsort(x, kind="stable")
    n = row_count(x, w)
    up_to = w[order].cumsum() * n / w.sum()

    def value(position):  # the first with more than so many rows at or below it
        place = np.searchsorted(up_to, position * (1 + Extended(1e-9)), side="right")
        return x[order][min(place, len(x) - 1)]

    position = share * (n - 1)
    part = position - np.floor(position)
    low, high = value(np.floor(position)), value(np.floor(position) + 1)
    return low + part * (high - low)


def quartile_distance(x: np.ndarray, w: np.ndarray) -> Extended:
    return quantile(x, w, 0.75) - quantile(x, w, 0.25)


def bandwidth(x: np.ndarray, w: np.ndarray) -> Extended:
    """R's bw.nrd0."""
    n = row_count(x, w)
    deviation = np.sqrt(variance_of(x, w) * n / (n - 1)) if n > 1 else Extended(0)
    spread = min(deviation, quartile_distance(x, w) / Extended("1.34"))
    spread = spread or deviation or abs(x[0]) or Extended(1)
    return Extended("0.9") * spread * n ** Extended("-0.2")


def kernel(sample: Sample, rule: Rule) -> Law:
    least = np.sqrt(rule.floor * variance_of(sample.x, sample.weights))

    def density(x, w):
        width = max(bandwidth(x, w), least)
        points, weights = grouped(x, w)
        logs = np.log(weights / w.sum())
        return lambda at: log_sum(normal(points, width**2)(at[:, None]) + logs)

    return stacked([density(x, w) for x, w in sample.each_class()])


def bin_count(x: np.ndarray, w: np.ndarray) -> int:
    """Freedman and Diaconis; Sturges where the quartiles are one."""
    n = row_count(x, w)
    distance = quartile_distance(x, w)
    if distance > 0:
        bins = (x.max() - x.min()) / (2 * distance * n ** (-1 / Extended(3)))
    else:
        bins = np.log2(n) + 1
    return int(min(max(np.ceil(bins * (1 - Extended(1e-12))), 1), 1000))


def histogram(sample: Sample, rule: Rule) -> Law:
    low, high = sample.x.min(), sample.x.max()
    bins = bin_count(sample.x, sample.weights)
    width = (high - low) / bins

    def places(x):
        inside = np.minimum(np.floor((x - low) / width), bins - 1).astype(int)
        return np.where((x < low) | (x > high), bins, inside)

    def density(x, w):
        counts = np.zeros(bins + 1, Extended)
        np.add.at(counts, places(x), w)
        shares = (counts + rule.smoothing) / (w.sum() + rule.smoothing * bins)
        return lambda at: log(shares / width)[places(at)]

    return stacked([density(x, w) for x, w in sample.each_class()])


# Yes or no, categories.


def categorical(sample: Sample, rule: Rule) -> Law:
    levels = 2 if sample.levels is None else sample.levels
    alpha = Extended(rule.smoothing)

    def density(k):
        mine = sample.classes == k
        if alpha == 0 and not mine.any():
            mine[:] = True
        counts = np.zeros(levels + 1, Extended)
        np.add.at(counts, sample.x[mine].astype(int), sample.weights[mine])
        shares = log((counts + alpha) / (sample.weights[mine].sum() + alpha * levels))
        shares[-1] = 0 if alpha == 0 else shares[-1]  # a level that training has not met
        return lambda x: shares[x.astype(int)]

    return stacked([density(k) for k in range(sample.class_count)])


# Counts.


def smoothed_mean(sample: Sample, rule: Rule, k: int) -> Extended:
    """`smoothing` rows of the overall mean join the class."""
    overall = mean_of(sample.x, sample.weights)
    mine = sample.classes == k
    if rule.smoothing == 0 and not mine.any():
        return overall
    w = sample.weights[mine]
    total = (w * sample.x[mine]).sum() + rule.smoothing * overall
    return total / (w.sum() + rule.smoothing)


def x_times_log(x: np.ndarray, y: Extended) -> np.ndarray:
    """x ln y, and 0 ln 0 = 0."""
    return np.where(x == 0, 0, x * log(y)) if y > 0 else np.where(x == 0, 0, -np.inf)


def poisson_density(rate: Extended) -> Callable[[np.ndarray], np.ndarray]:
    return lambda x: x_times_log(x, rate) - rate - log_gamma(x + 1)


def poisson(sample: Sample, rule: Rule) -> Law:
    rates = [smoothed_mean(sample, rule, k) for k in range(sample.class_count)]
    return stacked([poisson_density(rate) for rate in rates])


def geometric(sample: Sample, rule: Rule) -> Law:
    """p (1 - p)^x with p = 1 / (1 + mean)."""
    means = [smoothed_mean(sample, rule, k) for k in range(sample.class_count)]
    return stacked([lambda x, m=m: x_times_log(x, m / (1 + m)) - np.log1p(m) for m in means])


def dispersion(x: np.ndarray, w: np.ndarray) -> Extended:
    """r of greatest likelihood with the class's own mean; infinite where it is Poisson's."""
    mean = mean_of(x, w)
    if variance_of(x, w) <= mean:
        return Extended(np.inf)
    x, w = grouped(x, w)

    def slope(r):
        return mean_of(digamma(x + r), w) - digamma(r) + np.log(r / (r + mean))

    return root(slope, 1e-8, 1e12)


def negative_binomial(sample: Sample, rule: Rule) -> Law:
    def density(k):
        mean = smoothed_mean(sample, rule, k)
        r = dispersion(*sample.of_class(k))
        if np.isinf(r):
            return poisson_density(mean)
        return lambda x: (
            (log_gamma(x + r) - log_gamma(r) - log_gamma(x + 1))
            + r * np.log(r / (r + mean))
            + x_times_log(x, mean / (r + mean))
        )

    return stacked([density(k) for k in range(sample.class_count)])


FAMILIES = {
    "gaussian": gaussian,
    "log-normal": log_normal,
    "exponential": exponential,
    "gamma": gamma,
    "kernel": kernel,
    "histogram": histogram,
    "bernoulli": categorical,
    "categorical": categorical,
    "poisson": poisson,
    "geometric": geometric,
    "negative-binomial": negative_binomial,
}
DEFAULTS = {
    "real": "gaussian",
    "binary": "bernoulli",
    "categorical": "categorical",
    "count": "poisson",
}
