"""From a document to its terms, step by step in Python, as scikit-learn's vectorizers have it.

The core does all of it faster, where it can: see _native_text.py. These steps are for everything
else, and for callers who want the functions themselves.
"""

from __future__ import annotations

import re
import unicodedata
import warnings
from collections.abc import Callable, Iterable
from functools import partial
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np

from logodds._parameters import Parameterized

WORDS = r"(?u)\b\w\w+\b"
"""The default pattern: words of two or more characters."""
WHITE_SPACES = re.compile(r"\s\s+")
Terms: TypeAlias = Iterable[Any]


class TextSteps(Parameterized):
    """What the two vectorizers share: parameters of the text, and the functions made of them."""

    input: str
    encoding: str
    decode_error: str
    strip_accents: Any
    lowercase: bool
    preprocessor: Callable[[Any], Any] | None
    tokenizer: Callable[[Any], Any] | None
    stop_words: Any
    token_pattern: str | None
    ngram_range: tuple[int, int]
    analyzer: Any
    _stop_words_id: int

    def decode(self, doc: Any) -> Any:
        """The text of a document: read from its file, and decoded where it is bytes."""
        if self.input == "filename":
            doc = Path(doc).read_bytes()
        elif self.input == "file":
            doc = doc.read()
        if isinstance(doc, bytes):
            doc = doc.decode(self.encoding, self.decode_error)
        if doc is np.nan:
            raise ValueError("np.nan is an invalid document, expected byte or unicode string.")
        return doc

    def build_preprocessor(self) -> Callable[[Any], Any]:
        """The function that is applied to a text before it is cut."""
        if self.preprocessor is not None:
            return self.preprocessor
        strip: Any = self.strip_accents or None
        if isinstance(strip, str):
            if strip not in ACCENTS:
                raise ValueError(f'Invalid value for "strip_accents": {strip}')
            strip = ACCENTS[strip]
        return partial(_preprocess, lower=self.lowercase, strip=strip)

    def build_tokenizer(self) -> Callable[[Any], Any]:
        """The function that cuts a text into words."""
        if self.tokenizer is not None:
            return self.tokenizer
        pattern = re.compile(self.token_pattern or "")
        if pattern.groups > 1:
            raise ValueError(
                "More than 1 capturing group in token pattern. Only a single group should be "
                "captured."
            )
        return pattern.findall

    def get_stop_words(self) -> frozenset[Any] | None:
        """The words that are left out; None when there are none."""
        if self.stop_words is None:
            return None
        if not isinstance(self.stop_words, str):
            return frozenset(self.stop_words)
        if self.stop_words != "english":
            raise ValueError(f"not a built-in stop list: {self.stop_words}")
        try:
            from sklearn.feature_extraction.text import ENGLISH_STOP_WORDS
        except ImportError as error:
            raise ValueError(
                "stop_words='english' is scikit-learn's list, and scikit-learn is not installed; "
                "give the words as a list"
            ) from error
        words: frozenset[Any] = ENGLISH_STOP_WORDS
        return words

    def build_analyzer(self) -> Callable[[Any], Terms]:
        """The function that turns a document into its terms."""
        if callable(self.analyzer):
            return partial(_analyze, decode=self.decode, steps=(self.analyzer,))
        preprocess = self.build_preprocessor()
        if self.analyzer == "char":
            return partial(_analyze, decode=self.decode, steps=(preprocess, self._char_ngrams))
        if self.analyzer == "char_wb":
            return partial(_analyze, decode=self.decode, steps=(preprocess, self._char_wb_ngrams))
        if self.analyzer != "word":
            raise ValueError(f"{self.analyzer} is not a valid tokenization scheme/analyzer")
        stop_words, tokenize = self.get_stop_words(), self.build_tokenizer()
        self._check_stop_words_consistency(stop_words, preprocess, tokenize)
        grams = partial(self._word_ngrams, stop_words=stop_words)
        return partial(_analyze, decode=self.decode, steps=(preprocess, tokenize, grams))

    # -- n-grams ----------------------------------------------------------------------------------

    def _word_ngrams(self, tokens: Any, stop_words: Any = None) -> Any:
        words = tokens if stop_words is None else [w for w in tokens if w not in stop_words]
        low, high = self.ngram_range
        if high == 1:
            return words
        grams = list(words) if low == 1 else []
        for n in range(2 if low == 1 else low, min(high, len(words)) + 1):
            grams += [" ".join(words[i : i + n]) for i in range(len(words) - n + 1)]
        return grams

    def _char_ngrams(self, text: str) -> list[str]:
        text = WHITE_SPACES.sub(" ", text)
        low, high = self.ngram_range
        grams: list[str] = []
        for n in range(low, min(high, len(text)) + 1):
            grams += [text[i : i + n] for i in range(len(text) - n + 1)]
        return grams

    def _char_wb_ngrams(self, text: str) -> list[str]:
        """Within words, each between two spaces; a word shorter than n counts once."""
        low, high = self.ngram_range
        grams: list[str] = []
        for word in text.split():
            padded = f" {word} "
            for n in range(low, high + 1):
                grams += [padded[i : i + n] for i in range(max(1, len(padded) - n + 1))]
                if n >= len(padded):
                    break
        return grams

    # -- checks -----------------------------------------------------------------------------------

    def _check_stop_words_consistency(
        self, stop_words: Any, preprocess: Callable[[Any], Any], tokenize: Callable[[Any], Any]
    ) -> bool | str | None:
        """Whether stop words, read like a text, are stop words; None: this was checked before."""
        if id(self.stop_words) == getattr(self, "_stop_words_id", None):
            return None
        try:
            made = {token for word in stop_words or () for token in tokenize(preprocess(word))}
        except Exception:
            return "error"  # steps of the user's own, that are not for single words
        finally:
            self._stop_words_id = id(self.stop_words)
        strangers = sorted(token for token in made if token not in stop_words)
        if strangers:
            warnings.warn(
                "Your stop_words may be inconsistent with your preprocessing. Tokenizing the stop "
                f"words generated tokens {strangers!r} not in stop_words.",
                stacklevel=2,
            )
        return not strangers

    def _validate_ngram_range(self) -> None:
        low, high = self.ngram_range
        if low > high:
            raise ValueError(
                f"Invalid value for ngram_range={self.ngram_range} lower boundary larger than the "
                "upper boundary."
            )

    def _warn_for_unused_params(self) -> None:
        own = callable(self.analyzer)
        pattern = self.token_pattern
        unused = {
            "token_pattern": "'tokenizer' is not None'"
            if self.tokenizer is not None and pattern is not None
            else "",
            "preprocessor": "'analyzer' is callable'" if self.preprocessor and own else "",
            "ngram_range": "'analyzer' is callable'"
            if own and self.ngram_range not in ((1, 1), None)
            else "",
        }
        for name, reason in unused.items():
            if reason:
                _warn_unused(name, reason)
        if self.analyzer == "word":
            return
        given = {
            "stop_words": self.stop_words is not None,
            "token_pattern": pattern is not None and pattern != WORDS,
            "tokenizer": self.tokenizer is not None,
        }
        for name in (name for name, used in given.items() if used):
            _warn_unused(name, "'analyzer' != 'word'")


def _warn_unused(name: str, reason: str) -> None:
    warnings.warn(f"The parameter '{name}' will not be used since {reason}", stacklevel=3)


def _analyze(
    doc: Any, decode: Callable[[Any], Any], steps: tuple[Callable[[Any], Any], ...]
) -> Any:
    doc = decode(doc)
    for step in steps:
        doc = step(doc)
    return doc


def _preprocess(doc: Any, lower: bool, strip: Callable[[str], str] | None) -> Any:
    if lower:
        doc = doc.lower()
    return doc if strip is None else strip(doc)


def strip_accents_unicode(text: str) -> str:
    """Without the marks that Unicode's compatibility decomposition sets apart."""
    if text.isascii():
        return text
    return "".join(c for c in unicodedata.normalize("NFKD", text) if not unicodedata.combining(c))


def strip_accents_ascii(text: str) -> str:
    """The ASCII letters of Unicode's compatibility decomposition."""
    return unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode("ascii")


ACCENTS = {"ascii": strip_accents_ascii, "unicode": strip_accents_unicode}
