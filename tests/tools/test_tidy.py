"""tools/tidy remembers what is clean, and nothing else."""

import json
import os
import shutil
import subprocess
from pathlib import Path

import pytest

TIDY = Path(__file__).resolve().parents[2] / "tools" / "tidy"
# Finds the word BAD in a file or in the header beside it, and writes down that it was asked.
STAND_IN = """#!/bin/sh
[ "$1" = --version ] && { cat "$VERSION"; exit; }
for file; do :; done
echo "$file" >> "$ASKED"
grep -s BAD "$file" "$(dirname "$file")/common.hpp" && exit 1
exit 0
"""

pytestmark = pytest.mark.skipif(
    shutil.which("clang-scan-deps-19") is None, reason="clang-scan-deps-19 is not here"
)


class Project:
    """Two source files, one of which includes a header."""

    def __init__(self, folder: Path, shared: Path):
        self.folder, self.shared = folder, shared
        for name in ("tools", "src", "apps", "build/asan"):
            (folder / name).mkdir(parents=True)
        shutil.copy(TIDY, folder / "tools")
        self.write(".clang-tidy", "Checks: all\n")
        self.write("src/common.hpp", "int common();\n")
        self.write("src/a.cpp", '#include "common.hpp"\nint a() { return common(); }\n')
        self.write("src/b.cpp", "int b() { return 1; }\n")
        self.compile_with("-std=c++20")

    def write(self, name: str, text: str) -> None:
        (self.folder / name).write_text(text)

    def compile_with(self, flags: str) -> None:
        files = [str(self.folder / "src" / name) for name in ("a.cpp", "b.cpp")]
        build = str(self.folder / "build/asan")
        entries = [
            {"directory": build, "file": file, "command": f"clang++-19 {flags} -o x.o -c {file}"}
            for file in files
        ]
        self.write("build/asan/compile_commands.json", json.dumps(entries))

    def asked(self, *options: str, clean: bool = True) -> list[str]:
        """The files that clang-tidy was asked about in one run of tools/tidy."""
        log = self.shared / "asked"
        log.write_text("")
        environment = os.environ | {
            "PATH": f"{self.shared}:{os.environ['PATH']}",
            "XDG_CACHE_HOME": str(self.shared / "cache"),
            "VERSION": str(self.shared / "version"),
            "ASKED": str(log),
        }
        result = subprocess.run(
            [self.folder / "tools/tidy", *options],
            env=environment,
            capture_output=True,
            text=True,
        )
        assert result.returncode == (0 if clean else 1), result.stdout + result.stderr
        assert ("BAD" in result.stdout) != clean
        return sorted(Path(line).name for line in log.read_text().splitlines())


@pytest.fixture
def shared(tmp_path):
    program = tmp_path / "clang-tidy-19"
    program.write_text(STAND_IN)
    program.chmod(0o755)
    (tmp_path / "version").write_text("19.1\n")
    return tmp_path


@pytest.fixture
def project(tmp_path, shared):
    return Project(tmp_path / "one", shared)


def test_what_is_clean_is_asked_about_once_in_all_clones(project, tmp_path, shared):
    assert project.asked() == ["a.cpp", "b.cpp"]
    assert project.asked() == []
    assert Project(tmp_path / "two", shared).asked() == []


def test_whatever_clang_tidy_sees_is_looked_at_again_when_it_changes(project):
    project.asked()
    project.write("src/common.hpp", "int common();  // of both\n")
    assert project.asked() == ["a.cpp"]
    project.write("src/b.cpp", "int b() { return 2; }\n")
    assert project.asked() == ["b.cpp"]
    project.write(".clang-tidy", "Checks: most\n")
    assert project.asked() == ["a.cpp", "b.cpp"]
    project.compile_with("-std=c++23")
    assert project.asked() == ["a.cpp", "b.cpp"]
    (project.shared / "version").write_text("20.1\n")
    assert project.asked() == ["a.cpp", "b.cpp"]
    assert project.asked() == []


def test_a_finding_is_never_remembered(project):
    project.write("src/b.cpp", "int BAD() { return 1; }\n")
    assert project.asked(clean=False) == ["a.cpp", "b.cpp"]
    assert project.asked(clean=False) == ["b.cpp"]
    project.write("src/common.hpp", "int common(), BAD();\n")
    assert project.asked(clean=False) == ["a.cpp", "b.cpp"]


def test_a_file_in_no_target_is_always_looked_at(project):
    project.write("apps/c.cpp", "int c() { return 1; }\n")
    assert project.asked() == ["a.cpp", "b.cpp", "c.cpp"]
    assert project.asked() == ["c.cpp"]


def test_what_there_is_no_time_for_is_looked_at_by_the_next_run(project):
    assert project.asked("--seconds", "-1") == []
    assert project.asked("--seconds", "60") == ["a.cpp", "b.cpp"]
    assert project.asked("--seconds", "-1") == []
