"""Spoiling texts and bytes by a seed: parts lost, doubled, swapped, and replaced by what readers trip over."""

import re
from random import Random

ODD = (
    "(", ")", "[", "]", "{", "}", "<", ">", '"', "'", "?", ";", ";@", "%", "=", ",", ".", "..", ":", "&", "|", "~", "#1", "*",
    "", "\0", "\n", "\r", "\t", "\\", "\ufeff", "é", "😀", "\ud800", "[/red]", "[bold]", ":smile:", "nan", "inf", "-1", "0", "64",
    "1e999", "-1e400", "1" * 30, "9" * 5000, "1_000", "0x", "true", "null", "None", "not", "or", "and", "distinct", "role", "does",
    "(" * 150, "[" * 2000, "{a=" * 1500, "a." * 1500, "((", "))", "x" * 3000, "__import__('os')", "random", "init", "next", "legal",
)  # fmt: skip
_TOKENS = re.compile(r"\s+|\w+|.", re.DOTALL)


def spoiled(text: str, seed: object) -> str:
    """Change a text in one to four places."""
    random = Random(f"{seed}")
    parts = _TOKENS.findall(text) or [""]
    for _ in range(random.randint(1, 4)):
        at, other = random.randrange(len(parts)), random.randrange(len(parts))
        first, last = sorted((at, min(len(parts), at + random.choice((1, 1, 2, 5, 30)))))
        match random.randrange(6):
            case 0:
                del parts[first:last]
            case 1:
                parts[at:at] = parts[first:last]
            case 2:
                parts[at], parts[other] = parts[other], parts[at]
            case 3:
                parts[at] = parts[other]
            case 4:
                parts[at] = random.choice(ODD)
            case _:
                parts.insert(at, random.choice(ODD))
        parts = parts or [""]
    return "".join(parts)


def damaged(data: bytes, seed: object) -> bytes:
    """Change bytes in one to twenty places, or cut them off."""
    random = Random(f"{seed}")
    made = bytearray(data)
    for _ in range(random.choice((1, 1, 2, 5, 20))):
        at = random.randrange(len(made))
        match random.randrange(5):
            case 0:
                made[at] = random.randrange(256)
            case 1:
                made[at] ^= 1 << random.randrange(8)
            case 2:
                length = random.choice((4, 64, 4096))
                made[at : at + length] = bytes(random.choice((0, 255)) for _ in range(min(length, len(made) - at)))
            case 3:
                other = random.randrange(len(made))
                made[at : at + 16] = made[other : other + 16]
            case _:
                if random.random() < 0.2:
                    del made[at:]
        if not made:
            return b""
    return bytes(made)
