"""Every kind looks as the stored picture does, when the same browser paints both."""

import re

import gallery
import pytest

VISIBLE = 32  # of 255, in any channel
MOST_SHARE = 0.005  # of the pixels may differ visibly

# Both pictures on a canvas: how many pixels there are, and how many differ visibly.
COMPARE = """async ([first, second, visible]) => {
  const pixels = async (text) => {
    const image = new Image();
    image.src = 'data:image/svg+xml;charset=utf-8,' + encodeURIComponent(text);
    await image.decode();
    const canvas = document.createElement('canvas');
    [canvas.width, canvas.height] = [image.naturalWidth, image.naturalHeight];
    const context = canvas.getContext('2d');
    context.drawImage(image, 0, 0);
    return context.getImageData(0, 0, canvas.width, canvas.height);
  };
  const [a, b] = [await pixels(first), await pixels(second)];
  let differing = 0, painted = 0;
  for (let i = 0; i < a.data.length; i += 4) {
    const channels = [0, 1, 2];
    if (channels.some((c) => a.data[i + c] !== a.data[c])) painted += 1;
    if (channels.some((c) => Math.abs(a.data[i + c] - b.data[i + c]) > visible)) differing += 1;
  }
  return {
    sizes: [[a.width, a.height], [b.width, b.height]],
    painted: painted / (a.width * a.height),
    differing: differing / (a.width * a.height),
  };
}"""


@pytest.fixture(scope="module")
def canvas(browser):
    page = browser.new_page()
    yield lambda first, second: page.evaluate(COMPARE, [first, second, VISIBLE])
    page.close()


def stored(name: str) -> str:
    return (gallery.FOLDER / f"{name}.svg").read_text()


NAMES = sorted(path.stem for path in gallery.FOLDER.glob("*.svg"))


def test_every_kind_is_compared():
    assert {name.split("_")[0] for name in NAMES} == set(gallery.kinds())


@pytest.mark.parametrize("name", NAMES)
def test_picture_looks_like_the_stored_one(canvas, pictures, name):
    compared = canvas(stored(name), pictures[name].read_text())
    assert compared["sizes"][0] == compared["sizes"][1]
    assert compared["painted"] > 0.005  # more than the paper is there
    assert compared["differing"] <= MOST_SHARE


def test_another_picture_is_told_apart(canvas):
    picture = stored("confusion")
    assert canvas(picture, picture)["differing"] == 0
    painted_over = re.sub(r'fill="#(?!ffffff)[0-9a-f]{6}"', 'fill="#d55e00"', picture)
    assert painted_over != picture
    assert canvas(picture, painted_over)["differing"] > MOST_SHARE
    empty = picture.split("<g", 1)[0] + "</svg>"
    assert canvas(picture, empty)["differing"] > MOST_SHARE
