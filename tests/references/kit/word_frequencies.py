"""The 20,000 most frequent words of 14 languages, from the small lists of wordfreq (CC BY-SA 4.0).

Each line is a frequency in centibels (a hundred times the logarithm to base 10, negated) and the words that have it.
"""

import gzip
import math
import pathlib
from collections import defaultdict

import wordfreq

OUT = pathlib.Path(__file__).resolve().parents[3] / "modules/lib/kit/src/word_frequencies"
WORDS = 20_000
for language in ["en", "de", "fr", "es", "it", "nl", "pt", "pl", "sv", "da", "nb", "fi", "cs", "tr"]:
    frequencies = wordfreq.get_frequency_dict(language, "small")
    top = sorted(frequencies.items(), key=lambda it: (-it[1], it[0]))[:WORDS]
    lines = defaultdict(list)
    for word, share in top:
        if not any(character.isspace() for character in word):
            lines[round(-100 * math.log10(share))].append(word)
    text = "".join(f"{level} {' '.join(sorted(words))}\n" for level, words in sorted(lines.items()))
    packed = gzip.compress(text.encode(), 9, mtime=0)
    (OUT / f"{language}.txt.gz").write_bytes(packed)
    print(language, len(top), "words", len(packed), "bytes")
