"""logodds: posterior::isotonic(), by the program in isotonic.cpp."""

import numpy as np
from harness import Run

NAME = "logodds"


def runs(data):
    answer = data.file.with_suffix(".line")

    def fit():
        data.worker.ask("isotonic")
        return line

    def line():
        data.worker.ask(f"write {answer}")
        return np.fromfile(answer).reshape(2, -1)

    data.worker.ask("isotonic")
    return [Run("fit", fit)]
