"""logodds.metrics.roc_auc, with its interval."""

from harness.loading import load_task
from logodds import metrics

NAME = "logodds"


def runs(data):
    return load_task("auc").runs_of(metrics.roc_auc, data)
