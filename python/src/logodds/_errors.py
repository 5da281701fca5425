"""What goes wrong, as exceptions. Each is also the builtin exception that callers expect."""


class LogoddsError(ValueError):
    """An option, a value or data that cannot be used; the message says where and what to do."""


class NumericError(LogoddsError):
    """The data does not determine the model: a singular covariance, classes that separate, ..."""


class ModelFileError(LogoddsError):
    """A model file that is damaged, cut short, of another version, or no model file at all."""


class FileError(LogoddsError, OSError):
    """The operating system refused to open, read, write or rename a file."""


class CovarianceWarning(UserWarning):
    """A covariance was singular, and a ridge was added to it that nobody had asked for."""
