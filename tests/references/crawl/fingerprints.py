"""Fingerprints of real texts by PyPI's simhash, given the same features and the same hash as `kit::simhash`.

simhash==2.1.2. The features are the shingles of three words, and the hash of each is FNV-1a and MurmurHash3's finaliser as
`kit::simhash` has them, written here a second time; how bits are weighed and set is simhash's.
"""

import json
import pathlib
import random
import re

from simhash import Simhash

FIXTURES = pathlib.Path(__file__).parents[3] / "modules/lib/kit/fixtures"
ALL = (1 << 64) - 1


def mix(value):
    value ^= value >> 33
    value = value * 0xFF51AFD7ED558CCD & ALL
    value ^= value >> 33
    value = value * 0xC4CEB9FE1A85EC53 & ALL
    return value ^ value >> 33


def word_hash(word):
    value = 0xCBF29CE484222325
    for byte in word.lower().encode():
        value = (value ^ byte) * 0x100000001B3 & ALL
    return mix(value)


def shingles(text):
    """Only for texts whose words are runs of ASCII letters and digits."""
    hashes = [word_hash(word) for word in re.findall(r"[A-Za-z0-9]+", text)]
    size = min(3, len(hashes))
    for at in range(len(hashes) - size + 1):
        joined = 0
        for value in hashes[at : at + size]:
            joined = mix(((joined << 23 | joined >> 41) & ALL) ^ value)
        yield joined


def fingerprint(features):
    # A feature is handed over as the digits of its hash. simhash tries its hash function on a word first.
    read = lambda digits: 0 if digits == b"test" else int(digits, 16)
    return f"{Simhash([(f'{value:x}', 1) for value in features], f=64, hashfunc=read).value:016x}"


def main():
    texts = [it["text"] for it in json.loads((FIXTURES / "texts.json").read_text())]
    plain = [re.sub(r"[^A-Za-z0-9]+", " ", text).strip() for text in texts]
    chance = random.Random(9)
    features = [[f"{chance.getrandbits(64):016x}" for _ in range(chance.choice([1, 2, 3, 7, 64, 200]))] for _ in range(40)]
    made = [[row, fingerprint(int(value, 16) for value in row)] for row in features]
    out = {"texts": [fingerprint(shingles(text)) for text in plain], "features": made}
    (FIXTURES / "simhash.json").write_text(json.dumps(out, separators=(",", ":")) + "\n")
    print(len(plain), "texts", len(made), "lists of features")


if __name__ == "__main__":
    main()
