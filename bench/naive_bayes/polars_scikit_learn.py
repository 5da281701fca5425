"""The same models of scikit-learn, words and labels encoded by polars, which is quicker."""

import polars
from harness.loading import ROOT, load_file

NAME = "polars + scikit-learn"


class PolarsEncoder:
    """Words to places in the list of levels, a missing one to the commonest."""

    def fit(self, frame):
        self.levels = {c: frame[c].drop_nulls().unique(maintain_order=True) for c in frame.columns}
        self.common = {c: frame[c].drop_nulls().mode()[0] for c in frame.columns}
        return self

    def transform(self, frame):
        coded = frame.select(
            polars.col(c).fill_null(self.common[c]).cast(polars.Enum(levels)).to_physical()
            for c, levels in self.levels.items()
        )
        return coded.to_numpy()

    @staticmethod
    def labels(series):
        order = series.unique().sort().cast(polars.String)
        return series.cast(polars.String).cast(polars.Enum(order)).to_physical().to_numpy()


def runs(data):
    combined = load_file(ROOT / "naive_bayes" / "scikit_learn.py")
    return [run for table in data for run in combined.runs_of(table, PolarsEncoder)]
