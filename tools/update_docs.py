"""Rewrites what the documentation quotes: tables of options, transcripts, printed output, pictures.

usage: .venv/bin/python tools/update_docs.py

Look at the difference before you commit it. `make test STAGES=docs` checks the same.
"""

import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.dont_write_bytecode = True
sys.path.insert(0, str(ROOT / "tests" / "docs"))
import gallery  # noqa: E402
from pages import PAGES  # noqa: E402
from run_page import run_page  # noqa: E402
from tables import with_tables  # noqa: E402


def update(page: Path) -> bool:
    """True when the page is right now."""
    page.write_text(with_tables(page.read_text()))
    with tempfile.TemporaryDirectory() as folder:
        findings = run_page(page, Path(folder))
        if page == gallery.PAGE and not findings:
            gallery.update(Path(folder))
    content = page.read_text()
    for finding in reversed(findings):  # from the end, so that earlier places stay valid
        if finding.better is not None:
            block = finding.block
            content = content[: block.begin] + finding.better + content[block.end :]
            print(f"{block}: updated")
        else:
            print(finding)
    page.write_text(content)
    return all(finding.better is not None for finding in findings)


if __name__ == "__main__":
    results = [update(page) for page in PAGES]
    sys.exit(0 if all(results) else 1)
