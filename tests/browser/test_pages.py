"""Pages opened from a file: no error, no network, accessible in light and dark, tips, a phone."""

import subprocess
from contextlib import contextmanager
from pathlib import Path

import gallery
import pytest
from axe_playwright_python.sync_playwright import Axe
from pages import COMMAND

DESKTOP = {"width": 1100, "height": 900}
PHONE = {"width": 390, "height": 844}
NAMES = sorted(path.stem for path in gallery.FOLDER.glob("*.svg"))

# A place of a mark with a tip that nothing lies over, after it is scrolled to; null: none. The
# middle of its box, or of a line, which has nothing there, places along it.
REACHABLE = """() => {
  const places = mark => {
    const box = mark.getBoundingClientRect();
    const found = [[box.left + box.width / 2, box.top + box.height / 2]];
    for (let i = 1; i < 40; ++i) {
      const point = mark.getPointAtLength(mark.getTotalLength() * i / 40)
        .matrixTransform(mark.getScreenCTM());
      found.push([point.x, point.y]);
    }
    return found;
  };
  for (const mark of document.querySelectorAll('.tip')) {
    mark.scrollIntoView({block: 'center'});
    for (const [x, y] of places(mark)) {
      if (document.elementFromPoint(x, y) === mark) {
        const title = mark.querySelector('title');
        return {x, y, text: title ? title.textContent : mark.getAttribute('data-tip')};
      }
    }
  }
  return null;
}"""


@contextmanager
def opened(browser, path: Path, viewport=DESKTOP, scheme: str = "light"):
    """The page, and at the end what went wrong on it, and what it asked the network for."""
    context = browser.new_context(viewport=viewport, color_scheme=scheme)
    page = context.new_page()
    problems: list[str] = []
    page.on("pageerror", lambda error: problems.append(str(error)))
    page.on("console", lambda message: problems.append(message.text))
    own = (path.resolve().as_uri(), "data:")
    page.on(
        "request",
        lambda request: request.url.startswith(own) or problems.append(f"asks for {request.url}"),
    )
    page.goto(path.resolve().as_uri())
    yield page
    context.close()
    assert not problems


def check_access(page) -> None:
    found = Axe().run(page)
    assert found.violations_count == 0, found.generate_report()


def check_tip(page) -> None:
    target = page.evaluate(REACHABLE)
    if target is None:
        assert page.locator(".tip").count() == 0, "no tip can be pointed at"
        return
    page.mouse.move(target["x"], target["y"])
    box = page.locator("#tip")
    assert box.is_visible()
    assert box.inner_text().split() == target["text"].split()
    page.mouse.move(1, 1)
    assert box.is_hidden()


def check_phone(browser, path: Path) -> None:
    with opened(browser, path, PHONE) as page:
        assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]


@pytest.mark.parametrize("name", NAMES)
def test_page_of_a_picture(browser, pages, name):
    with opened(browser, pages[name]) as page:
        check_access(page)
        check_tip(page)
    with opened(browser, pages[name], scheme="dark") as page:
        check_access(page)
    check_phone(browser, pages[name])


def test_tips_are_come_to_by_keyboard(browser, pages):
    with opened(browser, pages["confusion"]) as page:
        page.keyboard.press("Tab")
        assert "decided as" in page.locator("#tip").inner_text()
        page.keyboard.press("Escape")
        assert page.locator("#tip").is_hidden()


def test_dark_page_is_dark(browser, pages):
    ground = "getComputedStyle(document.querySelector('svg > rect')).fill"
    with opened(browser, pages["confusion"], scheme="dark") as page:
        assert page.evaluate(ground) == "rgb(24, 24, 24)"
    with opened(browser, pages["confusion"]) as page:
        assert page.evaluate(ground) == "rgb(255, 255, 255)"


def test_hostile_labels_run_nothing(browser, tmp_path):
    rows = ["x,y"]
    for label in ("<script>document.title='taken'</script>", '"><img src=x onerror=alert(1)>'):
        quoted = '"' + label.replace('"', '""') + '"'
        rows += [f"{i + len(label)},{quoted}" for i in range(20)]
    (tmp_path / "rows.csv").write_text("\n".join(rows) + "\n")

    def run(*words: str) -> None:
        subprocess.run([COMMAND, *words], cwd=tmp_path, check=True, capture_output=True)

    run("train", "rows.csv", "--target", "y", "--model", "gaussian", "-o", "m")
    run("plot", "confusion", "m", "rows.csv", "-o", "page.html", "--title", "</title><b>")
    with opened(browser, tmp_path / "page.html") as page:
        assert page.title() == "</title><b>"
        assert page.locator("img, main b, main script").count() == 0
        check_tip(page)


REPORTS = {
    "measures": (
        ["data/penguins.csv", "--target", "species", "--model", "gaussian"],
        ["--ignore", "island,sex,year"],
    ),
    "categories": (["data/penguins.csv", "--target", "species", "--model", "naive-bayes"], []),
    "two classes": (["data/alarms.csv", "--target", "alarm", "--model", "softmax"], []),
    "messages": (["data/sms_spam.txt", "--format", "lines", "--model", "naive-bayes"], []),
}


@pytest.mark.parametrize("name", REPORTS)
def test_report(browser, tmp_path, name):
    (tmp_path / "data").symlink_to(gallery.ROOT / "data")
    words, more = REPORTS[name]
    path = tmp_path / "report.html"
    train = [COMMAND, "train", *words, *more, "-o", "m", "--quiet"]
    subprocess.run(train, cwd=tmp_path, check=True)
    kind = words[1:3] if words[1] == "--format" else []
    report = [COMMAND, "report", "m", words[0], *kind, "-o", path, "--quiet"]
    subprocess.run(report, cwd=tmp_path, check=True)
    with opened(browser, path) as page:
        check_access(page)
        check_tip(page)
    with opened(browser, path, scheme="dark") as page:
        check_access(page)
    check_phone(browser, path)
