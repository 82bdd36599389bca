"""Common words of 14 languages, from the small lists of wordfreq (CC BY-SA 4.0)."""

import gzip
import pathlib

import wordfreq

OUT = pathlib.Path(__file__).resolve().parents[3] / "modules/lib/kit/src/common_words"
for language in ["en", "de", "fr", "es", "it", "nl", "pt", "pl", "sv", "da", "nb", "fi", "cs", "tr"]:
    frequencies = wordfreq.get_frequency_dict(language, "small")
    words = sorted(word for word, share in frequencies.items() if share >= 1e-5 and word.isalpha() and len(word) >= 4)
    packed = gzip.compress(("\n".join(words) + "\n").encode(), 9, mtime=0)
    (OUT / f"{language}.txt.gz").write_bytes(packed)
    print(language, len(words), "words", len(packed), "bytes")
