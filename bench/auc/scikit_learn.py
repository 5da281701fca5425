"""scikit-learn's roc_auc_score."""

from harness.loading import load_task
from sklearn.metrics import roc_auc_score

NAME = "scikit-learn"


def runs(data):
    return load_task("auc").runs_of(roc_auc_score, data)
