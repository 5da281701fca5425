"""std::sort of the doubles alone, by the program in isotonic.cpp."""

import numpy as np
from harness import Run

NAME = "std::sort"


def runs(data):
    answer = data.file.with_suffix(".sorted")

    def sort():
        data.worker.ask("sort")
        return in_order

    def in_order():
        data.worker.ask(f"write {answer}")
        return np.fromfile(answer)

    return [Run("sort", sort)]
