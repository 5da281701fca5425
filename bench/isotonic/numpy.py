"""numpy.sort, which uses AVX-512 or AVX2 where the processor has it."""

import numpy as np
from harness import Run

NAME = "NumPy"


def runs(data):
    def sort():
        found = np.sort(data.x)
        return lambda: found

    return [Run("sort", sort)]
