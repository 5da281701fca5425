"""Text in many scripts, as real text has it and as chance makes it."""

import random

SENTENCES = [
    "The quick brown fox can't jump over 2 lazy dogs_and_cats; e-mail me@example.org!",
    "Größe, Straße und ÄRGER: naïve Café-Besucher mögen Crème brûlée. Œuvre ŒUVRE",
    "Съешь же ещё этих мягких французских булок, да выпей чаю. ЁЖ ёж",
    "ΟΔΥΣΣΕΥΣ και Οδυσσεύς· ΣΑΣ σας ΑΣ. Ξεσκεπάζω την ψυχοφθόρα βδελυγμία",
    "نص حكيم له سر قاطع وذو شأن عظيم مكتوب على ثوب أخضر ومغلف بجلد أزرق ١٢٣",
    "ऋषियों को सताने वाले दुष्ट राक्षसों के राजा रावण का सर्वनाश करने वाले",
    "我能吞下玻璃而不伤身体。天地玄黄,宇宙洪荒 ABC123",
    "いろはにほへと ちりぬるを カタカナ ﾊﾝｶｸ",
    "키스의 고유조건은 입술끼리 만나야 하고 특별한 기술은 필요치 않다",
    "דג סקרן שט בים מאוכזב ולפתע מצא לו חברה",
    "นายสังฆภัณฑ์ เฮงพิทักษ์ฝั่ง ผู้เฒ่าซึ่งมีอาชีพเป็นฅนขายฃวด",
    "İstanbul ISPARTA ırmak Iğdır; ǅ ǆ Ǆ ﬁne ﬂow ẞ",
    "𝒜𝓁𝓁 mathematical 𝟘𝟙 𐐀𐐨 Ⅷ ⅷ ² ½ Ⓐ ⓐ",
    "a\u0301e\u0308 combining\u0300marks zero\u200dwidth\u200cjoiners so\u00adft",
    "tabs\tand\nnew\r\nlines\u00a0and\u2003spaces\u3000\x1c\x85 end",
    "nul\x00byte \ufffd replaced 😀👍🏽 emoji",
    "",
    "   ",
    "x",
]

LETTERS = "".join(sorted(set("".join(SENTENCES))))


def random_text(rng: random.Random, surrogates: bool = False) -> str:
    """Up to 60 characters: letters of the sentences, separators, and anything that Unicode has."""
    return "".join(_random_character(rng, surrogates) for _ in range(rng.randrange(60)))


def _random_character(rng: random.Random, surrogates: bool) -> str:
    draw = rng.random()
    if draw < 0.5:
        return rng.choice(LETTERS)
    if draw < 0.8:
        return rng.choice("aZ09 _-'\n")
    code = rng.randrange(0x110000 if draw < 0.9 else 0x3000)
    if 0xD800 <= code < 0xE000 and not surrogates:
        return "?"
    return chr(rng.randrange(0xD800, 0xE000)) if surrogates and draw > 0.98 else chr(code)
