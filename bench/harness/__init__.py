"""What every task shares: the words of a benchmark, running, checking, reporting."""

from .terms import Entry, Run, Timing, Verdict, WrongAnswerError

__all__ = ["Entry", "Run", "Timing", "Verdict", "WrongAnswerError"]
