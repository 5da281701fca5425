"""The tables of options in the documentation, which are made from the registry.

They stand between `<!-- options of FAMILY -->` and `<!-- end -->`, written by tools/update_docs.py.
"""

import json
import re
import subprocess

from pages import COMMAND

_PLACE = re.compile(r"(<!-- options of ([\w-]+) -->\n)(.*?)(<!-- end -->)", re.DOTALL)


def registry(kind: str = "models") -> dict[str, dict]:
    """What `logodds models --json` says, by family; `kind`: models, or clusterings."""
    text = subprocess.run(
        [COMMAND, "models", "--json"], capture_output=True, text=True, check=True
    ).stdout
    return {family["name"]: family for family in json.loads(text)[kind]}


def _values(option: dict) -> str:
    if "form" in option:
        return ", ".join(f"`{form}`" for form in option["form"].split("|"))
    if "choices" in option:
        return ", ".join(f"`{choice}`" for choice in option["choices"])
    if 0 < option.get("minimum", 0) < 1e-300:  # the least number above 0
        return f"{option['type']}, above 0"
    limits = [
        f"{word} {option[name]}"
        for name, word in (("minimum", "at least"), ("maximum", "at most"))
        if name in option
    ]
    return ", ".join([option["type"], *limits])


def _default(value: object) -> str:
    return f"{value:g}" if isinstance(value, float) else str(value)


def options_table(family: dict) -> str:
    lines = ["| option | values | default | meaning |", "|---|---|---|---|"]
    for option in family["options"]:
        cells = [f"`--{option['name']}`", _values(option), f"`{_default(option['default'])}`"]
        lines.append(f"| {' | '.join([*cells, option['help']])} |")
    return "\n".join(lines) + "\n"


def families_with_tables(content: str) -> list[str]:
    return [found[2] for found in _PLACE.finditer(content)]


def with_tables(content: str) -> str:
    """The page with its tables as the registry has them."""
    families = registry() | registry("clusterings")
    return _PLACE.sub(
        lambda found: found[1] + options_table(families[found[2]]) + found[4], content
    )
